import { describe, expect, it } from '@jest/globals'
import { byPlace, type Path } from '../../src/sources/findings.ts'

describe('the order of places', () => {
  const places: Path[] = [['absent'], ['b', 1], ['a', 'y'], ['b', 0, 'deep'], ['a'], ['b', 0], ['a', 'x']]

  it('is that of the document', () => {
    const document = { b: [{ deep: 1 }, 2], a: { y: 1, x: 2 } }
    expect(places.toSorted(byPlace(document))).toEqual([
      ...[
        ['b', 0],
        ['b', 0, 'deep'],
        ['b', 1],
      ],
      ...[['a'], ['a', 'y'], ['a', 'x'], ['absent']],
    ])
  })

  it('lists the keys of a large object once, however many places are in it', () => {
    let lists = 0
    const ownKeys = (target: object): string[] => {
      lists += 1
      return Object.keys(target)
    }
    const large = new Proxy({ c: 1, b: 2, a: 3 }, { ownKeys })
    expect([['a'], ['b'], ['c'], ['a']].sort(byPlace(large))).toEqual([['c'], ['b'], ['a'], ['a']])
    expect(lists).toBe(1)
  })
})
