import { describe, expect, it } from '@jest/globals'
import type { Path } from '../../src/sources/findings.ts'
import { parseYaml } from '../../src/sources/yaml-file.ts'

describe('the order of places', () => {
  const places: Path[] = [['absent'], ['b', 1], ['a', 'y'], ['b', 0, 'z'], ['b', 0, 'deep'], ['a'], ['a', 'x']]

  it.each(['{ b: [{ deep: 1 }, 2], a: { y: 1, x: 2 } }', 'b:\n- deep: 1\n- 2\na:\n  y: 1\n  x: 2\n'])(
    'is that of the document: %s',
    (text) => {
      const reading = parseYaml(text)
      if (reading.kind === 'unreadable') throw new Error(reading.message)
      const { yaml } = reading
      expect(places.toSorted((one, other) => yaml.find(one).rank - yaml.find(other).rank)).toEqual([
        ['b', 0, 'deep'],
        ['b', 0, 'z'],
        ['b', 1],
        ['a'],
        ['a', 'y'],
        ['a', 'x'],
        ['absent'],
      ])
    },
  )
})
