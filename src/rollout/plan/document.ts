import type { PlannedField } from './diff.ts'
import { requestsOf, type PlannedRequest } from './planned-requests.ts'
import type { PackedSource, RolloutPlan } from './types.ts'

/** The `plan` output: what a rollout would do, for programs to read. Documented in docs/plan.md. */
export interface PlanDocument {
  /** Grows when a field is renamed or removed. */
  version: 1
  kind: RolloutPlan['kind']
  /** No id on a create. */
  deployment: { name: string; id?: string }
  source: string
  fields: PlannedField[]
  revision: { follows: boolean; because: string }
  upload?: PackedSource
  requests: PlannedRequest[]
  notes: string[]
}

/** @param wait whether the revision would be watched, as those requests are told too */
export function describePlan(plan: RolloutPlan, wait: boolean): PlanDocument {
  const upload = 'upload' in plan ? plan.upload : undefined
  return {
    version: 1,
    kind: plan.kind,
    deployment: deploymentOf(plan),
    source: sourceOf(plan),
    fields: plan.fields,
    revision: { follows: plan.kind === 'create' || plan.kind === 'revise', because: plan.because },
    ...(upload === undefined ? {} : { upload }),
    requests: requestsOf(plan, wait),
    notes: plan.notes,
  }
}

function deploymentOf(plan: RolloutPlan): PlanDocument['deployment'] {
  switch (plan.kind) {
    case 'create':
      return { name: plan.draft.name }
    case 'revise':
    case 'resume':
    case 'unchanged':
      return { name: plan.deployment.name, id: plan.deployment.id }
  }
}

function sourceOf(plan: RolloutPlan): string {
  switch (plan.kind) {
    case 'create':
      return plan.draft.source
    case 'revise':
      return plan.revision.source
    case 'resume':
    case 'unchanged':
      return plan.deployment.source ?? ''
  }
}
