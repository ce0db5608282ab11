import type { Exchange } from '../../src/trace/format.ts'
import { compareTexts, sealsIn, type Likeness } from './alike.ts'

export interface SentRequest {
  method: string
  url: string
  body: Exchange['sent']
}

interface Entry {
  exchange: Exchange
  isUsed: boolean
}

/** The exchanges of a trace, and which of them the replay has asked for. */
export class Ledger {
  readonly #entries: readonly Entry[]
  /** The entries of each address, in the order in which they were sent. */
  readonly #byAddress = new Map<string, Entry[]>()
  /** What was sent in another way than it was recorded. */
  readonly differences: string[] = []
  /** The number of requests that differ only in what is measured or sealed. */
  alike = 0
  /** The seals of this replay, by the recorded ones: answers repeat what the run has sent. */
  readonly #seals = new Map<string, string>()
  /** The number of requests so far. */
  count = 0

  constructor(exchanges: readonly Exchange[]) {
    this.#entries = exchanges.map((exchange) => ({ exchange, isUsed: false }))
    for (const entry of this.#entries) {
      const { method, url } = entry.exchange
      const known = this.#byAddress.get(`${method} ${url}`) ?? []
      this.#byAddress.set(`${method} ${url}`, [...known, entry])
    }
  }

  /**
   * Finds the exchange that answers a request: the first that is left with the same body, else with a like one, else with
   * any. A read that comes too often is answered as the last time; undefined if there is nothing.
   */
  take({ method, url, body }: SentRequest): Exchange | undefined {
    this.count += 1
    const known = this.#byAddress.get(`${method} ${url}`) ?? this.#alikeAddress(method, url)
    const left = known.filter(({ isUsed }) => !isUsed)
    for (const likeness of ['same', 'alike', 'other'] as const) {
      const found = left.find(({ exchange }) => compareBodies(exchange.sent, body) === likeness)
      if (found === undefined) continue
      found.isUsed = true
      this.#learnSeals(found.exchange.sent, body)
      const isAlike = likeness === 'alike' || (likeness === 'same' && found.exchange.url !== url)
      if (isAlike) this.alike += 1
      if (likeness === 'other')
        this.differences.push(`sent with another body: ${method} ${url}\n${changed(found.exchange.sent, body)}`)
      return found.exchange
    }
    this.differences.push(`sent, but not recorded: ${method} ${url} ${shown(body)}`)
    return method === 'GET' ? known.at(-1)?.exchange : undefined
  }

  /** What was recorded, and not sent. */
  missing(): string[] {
    return this.#entries
      .filter(({ isUsed }) => !isUsed)
      .map(({ exchange: { method, url, sent } }) => `recorded, but not sent: ${method} ${url} ${shown(sent)}`)
  }

  withSealsOfNow(text: string): string {
    return [...this.#seals].reduce((rest, [recorded, now]) => rest.replaceAll(recorded, now), text)
  }

  #learnSeals(recorded: Exchange['sent'], sent: Exchange['sent']): void {
    if (typeof recorded !== 'string' || typeof sent !== 'string') return
    const [before, now] = [sealsIn(recorded), sealsIn(sent)]
    if (before.length !== now.length) return
    for (const [index, seal] of before.entries()) this.#seals.set(seal, now[index] ?? seal)
  }

  #alikeAddress(method: string, url: string): Entry[] {
    return this.#entries.filter(
      ({ exchange }) => exchange.method === method && compareTexts(exchange.url, url) === 'alike',
    )
  }
}

/** The size of an upload does not count: the source is not part of a trace. */
function compareBodies(recorded: Exchange['sent'], sent: Exchange['sent']): Likeness {
  if (typeof recorded === 'string' && typeof sent === 'string') return compareTexts(recorded, sent)
  // A body that was too large to be kept is a size as well.
  return typeof recorded === 'string' ? 'other' : 'same'
}

const MOST_SHOWN = 300

function shown(body: Exchange['sent']): string {
  return typeof body === 'string' ? body.slice(0, MOST_SHOWN) : `(${body.bytes} bytes)`
}

/** Both texts from the place on where they begin to differ. */
function changed(recorded: Exchange['sent'], sent: Exchange['sent']): string {
  const [one, other] = [recorded, sent].map((body) => (typeof body === 'string' ? body : shown(body)))
  if (one === undefined || other === undefined) return ''
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = Math.max(0, same - 40)
  return `  recorded: ${one.slice(from, from + MOST_SHOWN)}\n  sent:     ${other.slice(from, from + MOST_SHOWN)}`
}
