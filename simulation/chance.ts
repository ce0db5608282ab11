import { createHash } from 'node:crypto'
import { createChance } from '../sandbox/chance.ts'

export type Chance = () => number

/** A chance of its own for each purpose: what one part draws changes nothing of the others. */
export function chanceFor(...purpose: readonly (string | number)[]): Chance {
  return createChance(createHash('sha256').update(purpose.join('\n')).digest().readUInt32BE())
}

export function oneOf<T>(choices: readonly T[], chance: Chance): T {
  const chosen = choices[Math.floor(chance() * choices.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

export function between(least: number, most: number, chance: Chance): number {
  return least + (most - least) * chance()
}
