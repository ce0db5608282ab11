import type { z } from 'zod'
import { readAction } from './action-tables.ts'
import type { Api } from '../../src/control-plane/api.ts'
import { isMapping, STEP_ONLY } from '../../src/inputs/manifest/schema.ts'
import { configPath } from '../../src/inputs/paths.ts'
import { type Input, INPUTS, INPUTS_OF, REVISION, sourceOf, typeOf } from '../../src/inputs/inputs.ts'
import { type Form, oneOf, text } from '../../src/inputs/parsers.ts'

export type Json = z.core.JSONSchema.BaseSchema

/** Where an input is set: its texts may have `${NAME}` or `${{ … }}`, which an editor cannot evaluate. */
export interface Language {
  /** The name of the definition that accepts what cannot be judged. */
  open: string
  /** A text with something to evaluate. */
  evaluated: string
  /** What its texts may have, for the title of a text. */
  note: string
  /** Any text of one line, and of any number of lines. */
  line: string
  lines: string
}

const NAME = String.raw`\$\{[A-Za-z_][A-Za-z0-9_]*\}`
/** As the reader fills a text: `$${` is `${` itself, and no other `${` is left. */
const FILLED = String.raw`\$(?!\$?\{)|\$\$\{|${NAME}`

/** A value of a manifest. */
export const MANIFEST: Language = {
  open: 'variable',
  evaluated: NAME,
  note: '; ${NAME} is a variable of the environment of the step, and $${ is ${ itself',
  line: String.raw`^\s*(?:[^$\u0000-\u001f\u007f]|${FILLED})*\s*$`,
  lines: `^(?:[^$]|${FILLED})*$`,
}

/** A value of a wave, in which no variable is replaced. */
export const WAVE: Language = { ...MANIFEST, open: 'padded', evaluated: String.raw`^\s` }

/** A value below `with` of a step. */
export const STEP: Language = {
  open: 'expression',
  evaluated: String.raw`\$\{\{`,
  note: '',
  line: String.raw`\$\{\{|^\s*[^\u0000-\u001f\u007f]*\s*$`,
  lines: '',
}

/** Blanks around a text are no part of it, and a blank one sets nothing. */
const TRIMMED = String.raw`^\s|\s$|^$`

/** The definition that {@link Language.open} names. */
export function openText({ evaluated }: Language, title: string): Json {
  return { title, type: 'string', pattern: `${evaluated}|${TRIMMED}` }
}

/** The meanings of all inputs, which editors show. */
export function meaningsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readAction(folder).inputs.map(({ name, description, default: standard }) => [
      name,
      standard ? `${description} Default is ${standard === '.' ? 'the workspace' : standard}.` : description,
    ]),
  )
}

/** What an input takes; undefined if the table of the readers does not say it. `apis`: those whose words count. */
export function formOf(input: string, apis: readonly Api[], operation = 'rollout'): Form | undefined {
  if (input === 'source') return united(apis.map((api) => sourceOf(api).form))
  if (input === 'app-config-path') return configPath({ env: {}, workspace: '' }).form
  if (input === 'deployment-type') return united(apis.map((api) => typeOf(api).form))
  if (input === 'revision-id') {
    const takes = operation === 'rollback' ? 'rollback' : 'wait'
    return withWord(REVISION[takes].form, INPUTS_OF[takes][input])
  }
  const inputs: Readonly<Record<string, Input>> = INPUTS
  const form = inputs[input]?.takes?.form
  return form && withWord(form, inputs[input])
}

/** The form, with the word of the default that counts as not set. */
function withWord(form: Form, input: Input | undefined): Form {
  if (input?.empty === undefined || form.pattern.test(input.standard)) return form
  const { standard: word } = input
  const what = form.description.endsWith(word) ? form.description : `${form.description}, or ${word}`
  return { ...form, description: what, pattern: new RegExp(`^${word}$|${form.pattern.source}`) }
}

function united(forms: readonly Form[]): Form {
  return oneOf(...new Set(forms.flatMap(({ words = [] }) => words))).form
}

/** The same without a word that only a step takes. */
export function formInFleet(input: string, form: Form | undefined): Form | undefined {
  if (input !== STEP_ONLY.input || form?.words === undefined) return form
  return oneOf(...form.words.filter((word) => word !== STEP_ONLY.word)).form
}

/** The schema of a scalar. Of several alternatives, an editor names the first one in its error. */
export function scalarSchema(form: Form | undefined, language: Language): Json {
  const open = { $ref: `#/$defs/${language.open}` }
  if (form === undefined) return { title: `a text${language.note}`, anyOf: [texts(language.lines), ...OTHER_SCALARS] }
  const { description: title, words, pattern, number } = form
  if (words !== undefined) {
    const values = words.map((word) => (word === 'true' || word === 'false' ? word === 'true' : word))
    const isAll = pattern.source === oneOf(...values.map(String)).form.pattern.source && !values.includes(true)
    return { title, anyOf: [{ enum: values }, ...(isAll ? [] : [texts(pattern.source)]), open] }
  }
  if (pattern === text.form.pattern)
    return { title: `${title}${language.note}`, anyOf: [texts(language.line), ...OTHER_SCALARS] }
  const others = [
    ...(number === undefined ? [] : [number]),
    ...(pattern.test('true') ? [{ type: 'boolean' as const }] : []),
  ]
  if (number?.maximum !== undefined || number?.exclusiveMinimum !== undefined)
    return { title, if: { type: 'string' }, then: { anyOf: [texts(pattern.source), open] }, else: number }
  if (pattern.source.endsWith('$')) return { title, anyOf: [texts(pattern.source), ...others, open] }
  // It says how a text begins: the rest is any text.
  const rest = texts(`${language.evaluated}|${TRIMMED}`, language.line)
  return { title, anyOf: [texts(pattern.source, language.line), ...others, rest] }
}

const OTHER_SCALARS: Json[] = [{ type: 'number' }, { type: 'boolean' }]

function texts(...patterns: readonly string[]): Json {
  const [first = '', ...more] = patterns
  if (first === '') return { type: 'string' }
  return more.length === 0
    ? { type: 'string', pattern: first }
    : { type: 'string', allOf: patterns.map((pattern) => ({ pattern })) }
}

/** The texts of an input that a manifest may also set as a mapping. */
export function textsOfMapping(input: string): Json[] {
  if (!isMapping(input)) throw new Error(`${input} is no mapping`)
  switch (input) {
    case 'secrets':
      return [
        {
          title: 'lines NAME=${NAME}, or ${NAME} alone',
          ...texts(String.raw`${NAME}|^\s*(?:#|\{\s*\}|\[\s*\]|${INPUTS[input].standard}\s*$)`),
        },
      ]
    case 'resource-spec':
      return [texts(String.raw`^(?![\s\S]*\$\{)`)]
    case 'verify-body':
      return [texts(MANIFEST.lines), { type: 'number' }]
    case 'variables':
    case 'secret-references':
    case 'verify-headers':
      return [{ type: 'string' }]
  }
}
