import type { Clock } from '../../clock.ts'
import {
  BrokenContractError,
  isNotFound,
  RefusedError,
  UnreachableError,
  type ControlPlaneError,
} from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import { phaseOf, type OverduePhase, type Phase } from '../outcome.ts'
import type { PhaseLimits, PollInterval } from '../rollout-request.ts'
import { GONE_AFTER_MS, HEARTBEAT_MS, POLLS_PER_DEPLOYMENT_READ, REPLICA_LAG_MS } from '../timing.ts'
import { nextPollDelay } from './schedule.ts'

export interface WatchOptions {
  /** Reads the revision once, without retries of its own: the watch is the retry. */
  poll: () => Promise<Revision>
  /** The revision as the answer that created it told it. */
  initial: Revision | undefined
  interval: PollInterval
  /** Monotonic milliseconds at which the wait is over. */
  deadline: number
  phaseLimits: PhaseLimits
  /** Asked now and then: the newer revision that took our place, if there is one. Never throws. */
  overtakenBy: (ours: Revision) => Promise<string | undefined>
  /** Asked when a revision that was there is not found: whether its deployment is not there either. Never throws. */
  deploymentIsGone: () => Promise<boolean>
  clock: Clock
  random: () => number
  signal: AbortSignal
}

export type WatchEvent =
  /** The status changed, or was seen for the first time. */
  | { kind: 'status'; revision: Revision; wallTime: number }
  /** Nothing changed for a minute. `trouble`: why nothing could be seen of late. */
  | { kind: 'heartbeat'; status: string | undefined; forMs: number; trouble: string | undefined }
  /** A poll failed; the watch goes on. `row`: how many have failed in a row. */
  | { kind: 'blip'; trouble: string; row: number }

export type WatchEnd =
  | { kind: 'terminal'; revision: Revision }
  | { kind: 'superseded'; by: string }
  | { kind: 'timed-out'; lastTrouble: string | undefined; phase?: OverduePhase }

/**
 * Polls a revision until it ends or the deadline has come, after one last look at that very moment. A failed poll is a
 * blip, not an end.
 * @throws RefusedError when the control plane refuses for good to show the revision; the signal's reason when aborted.
 */
export async function* watchRevision(options: WatchOptions): AsyncGenerator<WatchEvent, WatchEnd> {
  const { clock, deadline } = options
  const startedAt = clock.now()
  let status: string | undefined
  let hasChanged = false
  let pausesSinceChange = 0
  let blips = 0
  let lastTrouble: string | undefined
  let changedAt = startedAt
  let spokeAt = startedAt
  let phase: Phase | undefined
  let phaseSince = startedAt
  let polls = 0
  let missingSince: number | undefined
  let seen: Revision | ControlPlaneError = options.initial ?? (await tryPoll(options, startedAt))

  for (;;) {
    if (seen instanceof Error) {
      blips += 1
      lastTrouble = seen.trouble.cameBack
      yield { kind: 'blip', trouble: lastTrouble, row: blips }
    } else {
      blips = 0
      lastTrouble = undefined
      const next = phaseOf(seen.status)
      // A status that is not known begins no phase: one that comes and goes must not begin a phase anew.
      if (next !== phase && (next !== 'unknown' || phase === undefined)) {
        phase = next
        phaseSince = clock.now()
      }
      if (seen.status !== status) {
        hasChanged = status !== undefined
        status = seen.status
        pausesSinceChange = 0
        changedAt = spokeAt = clock.now()
        yield { kind: 'status', revision: seen, wallTime: clock.wallTime() }
      }
      if (phase === 'terminal') return { kind: 'terminal', revision: seen }
      const isTimeToLook = polls > 0 && polls % POLLS_PER_DEPLOYMENT_READ === 0
      const by = isTimeToLook ? await options.overtakenBy(seen) : undefined
      if (by !== undefined) return { kind: 'superseded', by }
    }
    if (seen instanceof RefusedError && status !== undefined && (await options.deploymentIsGone())) {
      missingSince ??= clock.now()
      if (clock.now() - missingSince >= GONE_AFTER_MS) throw seen
    } else missingSince = undefined
    if (clock.now() >= deadline) return { kind: 'timed-out', lastTrouble }
    const limit = limitOf(phase, options.phaseLimits)
    const forMs = clock.now() - phaseSince
    if (limit !== undefined && forMs >= limit.limitMs) {
      return { kind: 'timed-out', lastTrouble, phase: { ...limit, forMs } }
    }

    const retryAfterMs = seen instanceof UnreachableError ? seen.retryAfterMs : undefined
    const delay = nextPollDelay({ ...options, hasChanged, pausesSinceChange, retryAfterMs })
    pausesSinceChange += 1
    const phaseEnd = limit === undefined ? deadline : phaseSince + limit.limitMs
    const wakeAt = Math.min(clock.now() + delay, deadline, phaseEnd)
    while (clock.now() < wakeAt) {
      await clock.sleep(Math.min(wakeAt, spokeAt + HEARTBEAT_MS) - clock.now(), options.signal)
      if (clock.now() >= spokeAt + HEARTBEAT_MS) {
        spokeAt = clock.now()
        yield { kind: 'heartbeat', status, forMs: spokeAt - changedAt, trouble: lastTrouble }
      }
    }
    seen = await tryPoll(options, startedAt)
    polls += 1
  }
}

function limitOf(phase: Phase | undefined, limits: PhaseLimits): Omit<OverduePhase, 'forMs'> | undefined {
  switch (phase) {
    case 'queue':
    case 'build':
    case 'deploy': {
      const limitMs = limits[phase]
      return limitMs === undefined ? undefined : { name: phase, limitMs }
    }
    case 'terminal':
    case 'unknown':
    case undefined:
      return undefined
  }
}

/** The revision, or why this poll is a blip. */
async function tryPoll(options: WatchOptions, startedAt: number): Promise<Revision | ControlPlaneError> {
  try {
    return await options.poll()
  } catch (thrown) {
    if (thrown instanceof UnreachableError || thrown instanceof BrokenContractError) return thrown
    if (isNotFound(thrown) && options.clock.now() - startedAt < REPLICA_LAG_MS) return thrown
    throw thrown
  }
}
