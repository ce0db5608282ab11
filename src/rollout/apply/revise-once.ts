import type { ControlPlane } from '../../control-plane/client.ts'
import { AmbiguousWriteError, ifReadable } from '../../control-plane/errors.ts'
import { type Deployment, type Revision, type RevisionDraft, sameId, type Settings } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { findCreated, hasOtherOrigin, type Sought } from './find-created.ts'
import type { KnownDeployment } from './known-deployment.ts'
import { type Write, writeOnce } from './write-once.ts'
import { phaseOf } from '../outcome.ts'

/** `isFound`: the response was lost, and this was found. */
export interface Written {
  repeated: Repeated[]
  isFound: boolean
}

/** Creates the revision once. If the response was lost, a new revision that nothing distinguishes from ours is ours. */
export async function reviseOnce(
  known: KnownDeployment,
  draft: RevisionDraft,
  deps: Run,
  commit?: string,
): Promise<{ revision: Revision } & Written> {
  const create = async (before: Deployment): Promise<Revision> => {
    const others = [before.latestRevisionId, before.activeRevisionId]
    const answered = await deps.controlPlane.createRevision(before.id, draft, others)
    return await requireNew(answered, before, draft.settings, deps.controlPlane)
  }
  const { created, ...written } = await createRevisionOnce(known, { settings: draft.settings, commit }, create, deps)
  return { revision: created, ...written }
}

/** Creates a revision once, by any request: see {@link reviseOnce}. `create`: given the deployment as it is before. */
export async function createRevisionOnce<Created>(
  basis: KnownDeployment,
  sought: Omit<Sought, 'before'>,
  create: (before: Deployment) => Promise<Created>,
  deps: Run,
): Promise<{ created: Created | Revision } & Written> {
  const { settings, mayMove = false } = sought
  const write: Write<Deployment, Created | Revision> = {
    what: 'revision',
    basis,
    create,
    find: async (before, look) => await findCreated({ ...sought, before }, look, deps),
  }
  const { made: created, before, isFound, isRepeated, sinceFirstMs } = await writeOnce(write, deps)
  const commit = mayMove ? undefined : sought.commit
  const sent: Repeated = { kind: 'revision', before, settings, commit, sinceFirstMs }
  const again: Repeated = isRepeated ? sent : { ...sent, isSentOnce: true }
  return { created, repeated: isRepeated || isFound ? [again] : [], isFound }
}

/**
 * Returns the revision of a response to a POST, if the POST can have created it.
 * @throws AmbiguousWriteError when the response shows another revision: the new one is to be looked for
 */
export async function requireNew(
  revision: Revision,
  before: Deployment,
  wanted: Settings,
  controlPlane: ControlPlane,
): Promise<Revision> {
  const contradiction = hasOtherOrigin(revision, wanted)
    ? 'has another configuration'
    : await contradictionOfEnd(revision, before, controlPlane)
  if (contradiction === undefined) return revision
  throw new AmbiguousWriteError({
    attempted: `create a revision of the deployment ${before.id}`,
    cameBack: `the response shows the revision ${revision.id}, which ${contradiction}`,
    hint: 'It may have succeeded. Check the deployment before you rerun the job.',
  })
}

/** A revision that ends at once is ours only if it is the latest one now. */
async function contradictionOfEnd(
  { id, status }: Revision,
  before: Deployment,
  controlPlane: ControlPlane,
): Promise<string | undefined> {
  if (phaseOf(status) !== 'terminal') return undefined
  const now = await ifReadable(async () => await controlPlane.getDeployment(before.id))
  return sameId(now?.latestRevisionId, id) ? undefined : `has ended already (${status})`
}
