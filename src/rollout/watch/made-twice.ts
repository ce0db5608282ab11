import { ifReadable } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import { findCreated, findDrafted } from '../apply/find-created.ts'
import { withTime, type Dependencies, type ReadDependencies } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { READ_AGAIN_MS, READS_OF_SUCCESSOR } from '../timing.ts'
import { confirmationTime } from './confirm.ts'
import type { Outcome } from '../outcome.ts'

/** The end of a watch. */
interface Ended {
  deploymentId: string
  revisionId: string
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

async function newestRevision(
  { before, settings }: Extract<Repeated, { kind: 'revision' }>,
  { revisionId, outcome }: Ended,
  deps: LookDependencies,
): Promise<Revision | undefined> {
  // A lagging replica does not show yet by which revision ours is superseded.
  const reads = outcome.kind === 'superseded' ? READS_OF_SUCCESSOR : 1
  for (let read = 1; ; read++) {
    const ours = (await ifReadable(async () => await findCreated(before, settings, { isPastLag: true }, deps))) ?? []
    const [newest] = ours
    const other = ours.find(({ id }) => !sameId(id, revisionId))
    if (newest !== undefined && other !== undefined) {
      const isNewer = newest === other
      const [kept, second] = isNewer ? [newest.id, revisionId] : [revisionId, other.id]
      deps.emit({ kind: 'made-twice', what: 'revision', ours: kept, other: second })
      return isNewer ? newest : undefined
    }
    if (read >= reads || deps.clock.now() >= deps.deadline) return undefined
    await deps.clock.sleep(READ_AGAIN_MS, deps.signal)
  }
}

async function reportOtherDeployment(
  { draft }: Extract<Repeated, { kind: 'deployment' }>,
  { deploymentId }: Ended,
  deps: LookDependencies,
): Promise<void> {
  const drafted = (await ifReadable(async () => await findDrafted(draft, deps))) ?? []
  const other = drafted.find(({ id }) => !sameId(id, deploymentId))
  if (other !== undefined) deps.emit({ kind: 'made-twice', what: 'deployment', ours: deploymentId, other: other.id })
}
