import { idKey, type Secret } from '../control-plane/model.ts'
import { type OnSecrets, publicTextsOf } from '../control-plane/client.ts'
import type { WorkflowEvent } from '../github/event.ts'
import { previewName } from '../previews/preview-name.ts'
import { listNames, MAX_NAMED } from '../problem.ts'
import type { RolloutRequest } from '../rollout/rollout-request.ts'
import { secretsOfAddress } from '../secrets/address.ts'
import { learnVariables, type Redactor } from '../secrets/redact.ts'
import { knownSecretsIn, looksSecret, secretsOfVariable } from '../secrets/recognition.ts'
import { partsOfAddress, partsOfCommit, partsOfHost, partsOfName, partsOfService } from '../secrets/text.ts'
import { readSecrets, secretTexts } from '../secrets/lines.ts'
import type { Environment } from '../world.ts'
import { proxyAddresses } from './proxies.ts'
import { referenceIn } from './credential.ts'
import {
  type Entries,
  INPUT_NAMES,
  type InputName,
  inputOf,
  inputsThat,
  isSet,
  type Publicity,
  WHOLE_SECRETS,
} from './inputs.ts'
import { isTrue, type RawInputs } from './reader.ts'
import { secretsIn } from './secrets.ts'
import { secretsOfBody, secretsOfHeaders } from './verification.ts'

export function credentialTexts(raw: RawInputs, env: Environment): string[] {
  return [
    // A name in place of a credential is no secret: the message about it shows the expression to write.
    ...WHOLE_SECRETS.map((name) => raw(name).trim()).filter((text) => referenceIn(text) === undefined),
    ...proxyAddresses(env).flatMap((address) => secretsOfAddress(address.trim())),
    ...inputsThat(({ empty }) => empty?.kind !== 'list').flatMap((name) => secretsIn(name, raw(name))),
  ]
}

/** Masks the values of the inputs that are secrets, except public texts. */
export function maskInputs(redactor: Redactor, raw: RawInputs, event: WorkflowEvent, env: Environment): void {
  redactor.allow(publicTexts(raw, env, event))
  learnVariables(redactor, readSecrets(raw('variables')).secrets)
  redactor.learnValues(secretValues(raw))
}

/** Lists the values that the inputs set, and that are secrets unless they are public. */
export function secretValues(raw: RawInputs): string[] {
  const listed = INPUT_NAMES.flatMap((name) => {
    const { entries } = inputOf(name)
    return entries === undefined ? [] : SECRETS_OF[entries](textIfSet(name, raw))
  })
  return [...listed, ...secretsOfBody(raw('verify-body'))]
}

const SECRETS_OF: Readonly<Record<Entries, (text: string) => string[]>> = {
  secrets: secretTexts,
  variables: shownSecrets,
  headers: secretsOfHeaders,
}

/** Lists texts that look like secrets in a list of variables, also in lines with mistakes. */
function shownSecrets(variables: string): string[] {
  return [...readSecrets(variables).secrets.flatMap(secretsOfVariable), ...knownSecretsIn(variables)]
}

/** Variables that the runner sets for every step, and that a workflow cannot change: no secret. */
export const PUBLIC_VARIABLES: readonly string[] = [
  'SHA',
  'REF',
  'REF_NAME',
  'HEAD_REF',
  'BASE_REF',
  'REPOSITORY',
  'REPOSITORY_OWNER',
  'RUN_ID',
  'RUN_NUMBER',
  'RUN_ATTEMPT',
].map((name) => `GITHUB_${name}`)

/** Lists the names and addresses that everyone knows who may read the run: of the inputs and of the event. */
function publicTexts(raw: RawInputs, env: Environment, { runUrl, runCommits, pullRequest }: WorkflowEvent): string[] {
  const preview = isTrue(raw('preview')) ? pullRequest : undefined
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env
  return [
    ...publicInputs(raw),
    ...(preview === undefined ? [] : [previewName(raw('name').trim(), preview.number)]),
    ...PUBLIC_VARIABLES.map((variable) => env[variable] ?? ''),
    ...partsOfAddress(`${server}/${repository}`),
    runUrl ?? '',
    ...runCommits.flatMap(partsOfCommit),
  ]
}

export function publicInputs(raw: RawInputs): string[] {
  return INPUT_NAMES.flatMap((name) => {
    const publicity = inputOf(name).public
    return publicity === undefined ? [] : PUBLIC_PARTS[publicity](textIfSet(name, raw))
  })
}

const PUBLIC_PARTS: Readonly<Record<Publicity, (text: string) => string[]>> = {
  whole: (text) => [text],
  name: partsOfName,
  address: partsOfAddress,
  service: partsOfService,
  host: partsOfHost,
}

/** The word of a default is neither a secret nor a name. */
function textIfSet(input: InputName, raw: RawInputs): string {
  return isSet(input, raw(input)) ? raw(input) : ''
}

/** Returns the callback that masks values that the control plane reports. `onPublic` takes each name of a public value once. */
export function onReportedSecrets(
  requests: readonly RolloutRequest[],
  redactor: Redactor,
  onPublic: (names: string[]) => void,
): OnSecrets {
  const listed = requests.flatMap(({ settings }) => settings.secrets ?? [])
  const secrets = listed.filter(({ isVariable }) => isVariable !== true)
  // In a fleet, a secret of one deployment may be a variable of another.
  const isSecret = new Set(secrets.map(({ name }) => name))
  const variables = new Set(listed.flatMap(({ name }) => (isSecret.has(name) ? [] : [name])))
  // Deployments that the step names by their ids: their names are not among the inputs.
  const targets = requests.flatMap(({ target, promoteFrom = target }) => [target, promoteFrom])
  const ids = new Set(targets.flatMap((one) => (one.kind === 'id' ? [idKey(one.id)] : [])))
  const named = new Set<string>()
  const notePublic = (): void => {
    // The input variables refuses what looks like a secret.
    const isMovable = ({ name, value }: Secret): boolean =>
      value !== undefined && redactor.isPublic(value) && !looksSecret({ name, value })
    const movable = secrets.filter(isMovable).map(({ name }) => name)
    const fresh = [...new Set(movable)].filter((name) => !named.has(name))
    for (const name of fresh) named.add(name)
    if (fresh.length > 0) onPublic(fresh)
  }
  notePublic()
  return (values, deployment) => {
    if (deployment !== undefined && ids.has(idKey(deployment.id)) && NAME_OF_WORDS.test(deployment.name)) {
      redactor.allow([deployment.name])
      notePublic()
    }
    const reported = deployment?.settings.secrets ?? []
    const ofSecrets = reported.flatMap(({ name, value }) => (value === undefined || variables.has(name) ? [] : [value]))
    redactor.learnValues(deployment === undefined ? values : ofSecrets, deployment && publicTextsOf(deployment))
  }
}

/** Words with few digits, as people name a deployment. A token has long words, or mixes letters and digits. */
const NAME_OF_WORDS = /^(?:[a-z]{1,20}\d{0,3}|\d{1,3}[a-z]{3,20}|\d{1,6})(?:-(?:[a-z]{1,20}\d{0,3}|\d{1,6}))*$/

export function publicSecretsText(names: readonly string[]): string {
  const named = listNames(names, MAX_NAMED.message)
  const [values, are, them] =
    names.length === 1 ? ['its value is', 'it is', 'it'] : ['their values are', 'they are', 'them']
  return `The list of secrets contains ${named}, but ${values} public: ${are} a name, a ref, an address or a variable of this run. The action neither masks nor hides ${them}. Move ${named} to the input variables.`
}
