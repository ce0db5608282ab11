import type { Run } from '../../src/rollout/dependencies.ts'
import type { TeardownEvent } from '../../src/previews/event.ts'
import type { TeardownRequest } from '../../src/previews/request.ts'
import { teardown } from '../../src/previews/teardown.ts'
import { aRun, gitHubOf } from '../a-run.ts'
import { fakeClock, FULL_LUCK } from '../builders.ts'
import type { ControlPlaneModel } from '../control-plane-model.ts'
import { endOf, SERVER_TIME } from './memory-control-plane.ts'

/** What a teardown runs with. */
export interface TearingDown extends Pick<Run['gitHub'], 'pullRequestStates'> {
  memory: ControlPlaneModel
  signal?: AbortSignal | undefined
  deadline?: number | undefined
  maxRetries?: number | undefined
  isFirstAttempt?: boolean | undefined
  /** In place of the fake clock's. */
  now?: (() => number) | undefined
}

/** Runs a teardown to its end, on a fake clock that agrees with the control plane's. */
export async function runTeardown(
  request: Partial<TeardownRequest> & Pick<TeardownRequest, 'what'>,
  { memory, pullRequestStates, ...around }: TearingDown,
) {
  const { signal = new AbortController().signal, deadline = 60_000, maxRetries = 0, isFirstAttempt = true } = around
  const events: TeardownEvent[] = []
  const { now } = around
  const clock = Object.assign(fakeClock(), { wallTime: () => SERVER_TIME }, now && { now })
  const running = teardown(
    { ignoreMissing: true, dryRun: false, timeoutMs: 60_000, ...request },
    aRun<TeardownEvent>({
      controlPlane: memory.controlPlane,
      clock,
      deadline,
      signal,
      emit: (event) => void events.push(event),
      random: FULL_LUCK,
      maxRetries,
      isFirstAttempt,
      gitHub: gitHubOf({ pullRequestStates }),
    }),
  )
  return { ...(await endOf(running)), events, clock }
}
