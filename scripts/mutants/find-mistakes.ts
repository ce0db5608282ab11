import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { occurrences, testOf, type Mutant } from './mutant.ts'

/** Finds the mutants whose file, text or test is not there, each as a sentence. */
export function findMistakes(mutants: readonly Mutant[], root: string): string[] {
  return mutants.flatMap((mutant) => {
    const { file, text } = mutant
    const test = testOf(mutant)
    const source = path.join(root, 'src', file)
    if (!existsSync(source)) return [`src/${file} does not exist`]
    const count = occurrences(readFileSync(source, 'utf8'), text)
    return [
      ...(count === 1 ? [] : [`src/${file} contains this ${count} times, not once: ${text}`]),
      ...(existsSync(path.join(root, '__tests__', test)) ? [] : [`__tests__/${test} does not exist`]),
    ]
  })
}
