import { createHash } from 'node:crypto'
import { createChance } from './chance.ts'
import type { Ending } from './lifecycle.ts'
import type { ScriptChooser } from './store.ts'

interface RandomRollouts {
  /** Median of the durations at speed 1, in milliseconds. */
  medianMs: number
  /** Standard deviation of their logarithm. */
  spread: number
  /** The share of revisions that fail: half of them in the build. */
  failures: number
  seed: number
}

/** Rollouts of log-normal durations. A seed decides about each revision alone, in whatever order they begin. */
export function randomRollouts({ medianMs, spread, failures, seed }: RandomRollouts): ScriptChooser {
  return ({ name }, number) => {
    const digest = createHash('sha256').update(`${seed} ${number} ${name}`).digest()
    const chance = createChance(digest.readUInt32BE())
    const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
    const fails = chance() < failures
    const failed: Ending = chance() < 0.5 ? 'BUILD_FAILED' : 'DEPLOY_FAILED'
    return { durationMs: medianMs * Math.exp(spread * normal), ends: fails ? failed : 'DEPLOYED' }
  }
}
