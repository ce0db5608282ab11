import type { Api } from '../control-plane/api.ts'
import type { Settings } from '../control-plane/settings.ts'
import { cutProblems, type Problem } from '../problem.ts'
import type { RolloutRequest } from '../rollout/rollout-request.ts'
import type { Secret } from '../secrets/lines.ts'
import type { FilesWorld } from './files-world.ts'
import { readPathOf } from './paths.ts'
import { NOT_PASSED_ON } from './inputs.ts'
import type { InputReader } from './reader.ts'
import { type SecretRules, secretsParser } from './secrets.ts'

type ListInput = NonNullable<RolloutRequest['secretsInput']>

/** The environment variables that a step sets: its lists together are the whole list of the deployment. */
interface SecretLists {
  secrets: Settings['secrets']
  /** The lists that are set, with the names in each. */
  names: readonly { input: ListInput; names: readonly string[] }[]
  /** The first list that is set. */
  input: ListInput | undefined
  /** The path of the file of secrets, without links. */
  file: string | undefined
  notes: readonly string[]
}

export async function readSecretLists(
  read: InputReader,
  workspace: string,
  api: Api,
  world: FilesWorld,
): Promise<SecretLists> {
  const allowsEmpty = read.defaulted('allow-empty-secrets')
  const forbidden = NOT_PASSED_ON.map((input) => ({ input, value: read.raw(input).trim() }))
  const rules = { allowsEmpty, forbidden }
  const parserOf = (input: 'secrets' | 'variables') =>
    secretsParser({ ...rules, isShown: input === 'variables', warn: (message) => read.warn(input, message) })
  const ofFile = await readFile(read, workspace, { api, rules, world })
  const secrets = read.list('secrets', parserOf('secrets'))
  const variables = read.list('variables', parserOf('variables'))?.map((one) => ({ ...one, isVariable: true as const }))
  const lists: readonly { input: ListInput; secrets: readonly Secret[] | undefined }[] = [
    { input: 'secrets', secrets },
    { input: 'secrets-file', secrets: ofFile?.secrets },
    { input: 'variables', secrets: variables },
  ]
  const set = lists.flatMap(({ input, secrets: some }) => (some === undefined ? [] : [{ input, secrets: some }]))
  return {
    secrets: set.length === 0 ? undefined : set.flatMap((list) => list.secrets),
    names: set.map((list) => ({ input: list.input, names: list.secrets.map(({ name }) => name) })),
    input: set[0]?.input,
    file: ofFile?.real,
    notes: ofFile?.note === undefined ? [] : [ofFile.note],
  }
}

async function readFile(
  read: InputReader,
  workspace: string,
  { api, rules, world }: { api: Api; rules: SecretRules; world: FilesWorld },
): Promise<{ secrets: Secret[]; real: string; note?: string } | undefined> {
  const filePath = read.optional('secrets-file')
  const path = filePath === undefined ? undefined : readPathOf(read, 'secrets-file', filePath, world.env)
  if (path === undefined) return undefined
  const { openSecretsFile, secretsOfFile } = await world.loadRest()
  const file = await openSecretsFile(path, workspace, world)
  if (typeof file === 'string') {
    read.refuse('secrets-file', file, path)
    return undefined
  }
  const reading = secretsOfFile(path, file, rules, api)
  if (reading.kind === 'read') return { ...reading, real: file.real }
  read.problems.push(...cutProblems('secrets-file', reading.problems))
  return undefined
}

/** Refuses names that two lists set, or that the service reserves. */
export function refusedNames(
  { names }: Pick<SecretLists, 'names'>,
  { secretReferences = [] }: Settings,
  { reservedNames }: Api,
): Problem[] {
  const lists = [...names, { input: 'secret-references', names: secretReferences.map(({ name }) => name) }]
  const twice = lists.flatMap((list, index) =>
    lists.slice(0, index).flatMap((first) => mustNotSet(list, first.names, `, which ${first.input} sets as well`)),
  )
  const reserved = lists.flatMap((list) => mustNotSet(list, reservedNames, `: ${RESERVED}`))
  return [...twice, ...reserved]
}

const RESERVED = 'the service reserves such names for itself; remove them, or use other names'

function mustNotSet(
  { input, names }: { input: string; names: readonly string[] },
  others: readonly string[],
  why: string,
): Problem[] {
  const forbidden = new Set(others)
  const refused = names.filter((name) => forbidden.has(name))
  return refused.length === 0 ? [] : [{ input, message: `must not set ${refused.join(', ')}${why}` }]
}
