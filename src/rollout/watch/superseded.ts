import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable } from '../../control-plane/errors.ts'
import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import type { Reader } from '../dependencies.ts'
import { ageByDate, LISTED_REVISIONS, newestFirst } from '../read/age.ts'
import { READ_AGAIN_MS, SECOND_READ_MS } from '../timing.ts'

export interface SupersededOptions extends Reader {
  /** The deployment as it was before our revision; undefined on a create. */
  before: Deployment | undefined
  /** What a revision that cannot be read counts as: `older` if the caller reads again later. */
  unreadable: 'older' | 'newer'
}

/**
 * The newer revision that the deployment reports as its latest or its active one; undefined when ours is the newest. A
 * lagging replica reports an older revision, and so does a deployment that another client revised before our write: an
 * older revision supersedes nothing. The list's order decides, unless it contradicts itself; dates count only without
 * it.
 */
export async function supersededBy(
  ours: Revision,
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
  const ids = await readIds(deploymentId, [ours.id, before?.latestRevisionId], controlPlane)
  for (const id of candidates) {
    const age = ageInList(id, ours.id, ids)
    if (age === 'newer' || (age === 'unknown' && (await isNewer(id, ours, deployment, options)))) return id
  }
  return undefined
}

/** Whether the service shows that a revision is older than another one: by its list, or else by their dates. */
export async function isOlder(
  id: string,
  than: Revision,
  deploymentId: string,
  controlPlane: ControlPlane,
): Promise<boolean> {
  const ids = await readIds(deploymentId, [], controlPlane)
  // A list that lacks the other one may be cut before it.
  const age = ids.some((one) => sameId(one, than.id)) ? ageInList(id, than.id, ids) : 'unknown'
  if (age !== 'unknown') return age === 'older'
  const revision = await ifReadable(async () => await controlPlane.getRevision(deploymentId, id))
  return ageByDate(revision?.createdAt, than.createdAt) === 'older'
}

/** The ids of the latest revisions, newest first. @param known as {@link newestFirst} takes it */
async function readIds(of: string, known: (string | undefined)[], controlPlane: ControlPlane): Promise<string[]> {
  const limit = LISTED_REVISIONS
  const listed = await ifReadable(async () => await controlPlane.listRevisions(of, { limit }))
  return (newestFirst(listed, known) ?? []).map(({ id }) => id)
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
  ours: Revision,
  { id: deploymentId, latestRevisionId: latest }: Deployment,
  { controlPlane, clock, signal, deadline, unreadable }: SupersededOptions,
): Promise<boolean> {
  const revision = await ifReadable(async () => await controlPlane.getRevision(deploymentId, id))
  if (revision === undefined) return unreadable === 'newer'
  const age = ageByDate(revision.createdAt, ours.createdAt)
  if (age !== 'unknown' || !sameId(id, latest)) return age === 'newer'
  const pause = Math.min(SECOND_READ_MS, deadline - clock.now())
  if (pause < READ_AGAIN_MS) return unreadable === 'newer'
  await clock.sleep(pause, signal)
  const again = await ifReadable(async () => await controlPlane.getDeployment(deploymentId))
  return again === undefined ? unreadable === 'newer' : sameId(again.latestRevisionId, id)
}
