import { forEachOfFew } from '../async.ts'
import { ControlPlaneError } from '../control-plane/errors.ts'
import { listByIds } from '../control-plane/many.ts'
import type { Deployment } from '../control-plane/model.ts'
import { SMALLEST_FULL_PAGE } from '../control-plane/paginate.ts'
import { idKey } from '../control-plane/same-id.ts'
import type { ReadDependencies } from '../rollout/dependencies.ts'
import { readIfThere, type Listing } from './listing.ts'

/** Requests of one kind that a sweep sends at the same time. */
export const AT_ONCE = 4

/** Whether a deployment still exists, or why that is not known. */
type Presence = 'gone' | 'there' | ControlPlaneError

export interface ManyReader {
  /**
   * Reads several deployments by one request, and one of them by its id. The map lacks those that are not certain: read
   * them by their id. The keys of both maps are those of `idKey`.
   */
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, Deployment>>
  /** Whether the control plane still returns them. Asks by one request for those that `find` has found. */
  presenceOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, Presence>>
}

/**
 * Reads many deployments by `GET /v2/deployments?deployment_ids=`. A service may ignore the filter, cut its pages before
 * it filters, or list something else than it returns for an id: each of it ends these requests, and every deployment is
 * read by its id. So no deployment counts as gone because a list lacks it that would lack it anyway.
 */
export function openManyReader(listing: Listing, deps: ReadDependencies): ManyReader {
  let isTrusted = true
  /** Those that a list by ids has shown while they existed. */
  const shown = new Set<string>()

  /** Whether the control plane returns for the id what its list says. */
  const agrees = async (id: string, listed: Deployment | undefined): Promise<boolean> => {
    try {
      const found = await readIfThere(id, deps)
      return found?.name === listed?.name && found?.settings.repoUrl === listed?.settings.repoUrl
    } catch (thrown) {
      if (thrown instanceof ControlPlaneError) return false
      throw thrown
    }
  }
  /** Returns undefined, from then on, if the answer proves nothing. */
  const list = async (ids: readonly string[]): Promise<ReadonlyMap<string, Deployment> | undefined> => {
    // A request for one is a request by its id.
    if (!isTrusted || ids.length < 2) return undefined
    const page = await askFor(ids, listing)
    isTrusted = page !== undefined
    return page
  }
  return {
    async find(ids) {
      const listed = await list(ids)
      const found = new Map<string, Deployment>()
      for (const id of ids) {
        const deployment = listed?.get(idKey(id))
        // Letter by letter. Two names are a contradiction, which the reading by the id reports.
        if (deployment !== undefined && listing.namesOf(id).length === 1) found.set(idKey(id), deployment)
      }
      const [sample] = found.values()
      if (sample === undefined) return found
      isTrusted = await agrees(sample.id, sample)
      if (!isTrusted) return new Map()
      for (const key of found.keys()) shown.add(key)
      return found
    },
    async presenceOf(ids) {
      const certain = ids.filter((id) => shown.has(idKey(id)))
      const listed = await list(certain)
      const presence = new Map<string, Presence>()
      if (listed !== undefined)
        for (const id of certain) presence.set(idKey(id), listed.has(idKey(id)) ? 'there' : 'gone')
      for (const state of ['gone', 'there'] as const) {
        const alike = certain.filter((id) => presence.get(idKey(id)) === state)
        // The deletion that began last is the likeliest to be under way: a list may hide such a deployment.
        const sample = state === 'gone' ? alike.at(-1) : alike[0]
        if (sample === undefined || (await agrees(sample, listed?.get(idKey(sample))))) continue
        // A list that still shows what is gone only lags.
        if (state === 'gone') isTrusted = false
        for (const id of alike) presence.delete(idKey(id))
      }
      await forEachOfFew(ids, AT_ONCE, async (id) => {
        if (!presence.has(idKey(id))) presence.set(idKey(id), await readPresence(id, deps))
      })
      return presence
    },
  }
}

/** Returns undefined for an answer with other deployments, or with a page that may not be whole. */
async function askFor(ids: readonly string[], listing: Listing): Promise<ReadonlyMap<string, Deployment> | undefined> {
  try {
    // Of an earlier page: a shorter one is not full.
    const fullPage = Math.max(listing.longestPage(), SMALLEST_FULL_PAGE)
    const listed = await listByIds(ids, listing)
    if (listed === undefined) return undefined
    const { found, length, offset } = listed
    const hasAll = found.size === new Set(ids.map(idKey)).size
    return offset <= length && (length < fullPage || hasAll) ? found : undefined
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return undefined
    throw thrown
  }
}

async function readPresence(id: string, deps: ReadDependencies): Promise<Presence> {
  try {
    return (await readIfThere(id, deps)) === undefined ? 'gone' : 'there'
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return thrown
    throw thrown
  }
}
