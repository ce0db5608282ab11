import { beforeAll, describe, expect, it } from '@jest/globals'
import { simulateCase, withOneMore, type Case } from '../../simulation/exhaustive.ts'
import { nameOfFault, RATE_LIMITS, type NetworkFault } from '../../simulation/network-faults.ts'
import { loadAction } from '../../simulation/load.ts'

beforeAll(loadAction)

const LOST_POST: Case = {
  journey: 'revise external_container',
  hits: [{ request: 2, fault: { kind: 'reset', when: 'before' } }],
}
/** Where the run above sends its write again. */
const REPETITION = 11

describe('the second fault of a pair', () => {
  it('may meet each request that there is only because of the first one', async () => {
    const pairs = await withOneMore('1', LOST_POST)
    const requests = new Set(pairs.map(({ hits }) => hits[1]?.request))
    expect([...requests]).toEqual(Array.from({ length: requests.size }, (_, index) => index + 3))
    expect(requests.size).toBe(16)
    expect(pairs.every(({ hits: [one] }) => one === LOST_POST.hits[0])).toBe(true)
  })

  it('is met by the repetition of a write whose first attempt is lost, too', async () => {
    const pairs = await withOneMore('1', LOST_POST)
    const both = pairs.find(
      ({ hits: [, other] }) =>
        other?.request === REPETITION && other.fault.kind === 'reset' && other.fault.when === 'before',
    )
    const { kind, injected, untrue, trace } = await simulateCase('1', 0, both ?? LOST_POST, true)
    expect(trace.filter((line) => / → \d+ POST .*reset/.test(line))).toHaveLength(2)
    expect({ kind, injected, untrue }).toEqual({
      kind: 'revise external_container, two faults',
      injected: { 'reset before': 2 },
      untrue: [],
    })
  })

  it('is chosen by the seed and the number among those, if pairs are sampled', async () => {
    const all = await Promise.all([1, 1, 2].map(async (number) => await sampled(number)))
    const [one, same, another] = all
    expect(same).toEqual(one)
    expect(another?.digest).not.toBe(one?.digest)
    expect(one?.kind).toBe('revise external_container, two faults')
  })

  async function sampled(number: number) {
    return await simulateCase('1', number, { ...LOST_POST, isSampled: true })
  }
})

it('a request to GitHub meets its rate limits, also one that is over, and a request to the control plane does not', async () => {
  const cases = await withOneMore('1', { journey: 'preview', hits: [] })
  const faults = Map.groupBy(cases, ({ hits }) => hits[0]?.request)
  const named = [...faults.values()].map((some) => some.flatMap(({ hits }) => hits.map(({ fault }) => fault)))
  const isLimit = (fault: NetworkFault): boolean => nameOfFault(fault) === 'rate limit of GitHub'
  const limits = named.map((some) => some.filter(isLimit))
  expect(new Set(limits.map(({ length }) => length))).toEqual(new Set([0, RATE_LIMITS.length]))
  for (const some of named) {
    expect(some.map(nameOfFault)).toEqual(
      expect.arrayContaining(['429 with Retry-After of no time', '503 with Retry-After of no time', 'wrong Date']),
    )
  }
})

it('a fault that no request meets is not counted, and the run is untrue', async () => {
  const never: Case = { ...LOST_POST, hits: [...LOST_POST.hits, { request: 99, fault: { kind: 'cut' } }] }
  const { kind, injected, untrue } = await simulateCase('1', 0, never)
  expect(kind).toBe('revise external_container, one fault')
  expect(injected).toEqual({ 'reset before': 1 })
  expect(untrue).toEqual([expect.stringContaining('a fault was met by no request')])
})
