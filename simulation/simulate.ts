import { sumOfCounts, type SimulatedRun } from './operation.ts'
import { operationOf, storyOf, type OperationName } from './operations.ts'
import { Scene } from './scene.ts'

/** A run of the simulation that is over. */
export interface Simulated extends SimulatedRun {
  number: number
  operation: OperationName | 'exhaustive'
  /** Of its trace. */
  digest: string
  /** Only if it is asked for. */
  trace: readonly string[]
}

/** Simulates the run of this number. The seed and the number decide all of it. */
export async function simulate(
  seed: string,
  number: number,
  {
    operation = operationOf(number),
    withTrace = false,
    isDebug = false,
  }: { operation?: OperationName | undefined; withTrace?: boolean; isDebug?: boolean },
): Promise<Simulated> {
  const scene = new Scene(seed, number)
  if (isDebug) scene.runTraces = []
  const story = storyOf(operation, scene.chance('story'))
  if (scene.chance('crowd')() < 0.15) scene.crowd = { shiftPart: 0.3, olderPart: 1 }
  const run = await attempt(async () => await scene.time.run(async () => await story(scene)))
  const { trace } = scene
  const injected = sumOfCounts(run.injected, scene.shifted > 0 ? { 'shifted list': scene.shifted } : {})
  return { ...run, injected, number, operation, digest: trace.digest(run.end), trace: withTrace ? trace.lines : [] }
}

/** An error of the simulation itself is untrue, too: it must not hide. */
async function attempt(run: () => Promise<SimulatedRun>): Promise<SimulatedRun> {
  try {
    return await run()
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    return { rollouts: 1, kind: 'broken', end: 'broken', untrue: [`the simulation failed: ${why}`], injected: {} }
  }
}
