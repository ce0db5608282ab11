import { sourceWord, typeWords, type Api } from '../../control-plane/api.ts'
import type { Field, Rule, Settings, Source } from '../../control-plane/settings.ts'
import { FIELDS, SETTINGS, SOURCES } from '../../control-plane/settings.ts'
import type { Problem } from '../../problem.ts'
import type { PartName } from './environment.ts'
import { pick, REPORTED_BY_REVISION, setFields } from './settings.ts'

/** Whether a source requires, takes or refuses a field (contract, SourceConfigRequest and SourceRevisionConfigRequest). */
export function ruleOf(field: Field, source: Source, api: Api): Rule {
  return api.rules[field]?.[source] ?? SETTINGS[field].rules[source] ?? 'refused'
}

/** The input that sets a field: `repo-url` sets `repoUrl`. The action makes an archive from a directory. */
export function inputName(field: PartName): string {
  if (field === 'sourceTarballPath') return 'source-path'
  return field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** A problem for each field that is set and that the source refuses. */
export function mismatches(source: Source, settings: Settings, api: Api): Problem[] {
  const refused = setFields(settings).filter((field) => ruleOf(field, source, api) === 'refused')
  return refused.map((field) => {
    const takers = SOURCES.filter((other) => ruleOf(field, other, api) !== 'refused')
    const words = takers.map((taker) => sourceWord(api, taker)).join(', ')
    return { input: inputName(field), message: `is not for source ${sourceWord(api, source)}; it is for ${words}` }
  })
}

/** A problem for each field that is not set and that creating a deployment of the source requires. */
export function missing(source: Source, settings: Settings, api: Api): Problem[] {
  const message = `is required to create a deployment of source ${sourceWord(api, source)}`
  const absent = FIELDS.filter((field) => settings[field] === undefined && ruleOf(field, source, api) === 'required')
  return absent.map((field) => {
    const accepted = field === 'deploymentType' ? `: one of ${typeWords(api).join(', ')}` : ''
    return { input: inputName(field), message: `${message}${accepted}` }
  })
}

/** The fields of a revision that a later one of the source repeats. A revision may report more: what was built. */
export function repeatable(settings: Settings, source: Source): Settings {
  return pick(
    settings,
    REPORTED_BY_REVISION.filter((field) => SETTINGS[field].rules[source] !== undefined),
  )
}

export function isSource(text: string | undefined): text is Source {
  return SOURCES.some((source) => source === text)
}
