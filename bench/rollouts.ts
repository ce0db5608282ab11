import { createChance } from '../sandbox/chance.ts'
import type { PhaseTimes, TimedPhase } from '../src/rollout/outcome.ts'

/** The median of each phase differs between projects: its logarithm is spread evenly over these spans. */
const PROJECT_SPANS: Record<TimedPhase, readonly [number, number]> = {
  queue: [4_000, 30_000],
  build: [60_000, 600_000],
  deploy: [20_000, 120_000],
}
/** The random part of a watch takes nothing from that of the rollouts: every change of the watch meets the same ones. */
export const random = createChance(20_260_101)
const drawn = createChance(20_260_102)

function gauss(): number {
  return Math.sqrt(-2 * Math.log(1 - drawn())) * Math.cos(2 * Math.PI * drawn())
}

function ofPhases(time: (phase: TimedPhase) => number): PhaseTimes {
  return { queue: time('queue'), build: time('build'), deploy: time('deploy') }
}

export function aProject(): PhaseTimes {
  return ofPhases((phase) => PROJECT_SPANS[phase][0] * (PROJECT_SPANS[phase][1] / PROJECT_SPANS[phase][0]) ** drawn())
}

/** `variation`: the coefficient of variation of each phase. */
export function aRollout(project: PhaseTimes, variation: number): PhaseTimes {
  const sigma = Math.sqrt(Math.log(1 + variation ** 2))
  return ofPhases((phase) => project[phase] * Math.exp(sigma * gauss()))
}

export const totalOf = ({ queue, build, deploy }: PhaseTimes): number => queue + build + deploy
