import { sourceWord, specWords, typeWord, type Api } from '../control-plane/api.ts'
import { withoutRevealingWords, type Reveals } from '../secrets/redact.ts'
import type { RolloutEvent } from '../rollout/event.ts'
import type { PlannedField, ShownValue } from '../rollout/plan/diff.ts'
import { hasChanges, type AnyPlan, type PackedSource } from '../rollout/plan/plan.ts'
import { inputName } from '../rollout/plan/settings.ts'
import { requestsOf, type PlannedRequest } from '../rollout/plan/planned-requests.ts'
import { noteText, reasonText } from './plan-words.ts'

type Planned = Pick<Extract<RolloutEvent, { kind: 'planned' }>, 'plan' | 'wait' | 'prefix'>

/** The `plan` output: what a rollout would do, for programs to read. Documented in docs/plan.md. */
export interface PlanDocument {
  /** Grows when a field is renamed or removed. */
  version: 1
  kind: AnyPlan['kind']
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

const WITH_REVISION: readonly AnyPlan['kind'][] = ['create', 'revise', 'redeploy']

/**
 * Builds the document in the words of the service.
 * @param planned `wait`: with the requests that watch the revision. `prefix`: of every path of a request
 */
export function describePlan({ plan, wait, prefix }: Planned, api: Api): PlanDocument {
  const upload = 'upload' in plan ? plan.upload : undefined
  return {
    version: 1,
    kind: plan.kind,
    ...subjectOf(plan, api),
    hasChanges: hasChanges(plan),
    fields: plan.fields.map((field) => inWordsOf(api, field)),
    revision: { follows: WITH_REVISION.includes(plan.kind), because: reasonText(plan) },
    ...(upload === undefined ? {} : { upload }),
    requests: requestsOf(plan, wait).map((request) => shown(request, prefix, api)),
    notes: plan.notes.map((note) => noteText(note, api)),
  }
}

/** A further plan of a run, with the fields that the run has patched for an earlier one as they were planned then. */
export function withPatched(plan: PlanDocument, earlier: PlanDocument | undefined): PlanDocument {
  const patched = earlier?.fields.filter(({ via }) => via === 'patch') ?? []
  const fields = plan.fields.map((field) => {
    const before = patched.find(({ input }) => input === field.input)
    return field.difference === 'same' ? (before ?? field) : field
  })
  return { ...plan, fields, hasChanges: plan.hasChanges || patched.length > 0 }
}

function subjectOf(plan: AnyPlan, api: Api): Pick<PlanDocument, 'deployment' | 'source'> {
  if (plan.kind === 'create')
    return { deployment: { name: plan.draft.name }, source: sourceWord(api, plan.draft.source) }
  const { name, id, source = '' } = plan.deployment
  return { deployment: { name, id }, source: sourceWord(api, plan.kind === 'revise' ? plan.revision.source : source) }
}

/** Only a resource spec has fields, and only a type is a word, that the service names in another way. */
function inWordsOf(api: Api, field: PlannedField): PlannedField {
  const { input, current, wanted } = field
  const worded = (value: ShownValue): ShownValue => {
    if (input === inputName('resourceSpec')) return specWords(api, value)
    return input === inputName('deploymentType') && typeof value === 'string' ? typeWord(api, value) : value
  }
  return { ...field, ...(current !== undefined && { current: worded(current) }), wanted: worded(wanted) }
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

function shown(request: PlannedRequest, prefix: string, api: Api): PlannedRequest {
  // The address of an upload is not below base-url.
  if (request.method === 'PUT') return request
  const translated = api.shown(request)
  return { ...translated, path: prefix + translated.path }
}
