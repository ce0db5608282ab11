import { getInput } from '@actions/core'
import type { Credentials } from '../control-plane/credentials.ts'
import { DEPLOYMENT_TYPES, type Settings } from '../control-plane/model.ts'
import type { EventRef, WorkflowEvent } from '../github/event.ts'
import type { DefaultRef, RolloutRequest } from '../rollout/request.ts'
import { mismatches } from '../sources/matrix.ts'
import { InputError } from '../sources/problem.ts'
import { isTag, TAG_PREFIX } from '../sources/repository.ts'
import { parseBaseUrl } from './base-url.ts'
import type { InputName } from './names.ts'
import * as accept from './parsers.ts'
import { createReader, type InputReader } from './reader.ts'
import { parseSecretReferences, parseSecrets, secretTexts } from './secrets.ts'

/** How to reach the control plane. */
export interface Connection {
  baseUrl: URL
  credentials: Credentials
  requestTimeoutMs: number
  maxRetries: number
}

export interface RolloutInputs {
  connection: Connection
  request: RolloutRequest
}

/** An input's text as the runner hands it over. */
export type RawInputs = (name: InputName) => string

export const runnerInputs: RawInputs = (name) => getInput(name, { trimWhitespace: false })

/** Everything in the inputs that must be masked before anything is printed. */
export function sensitiveTexts(raw: RawInputs): string[] {
  const userInfo = [raw('base-url'), raw('repo-url')].flatMap((address) => {
    const url = URL.parse(address.trim())
    return url === null ? [] : [url.password, decodeURIComponent(url.password)]
  })
  return [raw('api-key'), raw('bearer-token'), raw('tenant-id')]
    .map((credential) => credential.trim())
    .concat(userInfo, secretTexts(raw('secrets')))
}

/** Whether a job summary is wanted; asked on its own, as it holds also when other inputs cannot be read. */
export function wantsSummary(raw: RawInputs): boolean {
  return raw('job-summary').trim().toLowerCase() !== 'false'
}

/**
 * Reads and checks all inputs of a rollout at once.
 * @throws InputError with every problem there is
 */
export function readRolloutInputs(raw: RawInputs, event: WorkflowEvent): RolloutInputs {
  const read = createReader(raw)
  const allowHttp = read.defaulted('allow-http', accept.boolean)
  const baseUrl = read.optional('base-url', (given) => parseBaseUrl(given, allowHttp))
  if (raw('base-url').trim() === '') {
    read.problems.push({ input: 'base-url', message: "is required: the control plane's address" })
  }
  const credentials = readCredentials(read)
  const target = readTarget(read)
  const wishes = readWishes(read, event)
  const requestTimeoutMs = read.defaulted('request-timeout', accept.duration)
  const maxRetries = read.defaulted('max-retries', accept.wholeNumber(20))
  read.defaulted('job-summary', accept.boolean)
  read.problems.push(...contradictions(raw, wishes))
  if (baseUrl === undefined || target === undefined || read.problems.length > 0)
    throw new InputError(read.problems)
  return {
    connection: { baseUrl, credentials, requestTimeoutMs, maxRetries },
    request: { target, ...wishes },
  }
}

function readCredentials(read: InputReader): Credentials {
  const before = read.problems.length
  const credentials = {
    apiKey: read.optional('api-key', accept.credential),
    bearerToken: read.optional('bearer-token', accept.credential),
    tenantId: read.optional('tenant-id', accept.credential),
    tenantHeader: read.defaulted('tenant-header', accept.headerName),
  }
  const { apiKey, bearerToken, tenantId } = credentials
  if (
    read.problems.length === before &&
    apiKey === undefined &&
    bearerToken === undefined &&
    tenantId === undefined
  ) {
    const message =
      'is missing, and so are bearer-token and tenant-id: one of them is needed (pull requests from forks and from bots get no secrets)'
    read.problems.push({ input: 'api-key', message })
  }
  return credentials
}

