import { expect, test } from '@jest/globals'
import { openResults } from '../../src/fleet/results.ts'
import { aFleet, anEntry, aWave } from './model.ts'

test.each(['fail', 'succeed'] as const)(
  'a superseded deployment counts as its own on-superseded says: %s',
  (onSuperseded) => {
    const wave = aWave(['a'], { entries: [anEntry('a', { onSuperseded })] })
    const results = openResults(aFleet([wave]), () => undefined)
    results.end('a', { kind: 'superseded', by: 'other' })
    expect(results.hasFailed('a')).toBe(onSuperseded === 'fail')
  },
)
