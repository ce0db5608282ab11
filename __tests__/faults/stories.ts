import { runInBetween } from './among-others.ts'
import { runDuringAWave } from './during-a-wave.ts'
import { FLEET_SIZE } from './fleet-storm.ts'
import { runGoingBack } from './going-back.ts'
import { runLateActivation } from './late-activation.ts'
import { runRenamed } from './renamed.ts'
import type { StormRun, StoryClass } from './storm.ts'

type Story = (seed: number, number: number) => Promise<StormRun[]>

const one =
  (run: (seed: number, number: number) => Promise<StormRun>): Story =>
  async (seed, number) => [await run(seed, number)]

/**
 * Runs with others or with reruns, which a storm of faults alone does not bring about. One seed gives one course. `runs`:
 * of each, as each deployment of a fleet is one.
 */
export const STORIES: Readonly<Record<StoryClass, { run: Story; runs: number }>> = {
  'somebody in between': { run: one(runInBetween), runs: 1 },
  'going back again': { run: one(runGoingBack), runs: 1 },
  'during a wave': { run: runDuringAWave, runs: FLEET_SIZE },
  'late activation': { run: one(runLateActivation), runs: 1 },
  'renamed before a write': { run: one(runRenamed), runs: 1 },
}

export function isStory(name: string): name is StoryClass {
  return Object.hasOwn(STORIES, name)
}

export const ALL_STORIES: readonly StoryClass[] = Object.keys(STORIES).filter(isStory)
