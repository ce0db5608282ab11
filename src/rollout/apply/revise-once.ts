import { AmbiguousWriteError, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, Revision, RevisionDraft } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { findCreated } from './find-created.ts'
import { findLostWrite, lostWrite, type Look, type LostWrite } from './lost-write.ts'
import { requireNew } from './new-revision.ts'

export interface Written {
  repeated: Repeated[]
}

/** Creates the revision once. If the response was lost, a newer revision with our configuration counts as ours. */
export async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
): Promise<{ revision: Revision } & Written> {
  const known = [deployment.latestRevisionId, deployment.activeRevisionId]
  const create = async (): Promise<Revision> => {
    const answered = await deps.controlPlane.createRevision(deployment.id, draft, known)
    return await requireNew(answered, deployment, draft.settings, deps)
  }
  const { created, repeated } = await createRevisionOnce(deployment, draft.settings, create, deps)
  return { revision: created, repeated }
}

/**
 * Creates a revision once, by any request: see {@link reviseOnce}.
 * @param commit that it must build, if known: one that reports another commit is not ours
 */
export async function createRevisionOnce<Created>(
  deployment: Deployment,
  settings: Revision['settings'],
  create: () => Promise<Created>,
  deps: WriteDependencies,
  commit?: string,
): Promise<{ created: Created | Revision } & Written> {
  let earlier: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    const repeated: Repeated[] = earlier === undefined ? [] : [{ kind: 'revision', before: deployment, settings }]
    try {
      return { created: await create(), repeated }
    } catch (thrown) {
      const lost = lostWrite(thrown, earlier)
      if (lost === undefined) throw thrown
      if (lost instanceof AmbiguousWriteError) earlier = lost
      const found = await findRevision(lost, deployment, settings, deps, retry, commit)
      if (found !== undefined) return { created: found, repeated }
      if (retry >= deps.maxRetries || thrown instanceof RefusedError) throw lost
    }
  }
}

/** Looks for the newest revision that a lost write may have created. */
export async function findRevision(
  lost: LostWrite,
  deployment: Deployment,
  settings: Revision['settings'],
  deps: WriteDependencies,
  retry = 0,
  commit?: string,
): Promise<Revision | undefined> {
  const find = async (look: Look): Promise<Revision | undefined> =>
    (await findCreated(deployment, settings, look, deps, commit))[0]
  return await findLostWrite(lost, find, deps, retry)
}
