import type { ControlPlane } from '../control-plane/client.ts'
import { BrokenContractError, ifReadable, isNotFound, mayLackRoute } from '../control-plane/errors.ts'
import { idKey, type Deployment, type Revision, type Page } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import type { Reader, Run } from '../rollout/dependencies.ts'
import { pastReplicaLag } from '../rollout/read/read-again.ts'
import { listWhole } from '../control-plane/many.ts'
import { previewsOf, type ListedPreview } from './choose-removals.ts'
import { previewNameStart } from './preview-name.ts'

/** Requests of one kind that a sweep sends at the same time. */
export const AT_ONCE = 4

/** The lists of deployments of one run. It keeps what they say about each id. */
export class Listing {
  readonly #controlPlane: ControlPlane
  readonly #names = new Map<string, Set<string>>()
  /** The time of the first page by the server's clock, in milliseconds since the epoch; undefined if not reported. */
  serverTime: number | undefined
  /** The number of entries of the longest page so far. */
  longestPage = 0

  constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane
  }

  async listDeployments(query: Parameters<ControlPlane['listDeployments']>[0]): Promise<Page<Deployment>> {
    const page = await this.#controlPlane.listDeployments(query)
    this.serverTime ??= page.serverTime
    this.longestPage = Math.max(this.longestPage, page.resources.length)
    for (const { id, name } of page.resources) {
      const key = idKey(id)
      this.#names.set(key, (this.#names.get(key) ?? new Set()).add(name))
    }
    return page
  }

  namesOf(id: string): readonly string[] {
    return [...(this.#names.get(idKey(id)) ?? [])]
  }
}

export async function listPreviews(name: string, listing: Listing): Promise<ListedPreview[]> {
  return previewsOf(await listAll(listing, { nameContains: previewNameStart(name) }), name)
}

/** `nameContains`: some services return names with this start only. */
export async function listAll(listing: Listing, filter: { nameContains?: string } = {}): Promise<Deployment[]> {
  return await listWhole(async (query) => await listing.listDeployments({ ...filter, ...query }))
}

/**
 * Reads a deployment right before it is deleted. `mayBeGone`: a 404 counts at once; else a replica may lag.
 * @returns undefined if it does not exist any more
 * @throws BrokenContractError when the control plane shows its id under another name
 */
export async function readListed(
  { id, name }: Deployment,
  listing: Listing,
  mayBeGone: boolean,
  deps: Reader,
): Promise<Deployment | undefined> {
  const names = listing.namesOf(id)
  if (names.length > 1) throw contradiction(id, `lists this id under ${names.length} names: ${names.join(', ')}`)
  const read = async (): Promise<Deployment> => {
    const deployment = await deps.controlPlane.getDeployment(id)
    if (deployment.name !== name)
      throw contradiction(id, `lists this id as ${name}, and reads it as ${deployment.name}`)
    return deployment
  }
  return await ifReadable(mayBeGone ? read : async () => await pastReplicaLag(read, deps), isNotFound)
}

/** Returns `not-reported` where the control plane shows neither the newest revision nor the active one. */
export async function readNewestRevision(
  { id, latestRevisionId: latest, activeRevisionId: active }: Deployment,
  { controlPlane }: { controlPlane: ControlPlane },
): Promise<Revision | 'not-reported'> {
  if (latest !== undefined) return await controlPlane.getRevision(id, latest)
  // A service may lack the route that lists revisions.
  const listed = await ifReadable(async () => await controlPlane.listRevisions(id, { limit: 1 }), mayLackRoute)
  if (listed?.[0] !== undefined) return listed[0]
  return typeof active === 'string' ? await controlPlane.getRevision(id, active) : 'not-reported'
}

function contradiction(id: string, cameBack: string): BrokenContractError {
  return new BrokenContractError({
    attempted: `delete the deployment ${id}`,
    cameBack: `the control plane ${cameBack}`,
    hint: 'Nothing was sent to delete it. Check the deployment in the control plane.',
  })
}

/** @param label see `previewStateOf` */
export async function stateOf(
  pullRequest: number,
  label: string | undefined,
  { gitHub }: Run<never>,
): Promise<PullRequestState> {
  return (await gitHub.pullRequestStates([pullRequest], label)).get(pullRequest) ?? 'unknown'
}
