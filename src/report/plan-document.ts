import { withoutRevealingWords, type Reveals } from '../revealing-words.ts'
import type { RolloutEvent } from '../rollout/event.ts'
import type { PlannedField } from '../rollout/plan/diff.ts'
import { hasChanges } from '../rollout/plan/effect.ts'
import { requestsOf, type PlannedRequest } from '../rollout/plan/planned-requests.ts'
import type { PackedSource, RolloutPlan } from '../rollout/plan/types.ts'
import { noteText, reasonText } from './plan-words.ts'

type Planned = Pick<Extract<RolloutEvent, { kind: 'planned' }>, 'plan' | 'wait' | 'prefix'>

/** The `plan` output: what a rollout would do, for programs to read. Documented in docs/plan.md. */
export interface PlanDocument {
  /** Grows when a field is renamed or removed. */
  version: 1
  kind: RolloutPlan['kind']
  /** Without id on a create. */
  deployment: { name: string; id?: string }
  source: string
  /** Whether the plan differs from what is active. */
  hasChanges: boolean
  fields: PlannedField[]
  revision: { follows: boolean; because: string }
  upload?: PackedSource
  requests: PlannedRequest[]
  /** Sentences without a full stop. */
  notes: string[]
}

/**
 * Builds the document.
 * @param planned `wait`: with the requests that watch the revision. `prefix`: of every path of a request
 */
export function describePlan({ plan, wait, prefix }: Planned): PlanDocument {
  const upload = 'upload' in plan ? plan.upload : undefined
  return {
    version: 1,
    kind: plan.kind,
    ...subjectOf(plan),
    hasChanges: hasChanges(plan),
    fields: plan.fields,
    revision: { follows: plan.kind === 'create' || plan.kind === 'revise', because: reasonText(plan) },
    ...(upload === undefined ? {} : { upload }),
    requests: requestsOf(plan, wait, prefix),
    notes: plan.notes.map(noteText),
  }
}

function subjectOf(plan: RolloutPlan): Pick<PlanDocument, 'deployment' | 'source'> {
  if (plan.kind === 'create') return { deployment: { name: plan.draft.name }, source: plan.draft.source }
  const { name, id, source } = plan.deployment
  return { deployment: { name, id }, source: plan.kind === 'revise' ? plan.revision.source : (source ?? '') }
}

/** The plan without the words of the control plane that contain a secret in any form. */
export function publicPlan(plan: PlanDocument, reveals: Reveals): PlanDocument {
  const clean = (text: string): string => withoutRevealingWords(text, reveals)
  const { deployment, source, fields, revision, requests, notes } = plan
  return {
    ...plan,
    deployment: { ...deployment, name: clean(deployment.name), ...(deployment.id && { id: clean(deployment.id) }) },
    source: clean(source),
    fields: fields.map((field) => ({ ...field, ...publicCurrent(field, clean) })),
    revision: { ...revision, because: clean(revision.because) },
    requests: requests.map((request) => ({ ...request, path: clean(request.path), purpose: clean(request.purpose) })),
    notes: notes.map(clean),
  }
}

function publicCurrent({ current }: PlannedField, clean: (text: string) => string): Pick<PlannedField, 'current'> {
  if (typeof current === 'string') return { current: clean(current) }
  return Array.isArray(current) ? { current: current.map((one) => clean(String(one))) } : {}
}
