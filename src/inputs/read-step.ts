import { type Api, apiAt } from '../control-plane/api.ts'
import type { Service } from '../control-plane/client.ts'
import type { FleetRequest, PreviewFleet } from '../fleet/fleet-request.ts'
import { type WorkflowEvent, isTrusted } from '../github/event.ts'
import { keepHeapSmall } from '../http/limits.ts'
import { closedReasonByEvent, teardownOfFleet, type Preview, type TeardownRequest } from '../previews/request.ts'
import { describeProblem, InputError, type Problem, withFullStop } from '../problem.ts'
import type { ApiCall } from '../request/call.ts'
import type { NotStartedCause } from '../rollout/outcome.ts'
import { nameOf, type RollbackRequest, type RolloutRequest, type WaitRequest } from '../rollout/rollout-request.ts'
import {
  areCredentials,
  type Connection,
  apiMeant,
  judgeHost,
  lacksCredentials,
  readApi,
  readConnection,
  readTracingProject,
} from './connection.ts'
import { judgeEmpty, refuseEmpty } from './empty.ts'
import { refusePlanOfDeletion } from './expect-plan.ts'
import type { readFleet } from './manifest/read-fleet.ts'
import type { ManifestWorld } from './manifest/read-manifest.ts'
import { type ConfirmingEvent, readConfirmedFleet } from './confirmation.ts'
import type { InputName, Operation } from './inputs.ts'
import { type GitHubOptions, readGitHubOptions, readPreview, readPullRequest } from './target.ts'
import { askedOperation, InputReader, isTrue, type RawInputs, refuseExpression } from './reader.ts'
import type { readApiCall } from './request/read-request.ts'
import { readRollback, readTeardown, readWait } from './operations.ts'
import { readRollout } from './rollout.ts'
import { checkDeclared } from './undeclared.ts'

interface GitHubContext {
  preview: Preview | undefined
  gitHub: GitHubOptions
}

type OperationRequest =
  | ({ operation: 'rollout'; request: RolloutRequest } & GitHubContext)
  | ({ operation: 'wait'; request: WaitRequest } & GitHubContext)
  | ({ operation: 'rollback'; request: RollbackRequest } & GitHubContext)
  | ({ operation: 'teardown'; request: TeardownRequest } & GitHubContext)
  | { operation: 'request'; request: ApiCall }
  | { operation: 'fleet'; request: FleetRequest; preview?: undefined; gitHub: GitHubOptions }
  | { operation: 'fleet'; request: PreviewFleet; preview: Preview; gitHub: GitHubOptions }

export type Step =
  /** The step ends without an operation, for the reason `skip`. */
  { operation: 'skip'; skip: NotStartedCause } | (OperationRequest & { connection: Connection & { service: Service } })

export type RunnableStep = Exclude<Step, { operation: 'skip' }>

interface StepSurroundings extends ManifestWorld {
  request: () => Promise<{ readApiCall: typeof readApiCall }>
  fleet: () => Promise<{ readFleet: typeof readFleet }>
  /** All inputs that are set, empty ones and those that no action declares included. */
  inputTexts: ReadonlyMap<string, string>
  /** Whether the runner is act, which sets inputs of the surrounding action as well, and may lose a default. */
  isRunByAct: boolean
  warn: (sentence: string) => void
  note: (sentence: string) => void
}

/** @throws InputError with every problem found */
export async function readStep(raw: RawInputs, event: WorkflowEvent, surroundings: StepSurroundings): Promise<Step> {
  const read = new InputReader(raw, refuseExpression, askedOperation(raw))
  const operation = read.defaulted('operation')
  // If the operation is misspelled, it is unknown which inputs it takes.
  const inputTexts = read.problems.length > 0 ? new Map<string, string>() : surroundings.inputTexts
  const run = { isRunByAct: surroundings.isRunByAct, endsPreview: deletesByEvent(raw, operation, event) }
  const { misnamed, warning } = checkDeclared(read, { operation, inputTexts, ...run })
  if (warning !== undefined) surroundings.warn(warning)
  const skip = reasonToSkip(read, event)
  // Credentials under a wrong name are set, though the run lacks them: the mistake is reported, and nothing is skipped.
  const isMisnamed = skip?.because === 'no-credentials' && misnamed.some(({ meant }) => areCredentials(meant))
  if (skip !== undefined && !isMisnamed) return { operation: 'skip', skip }
  const named = readApi(read)
  const connection = readConnection(read, named)
  for (const sentence of judgeHost(read, connection?.baseUrl, named, operation))
    surroundings.note(withFullStop(sentence))
  const api = apiAt(apiMeant(named, connection?.baseUrl, operation), connection?.baseUrl)
  const deletes = readTracingProject(read, api)
  read.defaulted('job-summary')
  const operationRequest = withWarnings(
    await readOperation(read, operation, event, { api, world: surroundings }),
    read,
    surroundings.warn,
  )
  if (connection === undefined || operationRequest === undefined || read.problems.length > 0)
    throw new InputError(read.problems)
  const deletesTracingProjects = deletes === 'auto' ? api.hasTracingProjects && isOfPreviews(operationRequest) : deletes
  return { ...operationRequest, connection: { ...connection, service: { api, deletesTracingProjects } } }
}

