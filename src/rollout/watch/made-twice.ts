import { ifReadable } from '../../control-plane/errors.ts'
import { sameId } from '../../control-plane/model.ts'
import { reportTwin } from '../apply/create-once.ts'
import { findComparable, type RepeatedRevision } from '../apply/revise-once.ts'
import { spanAround } from '../apply/write-once.ts'
import { type Run, withTime } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { readUntil } from '../read/read-again.ts'
import { READ_AGAIN_MS } from '../timing.ts'
import { confirmAgain, confirmationTime } from './confirm.ts'
import type { RolloutOutcome } from '../outcome.ts'
import { type EndedRevision, LastSeen } from './watched.ts'

type Ended = Pick<EndedRevision, 'deploymentId' | 'revisionId' | 'outcome' | 'repeated'> &
  Partial<Pick<EndedRevision, 'revision'>>

/** Names newer deployments or revisions like ours. Each may be another client's, so that the run only reports it. */
export async function reportOthers(ended: Ended, deps: Run): Promise<void> {
  const { outcome, repeated, deploymentId } = ended
  if (repeated.length === 0 || outcome.kind === 'timed-out') return
  const timed = withTime(deps, confirmationTime(deps))
  for (const lostWrite of repeated) {
    if (lostWrite.kind === 'revision') await reportRevisions(lostWrite, ended, timed)
    else await reportTwin(deploymentId, lostWrite, timed)
  }
}

/** Whether one of the lost writes may have made the revision: neither it nor its deployment was there before. */
export function mayHaveMade(
  lost: readonly Repeated[],
  { deploymentId, revisionId }: Pick<Ended, 'deploymentId' | 'revisionId'>,
): boolean {
  return lost.some((write) => {
    if (write.kind === 'deployment') return !write.before.some(({ id }) => sameId(id, deploymentId))
    const { latestRevisionId, activeRevisionId } = write.before
    return ![latestRevisionId, activeRevisionId].some((id) => sameId(id, revisionId))
  })
}

/** Lists the writes that a run has lost before it plans again, because it adopted a revision that is not its own. */
export function lostBefore({ repeated, revision }: Pick<Ended, 'repeated' | 'revision'>): Repeated[] {
  return repeated.map((one) => (one.kind === 'revision' ? { ...one, createdAt: revision?.createdAt } : one))
}

/** The same for an ended revision. Returns what its end means now: another may become active during the look. */
export async function confirmBesides(ended: EndedRevision, deps: Run): Promise<RolloutOutcome> {
  if (ended.repeated.length === 0) return ended.outcome
  const last = new LastSeen(ended, deps.controlPlane)
  await reportOthers(ended, { ...deps, controlPlane: last.controlPlane })
  return await confirmAgain(ended, last, deps)
}

/** Before each read at the end of a watch that looks for the revision by which ours is superseded: it may be ours, too. */
const PAUSES_FOR_SUCCESSOR_MS = [0, READ_AGAIN_MS, READ_AGAIN_MS, READ_AGAIN_MS]

async function reportRevisions(repeated: RepeatedRevision, ended: Ended, deps: Run): Promise<void> {
  const { revisionId: ours, revision: watched, outcome } = ended
  const { isSentOnce, sinceFirstMs } = repeated
  const createdAt = 'createdAt' in repeated ? repeated.createdAt : watched?.createdAt
  const look = { isPastLag: true, ...spanAround(createdAt, sinceFirstMs) }
  const isAny = async (): Promise<boolean> => {
    const candidates = (await ifReadable(async () => await findComparable({ ...repeated, ours }, look, deps))) ?? []
    // A write that was sent once is hardly acted on twice: what differs from it is another client's.
    const others = candidates.filter(({ kinship }) => !isSentOnce || kinship === 'ours')
    for (const { resource, id, kinship } of others) {
      const twin = { what: resource, ours, other: id, ...(isSentOnce && { isSentOnce }) }
      deps.emit({ kind: 'made-twice', ...twin, ...(kinship !== 'ours' && { isDoubtful: true }) })
    }
    return others.length > 0
  }
  // A lagging replica does not show yet by which revision ours is superseded.
  await readUntil(isAny, outcome.kind === 'superseded' ? PAUSES_FOR_SUCCESSOR_MS : [0], deps)
}
