import { CANCELLATION } from './action-process.ts'
import { oneOf, type Chance } from './chance.ts'
import type { EndedStep, RunningStep } from './runner.ts'
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

/** A run that an actor may strike. */
interface Struck {
  step: RunningStep
  /** What the run did wrong after that. */
  wrongEnd: (ended: Pick<EndedStep, 'endedAt' | 'outputs' | 'error'>) => string[]
}

/** Starts a run, and strikes it. Without a blow, the run is left alone. */
export function strike(scene: Scene, who: string, blow: Blow | undefined, start: () => RunningStep): Struck {
  if (blow === undefined) return { step: start(), wrongEnd: () => [] }
  const struck: { step?: RunningStep; at?: number } = {}
  const hit = (): void => {
    struck.at = scene.time.now()
    if (blow.kind === 'kill') struck.step?.process.kill()
    else struck.step?.process.interrupt()
  }
  if ('afterMs' in blow) scene.time.after(blow.afterMs, hit)
  else strikeAtRequest(scene, who, blow, hit)
  const wrongEnd: Struck['wrongEnd'] = ({ endedAt, outputs, error }) => {
    const tookMs = endedAt - (struck.at ?? endedAt)
    const { outcome = 'none' } = outputs
    return [
      ...(blow.kind === 'cancel' && tookMs > RUNNER_WAITS_MS ? [`cancelled, and ended ${tookMs / 1_000} s later`] : []),
      // The end of a run that the runner has cancelled has no other reason.
      ...(outcome !== 'cancelled' && error.includes(CANCELLATION) ? [`cancelled, but ${outcome} because of that`] : []),
    ]
  }
  return { step: (struck.step = start()), wrongEnd }
}

function strikeAtRequest(
  { network }: Scene,
  who: string,
  { request, when }: Extract<Blow, { request: number }>,
  hit: () => void,
): void {
  const { weather } = network
  let met = 0
  network.weather = (parcel) => {
    if (parcel.who !== who || met++ !== request) return weather(parcel)
    hit()
    return { kind: 'stall', when }
  }
}
