import { ifReadable } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import type { Dependencies, ReadDependencies } from '../dependencies.ts'
import { phaseOf } from '../outcome.ts'
import { COMMIT_GRACE_MS, READ_AGAIN_MS } from '../timing.ts'

/** Reads the revision until it reports its commit, ends, or the time for that is over. */
export async function awaitCommit(
  latest: Revision,
  current: Pick<Deployment, 'id'> | undefined,
  { controlPlane, clock, signal, deadline, emit }: ReadDependencies & Pick<Dependencies, 'emit'>,
): Promise<Revision> {
  emit({ kind: 'commit-awaited', revisionId: latest.id, limitMs: COMMIT_GRACE_MS })
  const endsAt = Math.min(clock.now() + COMMIT_GRACE_MS, deadline)
  let revision = latest
  while (current !== undefined && clock.now() + READ_AGAIN_MS <= endsAt) {
    await clock.sleep(READ_AGAIN_MS, signal)
    revision = (await ifReadable(async () => await controlPlane.getRevision(current.id, latest.id))) ?? revision
    if (revision.repoCommitSha !== undefined || phaseOf(revision.status) === 'terminal') break
  }
  return revision
}
