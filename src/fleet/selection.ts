import type { Choice, FleetRequest, NotSelected, OfferedWave, Shard, ShardPart, Wave } from './fleet-request.ts'
import { failuresOf, parallelOf } from './limits.ts'

/** The part of a request that the selection decides. */
export type Selected = Required<Pick<FleetRequest, 'notSelected' | 'skippedWaves'>> & { waves: Wave[] }

/** Percentages are of the selected entries. A wave without any is omitted, with its bake. */
export function selectFrom(offered: readonly OfferedWave[]): Selected {
  const waves: Wave[] = []
  const notSelected: NotSelected[] = []
  const skippedWaves: string[] = []
  for (const { name, bakeMs, maxParallel, maxFailures, entries: choices } of offered) {
    const entries = choices.flatMap((choice) => (choice.kind === 'selected' ? choice.entry : []))
    notSelected.push(...choices.flatMap((choice) => notSelectedIn(choice, name)))
    if (entries.length > 0) {
      const limits = {
        maxParallel: parallelOf(maxParallel, entries.length),
        maxFailures: failuresOf(maxFailures, entries.length),
      }
      waves.push({ name, bakeMs, entries, ...limits })
    } else if (name !== undefined && choices.length > 0) skippedWaves.push(name)
  }
  return { waves, notSelected, skippedWaves }
}

function notSelectedIn(choice: Choice, wave: string | undefined): NotSelected[] {
  return choice.kind === 'selected' ? [] : [{ name: choice.name, wave, because: choice.because }]
}

/** A shard is a part of the whole manifest. One without a selected entry is omitted. */
export function shardsWith(parts: readonly ShardPart[], isSelected: (name: string) => boolean): Shard[] {
  return parts.flatMap(({ shard, waves }): Shard[] => {
    const selected = waves.map(({ name, names }) => ({ name, count: names.filter(isSelected).length }))
    const withEntries = selected.filter(({ count }) => count > 0)
    if (withEntries.length === 0) return []
    const deployments = withEntries.reduce((sum, { count }) => sum + count, 0)
    return [{ shard, waves: withEntries.flatMap(({ name }) => name ?? []), deployments }]
  })
}
