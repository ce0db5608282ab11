import { apiAt, type Api } from '../control-plane/api.ts'
import type { Service } from '../control-plane/client.ts'
import type { FleetRequest } from '../fleet/fleet-request.ts'
import type { WorkflowEvent } from '../github/event.ts'
import { keepHeapSmall } from '../http/limits.ts'
import { readApi, readTracingProject } from './api.ts'
import { readConnection, type Connection } from './connection.ts'
import type { ManifestWorld } from './manifest/read-manifest.ts'
import { OPERATIONS, type Operation } from './names.ts'
import * as accept from './parsers.ts'
import { readGitHubOptions, readPreview, readPullRequest, type GitHubOptions } from './pull-request.ts'
import { readFilesOf } from './read-files.ts'
import { createReader, refuseExpression, type InputReader, type RawInputs } from './reader.ts'
import { readRollback } from './rollback.ts'
import { readRollout } from './rollout.ts'
import { reasonToSkip } from './skip.ts'
import { readTeardown } from './teardown.ts'
import { checkDeclared } from './undeclared.ts'
import { readWait } from './wait.ts'
import { isLabelRemoved, type Preview, type TeardownRequest } from '../previews/request.ts'
import { InputError } from '../problem.ts'
import type { ApiCall } from '../request/call.ts'
import type { SkipCause } from '../rollout/outcome.ts'
import type { RollbackRequest, RolloutRequest, WaitRequest } from '../rollout/rollout-request.ts'

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
  | { operation: 'fleet'; request: FleetRequest; gitHub: GitHubOptions }

/** A step of a workflow: its operation and that operation's request. */
export type Step =
  /** The run must not start anything. */
  { operation: 'skip'; skip: SkipCause } | (OperationRequest & { connection: Connection & { service: Service } })

/** A step that starts something. */
export type RunnableStep = Exclude<Step, { operation: 'skip' }>

/** What a step has beside its inputs and its event. A manifest takes values from its variables. */
interface StepSurroundings extends ManifestWorld {
  /** The names of all inputs that are set, those that no action declares included. */
  given: readonly string[]
  warn: (sentence: string) => void
}

/**
 * Reads and checks all inputs of the step.
 * @throws InputError with every problem found
 */
export async function readStep(raw: RawInputs, event: WorkflowEvent, around: StepSurroundings): Promise<Step> {
  const read = createReader(raw, refuseExpression)
  const operation = read.defaulted('operation', accept.oneOf(...OPERATIONS))
  // If the operation is misspelled, it is unknown which inputs it takes.
  const { misnamed, warning } = checkDeclared(
    read,
    operation,
    read.problems.length > 0 ? [] : around.given,
    Boolean(around.env['GITHUB_ACTION_PATH']),
  )
  if (warning !== undefined) around.warn(warning)
  const skip = reasonToSkip(read, event)
  // Credentials under a wrong name are not missing.
  const isMisnamed = skip?.because === 'no-credentials' && misnamed.length > 0
  if (skip !== undefined && !isMisnamed) return { operation: 'skip', skip }
  const named = readApi(read)
  const connection = readConnection(read, named)
  const api = apiAt(named, connection?.baseUrl)
  const deletes = readTracingProject(read, api)
  read.defaulted('job-summary', accept.boolean)
  const asked = await readOperation(read, operation, event, { api, world: around })
  if (connection === undefined || asked === undefined || read.problems.length > 0) throw new InputError(read.problems)
  const deletesTracingProjects = deletes === 'auto' ? api.hasTracingProjects && isOfPreviews(asked) : deletes
  return { ...asked, connection: { ...connection, service: { api, deletesTracingProjects } } }
}

/** Whether every deployment that the step may delete is a preview. */
function isOfPreviews(asked: OperationRequest): boolean {
  if (asked.operation === 'request' || asked.operation === 'fleet') return false
  const { operation, request, preview } = asked
  return preview !== undefined || (operation === 'teardown' && request.what.kind === 'closed-previews')
}

async function readOperation(
  read: InputReader,
  operation: Operation,
  event: WorkflowEvent,
  at: { api: Api; world: ManifestWorld },
): Promise<OperationRequest | undefined> {
  if (operation === 'request') {
    // Imported here because the catalogue of routes comes with it.
    const { readApiCall } = await import('./request/read-request.ts')
    const request = await readApiCall(read, event.workspace, at.world, at.api.name)
    return request === undefined ? undefined : { operation, request }
  }
  const pullRequest = readPullRequest(read, event)
  if (operation === 'fleet') {
    // Imported here because zod and yaml come with it.
    const { readFleet } = await import('./manifest/read-fleet.ts')
    keepHeapSmall()
    const request = await readFleet(read, event, at)
    const showsPlan = request?.dryRun === true && pullRequest !== undefined
    const gitHub = readGitHubOptions(read, showsPlan, pullRequest)
    return request === undefined ? undefined : { operation, request, gitHub }
  }
  const about = { ...event, isOfPullRequest: event.isOfPullRequest || pullRequest !== undefined }
  const preview = readPreview(read, pullRequest, event)
  const context = { preview, gitHub: readGitHubOptions(read, preview !== undefined, pullRequest) }
  // The step that keeps a preview also deletes it when the pull request is closed, or loses the label.
  if (operation === 'teardown' || preview?.closed === true || isLabelRemoved(preview?.gate)) {
    const request = readTeardown(read, about, preview)
    return request === undefined ? undefined : { operation: 'teardown', request, ...context }
  }
  switch (operation) {
    case 'wait': {
      const request = readWait(read, event, preview)
      return request === undefined ? undefined : { operation, request, ...context }
    }
    case 'rollback': {
      const request = readRollback(read, about, preview)
      return request === undefined ? undefined : { operation, request, ...context }
    }
    case 'rollout': {
      const request = await readRollout(read, event, preview, { api: at.api, files: readFilesOf(at.world) })
      return request === undefined ? undefined : { operation, request, ...context }
    }
  }
}
