import { isRead } from './control-plane/api-request.ts'
import type { RunnableStep } from './inputs/read-step.ts'
import { withLastLook } from './last-look.ts'
import type { StepRun } from './open-run.ts'
import { PARTS } from './parts.ts'
import type { PreviewEnd } from './previews/event.ts'
import { rolloutPreview } from './previews/preview.ts'
import { beginningOfTeardown, teardown } from './previews/teardown.ts'
import type { Ended, RunEvent } from './report/record.ts'
import { timedOutBy } from './rollout/outcome.ts'
import { findExisting } from './rollout/read/find-deployment.ts'
import { nameOf } from './rollout/rollout-request.ts'
import { rollout } from './rollout/rollout.ts'
import { wait } from './rollout/wait.ts'
import { longestEndOf, longestEndText } from './run-time.ts'

/** Carries out the operation of the step. A request without an answer at the end of the time is no error. */
export async function dispatch(step: RunnableStep, run: StepRun): Promise<Ended> {
  const { emit, log } = run
  log.debug(longestEndText(longestEndOf(step)))
  emit({ kind: 'connecting', baseUrl: step.connection.baseUrl.href })
  emit(beginningOf(step))
  try {
    return await runOperation(step, run)
  } catch (thrown) {
    const timedOut = timedOutBy(thrown, run)
    if (timedOut === undefined) throw thrown
    return { operation: 'any', outcome: timedOut }
  }
}

async function runOperation(step: RunnableStep, run: StepRun): Promise<Ended> {
  switch (step.operation) {
    case 'request': {
      const { request } = await PARTS.request()
      return { operation: 'request', outcome: await request(step.request, run) }
    }
    case 'teardown': {
      const { toDelete } = step.request
      if (toDelete.kind !== 'previews-of-fleet')
        return { operation: 'teardown', outcome: await teardown(step.request, run) }
      const { withBudget } = await PARTS.fleet()
      return {
        operation: 'teardown',
        outcome: await teardown(step.request, withBudget(toDelete.requestsPerSecond, run)),
      }
    }
    case 'wait':
    case 'rollback':
    case 'rollout':
      return await withLastLook(run, async (watched) => await ofOneDeployment(step, watched))
    case 'fleet': {
      await run.loadRest()
      const { fleet, fleetPreview, withBudget } = await PARTS.fleet()
      const { request, preview } = step
      if (preview === undefined) return { operation: 'fleet', outcome: await fleet(request, run) }
      return await fleetPreview(request, preview, withBudget(request.requestsPerSecond, run))
    }
  }
}

type StepOfOne = Extract<RunnableStep, { operation: 'wait' | 'rollback' | 'rollout' }>

async function ofOneDeployment(step: StepOfOne, run: StepRun): Promise<PreviewEnd> {
  switch (step.operation) {
    case 'wait':
      return { operation: 'rollout', outcome: await wait(step.request, run) }
    case 'rollback': {
      const readAt = run.clock.now()
      const deployment = await findExisting(step.request.target, run)
      const { rollback } = await run.loadRest()
      return { operation: 'rollout', outcome: await rollback(step.request, run, { reading: { deployment, readAt } }) }
    }
    case 'rollout': {
      const { request, preview } = step
      if (preview === undefined) return { operation: 'rollout', outcome: await rollout(request, run) }
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
      // Which entries take part may not be known yet.
      const isKnown = preview === undefined && request.changedSince === undefined
      const unknown = { waves: [], notSelected: [], skippedWaves: [], shards: [] }
      const requestSoFar = isKnown ? request : { ...request, ...unknown }
      return { kind: 'fleet-began', request: requestSoFar, api: step.connection.service.api.name }
    }
  }
}
