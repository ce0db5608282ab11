import { Client } from './control-plane/client.ts'
import { probe } from './control-plane/probe.ts'
import { createTransport } from './control-plane/transport.ts'
import type { WorkflowEvent } from './github/event.ts'
import { onReportedSecrets, publicSecretsText } from './inputs/masking.ts'
import { requestsOf, type RunnableStep } from './inputs/read-step.ts'
import { PARTS } from './parts.ts'
import type { Log } from './report/log.ts'
import type { RunEvent } from './report/record.ts'
import { alone, type Run } from './rollout/dependencies.ts'
import { readEarlierOnce } from './rollout/read/earlier-rollouts.ts'
import { timeOf } from './run-time.ts'
import type { Redactor } from './secrets/redact.ts'
import type { World } from './world.ts'

/** The run of a step. */
export interface StepRun extends Run<RunEvent> {
  log: Log
  /** Loads what plans, writes and deletes: no run needs it before its first answer. */
  loadRest: typeof PARTS.loadRest
}

/** The connections and records that are open when the step has been read. */
interface Opened extends Pick<StepRun, 'emit' | 'own' | 'gitHub' | 'loadRest'> {
  event: WorkflowEvent
  log: Log
  redactor: Redactor
}

/** Builds the run of a step: the only place that does. A fleet derives the runs of its deployments from it. */
export function openRun(step: RunnableStep, world: World, opened: Opened): StepRun {
  const { clock, random, network, signal } = world
  const { event, log, redactor, emit } = opened
  const { baseUrl, credentials, maxRetries, requestTimeoutMs, service } = step.connection
  const deadline = clock.now() + timeOf(step).deadlineMs
  const sending = { requestTimeoutMs, maxRetries, deadline, network, clock, random, signal, emit }
  const { reveals, redactFreeText } = redactor
  const transport = createTransport({ ...sending, baseUrl, credentials, redactFreeText, onExchange: log.debug })
  const onSecrets = onReportedSecrets(requestsOf(step), redactor, (names) => log.warning(publicSecretsText(names)))
  const schemas = async () => (await PARTS.loadRest()).SCHEMAS
  return {
    clock,
    random,
    signal,
    network,
    deadline,
    endsAt: Infinity,
    maxRetries,
    requestTimeoutMs,
    emit,
    controlPlane: new Client({ baseUrl, schemas, transport, clock, onSecrets, service }),
    transport,
    patches: { sent: 0 },
    credentials,
    probe: async (url, options) => await probe(url, options, { network, clock }),
    files: world.files,
    workspace: event.workspace,
    tempDir: event.tempDir,
    loadRest: opened.loadRest,
    turns: alone({ clock, signal }),
    isFirstAttempt: event.isFirstAttempt,
    readEarlier: readEarlierOnce(),
    own: opened.own,
    gitHub: opened.gitHub,
    mask: (values) => redactor.learnValues(values),
    reveals,
    log,
  }
}
