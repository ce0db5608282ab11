import { Client } from './control-plane/client.ts'
import { isRead } from './control-plane/api-request.ts'
import { createTransport } from './control-plane/transport.ts'
import type { WorkflowEvent } from './github/event.ts'
import { onReportedSecrets, publicSecretsText } from './inputs/masking.ts'
import { requestsOf, type RunnableStep } from './inputs/read-step.ts'
import { rolloutPreview } from './previews/preview.ts'
import { PARTS } from './parts.ts'
import { beginningOfTeardown, teardown } from './previews/teardown.ts'
import type { Log } from './report/log.ts'
import type { Ended, RunEvent } from './report/record.ts'
import type { Run } from './rollout/dependencies.ts'
import { timedOutBy } from './rollout/outcome.ts'
import { type NotedPhases, readEarlierOnce } from './rollout/read/earlier-rollouts.ts'
import { findExisting } from './rollout/read/find-deployment.ts'
import { nameOf } from './rollout/rollout-request.ts'
import { rollout } from './rollout/rollout.ts'
import { wait } from './rollout/wait.ts'
import { longestEndOf, longestEndText, timeOf } from './run-time.ts'
import type { Redactor } from './secrets/redact.ts'
import type { World } from './world.ts'

interface RunContext extends World, Pick<Run<RunEvent>, 'gitHub' | 'emit' | 'own'> {
  event: WorkflowEvent
  log: Log
  redactor: Redactor
  phases: NotedPhases
  later: typeof PARTS.later
}

export async function dispatch(step: RunnableStep, context: RunContext): Promise<Ended> {
  const { clock, emit, log } = context
  log.debug(longestEndText(longestEndOf(step)))
  emit({ kind: 'connecting', baseUrl: step.connection.baseUrl.href })
  emit(beginningOf(step))
  const deadline = clock.now() + timeOf(step).deadlineMs
  try {
    return await runOperation(step, openRun(step, context, deadline))
  } catch (thrown) {
    const timedOut = timedOutBy(thrown, { clock, deadline })
    if (timedOut === undefined) throw thrown
    return { of: 'any', outcome: timedOut }
  }
}

async function runOperation(step: RunnableStep, run: RunContext & Run<RunEvent>): Promise<Ended> {
  switch (step.operation) {
    case 'request': {
      const { request } = await PARTS.request()
      return { of: 'request', outcome: await request(step.request, run) }
    }
    case 'teardown': {
      const { what } = step.request
      if (what.kind !== 'previews-of-fleet') return { of: 'teardown', outcome: await teardown(step.request, run) }
      const { withBudget } = await PARTS.fleet()
      return { of: 'teardown', outcome: await teardown(step.request, withBudget(what.requestsPerSecond, run)) }
    }
    case 'wait':
      return { of: 'rollout', outcome: await wait(step.request, run) }
    case 'rollback': {
      const readAt = run.clock.now()
      const deployment = await findExisting(step.request.target, run)
      const { rollback } = await run.later()
      return { of: 'rollout', outcome: await rollback(step.request, run, { found: { deployment, readAt } }) }
    }
    case 'fleet': {
      await run.later()
      const { fleet, fleetPreview, withBudget } = await PARTS.fleet()
      const { request, preview } = step
      if (preview === undefined) return { of: 'fleet', outcome: await fleet(request, run) }
      return await fleetPreview(request, preview, withBudget(request.requestsPerSecond, run))
    }
    case 'rollout': {
      const { request, preview } = step
      if (preview === undefined) return { of: 'rollout', outcome: await rollout(request, run) }
      return await rolloutPreview(request, preview, run)
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
    case 'teardown':
      return beginningOfTeardown(step.request)
    case 'request': {
      const { method, path } = step.request
      return { kind: 'request-began', target: `${method} ${path}`, isRead: isRead(method), timeoutMs }
    }
    case 'fleet': {
      const { request, preview } = step
      // Which entries take part is not known yet.
      const known = preview === undefined ? request : { ...request, waves: [] }
      return { kind: 'fleet-began', request: known, api: step.connection.service.api.name }
    }
  }
}

function openRun(step: RunnableStep, context: RunContext, deadline: number): RunContext & Run<RunEvent> {
  const { connection } = step
  const { event, log, redactor, phases, clock } = context
  const { workspace, tempDir, isFirstAttempt } = event
  const { reveals, redactFreeText } = redactor
  const transport = createTransport({ ...connection, ...context, deadline, onExchange: log.debug, redactFreeText })
  const onSecrets = onReportedSecrets(requestsOf(step), redactor, (names) => log.warning(publicSecretsText(names)))
  const schemas = async () => (await PARTS.later()).SCHEMAS
  return {
    ...context,
    ...connection,
    deadline,
    workspace,
    tempDir,
    isFirstAttempt,
    reveals,
    mask: (values) => redactor.learnValues(values),
    transport,
    patches: { sent: 0 },
    controlPlane: new Client({ ...connection, schemas, transport, onSecrets, clock }),
    readEarlier: readEarlierOnce(),
    notedPhases: () => phases.list(),
  }
}
