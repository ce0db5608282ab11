import { ControlPlaneError, ifReadable } from '../../control-plane/errors.ts'
import { sameId, type Deployment, type Revision } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { ageByDate, LISTED_REVISIONS, newestFirst } from '../read/revision-order.ts'
import { READ_AGAIN_MS, SECOND_READ_MS } from '../timing.ts'

export interface SupersededOptions extends Pick<ReadDependencies, 'clock' | 'signal' | 'deadline'> {
  controlPlane: Pick<ReadDependencies['controlPlane'], 'getRevision' | 'listRevisions' | 'getDeployment'>
  /** The deployment as it was before our revision; undefined on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
  /** What a revision that cannot be read counts as: `older` if the caller reads again later. */
  unreadable: 'older' | 'newer'
}

type Ours = Pick<Revision, 'id' | 'createdAt'>

/**
 * Finds the newer revision that the deployment reports as its latest or its active one; undefined when ours is the
 * newest. A lagging replica reports an older revision, and so does a deployment that another client revised between our
 * read and our write: an older revision supersedes nothing. The list's order decides, unless it contradicts itself;
 * dates count only without it.
 */
export async function supersededBy(
  ours: Ours,
  deployment: Deployment,
  options: SupersededOptions,
): Promise<string | undefined> {
  const { id: deploymentId, latestRevisionId: latest, activeRevisionId: active } = deployment
  const { controlPlane, before } = options
  const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId]
  const candidates = [latest, sameId(latest, active) ? undefined : active]
    .filter((id) => typeof id === 'string')
    .filter((id) => !known.some((one) => sameId(one, id)))
  if (candidates.length === 0) return undefined
  const listed = await ifReadable(
    async () => await controlPlane.listRevisions(deploymentId, { limit: LISTED_REVISIONS }),
  )
  const ids = (newestFirst(listed, [ours.id, before?.latestRevisionId]) ?? []).map(({ id }) => id)
  for (const id of candidates) {
    const age = ageInList(id, ours.id, ids)
    if (age === 'newer' || (age === 'unknown' && (await isNewer(id, ours, deployment, options)))) return id
  }
  return undefined
}

/** Whether the service shows that a revision is older than another one: by its list, or else by their dates. */
export async function isOlder(
  id: string,
  than: Ours,
  deploymentId: string,
  { controlPlane }: Pick<SupersededOptions, 'controlPlane'>,
): Promise<boolean> {
  const listed = await ifReadable(
    async () => await controlPlane.listRevisions(deploymentId, { limit: LISTED_REVISIONS }),
  )
  const ids = (newestFirst(listed, []) ?? []).map((one) => one.id)
  // A list that lacks the other one may be cut before it.
  const age = ids.some((one) => sameId(one, than.id)) ? ageInList(id, than.id, ids) : 'unknown'
  if (age !== 'unknown') return age === 'older'
  const revision = await ifReadable(async () => await controlPlane.getRevision(deploymentId, id))
  return ageByDate(revision?.createdAt, than.createdAt) === 'older'
}

/** @param ids newest first (contract notes, `GET /v2/deployments/{id}/revisions`) */
export function ageInList(id: string, ours: string, ids: readonly string[]): 'newer' | 'older' | 'unknown' {
  const place = ids.findIndex((one) => sameId(one, id))
  const ourPlace = ids.findIndex((one) => sameId(one, ours))
  if (place < 0) return 'unknown'
  // A whole list that shows the other one and not ours is older than ours.
  if (ourPlace < 0) return ids.length < LISTED_REVISIONS ? 'older' : 'unknown'
  return place < ourPlace ? 'newer' : 'older'
}

/** Decides without a list. The latest revision is newer unless its date or a second read contradicts. */
async function isNewer(
  id: string,
  ours: Ours,
  { id: deploymentId, latestRevisionId: latest }: Deployment,
  { controlPlane, clock, signal, deadline, unreadable }: SupersededOptions,
): Promise<boolean> {
  let age: ReturnType<typeof ageByDate>
  try {
    age = ageByDate((await controlPlane.getRevision(deploymentId, id)).createdAt, ours.createdAt)
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError)) throw thrown
    return unreadable === 'newer'
  }
  if (age !== 'unknown' || !sameId(id, latest)) return age === 'newer'
  const pause = Math.min(SECOND_READ_MS, deadline - clock.now())
  if (pause < READ_AGAIN_MS) return unreadable === 'newer'
  await clock.sleep(pause, signal)
  const again = await ifReadable(async () => await controlPlane.getDeployment(deploymentId))
  return again === undefined ? unreadable === 'newer' : sameId(again.latestRevisionId, id)
}
