import { forEachOfFew } from '../async.ts'
import { ControlPlaneError, ifReadable, toControlPlaneError } from '../control-plane/errors.ts'
import { listByIds, SMALLEST_FULL_PAGE } from '../control-plane/many.ts'
import { type Deployment, idKey } from '../control-plane/model.ts'
import type { Reader } from '../rollout/dependencies.ts'
import { AT_ONCE, type Listing } from './listing.ts'
import { readIfThere } from '../rollout/read/read-again.ts'

type Presence = 'gone' | 'there' | ControlPlaneError

/**
 * Reads many deployments by `GET /v2/deployments?deployment_ids=`. A service may ignore the filter, cut its pages before
 * it filters, or contradict a read by the id: from then on, every deployment is read by its id.
 */
export class ManyReader {
  readonly #listing: Listing
  readonly #deps: Reader
  #isTrusted = true
  /** The ids of deployments that a list by ids has shown while they existed. */
  readonly #listedIds = new Set<string>()

  constructor(listing: Listing, deps: Reader) {
    this.#listing = listing
    this.#deps = deps
  }

  /** Returns deployments by the keys of `idKey`, without uncertain ones: the caller reads those by their id. */
  async find(ids: readonly string[]): Promise<ReadonlyMap<string, Deployment>> {
    const listed = await this.#list(ids)
    const certain = new Map<string, Deployment>()
    for (const id of ids) {
      const deployment = listed?.get(idKey(id))
      // Names are compared letter by letter. Two names of one id are a contradiction, which the read by the id reports.
      if (deployment !== undefined && this.#listing.namesOf(id).length === 1) certain.set(idKey(id), deployment)
    }
    const [sample] = certain.values()
    if (sample === undefined) return certain
    this.#isTrusted = await this.#agrees(sample.id, sample)
    if (!this.#isTrusted) return new Map()
    for (const key of certain.keys()) this.#listedIds.add(key)
    return certain
  }

  /** Whether the control plane still returns them. Asks by one request for those that `find` has found. */
  async presenceOf(ids: readonly string[]): Promise<ReadonlyMap<string, Presence>> {
    const presence = await this.#presenceByList(ids.filter((id) => this.#listedIds.has(idKey(id))))
    await forEachOfFew(ids, AT_ONCE, async (id) => {
      if (!presence.has(idKey(id))) presence.set(idKey(id), await readPresence(id, this.#deps))
    })
    return presence
  }

  async #presenceByList(ids: readonly string[]): Promise<Map<string, Presence>> {
    const presence = new Map<string, Presence>()
    const listed = await this.#list(ids)
    if (listed === undefined) return presence
    for (const state of ['gone', 'there'] as const) {
      const alike = ids.filter((id) => listed.has(idKey(id)) === (state === 'there'))
      // The deletion that began last is the likeliest to be under way: a list may hide such a deployment.
      const sample = state === 'gone' ? alike.at(-1) : alike[0]
      if (sample === undefined) continue
      if (await this.#agrees(sample, listed.get(idKey(sample)))) for (const id of alike) presence.set(idKey(id), state)
      // A list that still shows a deleted deployment only lags, and stays trusted.
      else if (state === 'gone') this.#isTrusted = false
    }
    return presence
  }

  /** Returns undefined, from then on, if the answer proves nothing. */
  async #list(ids: readonly string[]): Promise<ReadonlyMap<string, Deployment> | undefined> {
    // One deployment is read by its id.
    if (!this.#isTrusted || ids.length < 2) return undefined
    // A page that is shorter than an earlier one is not full.
    const fullPage = Math.max(this.#listing.longestPage, SMALLEST_FULL_PAGE)
    const listed = await ifReadable(async () => await listByIds(ids, this.#listing))
    // A list that shows others ignores the ids, and a short one may be cut.
    this.#isTrusted =
      listed !== undefined &&
      listed.offset <= listed.length &&
      (listed.length < fullPage || listed.deployments.size === new Set(ids.map(idKey)).size)
    return this.#isTrusted ? listed?.deployments : undefined
  }

  /** Whether the control plane returns for the id what its list says. */
  async #agrees(id: string, listed: Deployment | undefined): Promise<boolean> {
    const read = await ifReadable(async () => ({ found: await readIfThere(id, this.#deps) }))
    if (read === undefined) return false
    return read.found?.name === listed?.name && read.found?.settings.repoUrl === listed?.settings.repoUrl
  }
}

async function readPresence(id: string, deps: Reader): Promise<Presence> {
  const read = await readIfThere(id, deps).catch(toControlPlaneError)
  if (read instanceof ControlPlaneError) return read
  return read === undefined ? 'gone' : 'there'
}
