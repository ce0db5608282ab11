import { type Masks, maskVariables } from '../secrets/learn.ts'
import { previewName } from '../previews/preview-name.ts'
import { secretsOfAddress } from '../secrets/address.ts'
import type { Environment } from '../world.ts'
import {
  ACCESS,
  CREDENTIALS,
  INPUT_DEFAULTS,
  INPUT_NAMES,
  OPERATIONS,
  type AccessInput,
  type InputName,
  type Operation,
} from './names.ts'
import { proxyAddresses } from './proxies.ts'
import { isTrue, type RawInputs } from './reader.ts'
import { secretsIn } from './secrets.ts'
import { secretTexts, variableValues } from '../secrets/read.ts'
import type { WorkflowEvent } from '../github/event.ts'
import { partsOfAddress, partsOfCommit, partsOfHost, partsOfName, partsOfService } from '../secrets/public-texts.ts'

/** Lists the credentials in the inputs and in the proxies' addresses. They are masked before anything is printed. */
export function credentialTexts(raw: RawInputs, env: Environment): string[] {
  return [
    ...[...CREDENTIALS, 'github-token' as const].map((name) => raw(name).trim()),
    ...proxyAddresses(env).flatMap((address) => secretsOfAddress(address.trim())),
    ...INPUT_NAMES.filter((name) => !OF_ENVIRONMENT.includes(name)).flatMap((name) => secretsIn(name, raw(name))),
  ]
}

/** The inputs with values of the deployment's environment. */
const OF_ENVIRONMENT: readonly InputName[] = ['secrets', 'variables']

/** Has the values of the input `secrets` hidden, except what is public. */
export function maskInputs(masks: Masks, raw: RawInputs, event: PublicEvent, env: Environment): void {
  masks.allow(publicTexts(raw, env, event))
  maskVariables(masks, variableValues(raw('variables')))
  masks.values(secretTexts(raw('secrets')))
}

/** Reads the input `operation` on its own: a report needs it even if other inputs are wrong. */
export function askedOperation(raw: RawInputs): Operation {
  return OPERATIONS.find((known) => known === raw('operation').trim()) ?? 'rollout'
}

/** Reads on its own which deployment the step names: a title needs it even if other inputs are wrong. */
export function askedDeployment(raw: RawInputs): string {
  return raw('name').trim() || raw('deployment-id').trim()
}

/** Reads on its own the name of the deployment that the step is about; undefined if only a read of it shows the name. */
export function askedName(raw: RawInputs, { pullRequest }: Pick<PublicEvent, 'pullRequest'>): string | undefined {
  const name = raw('name').trim()
  if (name === '' || isTrue(raw('closed-pull-requests'))) return undefined
  if (!isTrue(raw('preview'))) return name
  return pullRequest && previewName(name, pullRequest.number)
}

/** The names of the inputs that another step must set for the same access. No value is taken. */
export function accessInputs(raw: RawInputs): AccessInput[] {
  return ACCESS.filter((name) => {
    const given = raw(name).trim()
    const standard = INPUT_DEFAULTS[name]
    return given !== '' && (name === 'allow-http' ? given.toLowerCase() : given) !== standard
  })
}

/** Reads the input `job-summary` on its own: it applies even if other inputs are wrong. */
export function wantsSummary(raw: RawInputs): boolean {
  return raw('job-summary').trim().toLowerCase() !== 'false'
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

/** What is public of an event. */
export type PublicEvent = Pick<WorkflowEvent, 'runUrl' | 'runCommits' | 'pullRequest'>

/** Lists the names and addresses that everyone knows who may read the run: of the inputs and of the event. */
export function publicTexts(
  raw: RawInputs,
  env: Environment,
  { runUrl, runCommits, pullRequest }: PublicEvent,
): string[] {
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

/** Lists those of the inputs of a step, or of an entry of a manifest. */
export function publicInputs(raw: RawInputs): string[] {
  return [
    ...partsOfName(raw('name')),
    ...(['deployment-id', 'repo-ref', 'environment', 'image-uri'] as const).map((input) => raw(input)),
    ...partsOfAddress(raw('repo-url')),
    ...partsOfService(raw('base-url')),
    ...(['custom-url', 'verify-url'] as const).flatMap((input) => partsOfHost(raw(input))),
  ]
}
