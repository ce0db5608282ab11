import { isUtf8 } from 'node:buffer'
import type { Api } from '../control-plane/api.ts'
import { MAX_TEXT_BYTES } from '../files.ts'
import { listNames, MAX_NAMED, type Problem } from '../problem.ts'
import { type DotenvEntry, readDotenv } from '../secrets/dotenv.ts'
import { C_IDENTIFIER, NO_C_IDENTIFIER, type Secret, secretTexts } from '../secrets/lines.ts'
import type { Redactor } from '../secrets/redact.ts'
import { codeOf, locate } from '../sources/workspace-path.ts'
import type { Files } from '../world.ts'
import { credentialsIn, isBlank, isMask, isRestOfValue, type SecretRules } from './secrets.ts'

/** A file of secrets. Every text of it that may be a secret is masked. */
export interface OpenedSecretsFile {
  /** The path of the file without links. */
  real: string
  bytes: number
  entries: readonly DotenvEntry[]
  /** Ends of sentences that begin with the file. */
  mistakes: readonly string[]
}

/** @returns the end of a sentence that begins with the path, if the file cannot be read */
export async function openSecretsFile(
  path: string,
  workspace: string,
  { files, redactor }: { files: Files; redactor: Redactor },
): Promise<OpenedSecretsFile | string> {
  const place = await locate(path, workspace, files)
  if (place.kind === 'missing') return MISSING
  if (place.kind === 'refused') return place.message
  const { real } = place
  try {
    const bytes = await files.readWhole(real, MAX_TEXT_BYTES, 'secrets')
    if (!isUtf8(bytes)) return NO_TEXT
    const text = bytes.toString('utf8')
    const { entries, mistakes } = readDotenv(text)
    redactor.learnValues([...secretTexts(text), ...entries.map(({ value }) => value)])
    return { real, bytes: bytes.length, entries, mistakes: mistakes.map(({ message }) => message) }
  } catch (thrown) {
    return `cannot be read (${codeOf(thrown)})`
  }
}

const MISSING =
  'does not exist: does an earlier step of this job write it, and is the path relative to the workspace, or absolute?'
const NO_TEXT = 'is not UTF-8 text: save it as UTF-8'
const NO_ENTRIES =
  'sets no variable: is the secret set that an earlier step writes into it? For the empty list, write secrets: {}'

/** The secrets that the deployment gets from a file. `note`: a sentence without a full stop. */
export type SecretsOfFile =
  { kind: 'read'; secrets: Secret[]; note?: string } | { kind: 'refused'; problems: Problem[] }

/** Applies the rules for secrets. Reserved names and empty values are not sent, as clients of such services do. */
export function secretsOfFile(
  path: string,
  { entries, mistakes }: OpenedSecretsFile,
  rules: SecretRules,
  { reservedNames }: Pick<Api, 'reservedNames'>,
): SecretsOfFile {
  const refused = (messages: readonly string[]): SecretsOfFile => ({
    kind: 'refused',
    problems: messages.map((message) => ({ input: 'secrets-file', value: path, message })),
  })
  const ofNames = entries.filter(({ name }) => !C_IDENTIFIER.test(name)).map(describeName)
  // While there is another mistake, a name may be part of a value, and is not shown.
  if (mistakes.length + ofNames.length > 0) return refused(mistakes.length > 0 ? mistakes : ofNames)
  if (entries.length === 0) return refused([NO_ENTRIES])
  const lastOf = new Map(entries.map((entry) => [entry.name, entry]))
  const last = [...lastOf.values()]
  const reserved = last.filter(({ name }) => reservedNames.includes(name))
  const others = last.filter(({ name }) => !reservedNames.includes(name))
  const empty = rules.allowsEmpty ? [] : others.filter(({ value }) => isBlank(value))
  const sent = others.filter((entry) => !empty.includes(entry))
  const masked = sent.filter(({ value }) => isMask(value)).map(({ name }) => name)
  const own = credentialsIn(sent, rules)
  const messages = [
    ...(masked.length === 0 ? [] : [`has *** as the value of ${masked.join(', ')}: ${MASKED}`]),
    ...(own.length === 0 ? [] : [`${PASSES_ON}: ${own.join(', ')}; ${REMOVE}`]),
  ]
  if (messages.length > 0) return refused(messages)
  const why = [
    ...(reserved.length === 0
      ? []
      : [`${listNames(namesOf(reserved), MAX_NAMED.message)} (the service reserves such names)`]),
    ...(empty.length === 0 ? [] : [`${listNames(namesOfEmpty(empty, entries), MAX_NAMED.message)} (empty)`]),
  ]
  const secrets = sent.map(({ name, value }) => ({ name, value }))
  return { kind: 'read', secrets, ...(why.length > 0 && { note: `secrets-file: not sent are ${why.join(' and ')}` }) }
}

const MASKED = 'that is what a log shows in place of a secret; write the secret itself'
const PASSES_ON = "must not pass this action's own credentials on to the deployment"
const REMOVE = 'remove it from the file, or give the deployment a key of its own'

/** Words the mistake of a name. A name with an empty value may be the rest of a key: only its line is shown. */
function describeName({ name, value, line }: DotenvEntry): string {
  const nameText = /^=*$/.test(value) ? '' : ` (${name})`
  return `has a name in line ${line}${nameText} ${NO_C_IDENTIFIER}`
}

function namesOf(entries: readonly DotenvEntry[]): string[] {
  return entries.map(({ name }) => name)
}

function namesOfEmpty(empty: readonly DotenvEntry[], all: readonly DotenvEntry[]): string[] {
  return empty.map((entry) => {
    const before = all[all.indexOf(entry) - 1]
    return isRestOfValue(entry.name, before?.value) ? `line ${entry.line}` : entry.name
  })
}
