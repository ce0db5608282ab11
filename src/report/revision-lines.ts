import type { Revision } from '../control-plane/model.ts'
import type { Applied } from '../rollout/event.ts'

/** Says what a run has created. */
export function appliedLine({ change, deployment: { name, id }, revisionId }: Applied): string {
  if (change === 'created') return `Created ${name} (${id}) with revision ${revisionId}.`
  return change === 'patched'
    ? `Patched ${name}, and created revision ${revisionId}.`
    : change === 'redeployed'
      ? `Created revision ${revisionId} of ${name} by a redeploy.`
      : `Created revision ${revisionId} of ${name}.`
}

/** Names the revision that a rollback goes back to. `short`: makes a text of the server fit into a line. */
export function chosenLine({ id, repoCommitSha, settings }: Revision, short: (text: string) => string): string {
  const commit = repoCommitSha === undefined ? undefined : `commit ${repoCommitSha}`
  const origin = [commit, settings.repoRef, settings.imageUri].filter((part) => part !== undefined).join(', ')
  return `Going back to revision ${id}${origin === '' ? '' : ` (${short(origin)})`}.`
}
