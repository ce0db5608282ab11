import type { DeploymentChange } from '../rollout/event.ts'
import { inputName } from '../rollout/plan/settings.ts'

/** What has become of a deployment since the plan was made: a sentence without its subject. */
export function changeText(change: DeploymentChange, short: (text: string) => string): string {
  switch (change.kind) {
    case 'renamed':
      return `is named ${short(change.now)} now`
    case 'deleted':
      return 'was deleted'
    case 'revised':
      return `has another latest revision now (${change.revisionId})`
    case 'active':
      return change.revisionId === null
        ? 'has no active revision any more'
        : `has another active revision now (${change.revisionId})`
    case 'set':
      return `has other settings now (${change.fields.map(inputName).join(', ')})`
  }
}