/** Whether the step deletes the preview that it keeps otherwise, because of the event. */
function deletesByEvent(raw: RawInputs, operation: Operation, event: WorkflowEvent): boolean {
  if (operation === 'teardown' || operation === 'request') return false
  // The reader of the step reports the same problems.
  const read = new InputReader(raw)
  const preview = readPreview(read, readPullRequest(read, event), event)
  return preview !== undefined && closedReasonByEvent(preview) !== undefined
}

/** The plan of a rollout shows its warnings. Those of other operations, and of refused inputs, are shown at once. */
function withWarnings(
  operationRequest: OperationRequest | undefined,
  { problems, warnings }: InputReader,
  warn: (sentence: string) => void,
): OperationRequest | undefined {
  if (operationRequest?.operation === 'rollout' && problems.length === 0)
    return {
      ...operationRequest,
      request: { ...operationRequest.request, warnings: [...operationRequest.request.warnings, ...warnings] },
    }
  for (const sentence of warnings) warn(withFullStop(sentence))
  return operationRequest
}

/** Whether every deployment that the step may delete is a preview. */
function isOfPreviews(operationRequest: OperationRequest): boolean {
  if (operationRequest.operation === 'request') return false
  const { operation, request, preview } = operationRequest
  return preview !== undefined || (operation === 'teardown' && request.toDelete.kind === 'closed-previews')
}

async function readOperation(
  read: InputReader,
  operation: Operation,
  event: WorkflowEvent,
  at: { api: Api; world: StepSurroundings },
): Promise<OperationRequest | undefined> {
  if (operation === 'request') {
    const { readApiCall } = await at.world.request()
    return asRequest(operation, await readApiCall(read, event.workspace, at.world, at.api.name), {})
  }
  const pullRequest = readPullRequest(read, event)
  if (operation === 'fleet') return await readFleetStep(read, event, pullRequest, at)
  const confirming = confirmingEvent(event, pullRequest)
  const preview = readPreview(read, pullRequest, event)
  const context = { preview, gitHub: readGitHubOptions(read, preview !== undefined, pullRequest) }
  // The step that keeps a preview also deletes it when the pull request is closed, or loses the label.
  const end = preview && closedReasonByEvent(preview) ? 'teardown' : operation
  const passed = { operation, end, api: at.api, ...at.world }
  if (end !== 'rollout') refuseEmpty(read, passed)
  switch (end) {
    case 'teardown':
      if (operation === 'rollout') refusePlanOfDeletion(read)
      return asRequest('teardown', readTeardownBy(operation, read, event, { preview, confirming }), context)
    case 'wait':
      return asRequest('wait', readWait(read, event, preview), context)
    case 'rollback':
      return asRequest('rollback', readRollback(read, event, preview, confirming), context)
    case 'rollout': {
      const request = await readRollout(read, event, preview, { ...at, confirming })
      const empty = judgeEmpty(read, passed)
      // GitHub may report that the preview is to be deleted.
      const mayBeOver = preview !== undefined && read.problems.length === 0
      if (!mayBeOver) read.problems.push(...empty.always)
      return asRequest('rollout', request && { ...request, empty, previewOf: previewOf(request, context) }, context)
    }
  }
}

function previewOf({ target }: RolloutRequest, { preview, gitHub }: GitHubContext): RolloutRequest['previewOf'] {
  if (preview === undefined) return undefined
  const { pullRequest } = preview
  const { commentOn, environment } = gitHub
  const name = nameOf(target)
  const notes = { pullRequest, commentName: name, environment, names: [name], mostStatuses: MOST_STATUSES }
  return { pullRequest, notes: commentOn === undefined && environment === undefined ? undefined : notes }
}

/** Each push makes a GitHub Deployment: the newest are about the revisions of a preview that exists. */
const MOST_STATUSES = 5

