import { getInput } from '@actions/core'
import { SOURCES } from '../control-plane/settings.ts'
import type { WorkflowEvent } from '../github/event.ts'
import { OPERATIONS, type Operation } from '../report/record.ts'
import type { ApiCall } from '../request/api-call.ts'
import type {
  FollowRequest,
  PhaseLimits,
  RolloutRequest,
  Target,
  WaitRequest,
} from '../rollout/rollout-request.ts'
import { withSourcePath } from '../rollout/plan/settings.ts'
import type { Verification } from '../rollout/finish/verify.ts'
import { mismatches } from '../rollout/plan/field-rules.ts'
import { InputError } from '../problem.ts'
import type { TeardownRequest } from '../previews/teardown-request.ts'
import { lacksCredentials, readConnection, type Connection } from './connection.ts'
import { INPUT_DEFAULTS, type InputName } from './names.ts'
import * as accept from './parsers.ts'
import {
  readGitHubWishes,
  readPreview,
  readPullRequest,
  readTarget,
  repositoryOf,
  type GitHubWishes,
  type Preview,
} from './pull-request.ts'
import { createReader, type InputReader } from './reader.ts'
import { secretTexts } from './secrets.ts'
import { contradictions, readSettings, readSpec, type GivenSpec } from './settings.ts'

/** What a step asks for, whichever operation it is. */
export type Inputs =
  /** There are no credentials, and `on-missing-credentials` foresaw it. */
  | { operation: 'skip' }
  | {
      operation: 'rollout'
      connection: Connection
      request: RolloutRequest
      preview: Preview | undefined
      gitHub: GitHubWishes
    }
  | {
      operation: 'wait'
      connection: Connection
      request: WaitRequest
      preview: Preview | undefined
      gitHub: GitHubWishes
    }
  | {
      operation: 'teardown'
      connection: Connection
      request: TeardownRequest
      preview: Preview | undefined
      gitHub: GitHubWishes
    }
  | { operation: 'request'; connection: Connection; request: ApiCall }

/** An input's text as the runner hands it over. */
export type RawInputs = (name: InputName) => string

export const runnerInputs: RawInputs = (name) => getInput(name, { trimWhitespace: false })

/** Everything in the inputs that must be masked before anything is printed. */
export function sensitiveTexts(raw: RawInputs): string[] {
  const userInfo = [raw('base-url'), raw('repo-url')].flatMap((address) => {
    const url = URL.parse(address.trim())
    return url === null ? [] : [url.password, decodeURIComponent(url.password)]
  })
  return [raw('api-key'), raw('bearer-token'), raw('tenant-id'), raw('github-token')]
    .map((credential) => credential.trim())
    .concat(userInfo, secretTexts(raw('secrets')))
}

/** What the step asks for; asked on its own, as a report needs it also when other inputs cannot be read. */
export function askedOperation(raw: RawInputs): Operation {
  return OPERATIONS.find((known) => known === raw('operation').trim()) ?? 'rollout'
}

/** Whether a job summary is wanted; asked on its own, as it holds also when other inputs cannot be read. */
export function wantsSummary(raw: RawInputs): boolean {
  return raw('job-summary').trim().toLowerCase() !== 'false'
}

/**
 * Reads and checks all inputs at once.
 * @throws InputError with every problem there is
 */
export async function readInputs(raw: RawInputs, event: WorkflowEvent): Promise<Inputs> {
  const read = createReader(raw)
  const whenMissing = read.defaulted('on-missing-credentials', accept.oneOf('fail', 'skip'))
  // Where there are no secrets, other inputs that come from them are empty as well.
  if (whenMissing === 'skip' && lacksCredentials(read)) return { operation: 'skip' }
  const operation = read.defaulted('operation', accept.oneOf(...OPERATIONS))
  const connection = readConnection(read)
  if (operation === 'request') {
    // Loaded only when it is needed: the catalogue of routes comes along.
    const { readApiCall } = await import('../request/inputs/read-request.ts')
    const request = await readApiCall(read, raw, event.workspace)
    read.defaulted('job-summary', accept.boolean)
    if (connection === undefined || request === undefined || read.problems.length > 0)
      throw new InputError(read.problems)
    return { operation, connection, request }
  }
  const pullRequest = readPullRequest(read, event)
  const preview = readPreview(read, pullRequest)
  const gitHub = readGitHubWishes(read, preview, pullRequest)
  read.defaulted('job-summary', accept.boolean)
  // The very step that keeps a preview takes it down when the pull request is closed.
  if (operation === 'teardown' || preview?.closed === true) {
    const request = readTeardown(read, preview)
    if (connection === undefined || request === undefined || read.problems.length > 0)
      throw new InputError(read.problems)
    return { operation: 'teardown', connection, request, preview, gitHub }
  }
  const target = readTarget(read, preview)
  if (operation === 'wait') {
    const revisionId = read.optional('revision-id', accept.uuid)
    const repository = repositoryOf(event, undefined, preview)
    const request = { revisionId, repository, ...readFollowing(read) }
    if (connection === undefined || target === undefined || read.problems.length > 0)
      throw new InputError(read.problems)
    return { operation, connection, request: { target, ...request }, preview, gitHub }
  }
  const spec = await readSpec(raw('resource-spec'), read, event.workspace)
  const request = readRollout(read, event, preview, spec)
  if (connection === undefined || target === undefined || read.problems.length > 0)
    throw new InputError(read.problems)
  return { operation: 'rollout', connection, request: { target, ...request }, preview, gitHub }
}

