import path from 'node:path'
import Sequencer from '@jest/test-sequencer'

const STARTS_PROCESSES = ['bundle-runs', 'e2e', 'faults', 'demo', 'scripts'].map(
  (folder) => path.join('__tests__', folder) + path.sep,
)

/**
 * Jest's own order knows durations only from an earlier run, and sizes otherwise. Here files that start processes come
 * first: they take longest and mostly wait, so that the others compute meanwhile, and none of them is alone at the end.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests)
    const isSlow = ({ path: file, context }) =>
      STARTS_PROCESSES.some((folder) => path.relative(context.config.rootDir, file).startsWith(folder))
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))]
  }
}
