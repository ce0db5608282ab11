import type { Clock } from './clock.ts'
import { createControlPlane } from './control-plane/client.ts'
import { UnreachableError } from './control-plane/errors.ts'
import { isRead } from './control-plane/method.ts'
import { createTransport, type RetryNotice } from './control-plane/transport.ts'
import type { WorkflowEvent } from './github/event.ts'
import type { Inputs } from './inputs/read-inputs.ts'
import type { Log } from './report/log.ts'
import { retryLine } from './report/log-lines.ts'
import type { Outcome } from './rollout/outcome.ts'
import type { RolloutRecord } from './report/record.ts'
import type { TeardownRequest } from './previews/teardown-request.ts'
import type { Notifier } from './notify/notify.ts'
import type { GitHubQuestions } from './github/questions.ts'
import type { PreviewDoors } from './previews/preview.ts'
import type { RequestDoors } from './request/call.ts'

/** What every operation works with. */
export interface Operating {
  event: WorkflowEvent
  log: Log
  clock: Clock
  random: () => number
  signal: AbortSignal
  gitHub: GitHubQuestions
  notifier: Notifier
}

type Asked = Exclude<Inputs, { operation: 'skip' }>

/**
 * Does what the step asks for. What is not asked for is not loaded.
 * @throws what the operations throw
 */
export async function operate(inputs: Asked, operating: Operating, record: RolloutRecord): Promise<Outcome> {
  const { log, clock } = operating
  log.info(`Control plane: ${inputs.connection.baseUrl.href}`)
  record.operation = inputs.operation
  record.target = targetOf(inputs)
  record.isRead = inputs.operation === 'request' && isRead(inputs.request.method)
  record.timeoutMs = inputs.request.timeoutMs
  const deadline = clock.now() + inputs.request.timeoutMs
  const doors = openDoors(inputs, operating, deadline)
  try {
    return await start(inputs, doors, record)
  } catch (thrown) {
    const isOver = thrown instanceof UnreachableError && clock.now() >= deadline
    if (!isOver) throw thrown
    return { kind: 'timed-out', lastTrouble: thrown.trouble.cameBack }
  }
}

async function start(inputs: Asked, doors: AllDoors, record: RolloutRecord): Promise<Outcome> {
  switch (inputs.operation) {
    case 'request': {
      const { request } = await import('./request/request.ts')
      return await request(inputs.request, doors, record)
    }
    case 'teardown': {
      const { teardown } = await import('./previews/teardown.ts')
      return await teardown(inputs.request, doors, record)
    }
    case 'wait': {
      record.onSuperseded = inputs.request.onSuperseded
      const { wait } = await import('./rollout/wait.ts')
      return await wait(inputs.request, doors, record)
    }
    case 'rollout': {
      const { request, preview } = inputs
      record.onSuperseded = request.onSuperseded
      if (preview === undefined) {
        const { rollout } = await import('./rollout/rollout.ts')
        return await rollout(request, doors, record)
      }
      const { rolloutPreview } = await import('./previews/preview.ts')
      return await rolloutPreview(request, preview, doors, record)
    }
  }
}

/** An operation takes of these what it needs. */
interface AllDoors extends PreviewDoors, RequestDoors {
  extended: (forMs: number) => AllDoors
}

function openDoors(asked: Asked, operating: Operating, deadline: number): AllDoors {
  const { connection } = asked
  const { log, event, gitHub, notifier, clock } = operating
  const edges = {
    ...connection,
    ...operating,
    deadline,
    onRetry: (notice: RetryNotice) => log.info(retryLine(notice, log.redact)),
  }
  const transport = createTransport({ ...edges, onExchange: log.debug })
  return {
    ...edges,
    ...gitHub,
    transport,
    controlPlane: createControlPlane(transport, log.mask),
    workspace: event.workspace,
    tempDir: event.tempDir,
    onProgress: notifier.progress,
    extended: (forMs) => openDoors(asked, operating, clock.now() + forMs),
  }
}

function targetOf({ request }: Asked): string {
  if ('expects' in request) return `${request.method} ${request.path}`
  return 'what' in request ? whatOf(request) : nameOf(request.target)
}

function whatOf({ what }: TeardownRequest): string {
  return what.kind === 'one' ? nameOf(what.target) : what.name
}

function nameOf(target: { kind: 'name'; name: string } | { kind: 'id'; id: string }): string {
  return target.kind === 'name' ? target.name : target.id
}