/** The action *teardown* itself has no other inputs to ignore. */
function readTeardownBy(
  operation: Operation,
  read: InputReader,
  event: WorkflowEvent,
  { preview, confirming }: { preview: Preview | undefined; confirming: ConfirmingEvent },
): TeardownRequest | undefined {
  const request = readTeardown(read, event, preview, confirming)
  if (operation !== 'teardown') read.excuse(OF_ROLLOUT, IGNORED)
  return request
}

/** Inputs of a step that keeps a preview, without which the same step can delete it. */
// prettier-ignore
const OF_ROLLOUT: readonly InputName[] = [
  'repo-url', 'max-previews', 'max-parallel', 'max-failures', 'matrix-size', 'matrix-jobs', 'requests-per-second',
]

const IGNORED = 'The deletion of the preview ignores this input'

/** A pull request that only the step names has no code in the event: it counts for deletions and rollbacks. */
function confirmingEvent(event: WorkflowEvent, pullRequest: Preview | undefined): ConfirmingEvent {
  const isOfPullRequest = event.isOfPullRequest || pullRequest !== undefined
  return { name: event.name, code: event.code, isOfPullRequest, pullRequest: pullRequest?.pullRequest }
}

async function readFleetStep(
  read: InputReader,
  event: WorkflowEvent,
  pullRequest: Preview | undefined,
  at: { api: Api; world: StepSurroundings },
): Promise<OperationRequest | undefined> {
  const { readFleet } = await at.world.fleet()
  keepHeapSmall()
  const preview = readPreview(read, pullRequest, event)
  const closedReason = preview && closedReasonByEvent(preview)
  const end = closedReason === undefined ? 'fleet' : 'teardown'
  refuseEmpty(read, { operation: 'fleet', end, api: at.api, ...at.world })
  const onBroken = ([first]: readonly Problem[]): void => {
    const why = first === undefined ? '' : `: ${describeProblem(first)}`
    at.world.warn(
      `The manifest cannot be used${why}. Of the previews of this pull request, only those are deleted that report this repository, or that a run has noted on GitHub.`,
    )
  }
  const onlyIfMerged = preview === undefined ? readConfirmedFleet(read, confirmingEvent(event, pullRequest)) : undefined
  const fleetRequest = await readFleet(read, event, {
    ...at,
    preview,
    onlyIfMerged,
    onBroken: closedReason && onBroken,
  })
  const showsPlan = fleetRequest?.dryRun === true && pullRequest !== undefined
  const gitHub = readGitHubOptions(read, showsPlan || preview !== undefined, pullRequest)
  if (preview === undefined) return asRequest('fleet', withEnvironment(fleetRequest, gitHub), { preview, gitHub })
  const { pullRequest: number } = preview
  const { repositoryUrl: repoUrl } = event
  const { environment, commentOn } = gitHub
  const previewFacts = { pullRequest: number, repoUrl, environment, hasComment: commentOn !== undefined }
  const request = fleetRequest && { ...fleetRequest, preview: previewFacts }
  if (closedReason === undefined) return asRequest('fleet', request, { preview, gitHub })
  read.excuse(OF_ROLLOUT, IGNORED)
  refusePlanOfDeletion(read)
  return asRequest('teardown', request && teardownOfFleet(request, preview, closedReason), { preview, gitHub })
}

/** Their GitHub Deployments are in the environment of the step. */
function withEnvironment(request: FleetRequest | undefined, { environment }: GitHubOptions): FleetRequest | undefined {
  const changedSince = request?.changedSince && { ...request.changedSince, environment }
  return request && { ...request, changedSince }
}

function asRequest<Name extends Operation, Request, More>(
  operation: Name,
  request: Request | undefined,
  context: More,
) {
  return request === undefined ? undefined : { operation, request, ...context }
}

/** Whether the step ends before anything is requested. Inputs that come from missing secrets do not matter then. */
export function reasonToSkip(read: InputReader, { comment, pullRequest }: WorkflowEvent): NotStartedCause | undefined {
  const whenMissing = read.defaulted('on-missing-credentials')
  if (comment !== undefined && !isTrusted(comment.association))
    return { because: 'untrusted-author', association: comment.association }
  const isAboutPullRequest = pullRequest !== undefined || !read.isUnset('pull-request')
  if (comment !== undefined && !isAboutPullRequest && isTrue(read.raw('preview'))) return { because: 'no-pull-request' }
  return whenMissing === 'skip' && lacksCredentials(read) ? { because: 'no-credentials' } : undefined
}

export function requestsOf(step: RunnableStep): readonly RolloutRequest[] {
  if (step.operation === 'rollout') return [step.request]
  if (step.operation !== 'fleet') return []
  return step.request.waves.flatMap(({ entries }) => entries.map(({ request }) => request))
}
