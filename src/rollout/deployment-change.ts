import type { Field } from '../control-plane/model.ts'
import { inputNames } from './plan/settings.ts'

/** A change of a deployment by another client. */
export type DeploymentChange =
  | { kind: 'renamed'; now: string }
  | { kind: 'deleted' }
  | { kind: 'revised'; revisionId: string }
  | { kind: 'active'; revisionId: string | null }
  | { kind: 'set'; fields: readonly Field[] }

/** A sentence without its subject, which is the deployment. `show`: puts a text of the server into its form. */
export function changeText(change: DeploymentChange, show: (text: string) => string = String): string {
  switch (change.kind) {
    case 'renamed':
      return `was renamed to "${show(change.now)}"`
    case 'deleted':
      return 'was deleted'
    case 'revised':
      return `got another latest revision (${change.revisionId})`
    case 'active':
      return change.revisionId === null
        ? 'lost its active revision'
        : `got another active revision (${change.revisionId})`
    case 'set':
      return `got other settings (${inputNames(change.fields)})`
  }
}
