import { BrokenContractError, ifReadable, mayLackRoute } from '../../control-plane/errors.ts'
import { PAGE_SIZE } from '../../control-plane/many.ts'
import { idKey, type Revision } from '../../control-plane/model.ts'
import type { Reader } from '../dependencies.ts'

/**
 * Reads the list of a deployment's revisions page by page, until what is listed is enough or a page adds nothing: each
 * revision once, as it was read last. Undefined if the control plane does not list revisions.
 */
export async function listRevisionsUntil(
  id: string,
  isEnough: (listed: Revision[]) => boolean,
  { controlPlane }: Pick<Reader, 'controlPlane'>,
): Promise<Revision[] | undefined> {
  const revisions = new Map<string, Revision>()
  for (;;) {
    const { size: offset } = revisions
    const read = async (): Promise<Revision[]> => await controlPlane.listRevisions(id, { limit: PAGE_SIZE, offset })
    const page = await ifReadable(read, lacksList)
    if (page === undefined) return undefined
    for (const revision of page) revisions.set(idKey(revision.id), revision)
    const listed = [...revisions.values()]
    if (revisions.size === offset || isEnough(listed)) return listed
  }
}

/** Whether the service has no such list; also if it answers with something else. */
function lacksList(thrown: unknown): boolean {
  return mayLackRoute(thrown) || thrown instanceof BrokenContractError
}
