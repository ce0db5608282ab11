import { AmbiguousWriteError, ifReadable } from '../../control-plane/errors.ts'
import { sameId, type Deployment, type Revision, type Settings } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { phaseOf } from '../outcome.ts'
import { hasOtherOrigin } from './find-created.ts'

/**
 * Returns the revision that the response to a POST shows, if it can be the one that the POST has created.
 * @param before the deployment as it was before the POST
 * @throws AmbiguousWriteError when the response shows another revision: the new one is to be looked for
 */
export async function requireNew(
  revision: Revision,
  before: Deployment,
  wanted: Settings,
  { controlPlane }: Pick<ReadDependencies, 'controlPlane'>,
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

/** Returns why a revision that ends at once is not ours: it is ours only if it is the latest one now. */
async function contradictionOfEnd(
  { id, status }: Revision,
  before: Deployment,
  controlPlane: ReadDependencies['controlPlane'],
): Promise<string | undefined> {
  if (phaseOf(status) !== 'terminal') return undefined
  const now = await ifReadable(async () => await controlPlane.getDeployment(before.id))
  return sameId(now?.latestRevisionId, id) ? undefined : `has ended already (${status})`
}
