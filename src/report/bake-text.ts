import type { BakeEvent } from '../rollout/event.ts'
import { BAKE_FAILURES } from '../rollout/timing.ts'
import { formatDuration } from './time.ts'

/** Says what happened while `verify-url` was read. `short`: makes a text of the server fit into a line. */
export function bakeText(event: BakeEvent, short: (text: string) => string): string {
  switch (event.kind) {
    case 'not-yet-verified':
      return `not yet verified after ${formatDuration(event.forMs)}: ${short(event.trouble)}; ${formatDuration(event.leftMs)} left`
    case 'bake-began':
      return `${event.url} answers as expected. It must keep doing so for ${formatDuration(event.forMs)}.`
    case 'baking':
      return `still verified after ${formatDuration(event.forMs)}; ${formatDuration(event.leftMs)} left`
    case 'bake-failed':
      return `check ${event.row} of ${event.of} in a row failed: ${short(event.trouble)}`
    case 'bake-recovered':
      return `the check succeeds again after ${event.row} of ${BAKE_FAILURES} failures`
    case 'bake-passed': {
      const failures = event.failures === 0 ? '' : `, of which ${event.failures} failed`
      return `verified for ${formatDuration(event.forMs)} (${event.reads} checks${failures})`
    }
  }
}
