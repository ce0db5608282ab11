import type { SecretReference } from '../control-plane/model.ts'
import { secretsOfAddress, secretsOfText } from '../secrets/address.ts'
import { type SecretEntries, readSecrets, type Secret } from '../secrets/lines.ts'
import { ADDRESSES, type InputName } from './inputs.ts'
import { Unacceptable, type Finding } from './parsers.ts'

/** A key of a secret of the cluster. */
export const SECRET_KEY = /^([^/\s]+)\/([^/\s]+)$/

const REFERENCE = /^([A-Za-z_]\w*)\s*=([^]*)/

interface SecretRules {
  allowsEmpty: boolean
  /** The names and the values of inputs that no deployment may get. */
  forbidden: readonly { input: string; value: string }[]
}

/**
 * Parses lines `NAME=value` or `NAME: value`, or a JSON object. A quoted value may span lines; double quotes have the
 * escapes of a .env file. It throws every mistake together; no message contains a value.
 */
export function secretsParser(rules: SecretRules): (given: string | SecretEntries) => Secret[] {
  return (given) => {
    const { reading, secrets, mistakes } = readSecrets(given)
    const findings: Finding[] = mistakes.map(({ message }) => ({ message }))
    // A name may be part of a value as long as there is another mistake.
    if (findings.length === 0) findings.push(...emptyValues(reading, rules), ...credentialsIn(secrets, rules))
    if (findings.length > 0) throw new Unacceptable(...findings)
    return secrets
  }
}

function emptyValues({ unit, entries }: SecretEntries, { allowsEmpty }: SecretRules): Finding[] {
  if (allowsEmpty) return []
  const empty = entries.flatMap(({ name, value, at }, index) => {
    if (value === undefined || !BLANK.test(value)) return []
    const mayBeRest = unit === 'line' && (entries[index - 1]?.value?.length ?? 0) >= BASE64_LINE
    return [mayBeRest && !CONVENTIONAL.test(name) ? `line ${at}` : name]
  })
  if (empty.length === 0) return []
  return [{ message: `has an empty value for ${empty.join(', ')}: ${EMPTY_CAUSES}`, count: empty.length }]
}

/** Blanks, line breaks and characters that are not visible are no value. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u

/** The shortest length of the lines into which Base64 is broken. `abc=` after such a line may be its rest. */
const BASE64_LINE = 60
const CONVENTIONAL = /^[A-Z_][A-Z0-9_]*$/

const EMPTY_CAUSES =
  "look for a typo in the name of the workflow's secret or variable, for an environment that this job does not name, and for a run of Dependabot or from a fork, which gets no secrets; with allow-empty-secrets: true, empty values are accepted"

function credentialsIn(secrets: readonly Secret[], { forbidden }: SecretRules): Finding[] {
  const found = secrets.flatMap(({ name, value }) => {
    const same = forbidden.find((one) => one.value !== '' && one.value === value.trim())
    return same === undefined ? [] : [`${name} (the value of ${same.input})`]
  })
  const message = `must not pass this action's own credentials on to the deployment: ${found.join(', ')}; list the secrets that it needs one by one, because \${{ toJSON(secrets) }} contains the credentials of the job`
  return found.length === 0 ? [] : [{ message }]
}

export function parseSecretReferences(given: string): SecretReference[] {
  const lines = given.split(/\r\n?|\n/).map((line) => line.trim())
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

/** Lists the texts of an input's addresses that must be masked: it is an address itself, or may contain some. */
export function secretsIn(name: InputName, text: string): string[] {
  return ADDRESSES.includes(name) ? secretsOfAddress(text.trim()) : secretsOfText(text)
}
