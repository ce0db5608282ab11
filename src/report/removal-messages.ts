import type { Choice } from '../previews/choose.ts'
import type { TeardownEvent } from '../previews/event.ts'
import { formatAge } from './time.ts'
import type { Removal } from './record.ts'

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

type Chosen = Extract<TeardownEvent, { kind: 'deletions-chosen' }>

/** What happens to a deployment that a teardown has considered. */
export function choiceLine({ deployment, verdict, because }: Choice, { dryRun, withTracingProjects }: Chosen): string {
  const verb = verdict === 'keep' ? 'Keeping' : dryRun ? 'Would delete' : 'Deleting'
  const more = verdict === 'remove' && withTracingProjects ? ' and its tracing project' : ''
  return `${verb} ${deployment.name} (${deployment.id})${more}: ${describeReason(because)}.`
}
