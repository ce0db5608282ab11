import { ifReadable } from '../../control-plane/errors.ts'
import { sameId, type Revision } from '../../control-plane/model.ts'
import { findTwins } from '../apply/create-once.ts'
import { findComparable, foundOf, type Candidate } from '../apply/find-created.ts'
import { warnOfSecrets } from '../apply/lost-write.ts'
import { spanAround } from '../apply/span.ts'
import { withTime, type Dependencies, type ReadDependencies } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { READ_AGAIN_MS, READS_OF_SUCCESSOR } from '../timing.ts'
import { confirmationTime } from './confirm.ts'
import type { Outcome } from '../outcome.ts'

/** The end of a watch. */
interface Ended {
  deploymentId: string
  revisionId: string
  revision?: Revision | undefined
  outcome: Outcome
  repeated: readonly Repeated[]
}

type LookDependencies = ReadDependencies & Pick<Dependencies, 'emit'>

/**
 * Emits what the control plane made of a lost write besides its repetition, and returns the newest revision of ours if
 * that is another one than the ended one.
 */
export async function newestOfOurs(ended: Ended, deps: LookDependencies): Promise<Revision | undefined> {
  const { outcome, repeated } = ended
  if (repeated.length === 0 || outcome.kind === 'timed-out') return undefined
  const timed = withTime(deps, confirmationTime(deps))
  let newest: Revision | undefined
  for (const one of repeated) {
    if (one.kind === 'revision') newest = await newestRevision(one, ended, timed)
    else await reportOtherDeployment(one, ended, timed)
  }
  return newest
}

type RepeatedRevision = Extract<Repeated, { kind: 'revision' }>

async function newestRevision(
  repeated: RepeatedRevision,
  ended: Ended,
  deps: LookDependencies,
): Promise<Revision | undefined> {
  const { revisionId, outcome } = ended
  const { isSentOnce } = repeated
  // A lagging replica does not show yet by which revision ours is superseded.
  const reads = outcome.kind === 'superseded' ? READS_OF_SUCCESSOR : 1
  for (let read = 1; ; read++) {
    const found = (await ifReadable(async () => await findMade(repeated, ended, deps))) ?? []
    const place = found.findIndex(({ revision: { id } }) => sameId(id, revisionId))
    // Newer is what the list shows before our own revision; without that, nothing is known to be newer.
    // A write that was sent once is hardly acted on twice: the newer one may rather be another client's.
    const newer = isSentOnce ? [] : found.slice(0, Math.max(0, place))
    const newest = newer.find(({ kinship }) => kinship === 'ours')
    const kept = newest?.revision.id ?? revisionId
    const isOther = ({ revision: { id }, kinship }: Candidate): boolean =>
      !sameId(id, kept) && (!isSentOnce || kinship === 'ours')
    const others = found.filter(isOther)
    for (const { revision, kinship } of others) {
      const isOurs = kinship === 'ours' || sameId(revision.id, revisionId)
      const about = { what: 'revision', ours: kept, other: revision.id, ...(isSentOnce && { isSentOnce }) } as const
      const twice = { kind: 'made-twice', ...about } as const
      deps.emit(isOurs ? twice : { ...twice, isDoubtful: true })
    }
    if (newest !== undefined) warnOfSecrets(foundOf(newest), deps.emit)
    if (others.length > 0) return newest?.revision
    if (read >= reads || deps.clock.now() >= deps.deadline) return undefined
    await deps.clock.sleep(READ_AGAIN_MS, deps.signal)
  }
}

/** Finds what is new since the write, newest first. The look is made long after it. */
async function findMade(
  { before, settings, commit, sinceFirstMs }: RepeatedRevision,
  { revisionId: ours, revision }: Ended,
  deps: LookDependencies,
): Promise<Candidate[]> {
  const look = { isPastLag: true, ...spanAround(revision?.createdAt, sinceFirstMs) }
  return await findComparable(before, settings, look, deps, { commit, ours })
}

async function reportOtherDeployment(
  repeated: Extract<Repeated, { kind: 'deployment' }>,
  { deploymentId }: Ended,
  deps: LookDependencies,
): Promise<void> {
  const other = (await findTwins(deploymentId, repeated, deps)).find(({ id }) => !sameId(id, deploymentId))
  if (other !== undefined) deps.emit({ kind: 'made-twice', what: 'deployment', ours: deploymentId, other: other.id })
}
