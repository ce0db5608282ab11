import { describe, expect, it } from '@jest/globals'
import { randomRollouts } from '../../sandbox/random-rollouts.ts'

const options = { medianMs: 90_000, spread: 0.4, failures: 0.1, seed: 1 }
const of = (over: Partial<typeof options>, count = 4_000) => {
  const choose = randomRollouts({ ...options, ...over })
  return Array.from({ length: count }, (_, n) => choose({ name: `agent-${n}` }, 1) ?? {})
}

describe('randomRollouts', () => {
  it('draws log-normal durations', () => {
    const sorted = of({})
      .map(({ durationMs = 0 }) => durationMs)
      .toSorted((one, other) => one - other)
    const at = (share: number): number => (sorted[Math.floor(share * sorted.length)] ?? 0) / options.medianMs
    expect(at(0.5)).toBeCloseTo(1, 1)
    expect(at(0.8413)).toBeCloseTo(Math.exp(0.4), 1)
    expect(at(0.1587)).toBeCloseTo(Math.exp(-0.4), 1)
  })

  it('makes a share of the revisions fail, half of them in the build', () => {
    const ends = of({}).map(({ ends }) => ends)
    const share = (end: string): number => ends.filter((one) => one === end).length / ends.length
    expect(share('DEPLOYED')).toBeCloseTo(0.9, 1)
    expect(share('BUILD_FAILED')).toBeCloseTo(0.05, 1)
    expect(share('DEPLOY_FAILED')).toBeCloseTo(0.05, 1)
    expect(new Set(of({ failures: 0 }).map(({ ends }) => ends))).toEqual(new Set(['DEPLOYED']))
  })

  it('decides by the seed, the name and the number, in whatever order it is asked', () => {
    const [one, same, other] = [
      randomRollouts(options),
      randomRollouts(options),
      randomRollouts({ ...options, seed: 2 }),
    ]
    const first = one({ name: 'agent' }, 1)
    same({ name: 'another' }, 1)
    expect(same({ name: 'agent' }, 1)).toEqual(first)
    expect(one({ name: 'agent' }, 2)).not.toEqual(first)
    expect(other({ name: 'agent' }, 1)).not.toEqual(first)
  })
})
