import type { SecretReference } from '../control-plane/model.ts'
import { secretsOfAddress, secretsOfText } from '../secrets/address.ts'
import { listNames, MAX_NAMED } from '../problem.ts'
import { certainSecretsIn, looksSecret, secretsInCommand } from '../secrets/recognition.ts'
import type { ValuesContext } from '../secrets/line-form.ts'
import { type SecretEntries, readSecrets, type Secret } from '../secrets/lines.ts'
import { inputOf, type InputName } from './inputs.ts'
import { Unacceptable, type Finding } from './parsers.ts'

/** A key of a secret of the cluster. */
export const SECRET_KEY = /^([^/\s]+)\/([^/\s]+)$/

const REFERENCE = /^([A-Za-z_]\w*)\s*=([^]*)/

export interface SecretRules {
  /** Whether a plan shows the values: those of variables. */
  isShown?: boolean
  allowsEmpty: boolean
  /** The names and the values of inputs that no deployment may get. */
  forbidden: readonly { input: string; value: string }[]
  /** Receives a remark about what is probably not meant, as the end of a sentence that begins with the input. */
  warn?: (message: string) => void
}

/**
 * Parses lines `NAME=value` or `NAME: value`, or a JSON object. A quoted value may span lines; double quotes have the
 * escapes of a .env file. It throws every mistake together; no message contains a value.
 */
export function secretsParser(rules: SecretRules): (list: string | SecretEntries) => Secret[] {
  return (list) => {
    const { reading, secrets, mistakes } = readSecrets(list, contextOf(rules))
    const findings: Finding[] = mistakes.map(({ message }) => ({ message }))
    // While there is another mistake, a name may be part of a value, and is not shown.
    if (findings.length === 0) {
      findings.push(...emptyValues(reading, rules), ...maskedValues(secrets), ...refusedCredentials(secrets, rules))
      if (rules.isShown === true) findings.push(...shownSecrets(secrets, typeof list === 'string'))
      for (const message of probableMistakes(reading, typeof list === 'string' ? contextOf(rules) : undefined))
        rules.warn?.(message)
    }
    if (findings.length > 0) throw new Unacceptable(...findings)
    return secrets
  }
}

function emptyValues({ unit, entries }: SecretEntries, { allowsEmpty }: SecretRules): Finding[] {
  if (allowsEmpty) return []
  const empty = entries.flatMap(({ name, value, at }, index) => {
    if (value === undefined || !isBlank(value)) return []
    return [unit === 'line' && isRestOfValue(name, entries[index - 1]?.value) ? `line ${at}` : name]
  })
  if (empty.length === 0) return []
  return [{ message: `has an empty value for ${empty.join(', ')}: ${EMPTY_CAUSES}`, count: empty.length }]
}

/** Blanks, line breaks and characters that are not visible are no value. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u

/** The shortest length of the lines into which Base64 is broken. `abc=` after such a line may be its rest. */
const BASE64_LINE = 60
const CONVENTIONAL = /^[A-Z_][A-Z0-9_]*$/

export function isBlank(value: string): boolean {
  return BLANK.test(value)
}

/** Whether the name of an empty value may be the end of the value in the line before. */
export function isRestOfValue(name: string, valueBefore = ''): boolean {
  return valueBefore.length >= BASE64_LINE && !CONVENTIONAL.test(name)
}

const EMPTY_CAUSES =
  "look for a typo in the name of the workflow's secret or variable, for an environment that this job does not name, and for a run of Dependabot or from a fork, which gets no secrets; with allow-empty-secrets: true, empty values are accepted"

/** Names the secrets that have the value of an input that no deployment may get. */
export function credentialsIn(secrets: readonly Secret[], { forbidden }: Pick<SecretRules, 'forbidden'>): string[] {
  return secrets.flatMap(({ name, value }) => {
    const same = forbidden.find((one) => one.value !== '' && one.value === value.trim())
    return same === undefined ? [] : [`${name} (the value of ${same.input})`]
  })
}

function refusedCredentials(secrets: readonly Secret[], rules: SecretRules): Finding[] {
  const credentials = credentialsIn(secrets, rules)
  const message = `must not pass this action's own credentials on to the deployment: ${credentials.join(', ')}; list the secrets that it needs one by one, because \${{ toJSON(secrets) }} contains the credentials of the job`
  return credentials.length === 0 ? [] : [{ message }]
}

/** The mask that a log shows in place of a secret. */
const MASK = /^\*{3,}$/

