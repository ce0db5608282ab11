import path from 'node:path'
import Sequencer from '@jest/test-sequencer'

const STARTS_PROCESSES = ['bundle-runs', 'e2e', 'faults', 'demo', 'scripts'].map(
  (folder) => path.join('__tests__', folder) + path.sep,
)

/** Most of its time is a wait: it is not to begin when the others are at their end. */
const WAITS_LONGEST = path.join('__tests__', 'bundle-runs', 'recorded-journeys.test.ts')

/**
 * Jest's own order knows durations only from an earlier run, and sizes otherwise. Here files that start processes come
 * first: they take longest and mostly wait, so that the others compute meanwhile, and none of them is alone at the end.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path: file, context }) => {
      const name = path.relative(context.config.rootDir, file)
      if (name === WAITS_LONGEST) return 0
      return STARTS_PROCESSES.some((folder) => name.startsWith(folder)) ? 1 : 2
    }
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other))
  }
}
