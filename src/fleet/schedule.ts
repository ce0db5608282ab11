import type { Wave } from './fleet-request.ts'

export interface PlannedWave extends Omit<Wave, 'name' | 'entries'> {
  names: readonly string[]
  /** Deployments of the wave that failed before the wave: no plan could be made of them. */
  failedBefore: number
  /** Milliseconds in which unchanged deployments must answer if no rollout is baked; undefined for no check. */
  remainingBakeMs: number | undefined
}

export type WaveInput =
  | { kind: 'ended'; name: string; hasFailed: boolean }
  /** The bake is over. `failed`: the number of deployments that stopped answering as expected. */
  | { kind: 'baked'; failed: number }

/** An event that the caller emits. `index`: of the wave in the request. */
export type WaveEvent =
  | { kind: 'wave-began'; index: number }
  /** Every deployment of the wave has ended: its deployments must keep answering for `forMs` milliseconds. */
  | { kind: 'wave-baking'; index: number; forMs: number }
  /** Every deployment of the wave that has begun has ended, and the bake is over. After a stop, others may not have begun. */
  | { kind: 'wave-ended'; index: number }
  /** More deployments of the wave have failed than allowed: no further rollout begins. */
  | { kind: 'fleet-stopped'; index: number; failed: number; allowed: number }

type WaveNext = { kind: 'wait' } | { kind: 'bake'; index: number; forMs: number } | { kind: 'end' }

export interface WaveState {
  readonly waves: readonly PlannedWave[]
  readonly index: number
  readonly waiting: readonly string[]
  readonly underWay: ReadonlySet<string>
  readonly failed: number
  /** Whether one of the wave's rollouts has succeeded: without any, there is nothing to bake. */
  readonly hasSuccess: boolean
  /** Whether no further rollout begins, after too many failures or when the time of the fleet is over. */
  readonly isStopped: boolean
}

export interface WaveStep {
  state: WaveState
  start: readonly string[]
  events: readonly WaveEvent[]
  next: WaveNext
}

export function beginWaves(waves: readonly PlannedWave[]): WaveStep {
  const underWay = new Set<string>()
  const state = { waves, index: 0, waiting: [], underWay, failed: 0, hasSuccess: false, isStopped: false }
  return enterWave(state, 0, [])
}

/**
 * Decides which rollouts start: never more than `maxParallel` at once, and none as soon as more than `maxFailures` of a
 * wave have failed, or the time of the fleet is over. A wave begins when the one before has ended and is baked.
 */
export function stepWaves(current: WaveState, input: WaveInput, isTimeUp: boolean): WaveStep {
  const wave = current.waves[current.index]
  if (wave === undefined) return { state: current, start: [], events: [], next: { kind: 'end' } }
  const before = { ...current, isStopped: current.isStopped || isTimeUp }
  switch (input.kind) {
    case 'ended': {
      const { name, hasFailed } = input
      const underWay = new Set([...before.underWay].filter((one) => one !== name))
      const failed = before.failed + (hasFailed ? 1 : 0)
      return proceed({ ...before, underWay, failed, hasSuccess: before.hasSuccess || !hasFailed }, wave, [])
    }
    case 'baked':
      return afterWave({ ...before, failed: before.failed + input.failed }, wave, [])
  }
}

function enterWave(before: WaveState, index: number, events: WaveEvent[]): WaveStep {
  const wave = before.waves[index]
  const state = { ...before, index, hasSuccess: false, failed: wave?.failedBefore ?? 0 }
  if (wave === undefined) return { state, start: [], events, next: { kind: 'end' } }
  events.push({ kind: 'wave-began', index })
  return proceed({ ...state, waiting: wave.names }, wave, events)
}

/** Starts what may start; if nothing is left, the bake follows. */
function proceed(before: WaveState, wave: PlannedWave, events: WaveEvent[]): WaveStep {
  const { index } = before
  const state = stopIfTooMany(before, wave, events)
  const free = state.isStopped ? 0 : Math.max(0, wave.maxParallel - state.underWay.size)
  const start = state.waiting.slice(0, free)
  const after: WaveState = {
    ...state,
    waiting: state.waiting.slice(start.length),
    underWay: new Set([...state.underWay, ...start]),
  }
  if (after.underWay.size > 0) return { state: after, start, events, next: { kind: 'wait' } }
  const forMs = after.hasSuccess && wave.bakeMs > 0 ? wave.bakeMs : wave.remainingBakeMs
  if (after.isStopped || forMs === undefined) return afterWave(after, wave, events)
  events.push({ kind: 'wave-baking', index, forMs })
  return { state: after, start, events, next: { kind: 'bake', index, forMs } }
}

function afterWave(before: WaveState, wave: PlannedWave, events: WaveEvent[]): WaveStep {
  const { index } = before
  const state = stopIfTooMany(before, wave, events)
  events.push({ kind: 'wave-ended', index })
  if (state.isStopped) return { state, start: [], events, next: { kind: 'end' } }
  return enterWave(state, index + 1, events)
}

function stopIfTooMany(state: WaveState, { maxFailures: allowed }: PlannedWave, events: WaveEvent[]): WaveState {
  const { failed, index } = state
  if (state.isStopped || failed <= allowed) return state
  events.push({ kind: 'fleet-stopped', index, failed, allowed })
  return { ...state, isStopped: true }
}