function readRollout(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
  { spec, notes, warnings }: GivenSpec,
): Omit<RolloutRequest, 'target'> {
  const sourcePath = read.defaulted('source-path', accept.text)
  const settings = { ...readSettings(read), resourceSpec: spec }
  const request = {
    ifMissing: read.defaulted('if-missing', accept.oneOf('create', 'fail')),
    ifUnchanged: read.defaulted('if-unchanged', accept.oneOf('revise', 'skip')),
    source: read.optional('source', accept.oneOf(...SOURCES)),
    settings,
    sourcePath: sourcePath === INPUT_DEFAULTS['source-path'] ? undefined : sourcePath,
    repository: repositoryOf(event, settings.repoUrl, preview),
    notes,
    warnings,
    allowSecretRemoval: read.defaulted('allow-secret-removal', accept.boolean),
    dryRun: read.defaulted('dry-run', accept.boolean),
    wait: read.defaulted('wait', accept.boolean),
    ...readFollowing(read),
    resume: read.defaulted('resume', accept.boolean),
    protectNewer: read.defaulted('protect-newer', accept.boolean),
    rollback: read.defaulted('rollback', accept.oneOf('never', 'on-failure')),
  }
  const { source, repository } = request
  const { repoRef } = repository
  if (source !== undefined) read.problems.push(...mismatches(source, withSourcePath(settings, request)))
  const ref = settings.repoRef ?? (repoRef.kind === 'ref' ? repoRef.ref : undefined)
  read.problems.push(...contradictions(settings, ref))
  return request
}

function readFollowing(read: InputReader): FollowRequest {
  return {
    timeoutMs: read.defaulted('timeout', accept.duration),
    pollInterval: read.defaulted('poll-interval', accept.pollInterval),
    phaseLimits: readPhaseLimits(read),
    onSuperseded: read.defaulted('on-superseded', accept.oneOf('fail', 'succeed')),
    verification: readVerification(read),
  }
}

function readPhaseLimits(read: InputReader): PhaseLimits {
  const limits: PhaseLimits = {}
  for (const phase of ['queue', 'build', 'deploy'] as const) {
    const limit = read.optional(`${phase}-timeout`, accept.duration)
    if (limit !== undefined) limits[phase] = limit
  }
  return limits
}

function readVerification(read: InputReader): Verification | undefined {
  const url = read.optional('verify-url', accept.verifyAddress)
  const verification = {
    status: read.defaulted('verify-status', accept.wholeNumber(599)),
    contains: read.optional('verify-contains', (given) => given),
    timeoutMs: read.defaulted('verify-timeout', accept.duration),
  }
  return url === undefined ? undefined : { url, ...verification }
}

function readTeardown(read: InputReader, preview: Preview | undefined): TeardownRequest | undefined {
  const common = {
    ignoreMissing: read.defaulted('ignore-missing', accept.boolean),
    dryRun: read.defaulted('dry-run', accept.boolean),
    timeoutMs: read.defaulted('timeout', accept.duration),
  }
  const olderThanMs = read.optional('older-than', accept.age)
  if (!read.defaulted('closed-pull-requests', accept.boolean)) {
    if (olderThanMs !== undefined)
      read.problems.push({ input: 'older-than', message: 'is only for closed-pull-requests: true' })
    const target = readTarget(read, preview)
    return target === undefined ? undefined : { what: { kind: 'one', target }, ...common }
  }
  const name = previewsNamed(readTarget(read, undefined), read)
  return name === undefined ? undefined : { what: { kind: 'closed-previews', name, olderThanMs }, ...common }
}

function previewsNamed(target: Target | undefined, read: InputReader): string | undefined {
  if (target?.kind !== 'id') return target?.name
  const message = 'cannot be used with closed-pull-requests, which goes by the name of the deployment'
  read.problems.push({ input: 'deployment-id', value: target.id, message })
  return undefined
}
