import { passwordsIn, secretsOfText } from './address.ts'

/** A token has at least 16 characters after its beginning. */
const REST = String.raw`[\w-]{16,}`

/** The tokens of known services, by their beginnings. A letter or digit before one makes it the end of a word. */
const TOKEN = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?:(?:sk-|[sr]k_live_|gh[opusr]_|github_pat_|glpat-|AKIA|AIza|lsv2_|hf_|gsk_|tvly-|xox[a-z]-|npm_|pypi-)${REST}|(?:ya29|SG)\.[\w.-]{16,})`,
  'g',
)

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY[^]*?(?:-----END [A-Z0-9 ]*-----|$)/g

/** The host of an address is public: `https://sk-acme-agent-prod.example`. */
const HOST = /([a-z]:\/\/(?:[^\s/?#@]*@)?)[a-z0-9.-]+(?=[\s/?#:"']|$)/g

/** Lists what is secret in a text by its form: tokens of known services, private keys and passwords of addresses. */
export function knownSecretsIn(text: string): string[] {
  const tokens = text.replace(HOST, '$1').match(TOKEN) ?? []
  const keys = text.match(PRIVATE_KEY) ?? []
  const hasPassword = passwordsIn(text).some((password) => !PLACEHOLDER.test(password))
  return [...tokens, ...keys, ...(hasPassword ? secretsOfText(text) : [])]
}

/** Placeholders for a password in an example or a template. */
const PLACEHOLDER =
  /^(?:|password|change-?me|your[-_]?password|<.*>|\[.*\]|\{.*\}|\$\{.*\}|\$\(.*\)|\$\w+|%\w+%|\*+|x{3,}|\.{3}|…)$/i

/** Words after a beginning that is also one of packages and their settings, as in `npm_config_update_notifier`. */
const PACKAGE_OR_SETTING = /^(?:(?:hf_|npm_|pypi-)[a-z]{1,15}(?:[-_][a-z]{1,15})+|npm_config(?:_[a-z][a-z0-9]{0,14})+)$/
/** Words after a beginning that is also one of names, as in `sk-telecom-agents`. */
const NAME_OF_WORDS = /^sk-[a-z]{1,15}(?:[-_][a-z]{1,15})+$/

/** Lists what is secret in a command by its form, without what may be a package or a setting. */
export function secretsInCommand(text: string): string[] {
  return knownSecretsIn(text).filter((found) => !PACKAGE_OR_SETTING.test(found))
}

/** Lists what is secret in any other text by its form, without what may be a name. */
export function certainSecretsIn(text: string): string[] {
  return secretsInCommand(text).filter((found) => !NAME_OF_WORDS.test(found))
}

export function holdsSecret(text: string): boolean {
  return certainSecretsIn(text).length > 0
}

export interface Variable {
  name: string
  value: string
}

/** Lists what looks like a secret in a value of the environment: by its form, or the whole of it by the variable's name. */
export function secretsOfVariable({ name, value }: Variable): string[] {
  const isNamed = value.trim() !== '' && isNamedAsSecret(name, value.trim())
  return [...(isNamed ? [value] : []), ...knownSecretsIn(value)]
}

export function looksSecret(variable: Variable): boolean {
  return secretsOfVariable(variable).length > 0
}

/** Words of a name that make its last one harmless: a public key, or that of a table. */
const HARMLESS = ['PUBLIC', 'PUBLISHABLE', 'ANON', 'SORT', 'PARTITION']

function isNamedAsSecret(name: string, value: string): boolean {
  const words = name
    .toUpperCase()
    .split('_')
    .filter((word) => word !== '')
  if (words.some((word) => HARMLESS.includes(word))) return false
  const [last, beforeLast] = words.reverse()
  switch (last) {
    case 'PASSWORD':
    case 'PASSWD':
      return true
    case 'KEY':
    case 'TOKEN':
      return (value.length >= MIN_KEY || beforeLast === 'PRIVATE') && !isPlainSetting(value)
    case 'SECRET':
    case 'CREDENTIAL':
    case 'CREDENTIALS':
      return !isPlainSetting(value)
    default:
      return false
  }
}

/** A shorter key or token is one of a list or a cache. */
const MIN_KEY = 8

/** Values that such a name may have, and that are no secrets. */
const PLAIN_SETTINGS: readonly RegExp[] = [
  // A word, as in `user_id`.
  /^[\p{L}_.-]{1,32}$/u,
  /^[+-]?\d+(?:[.,_]\d+)*$/,
  // A path.
  /^(?:\/|\.{1,2}\/|~[\w.-]*\/|~$)/,
  // An address; the form of the value shows a password.
  /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
  /^arn:[a-z-]+:[a-z0-9-]+:/,
  /^(?:<[^]*>|\[[^]*\])$/,
]

function isPlainSetting(value: string): boolean {
  return PLAIN_SETTINGS.some((form) => form.test(value))
}
