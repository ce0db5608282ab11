import { decorated, type ControlPlane } from './client.ts'
import { ControlPlaneError, isNotFound, RefusedError, toControlPlaneError } from './errors.ts'
import { idKey, type Deployment, type Page, type PageQuery } from './model.ts'
import type { Sending } from './transport.ts'

/** The contract's largest page. */
export const PAGE_SIZE = 100
/** A service that ignores the limit may end a page here: half of the contract's default page. */
export const SMALLEST_FULL_PAGE = 10

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>

/** An entry of a list. A deployment may get another name while the pages are read. */
interface Listed {
  id: string
  name?: string | undefined
}

/** Reads a whole list: each entry once, as it was read last. */
export async function listWhole<T extends Listed>(readPage: ReadPage<T>): Promise<T[]> {
  const entries = new Map<string, T>()
  for await (const entry of readAll(readPage)) entries.set(idKey(entry.id), entry)
  return [...entries.values()]
}

/**
 * Yields every entry of a paged list once, and again under another name. While the pages are read, other clients add and
 * remove deployments: an entry then moves to a page that was read already. So a list of several pages is read once more,
 * with pages that overlap by half. A consumer that has found its entry ends the reading.
 */
export async function* readAll<T extends Listed>(readPage: ReadPage<T>): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  let pageSize: number | undefined
  let isLong = false
  for await (const { resources, offset } of pagesOf(readPage, 1, (next, from) => next - from)) {
    const added = newAmong(resources, seen)
    // A page with an offset beyond its length was cut before it was filtered.
    const mayBeFull = resources.length >= SMALLEST_FULL_PAGE || offset > resources.length
    isLong ||= pageSize === undefined ? mayBeFull : added.length > 0
    pageSize ??= offset
    yield* added
  }
  if (!isLong || pageSize === undefined) return
  const half = Math.ceil(pageSize / 2)
  for await (const { resources } of pagesOf(readPage, 2, () => half)) yield* newAmong(resources, seen)
}

/**
 * Reads page after page. A short page is not the last one: a service may filter after it cuts the page. A page without
 * new entries is: a service that ignores the offset repeats the same page.
 * `patience`: the number of pages in a row without new entries that ends the list.
 */
async function* pagesOf<T extends Listed>(
  readPage: ReadPage<T>,
  patience: number,
  stepOf: (next: number, offset: number) => number,
): AsyncGenerator<Page<T>, void> {
  const seen = new Set<string>()
  let pagesWithoutNew = 0
  for (let offset = 0; ;) {
    const page = await readPage({ limit: PAGE_SIZE, offset })
    yield page
    pagesWithoutNew = newAmong(page.resources, seen).length === 0 ? pagesWithoutNew + 1 : 0
    if (pagesWithoutNew === patience || page.offset <= offset) return
    offset += stepOf(page.offset, offset)
  }
}

function newAmong<T extends Listed>(entries: readonly T[], seen: Set<string>): T[] {
  const keyOf = ({ id, name = '' }: T): string => `${idKey(id)} ${name}`
  const added = entries.filter((one) => !seen.has(keyOf(one)))
  for (const entry of added) seen.add(keyOf(entry))
  return added
}

/** How long reads of deployments are gathered into one request. */
const GATHER_MS = 100
/** How long such a request may take with its retries: the next look comes anyway. */
const BATCH_MS = 20_000
/** After this many empty answers in a row, a service is not asked for ids any more. */
const UNFOUND_ANSWERS = 5

/** Reads deployments, by their `idKey`, in one request with their ids; undefined if the service ignores the ids. */
export async function listByIds(
  ids: readonly string[],
  controlPlane: Pick<ControlPlane, 'listDeployments'>,
  { isBasis = false }: { isBasis?: boolean } = {},
): Promise<{ deployments: ReadonlyMap<string, Deployment>; length: number; offset: number } | undefined> {
  const { resources, offset } = await controlPlane.listDeployments({ ids, isBasis, limit: PAGE_SIZE, offset: 0 })
  const wanted = new Set(ids.map(idKey))
  const deployments = new Map(resources.map((one) => [idKey(one.id), one]))
  const isFiltered = [...deployments.keys()].every((key) => wanted.has(key))
  return isFiltered ? { deployments, length: resources.length, offset } : undefined
}

/** `missing`: the list lacks it, and has `listedCount` others. `not-covered`: the service does not list deployments by ids. */
type Answer =
  | { kind: 'found'; deployment: Deployment }
  | { kind: 'missing'; listedCount: number }
  | { kind: 'failed' }
  | { kind: 'not-covered' }

/** A read that waits for its request. `isBasis`: a write that has had its turn follows it. */
type WaitingRead = PromiseWithResolvers<Answer> & { id: string; isBasis: boolean }

type Timing = Pick<Sending, 'clock' | 'signal' | 'deadline'>

/**
 * Reads of single deployments, gathered into few requests. An answer is never older than the call. A request that fails
 * makes those of its ids smaller, as the record of a single deployment may be what the service cannot return.
 */
