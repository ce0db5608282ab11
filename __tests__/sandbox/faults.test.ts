import { describe, expect, it } from '@jest/globals'
import { createChance } from '../../sandbox/chance.ts'
import { FaultBox, type Fault } from '../../sandbox/faults.ts'

const refused: Fault = { match: {}, times: Infinity, probability: 0.2, effect: { kind: 'status', status: 500 } }

function hits(fault: Fault, seed: number, count = 1000): string {
  const box = new FaultBox()
  box.set([fault], seed)
  return Array.from({ length: count }, () => (box.take('GET', '/x', '/x') === undefined ? '.' : '!')).join('')
}

describe('a fault with a probability', () => {
  it('hits about that part of the requests, the same ones for the same seed', () => {
    const hit = hits(refused, 7)
    const part = hit.split('!').length - 1
    expect(part).toBeGreaterThan(150)
    expect(part).toBeLessThan(250)
    expect(hits(refused, 7)).toBe(hit)
    expect(hits(refused, 8)).not.toBe(hit)
  })

  it('hits none or all at its ends, and counts with skip and times', () => {
    expect(hits({ ...refused, probability: 0 }, 1)).not.toContain('!')
    expect(hits({ ...refused, probability: 1 }, 1)).not.toContain('.')
    expect(hits({ ...refused, probability: 1, skip: 2, times: 3 }, 1, 7)).toBe('..!!!..')
  })
})

describe('garbage', () => {
  it('is of several kinds, the same ones for the same seed', () => {
    const bodies = (seed: number): (string | undefined)[] => {
      const box = new FaultBox()
      box.set([{ match: {}, times: Infinity, effect: { kind: 'garbage' } }], seed)
      return Array.from({ length: 40 }, () => {
        const effect = box.take('GET', '/x', '/x')
        return effect?.kind === 'body' ? effect.body : undefined
      })
    }
    expect(new Set(bodies(3)).size).toBeGreaterThan(3)
    expect(bodies(3)).not.toContain(undefined)
    expect(bodies(3)).toEqual(bodies(3))
  })
})

describe('createChance', () => {
  it('gives numbers from 0 to 1', () => {
    const chance = createChance(42)
    const numbers = Array.from({ length: 1000 }, chance)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(numbers.reduce((sum, number) => sum + number) / 1000).toBeCloseTo(0.5, 1)
  })
})
