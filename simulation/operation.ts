import type { Scene } from './scene.ts'

/** What came of one run of the simulation. */
export interface SimulatedRun {
  /** How many rollouts it has simulated: a fleet of n counts n, a rerun one more. */
  rollouts: number
  /** The class of faults, or the kind of story. */
  kind: string
  /** The outcomes of the runs of the action in it. */
  end: string
  /** What is untrue, or must not be. */
  untrue: readonly string[]
  /** How often each kind of fault was injected, and each deed of another actor was done. */
  injected: Readonly<Record<string, number>>
}

/** Simulates one run. The scene decides all of it. */
export type Operation = (scene: Scene) => Promise<SimulatedRun>

/** The counts of two together. */
export function sumOfCounts(...all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/** What was made more than once, as sentences. */
export function seconds(made: Readonly<Record<string, number>>): string[] {
  return Object.entries(made).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}
