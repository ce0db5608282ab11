import { oneOf, type Chance } from './chance.ts'
import type { RunningStep } from './runner.ts'
import type { Scene } from './scene.ts'

/** When a run is killed or cancelled. */
export type Blow = { kind: 'kill' | 'cancel' } & (
  | {
      /** Of the run, from 0. */
      request: number
      /** Whether the server still acts on it. */
      when: 'before' | 'after'
    }
  | { afterMs: number }
)

export function chooseBlow(chance: Chance, { mostRequests, mostMs }: { mostRequests: number; mostMs: number }): Blow {
  const kind = oneOf(['kill', 'kill', 'cancel'] as const, chance)
  if (chance() < 0.35) return { kind, afterMs: chance() * mostMs }
  return { kind, request: Math.floor(chance() * mostRequests), when: oneOf(['before', 'after'] as const, chance) }
}

/** The time from a cancellation to the second signal of the runner, which no run may reach. */
const RUNNER_WAITS_MS = 7_500

/** Strikes the run. The returned function says what the run did wrong after it. */
export function strike(scene: Scene, who: string, blow: Blow, step: () => RunningStep | undefined): () => string[] {
  let struckAt: number | undefined
  let endedAt: number | undefined
  const hit = (): void => {
    struckAt = scene.time.now()
    const struck = step()
    if (blow.kind === 'kill') struck?.process.kill()
    else struck?.process.interrupt()
    void struck?.ended.then((ended) => (endedAt = ended.endedAt))
  }
  if ('afterMs' in blow) scene.time.after(blow.afterMs, hit)
  else {
    const { weather } = scene.network
    let met = 0
    scene.network.weather = (parcel) => {
      if (parcel.who !== who || met++ !== blow.request) return weather(parcel)
      hit()
      return { kind: 'stall', when: blow.when }
    }
  }
  return () => {
    const isLate =
      blow.kind === 'cancel' && struckAt !== undefined && (endedAt ?? Infinity) > struckAt + RUNNER_WAITS_MS
    return isLate ? [`cancelled, and ended ${((endedAt ?? Infinity) - (struckAt ?? 0)) / 1000} s later`] : []
  }
}
