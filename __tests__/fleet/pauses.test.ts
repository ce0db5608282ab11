import { expect, it } from '@jest/globals'
import { openPauses } from '../../src/fleet/watch/pauses.ts'
import { FAILURE_PAUSE_MS } from '../../src/fleet/timing.ts'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { aDeployment, aRevision, fakeClock, REVISION_ID } from '../builders.ts'

const applied: RolloutEvent = {
  ...{ kind: 'applied', change: 'revised', deployment: aDeployment(), revisionId: REVISION_ID, revision: undefined },
  ...{ repeated: [], isFound: false },
}
type Ended = readonly [status: string, ms: number]
const TEN = [30, 90, 20, 80, 50, 40, 70, 60, 100, 10].map((seconds): Ended => ['DEPLOYED', seconds * 1_000])

/** When the first read of one of many follows, beyond the pause for a failure, after rollouts that took so long. */
function addedAfter(...ended: Ended[]): number {
  const clock = fakeClock()
  const pauses = openPauses(10, clock)
  for (const [status, ms] of ended) {
    const listen = pauses.learn()
    listen(applied)
    clock.advance(ms)
    listen({ kind: 'status', revision: aRevision({ status }) })
  }
  const next = pauses.next(100, false)
  return typeof next === 'object' ? next.firstMs - FAILURE_PAUSE_MS : NaN
}

it.each<[string, number, readonly Ended[]]>([
  ['of nothing is not added to', 0, TEN.slice(1)],
  ['follows a part of the time of a fast one, in whatever order they end', 12_000, TEN],
  ['follows the earliest failure', 5_000, [...TEN, ['BUILD_FAILED', 60_000], ['BUILD_FAILED', 70_000]]],
])('the first read of a revision %s', (_case, addedMs, ended) => {
  expect(addedAfter(...ended)).toBeCloseTo(addedMs)
})