export function isMask(value: string): boolean {
  return MASK.test(value.trim())
}

function maskedValues(secrets: readonly Secret[]): Finding[] {
  const masked = secrets.flatMap(({ name, value }) => (isMask(value) ? [name] : []))
  const message = `has *** as the value of ${masked.join(', ')}: that is what a log shows in place of a secret; set the secret itself`
  return masked.length === 0 ? [] : [{ message, count: masked.length }]
}

/** Variables whose values a plan would publish. @param isText false in a manifest, whose secrets are no literals */
function shownSecrets(variables: readonly Secret[], isText: boolean): Finding[] {
  const how = isText ? '' : ' as ${NAME}, and set NAME in env of the step'
  return variables
    .filter(looksSecret)
    .map(({ name }) => ({
      below: `.${name}`,
      message: `looks like a secret: move it to secrets${how}; if it is public after all, secrets takes it too, it is only not shown`,
    }))
}

/** The context of expressions that has such values. */
function contextOf({ isShown }: SecretRules): ValuesContext {
  return isShown === true ? 'vars' : 'secrets'
}

/** Words values that are accepted as they are, and are probably not meant so. @param context undefined in a manifest */
function probableMistakes({ entries }: SecretEntries, context: ValuesContext | undefined): string[] {
  const words = MISTAKES.map(({ isMade, word }) => {
    const names = entries.filter((entry) => isMade(entry, context === undefined)).map(({ name }) => name)
    const meant = context === undefined ? '${NAME}' : `\${{ ${context}.NAME }}`
    return names.length === 0 ? [] : [word(listNames(names, MAX_NAMED.message), meant)]
  })
  return words.flat()
}

interface ProbableMistake {
  isMade: (entry: SecretEntries['entries'][number], isInManifest: boolean) => boolean
  /** @param meant how the value of a variable is written */
  word: (names: string, meant: string) => string
}

const MISTAKES: readonly ProbableMistake[] = [
  {
    isMade: ({ value = '', form }) => form === 'unquoted' && /\s#/.test(value),
    word: (names) =>
      `has a # behind a blank in the value of ${names}: without quotes, the rest of the line is a part of the value. Write a comment on a line of its own, or the value in single quotes`,
  },
  {
    isMade: ({ value = '' }, isInManifest) => (isInManifest ? VARIABLE_IN_MANIFEST : VARIABLE_IN_TEXT).test(value),
    word: (names, meant) =>
      `has a value of the form $NAME for ${names}, in which no variable is replaced. Write ${meant} for the value of a variable`,
  },
  {
    isMade: ({ form }) => form === 'escaped',
    word: (names) =>
      `has an escape such as \\n or \\\\ in the double quotes of ${names}, which is replaced. Single quotes keep every backslash`,
  },
]

const VARIABLE_IN_TEXT = /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})$/
/** A variable in a value of a manifest, in which `$${NAME}` means `${NAME}` itself. */
const VARIABLE_IN_MANIFEST = /^\$[A-Za-z_]\w*$/

export function parseSecretReferences(literal: string): SecretReference[] {
  const lines = literal.split(/\r\n?|\n/).map((line) => line.trim())
  const references = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, key = ''] = REFERENCE.exec(line) ?? []
      const [, secretName, secretKey] = SECRET_KEY.exec(key.trim()) ?? []
      if (name === undefined || secretName === undefined || secretKey === undefined)
        throw new Unacceptable('must be lines of the form ENV_NAME=secret-name/key')
      return { name, secretName, secretKey }
    })
  const names = references.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Unacceptable(`names ${twice} twice`)
  return references
}

/** Whether a text of the input contains what looks like a secret. */
export function showsSecret(name: InputName, text: string): boolean {
  const secrets = inputOf(name).secrecy === 'command' ? secretsInCommand(text) : certainSecretsIn(text)
  return secrets.length > 0
}

/** Lists the texts of an input that must be masked: those of its addresses, and what looks like a secret. */
export function secretsIn(name: InputName, text: string): string[] {
  const { isAddress, secrecy } = inputOf(name)
  const ofAddresses = isAddress === true ? secretsOfAddress(text.trim()) : secretsOfText(text)
  if (secrecy === 'command') return [...ofAddresses, ...secretsInCommand(text)]
  return secrecy === 'shown' || secrecy === 'settings' ? [...ofAddresses, ...certainSecretsIn(text)] : ofAddresses
}
