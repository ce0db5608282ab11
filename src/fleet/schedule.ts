export interface PlannedWave {
  names: readonly string[]
  /** At least 1. */
  maxParallel: number
  maxFailures: number
  /** Milliseconds; 0 for none. */
  bakeMs: number
  /** Deployments of the wave that failed before the wave: no plan could be made of them. */
  failedBefore: number
  /** Milliseconds in which unchanged deployments must answer if no rollout is baked; undefined for no check. */
  gateMs: number | undefined
}

export type WaveInput =
  | { kind: 'begin' }
  | { kind: 'ended'; name: string; hasFailed: boolean }
  /** The bake is over. `failed`: the number of deployments that stopped answering as expected. */
  | { kind: 'baked'; failed: number }
  /** The time of the fleet is over: what is under way ends, too. */
  | { kind: 'time-is-up' }

/** What the caller emits. `index`: of the wave in the request. */
export type WaveEvent =
  | { kind: 'wave-began'; index: number }
  /** Every deployment of the wave has ended: its deployments must keep answering for so many milliseconds. */
  | { kind: 'wave-baking'; index: number; forMs: number }
  /** Every deployment of the wave that has begun has ended, and the bake is over. After a stop, others may not have begun. */
  | { kind: 'wave-ended'; index: number }
  /** More deployments of the wave have failed than allowed: no further rollout begins. */
  | { kind: 'fleet-stopped'; index: number; failed: number; allowed: number }

type WaveNext = { kind: 'wait' } | { kind: 'bake'; index: number; forMs: number } | { kind: 'end' }

export interface WaveState {
  readonly waves: readonly PlannedWave[]
  readonly index: number
  readonly isBaking: boolean
  readonly waiting: readonly string[]
  readonly underWay: ReadonlySet<string>
  readonly failed: number
  /** Whether one of the wave's rollouts has succeeded: without any, there is nothing to bake. */
  readonly hasSuccess: boolean
  readonly stopped: 'failures' | 'time' | undefined
}

export interface WaveStep {
  state: WaveState
  start: readonly string[]
  events: readonly WaveEvent[]
  next: WaveNext
}

export function openWaves(waves: readonly PlannedWave[]): WaveState {
  const underWay = new Set<string>()
  const wave = { isBaking: false, waiting: [], underWay, failed: 0, hasSuccess: false }
  return { waves, index: -1, ...wave, stopped: undefined }
}

/**
 * Decides which rollouts start. No more than `maxParallel` are under way. As soon as more than `maxFailures` of a wave
 * have failed, none starts. A wave begins when the one before has ended and is baked.
 */
export function stepWaves(before: WaveState, input: WaveInput): WaveStep {
  switch (input.kind) {
    case 'begin':
      return enterWave(before, 0, [])
    case 'ended': {
      const { name, hasFailed } = input
      const underWay = new Set([...before.underWay].filter((one) => one !== name))
      const failed = before.failed + (hasFailed ? 1 : 0)
      return proceed({ ...before, underWay, failed, hasSuccess: before.hasSuccess || !hasFailed }, [])
    }
    case 'baked':
      return afterWave({ ...before, isBaking: false, failed: before.failed + input.failed }, [])
    case 'time-is-up':
      return proceed({ ...before, stopped: before.stopped ?? 'time' }, [])
  }
}

function enterWave(before: WaveState, index: number, earlier: readonly WaveEvent[]): WaveStep {
  const wave = before.waves[index]
  const state = { ...before, index, isBaking: false, hasSuccess: false, failed: wave?.failedBefore ?? 0 }
  if (wave === undefined) return { state, start: [], events: earlier, next: { kind: 'end' } }
  return proceed({ ...state, waiting: wave.names }, [...earlier, { kind: 'wave-began', index }])
}

/** Starts what may start; if nothing is left, the bake follows. */
function proceed(before: WaveState, earlier: readonly WaveEvent[]): WaveStep {
  const wave = before.waves[before.index]
  if (wave === undefined || before.isBaking) {
    const next = { kind: before.isBaking || before.index < 0 ? 'wait' : 'end' } as const
    return { state: before, start: [], events: earlier, next }
  }
  const { state, events } = stopIfTooMany(before, wave, earlier)
  const free = state.stopped === undefined ? Math.max(0, wave.maxParallel - state.underWay.size) : 0
  const start = state.waiting.slice(0, free)
  const after: WaveState = {
    ...state,
    waiting: state.waiting.slice(start.length),
    underWay: new Set([...state.underWay, ...start]),
  }
  if (after.underWay.size > 0) return { state: after, start, events, next: { kind: 'wait' } }
  if (after.stopped !== undefined) return afterWave(after, events)
  const forMs = after.hasSuccess && wave.bakeMs > 0 ? wave.bakeMs : wave.gateMs
  if (forMs === undefined) return afterWave(after, events)
  const { index } = after
  const next = { kind: 'bake', index, forMs } as const
  const baking = { kind: 'wave-baking', index, forMs } as const
  return { state: { ...after, isBaking: true }, start, events: [...events, baking], next }
}

function afterWave(before: WaveState, earlier: readonly WaveEvent[]): WaveStep {
  const wave = before.waves[before.index]
  if (wave === undefined) return { state: before, start: [], events: earlier, next: { kind: 'end' } }
  const { state, events } = stopIfTooMany(before, wave, earlier)
  const ended = [...events, { kind: 'wave-ended', index: state.index } as const]
  if (state.stopped !== undefined) return { state, start: [], events: ended, next: { kind: 'end' } }
  return enterWave(state, state.index + 1, ended)
}

function stopIfTooMany(
  state: WaveState,
  { maxFailures: allowed }: PlannedWave,
  events: readonly WaveEvent[],
): { state: WaveState; events: readonly WaveEvent[] } {
  const { failed, index } = state
  if (state.stopped !== undefined || failed <= allowed) return { state, events }
  const stopped = { kind: 'fleet-stopped', index, failed, allowed } as const
  return { state: { ...state, stopped: 'failures' }, events: [...events, stopped] }
}
