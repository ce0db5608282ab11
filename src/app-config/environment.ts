import { listNames, MAX_NAMED } from '../problem.ts'
import type { ConfiguredEnvironment } from './schema.ts'
import { printableValue } from './verdict.ts'

/** The facts about an app's environment, which the clients of the service would send. */
export interface EnvironmentFacts {
  env: ConfiguredEnvironment
  /** The file that env names, or else a .env beside the configuration, relative to the workspace; undefined if there is none. */
  file: string | undefined
  /** The names in an .env.example beside the configuration. */
  exampleNames: readonly string[]
  /** Names that the service sets itself: the clients send none of them. */
  reservedNames: readonly string[]
}

/** A name as the lists of secrets take it. A key of another form may be a value, so no message has it. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Words the environment that the app expects and the action does not send, without a full stop; undefined if none. */
export function expectedEnvironment(facts: EnvironmentFacts, config: string): string | undefined {
  const { env, file, exampleNames, reservedNames } = facts
  const sent = (names: readonly string[]): string[] =>
    names.filter((name) => NAME.test(name) && !reservedNames.includes(name))
  switch (env.kind) {
    case 'names': {
      const names = sent(env.names)
      if (names.length === 0) return undefined
      return `${config} has values in env, and ${NONE_SENT}: set secrets or variables (${listNames(names, MAX_NAMED.part)})`
    }
    case 'file':
      if (env.path === '') return undefined
      return `${config} names ${fileName(env.path)} in env, and ${NONE_SENT}: ${wayOf(file, sent(exampleNames))}`
    case 'none':
      return file === undefined ? undefined : `beside ${config} is a .env, and ${NONE_SENT}: ${wayOf(file, [])}`
  }
}

const NONE_SENT = 'the action sends no file by itself'

function fileName(path: string): string {
  const name = printableValue(path)
  return name === undefined ? 'a file' : `the file ${JSON.stringify(name)}`
}

function wayOf(file: string | undefined, names: readonly string[]): string {
  if (file !== undefined) return `set secrets-file: ${file}`
  return names.length === 0 ? 'set secrets' : `set secrets (by .env.example: ${listNames(names, MAX_NAMED.part)})`
}

/** Lists the names that a dotenv file sets. No value is returned: it may be a secret. */
export function namesInDotenv(text: string): string[] {
  const names = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/gm)
  return [...new Set([...names].map(([, name = '']) => name))]
}
