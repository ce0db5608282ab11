import { systemClock, toError } from './clock.ts'
import { createControlPlane } from './control-plane/client.ts'
import { UnreachableError } from './control-plane/errors.ts'
import { createTransport } from './control-plane/transport.ts'
import { readEvent, type WorkflowEvent } from './github/event.ts'
import {
  readRolloutInputs,
  runnerInputs,
  sensitiveTexts,
  wantsSummary,
  type RolloutInputs,
} from './inputs/read-inputs.ts'
import { rollout } from './operations/rollout.ts'
import { createLog, type Log } from './report/log.ts'
import { retryLine } from './report/narrate.ts'
import { publish } from './report/publish.ts'
import { createRedactor } from './report/redact.ts'
import type { Outcome } from './rollout/outcome.ts'
import { openRecord, type RolloutRecord } from './rollout/record.ts'

/** The whole run: secrets are masked first, and whatever happens is published before the step ends. */
export async function run(): Promise<void> {
  const redactor = createRedactor()
  const log = createLog(redactor)
  log.mask(sensitiveTexts(runnerInputs))
  const event = await readEvent()
  const record = openRecord(systemClock.wallTime())
  record.runUrl = event.runUrl
  const outcome = await conclude(event, log, record)
  const concluded = { ...record, endedAt: systemClock.wallTime(), outcome }
  await publish(concluded, {
    log,
    redactor,
    tempDir: event.tempDir,
    jobSummary: wantsSummary(runnerInputs),
  })
}

/** The only place that catches everything: an error is an outcome, too. */
async function conclude(event: WorkflowEvent, log: Log, record: RolloutRecord): Promise<Outcome> {
  const cancelled = cancellation()
  try {
    return await start(readRolloutInputs(runnerInputs, event), cancelled, log, record)
  } catch (thrown) {
    if (cancelled.aborted) return { kind: 'cancelled' }
    const error = toError(thrown)
    log.debug(error.stack ?? error.message)
    return { kind: 'failed', because: { kind: 'error', error } }
  }
}

async function start(
  { connection, request }: RolloutInputs,
  signal: AbortSignal,
  log: Log,
  record: RolloutRecord,
): Promise<Outcome> {
  record.target = request.target.kind === 'name' ? request.target.name : request.target.id
  record.timeoutMs = request.timeoutMs
  record.onSuperseded = request.onSuperseded
  log.info(`Control plane: ${connection.baseUrl.href}`)
  const deadline = systemClock.now() + request.timeoutMs
  const doors = { clock: systemClock, random: Math.random, signal }
  const transport = createTransport({
    ...connection,
    ...doors,
    deadline,
    onRetry: (notice) => log.info(retryLine(notice, log.redact)),
    onExchange: log.debug,
  })
  const controlPlane = createControlPlane(transport, log.mask)
  try {
    const { maxRetries } = connection
    return await rollout(request, { ...doors, controlPlane, log, maxRetries, deadline }, record)
  } catch (thrown) {
    const isOver = thrown instanceof UnreachableError && systemClock.now() >= deadline
    if (!isOver) throw thrown
    return { kind: 'timed-out', lastTrouble: thrown.trouble.cameBack }
  }
}

/** GitHub cancels a job with SIGINT, and with SIGTERM a little later. */
function cancellation(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error(`The runner sent ${signal}`)))
  }
  return controller.signal
}