export class GatheredReads {
  readonly #controlPlane: ControlPlane
  readonly #timing: Timing
  #gathered = new Map<string, WaitingRead>()
  /** The most ids of one request, for all. */
  #most = PAGE_SIZE
  /** The most ids of one request, for ids whose request has failed. */
  readonly #mostWith = new Map<string, number>()
  #isWithoutIds = false
  #unfound = 0

  constructor(controlPlane: ControlPlane, timing: Timing) {
    this.#controlPlane = controlPlane
    this.#timing = timing
  }

  /** Reads the deployment, by a request of its own if the list does not show it. Throws what that throws. */
  async read(id: string, own: ControlPlane): Promise<Deployment> {
    const answer = await this.#ask(id, own.pace?.holdsWrite === true)
    if (answer.kind === 'found') return answer.deployment
    const deployment = await own.getDeployment(id)
    if (answer.kind === 'missing') this.#noteUnfound(answer.listedCount)
    return deployment
  }

  /** As `read`, without an error. `not-covered`: also if the service does not know this deployment. */
  async look(id: string): Promise<Exclude<Answer, { kind: 'missing' }>> {
    const answer = await this.#ask(id)
    if (answer.kind !== 'missing') return answer
    const read = await this.#timed().getDeployment(id).catch(toControlPlaneError)
    if (read instanceof ControlPlaneError) return { kind: isNotFound(read) ? 'not-covered' : 'failed' }
    this.#noteUnfound(answer.listedCount)
    return { kind: 'found', deployment: read }
  }

  async #ask(id: string, isBasis = false): Promise<Answer> {
    this.#timing.signal.throwIfAborted()
    if (this.#isWithoutIds) return { kind: 'not-covered' }
    const sameRead = this.#gathered.get(idKey(id))
    if (sameRead !== undefined) {
      sameRead.isBasis ||= isBasis
      return await sameRead.promise
    }
    const read = { id, isBasis, ...Promise.withResolvers<Answer>() }
    this.#gathered.set(idKey(id), read)
    if (this.#gathered.size === 1) this.#flush().catch(() => undefined)
    const answered = await read.promise
    this.#timing.signal.throwIfAborted()
    return answered
  }

  async #flush(): Promise<void> {
    try {
      await this.#timing.clock.sleep(GATHER_MS, this.#timing.signal)
    } finally {
      const sizeOf = ({ id }: WaitingRead): number => Math.min(this.#most, this.#mostWith.get(idKey(id)) ?? this.#most)
      const waiting = [...this.#gathered.values()].toSorted((one, other) => sizeOf(other) - sizeOf(one))
      this.#gathered = new Map()
      while (waiting.length > 0) {
        const size = waiting.slice(0, this.#most).findIndex((one, n) => n >= sizeOf(one))
        void this.#send(waiting.splice(0, size < 0 ? this.#most : size))
      }
    }
  }

  async #send(group: readonly WaitingRead[]): Promise<void> {
    const answerAll = (answer: Answer): void => group.forEach(({ resolve }) => resolve(answer))
    const ids = group.map(({ id }) => id)
    try {
      const listed = await listByIds(ids, this.#timed(), { isBasis: group.some((one) => one.isBasis) })
      if (listed === undefined) {
        this.#isWithoutIds = true
        answerAll({ kind: 'not-covered' })
        return
      }
      if (listed.length > 0) this.#unfound = 0
      for (const { id, resolve } of group) {
        const deployment = listed.deployments.get(idKey(id))
        this.#mostWith.delete(idKey(id))
        resolve(
          deployment === undefined ? { kind: 'missing', listedCount: listed.length } : { kind: 'found', deployment },
        )
      }
    } catch (thrown) {
      this.#noteFailure(thrown, ids)
      answerAll({ kind: this.#isWithoutIds ? 'not-covered' : 'failed' })
    }
  }

  #timed(): ControlPlane {
    const { clock, deadline } = this.#timing
    return this.#controlPlane.within(Math.min(clock.now() + BATCH_MS, deadline))
  }

  #noteFailure(thrown: unknown, ids: readonly string[]): void {
    const half = Math.floor(ids.length / 2)
    // A refusal may be about the length of the address.
    if (thrown instanceof RefusedError) this.#most = Math.min(this.#most, half)
    else for (const id of ids) this.#mostWith.set(idKey(id), Math.max(1, half))
    this.#isWithoutIds ||= this.#most === 0
  }

  /** The list lacks a deployment that exists: its pages are shorter, or the ids mean something else to the service. */
  #noteUnfound(listedCount: number): void {
    if (listedCount > 0) this.#most = Math.min(this.#most, listedCount)
    else this.#unfound += 1
    this.#isWithoutIds ||= this.#unfound >= UNFOUND_ANSWERS
  }
}

export function gathering(controlPlane: ControlPlane, reads: GatheredReads): ControlPlane {
  return decorated(controlPlane, (inner) => ({ getDeployment: async (id) => await reads.read(id, inner) }))
}
