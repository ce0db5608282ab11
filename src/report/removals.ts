import type { Choice } from '../previews/choose-removals.ts'
import { formatAge } from './words.ts'
import type { EventOf, Removal, RunEvent, TeardownRecord } from './record.ts'
import { addressOf } from '../control-plane/model.ts'

/** Why a deployment is deleted or kept, or why its deletion failed, as the end of a sentence. */
export function describeReason(because: Removal['because']): string {
  switch (because.kind) {
    case 'requested':
      return 'the step requests it'
    case 'pull-request-closed':
      return `pull request ${because.pullRequest} is closed`
    case 'pull-request-unlabeled':
      return `pull request ${because.pullRequest} does not have the label that preview-label names`
    case 'not-updated':
      return `not updated for ${formatAge(because.forMs)}`
    case 'pull-request-open':
      return `pull request ${because.pullRequest} is open`
    case 'pull-request-missing':
      return `this repository has no pull request ${because.pullRequest}`
    case 'pull-request-unknown':
      return `GitHub did not report whether pull request ${because.pullRequest} is closed`
    case 'event-outdated':
      return `GitHub did not report whether pull request ${because.pullRequest} is closed, and the event of a rerun may be outdated`
    case 'label-event-outdated':
      return `GitHub did not report whether pull request ${because.pullRequest} has the label that preview-label names, and the event of a rerun may be outdated`
    case 'age-unknown':
      return `its age is unknown: the control plane does not report ${LACKING[because.lacks]}`
    case 'revision-under-way':
      return `its latest revision is ${because.status}`
    case 'other-repository':
      return `it is built from ${because.reported}, not from ${because.expected}`
    case 'not-proven':
      return `the manifest does not name it, and nothing shows that it is a preview of pull request ${because.pullRequest}`
    case 'accepted':
      return 'the control plane accepted its deletion, and the run ended before it looked whether it is gone'
    case 'failed':
      return because.trouble
  }
}

const LACKING = {
  'server-time': 'a plausible current time (header Date)',
  'update-time': 'a plausible time of its last update',
  revision: 'its latest revision',
}

export function choiceLine(
  { deployment, verdict, because }: Choice,
  { dryRun, withTracingProjects }: EventOf<'deletions-chosen'>,
): string {
  const verb = verdict === 'keep' ? 'Keeping' : dryRun ? 'Would delete' : 'Deleting'
  const more = verdict === 'remove' && withTracingProjects ? ' and its tracing project' : ''
  return `${verb} ${deployment.name} (${deployment.id})${more}: ${describeReason(because)}.`
}

export function foldTeardown(record: TeardownRecord, event: RunEvent): TeardownRecord {
  switch (event.kind) {
    case 'deletions-chosen': {
      const removals = [...record.removals, ...event.choices.map(removalOf)]
      const only = event.isOne ? event.choices[0]?.deployment : undefined
      const deployment = only && { id: only.id, name: only.name }
      return { ...record, removals, deployment, url: only && addressOf(only) }
    }
    case 'nothing-to-delete':
      return event.name === undefined ? record : { ...record, gone: [...record.gone, event.name] }
    case 'deleted': {
      const names = record.removals.filter(({ id }) => id === event.id).map(({ name }) => name)
      const gone = [...record.gone, ...names]
      return { ...withRemoval(record, event.id, { result: 'removed' }), url: undefined, gone }
    }
    case 'deletion-dropped':
      return withRemoval(record, event.id, { result: 'kept', because: event.because })
    case 'deletion-unseen':
      return withRemoval(record, event.id, { because: { kind: 'accepted' } })
    case 'deletion-failed':
      return withRemoval(record, event.id, { result: 'failed', because: { kind: 'failed', trouble: event.trouble } })
    default:
      return record
  }
}

function removalOf({ deployment: { id, name }, pullRequest, verdict, because }: Choice): Removal {
  const result = verdict === 'keep' ? 'kept' : 'planned'
  return { id, name, ...(pullRequest === undefined ? {} : { pullRequest }), result, because }
}

function withRemoval(record: TeardownRecord, id: string, change: Partial<Removal>): TeardownRecord {
  const removals = record.removals.map((one) => (one.id === id ? { ...one, ...change } : one))
  return { ...record, removals }
}
