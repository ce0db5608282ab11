import { Client } from './control-plane/client.ts'
import type { ControlPlane } from './control-plane/control-plane.ts'
import { isRead } from './control-plane/api-request.ts'
import type { SCHEMAS } from './control-plane/schemas.ts'
import { createTransport, type RetryNotice, type Transport, type Pace } from './control-plane/transport.ts'
import type { FleetDependencies } from './fleet/shared.ts'
import type { WorkflowEvent } from './github/event.ts'
import type { GitHubQuestions } from './github/questions.ts'
import { learnValues, publicSecretsText } from './inputs/masking.ts'
import { requestsOf, type RunnableStep } from './inputs/read-step.ts'
import { PARTS } from './parts.ts'
import { type PreviewDependencies, rolloutPreview } from './previews/preview.ts'
import { teardown } from './previews/teardown.ts'
import type { Log } from './report/log.ts'
import type { RunEvent } from './report/record.ts'
import type { RequestDependencies } from './request/call.ts'
import type { OwnNotes } from './rollout/dependencies.ts'
import type { Emit } from './rollout/event.ts'
import { timedOutBy } from './rollout/outcome-of-error.ts'
import { type NotedPhases, readEarlierOnce } from './rollout/read/earlier-rollouts.ts'
import type { Outcome } from './rollout/outcome.ts'
import { prepareRollback, type RollbackDependencies } from './rollout/prepare-rollback.ts'
import { nameOf } from './rollout/rollout-request.ts'
import { rollout } from './rollout/rollout.ts'
import { wait } from './rollout/wait.ts'
import { longestEndOf, longestEndText, timeOf } from './run-time.ts'
import type { Masks } from './secrets/learn.ts'
import type { World } from './world.ts'

/** What every operation works with. */
export interface RunContext extends Pick<World, 'clock' | 'random' | 'network' | 'files' | 'signal'> {
  event: WorkflowEvent
  log: Log
  masks: Masks
  gitHub: GitHubQuestions
  emit: Emit<RunEvent>
  phases: NotedPhases
  own: OwnNotes | undefined
  later: typeof PARTS.later
}

/**
 * Carries out the operation of the step.
 * @throws what the operation throws
 */
export async function dispatch(step: RunnableStep, context: RunContext): Promise<Outcome> {
  const { clock, emit, log } = context
  log.debug(longestEndText(longestEndOf(step)))
  emit({ kind: 'connecting', baseUrl: step.connection.baseUrl.href })
  emit(beginningOf(step))
  const deadline = clock.now() + timeOf(step).deadlineMs
  try {
    return await runOperation(step, openDependencies(step, context, deadline))
  } catch (thrown) {
    const timedOut = timedOutBy(thrown, { clock, deadline })
    if (timedOut === undefined) throw thrown
    return timedOut
  }
}

async function runOperation(step: RunnableStep, deps: AllDependencies): Promise<Outcome> {
  switch (step.operation) {
    case 'request': {
      const { request } = await PARTS.request()
      return await request(step.request, deps)
    }
    case 'teardown':
      return await teardown(step.request, deps)
    case 'wait':
      return await wait(step.request, deps)
    case 'rollback': {
      const prepared = await prepareRollback(step.request, deps)
      const { rollback } = await deps.later()
      return await rollback(step.request, deps, prepared)
    }
    case 'fleet': {
      await deps.later()
      const { fleet } = await PARTS.fleet()
      return await fleet(step.request, deps)
    }
    case 'rollout': {
      const { request, preview } = step
      if (preview === undefined) return await rollout(request, deps)
      return await rolloutPreview(request, preview, deps)
    }
  }
}

function beginningOf(step: RunnableStep): RunEvent {
  const { timeoutMs } = step.request
  switch (step.operation) {
    case 'rollout':
    case 'rollback':
    case 'wait': {
      const { operation, request } = step
      const { onSuperseded } = request
      const api = step.connection.service.api.name
      return { kind: 'rollout-began', operation, target: nameOf(request.target), timeoutMs, onSuperseded, api }
    }
    case 'teardown': {
      const { what } = step.request
      const target = what.kind === 'one' ? nameOf(what.target) : what.name
      return { kind: 'teardown-began', target, timeoutMs }
    }
    case 'request': {
      const { method, path } = step.request
      return { kind: 'request-began', target: `${method} ${path}`, isRead: isRead(method), timeoutMs }
    }
    case 'fleet':
      return { kind: 'fleet-began', request: step.request, api: step.connection.service.api.name }
  }
}

/** The dependencies of all operations: each takes those that it needs. */
interface AllDependencies
  extends PreviewDependencies, RequestDependencies, RollbackDependencies, Pick<FleetDependencies, 'paced'> {
  emit: Emit<RunEvent>
  later: typeof PARTS.later
}

function openDependencies(step: RunnableStep, context: RunContext, deadline: number): AllDependencies {
  const { connection } = step
  const { event, log, masks, gitHub, emit, phases } = context
  const { workspace, tempDir, isFirstAttempt } = event
  const { reveals, redactFreeText } = log
  const onRetry = (notice: RetryNotice): void => emit({ kind: 'request-retried', ...notice })
  const connect = (pace?: Pace): Transport =>
    createTransport({ ...connection, ...context, deadline, onRetry, onExchange: log.debug, redactFreeText, pace })
  const { service } = connection
  const onSecrets = learnValues(requestsOf(step), masks, (names) => log.warning(publicSecretsText(names)))
  const schemas = async (): Promise<typeof SCHEMAS> => (await PARTS.later()).SCHEMAS
  const speak = (transport: Transport): ControlPlane =>
    new Client({ schemas, transport, onSecrets, clock: context.clock, service })
  // The action *request* uses the transport itself: its users write the service's own names.
  const transport = connect()
  const controlPlane = speak(transport)
  const paced = (pace: Pace): ControlPlane => speak(connect(pace))
  const readEarlier = readEarlierOnce()
  const run = {
    readEarlier,
    notedPhases: () => phases.list(),
    deadline,
    mask: masks.values,
    reveals,
    workspace,
    tempDir,
    isFirstAttempt,
  }
  return { ...context, ...connection, ...questionsTo(gitHub), ...run, transport, controlPlane, paced }
}

type Questions = Pick<GitHubQuestions, 'readPullRequest' | 'pullRequestStates' | 'compareCommits' | 'readCommit'>

function questionsTo(gitHub: GitHubQuestions): Questions {
  return {
    readPullRequest: async (number) => await gitHub.readPullRequest(number),
    pullRequestStates: async (numbers, label) => await gitHub.pullRequestStates(numbers, label),
    compareCommits: async (deployed, ours) => await gitHub.compareCommits(deployed, ours),
    readCommit: async (of) => await gitHub.readCommit(of),
  }
}
