import { hash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { mutate, type Mutant } from './mutant.ts'

interface Options {
  config: { rootDir: string }
  transformerConfig: { mutant?: Mutant }
}

/**
 * Jest's transformer of TypeScript: types become spaces, and one file is mutated in memory. Jest's cache keeps each file by
 * its mutated source.
 */
export default {
  getCacheKey: (source: string, file: string, options: Options): string =>
    hash('sha256', JSON.stringify([file, mutated(source, file, options)])),
  process: (source: string, file: string, options: Options): { code: string } => ({
    code: stripTypeScriptTypes(mutated(source, file, options)),
  }),
}

function mutated(source: string, file: string, { config, transformerConfig: { mutant } }: Options): string {
  const isIt = mutant !== undefined && file === path.join(config.rootDir, 'src', mutant.file)
  return isIt ? mutate(source, mutant) : source
}
