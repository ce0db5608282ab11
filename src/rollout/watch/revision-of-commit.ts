import { ifReadable } from '../../control-plane/errors.ts'
import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import { pauseWithin, type Run } from '../dependencies.ts'
import { phaseOf, type RolloutOutcome } from '../outcome.ts'
import { sameCommit } from '../plan/repository.ts'
import { newestFirst } from '../read/age.ts'
import { readDeployment, readRevision } from '../read/read-again.ts'
import { listRevisionsUntil } from '../read/list-revisions.ts'

interface FoundRevision {
  deployment: Deployment
  revision: Revision
}

/** The result of one look. `isOpen`: an unfinished newer revision may be of the commit, too. */
interface Look {
  match: FoundRevision | undefined
  isOpen: boolean
  /** The commit of the newest revision that reports one. */
  newest: string | undefined
}

/** Pause between two looks for the revision of a commit. */
const COMMIT_LOOK_MS = 5_000

/**
 * Finds the newest revision of a commit, and waits for it to appear. An unfinished revision that reports no commit yet
 * is read until it does.
 * @param limitMs how long the revision may take to appear
 */
export async function findRevisionOf(
  commit: string,
  deployment: Deployment,
  limitMs: number,
  deps: Run,
): Promise<FoundRevision | Extract<RolloutOutcome, { kind: 'timed-out' }>> {
  const { clock, deadline } = deps
  const beganAt = clock.now()
  const endsAt = Math.min(beganAt + limitMs, deadline)
  let last: Look = { match: undefined, isOpen: true, newest: undefined }
  deps.emit({ kind: 'revision-awaited', deployment, commit, limitMs })
  for (;;) {
    last = (await ifReadable(async () => await look(commit, deployment.id, deps))) ?? last
    const { match, isOpen, newest } = last
    const isOver = clock.now() + COMMIT_LOOK_MS > endsAt
    if (match !== undefined && (!isOpen || isOver)) return match
    if (isOver) {
      const limit = deadline < beganAt + limitMs ? 'timeout' : 'queue-timeout'
      const missing = { commit, newest, forMs: endsAt - beganAt, limit } as const
      return { kind: 'timed-out', lastTrouble: undefined, missing }
    }
    await pauseWithin(COMMIT_LOOK_MS, deps)
  }
}

async function look(commit: string, deploymentId: string, deps: Run): Promise<Look> {
  const deployment = await readDeployment(deploymentId, deps)
  const isOf = ({ repoCommitSha }: Revision): boolean =>
    repoCommitSha !== undefined && sameCommit(repoCommitSha, commit)
  let match: FoundRevision | undefined
  let isOpen = false
  let newest: string | undefined
  for (const listed of await revisionsOf(deployment, (all) => all.some(isOf), deps)) {
    const mayReport = listed.repoCommitSha === undefined && phaseOf(listed.status) !== 'terminal'
    const revision = mayReport ? await readRevision(deployment.id, listed.id, deps) : listed
    newest ??= revision.repoCommitSha
    if (isOf(revision)) {
      match = { deployment, revision }
      break
    }
    isOpen ||= revision.repoCommitSha === undefined && phaseOf(revision.status) !== 'terminal'
  }
  return { match, isOpen, newest }
}

/** Newest first; the latest one alone where the service lists none. */
async function revisionsOf(
  { id, latestRevisionId, activeRevisionId }: Deployment,
  isEnough: (listed: Revision[]) => boolean,
  deps: Run,
): Promise<Revision[]> {
  const listed = await listRevisionsUntil(id, isEnough, deps)
  const latest = listed?.find((one) => sameId(one.id, latestRevisionId))
  const isBehind = latest === undefined && latestRevisionId !== undefined
  // A list of a lagging replica lacks the latest revision.
  const missing = isBehind ? [await readRevision(id, latestRevisionId, deps)] : []
  return [...missing, ...(newestFirst(listed, [latestRevisionId, activeRevisionId]) ?? listed ?? [])]
}
