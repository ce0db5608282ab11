import { forEachOfFew } from '../async.ts'
import { toError } from '../clock.ts'
import { idKey } from '../control-plane/same-id.ts'
import type { Choice } from './choose.ts'
import { AT_ONCE, type ManyReader } from './read-many.ts'
import { requestDeletion, stillThere, untilGone, type LastCheck, type RemoveDependencies } from './remove.ts'
import type { ChoiceReason } from './teardown-request.ts'

/**
 * The previews that are confirmed at once, right before their deletions. An address with their ids stays below 2,100
 * characters, which every server takes.
 */
const BATCH = 50

export interface Removing<T extends Choice> {
  reader: Pick<ManyReader, 'presenceOf'>
  dryRun: boolean
  /** Confirms the previews of a batch. Returns the last check of each. */
  checksOf: (batch: readonly T[]) => Promise<(choice: T) => LastCheck>
  onKept: (because: ChoiceReason) => void
}

/**
 * Deletes previews in batches, a few at a time. Does not wait between the batches until those of one are gone, but only
 * at the end. A failed deletion does not stop the others. A dry run ends after the checks.
 * @throws what ends the run
 */
export async function removeBatches<T extends Choice>(
  chosen: readonly T[],
  { reader, dryRun, checksOf, onKept }: Removing<T>,
  deps: RemoveDependencies,
): Promise<Record<'removed' | 'failed', number>> {
  const { signal, emit } = deps
  const counts = { removed: 0, failed: 0 }
  /** Ids of accepted deletions whose deployments the control plane may still return, by their keys. */
  const accepted = new Map<string, string>()
  const removed = (id: string): void => {
    counts.removed += 1
    if (!dryRun) emit({ kind: 'deleted', id })
  }
  const failed = (id: string, thrown: unknown): void => {
    counts.failed += 1
    emit({ kind: 'deletion-failed', id, trouble: toError(thrown).message })
  }
  const remove = async (id: string, check: LastCheck): Promise<void> => {
    try {
      const result = dryRun ? await check(false) : await requestDeletion(id, check, deps)
      if (result.kind === 'accepted') accepted.set(idKey(id), id)
      else if (result.kind === 'keep') {
        emit({ kind: 'deletion-dropped', id, because: result.because })
        onKept(result.because)
      } else removed(id)
    } catch (thrown) {
      // The deletions that are under way end, too: what became of them is reported.
      if (!signal.aborted) failed(id, thrown)
    }
  }
  const look = async (ids: readonly string[]): Promise<void> => {
    const presences = await reader.presenceOf(ids)
    for (const id of ids) {
      const presence = presences.get(idKey(id))
      if (presence === 'there' || presence === undefined) continue
      accepted.delete(idKey(id))
      if (presence === 'gone') removed(id)
      else failed(id, presence)
    }
  }
  const lookAtAll = async (): Promise<boolean> => {
    for (const ids of batchesOf([...accepted.values()])) await look(ids)
    return accepted.size === 0
  }
  try {
    for (const batch of batchesOf(chosen)) {
      const checkOf = await checksOf(batch)
      const before = accepted.size
      await forEachOfFew(batch, AT_ONCE, async (choice) => {
        if (!signal.aborted) await remove(choice.deployment.id, checkOf(choice))
      })
      signal.throwIfAborted()
      await look([...accepted.values()].slice(before))
    }
    if (!(await untilGone(lookAtAll, deps))) for (const id of accepted.values()) failed(id, stillThere(id))
  } catch (thrown) {
    for (const id of accepted.values()) emit({ kind: 'deletion-unseen', id })
    throw thrown
  }
  return counts
}

export function* batchesOf<T>(all: readonly T[]): Generator<readonly T[], void> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH)
}
