import { API_NAMES, apiOf, isCloud, LANGSMITH, sourceOfWord, sourceWord, type Api } from '../control-plane/api.ts'
import { SOURCES, type Source } from '../control-plane/settings.ts'
import type { Target } from '../rollout/rollout-request.ts'
import { INPUT_DEFAULTS } from './names.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** For a value of `api` that is not accepted. It refuses only what every service refuses: the cause is reported alone. */
const ANY_API: Api = { ...LANGSMITH, nameRule: undefined }

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

/** Checks the name of a deployment to roll out. Returns warnings: sentences without a full stop. */
export function checkName(
  read: InputReader,
  target: Target | undefined,
  { api, baseUrl }: { api: Api; baseUrl: URL | undefined },
): string[] {
  if (target?.kind !== 'name' || api.nameRule === undefined) return []
  const { name } = target
  const { form, words, selfHostedLength: longest } = api.nameRule
  if (!form.test(name)) read.problems.push({ input: 'name', value: name, message: words })
  const isTooLong = name.length > longest && baseUrl !== undefined && !isCloud(api, baseUrl)
  if (!isTooLong) return []
  return [
    `name has ${name.length} characters ("${name}"): on a self-hosted service, a deployment whose name has more than ${longest} never becomes ready`,
  ]
}
