import {
  API_NAMES,
  apiOf,
  LANGSMITH,
  sourceOfWord,
  sourceWord,
  typeOfWord,
  typeWords,
  type Api,
} from '../control-plane/api.ts'
import { DEPLOYMENT_TYPES, SOURCES, type Source } from '../control-plane/settings.ts'
import { INPUT_DEFAULTS } from './names.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** For a value of `api` that is not accepted. It refuses only what every service refuses: the cause is reported alone. */
const ANY_API: Api = { ...LANGSMITH, reservedNames: [], nameRule: undefined, selfHosted: {} }

export function readApi(read: InputReader): Api {
  const name = read.optional('api', accept.oneOf(...API_NAMES))
  if (name !== undefined) return apiOf(name)
  return read.isUnset('api') ? apiOf(INPUT_DEFAULTS.api) : ANY_API
}

/** Parses a source by the contract's word or by the service's own. */
export function sourceParser(api: Api): accept.Parser<Source> {
  return (given) => {
    const found = SOURCES.find((source) => source === sourceOfWord(api, given))
    if (found !== undefined) return found
    const message = `must be one of ${SOURCES.map((source) => sourceWord(api, source)).join(', ')}`
    const meant = SOURCES.find((source) => source === sourceOfWord(LANGSMITH, given))
    throw new accept.Unacceptable(meant === undefined ? message : `${message}: ${ofLangsmith(given, meant)}`)
  }
}

/** Parses a type of deployments by the contract's word or by the service's own. */
export function typeParser(api: Api): accept.Parser<string> {
  return (given) => {
    const found = DEPLOYMENT_TYPES.find((type) => type === typeOfWord(api, given))
    if (found !== undefined) return found
    const isPublic = typeWords(LANGSMITH).includes(given)
    const way = isPublic ? `; ${given} is a word of LangSmith Deployment: set api to langsmith` : ''
    const older = DEPLOYMENT_TYPES.filter((type) => !typeWords(api).includes(type))
    const others = older.length === 0 ? '' : `, or an older word: ${older.join(', ')}`
    throw new accept.Unacceptable(`must be one of ${typeWords(api).join(', ')}${others}${way}`)
  }
}

function ofLangsmith(word: string, source: Source): string {
  return `${word} is the word of LangSmith Deployment for ${source}; to use that service, set api: langsmith`
}

/** Reads whether a deletion includes the tracing project; `auto`: that of a preview. */
export function readTracingProject(read: InputReader, api: Api): boolean | 'auto' {
  const given = read.defaulted('delete-tracing-project', accept.oneOf('auto', 'true', 'false'))
  if (given === 'auto') return given
  if (!api.hasTracingProjects) read.problems.push(onlyFor('delete-tracing-project', given))
  return api.hasTracingProjects && given === 'true'
}

/** Reads the template of an internal_template. */
export function readTemplate(read: InputReader, api: Api): string | undefined {
  const given = read.optional('template-id', accept.text)
  if (given !== undefined && api.rules.templateId === undefined) {
    read.problems.push(onlyFor('template-id', given))
    return undefined
  }
  return given
}

function onlyFor(input: string, value: string): InputReader['problems'][number] {
  return { input, value, message: 'is accepted only with api: langsmith' }
}