function readWishes(read: InputReader, event: WorkflowEvent): Omit<RolloutRequest, 'target'> {
  return {
    ifMissing: read.defaulted('if-missing', accept.oneOf('create', 'fail')),
    source: read.optional(
      'source',
      accept.oneOf('git_host', 'external_container', 'internal_container', 'internal_template'),
    ),
    settings: readSettings(read),
    repository: { repoUrl: event.repositoryUrl, repoRef: defaultRef(event.ref) },
    allowSecretRemoval: read.defaulted('allow-secret-removal', accept.boolean),
    wait: read.defaulted('wait', accept.boolean),
    timeoutMs: read.defaulted('timeout', accept.duration),
    pollInterval: read.defaulted('poll-interval', accept.pollInterval),
    onSuperseded: read.defaulted('on-superseded', accept.oneOf('fail', 'succeed')),
  }
}

function readTarget(read: InputReader): RolloutRequest['target'] | undefined {
  const before = read.problems.length
  const name = read.optional('name', accept.text)
  const id = read.optional('deployment-id', accept.uuid)
  if (read.problems.length > before) return undefined
  if (name !== undefined && id !== undefined) {
    read.problems.push({
      input: 'deployment-id',
      value: id,
      message: 'must not be given together with name: give one of them',
    })
  }
  if (name !== undefined) return { kind: 'name', name }
  if (id !== undefined) return { kind: 'id', id }
  read.problems.push({ input: 'name', message: 'is required, or deployment-id instead' })
  return undefined
}

function readSettings(read: InputReader): Settings {
  return {
    integrationId: read.optional('integration-id', accept.uuid),
    repoUrl: read.optional('repo-url', accept.repositoryAddress),
    repoRef: read.optional('repo-ref', accept.text),
    appConfigPath: read.optional('app-config-path', accept.text),
    deploymentType: read.optional('deployment-type', accept.oneOf(...DEPLOYMENT_TYPES)),
    buildOnPush: read.optional('build-on-push', accept.boolean),
    installCommand: read.optional('install-command', accept.text),
    buildCommand: read.optional('build-command', accept.text),
    imageUri: read.optional('image-uri', accept.text),
    listenerId: read.optional('listener-id', accept.uuid),
    clusterNamespace: read.optional('cluster-namespace', accept.text),
    customUrl: read.optional('custom-url', accept.text),
    secrets: read.optional('secrets', parseSecrets),
    secretReferences: read.optional('secret-references', parseSecretReferences),
    shareable: read.optional('shareable', accept.boolean),
    routeThroughGateway: read.optional('route-through-gateway', accept.boolean),
  }
}

/** What can be told wrong before the control plane has been asked anything. */
function contradictions(raw: RawInputs, request: Omit<RolloutRequest, 'target'>): InputError['problems'] {
  const { source, settings, repository } = request
  const refused = source === undefined ? [] : mismatches(source, settings)
  const ref = settings.repoRef ?? (repository.repoRef.kind === 'ref' ? repository.repoRef.ref : undefined)
  if (settings.buildOnPush !== true || !isTag(ref)) return refused
  const message = `cannot be true for a tag (${ref ?? ''}): a tag is built once, not on push`
  return [...refused, { input: 'build-on-push', value: raw('build-on-push').trim(), message }]
}

function defaultRef(ref: EventRef): DefaultRef {
  switch (ref.kind) {
    case 'branch':
      return { kind: 'ref', ref: ref.name }
    case 'tag':
      return { kind: 'ref', ref: TAG_PREFIX + ref.name }
    case 'none':
      return { kind: 'none' }
    case 'pull-request': {
      if (!ref.foreign) return { kind: 'ref', ref: ref.branch }
      const head = ref.headRepository ?? 'a repository that is not told'
      return {
        kind: 'unusable',
        reason: `the pull request's head is a branch of ${head}, not of this repository`,
      }
    }
  }
}
