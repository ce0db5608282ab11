import { systemClock, toError } from './clock.ts'
import { readEvent, type WorkflowEvent } from './github/event.ts'
import {
  askedOperation,
  readInputs,
  runnerInputs,
  sensitiveTexts,
  wantsSummary,
  type Inputs,
} from './inputs/read-inputs.ts'
import { isOfEvent, type GitHubWishes } from './inputs/pull-request.ts'
import { createNotifier, type Notifier } from './notify/notify.ts'
import { openGitHub } from './github/questions.ts'
import { operate, type Operating } from './dispatch.ts'
import { createLog, type Log } from './report/log.ts'
import { publish } from './report/publish.ts'
import { createRedactor } from './report/redact.ts'
import { noteMainStep, saveOpenRun } from './notify/open-run.ts'
import type { Outcome } from './rollout/outcome.ts'
import { openRecord, type RolloutRecord } from './report/record.ts'

/** The whole run: secrets are masked first, and whatever happens is published before the step ends. */
export async function run(): Promise<void> {
  const redactor = createRedactor()
  const log = createLog(redactor)
  log.mask(sensitiveTexts(runnerInputs))
  noteMainStep()
  const event = await readEvent()
  const record = openRecord(systemClock.wallTime(), askedOperation(runnerInputs))
  record.runUrl = event.runUrl
  record.commit = event.commit
  const cancelled = cancellation()
  const { outcome, notifier } = await conclude(event, log, record, cancelled)
  const concluded = { ...record, endedAt: systemClock.wallTime(), outcome }
  await publish(concluded, {
    log,
    redactor,
    tempDir: event.tempDir,
    jobSummary: wantsSummary(runnerInputs),
  })
  await notifier?.finish(concluded)
}

interface Conclusion {
  outcome: Outcome
  /** Nothing when the run ended before it was known what to tell GitHub. */
  notifier?: Notifier | undefined
}

/** The only place that catches everything: an error is an outcome, too. */
async function conclude(
  event: WorkflowEvent,
  log: Log,
  record: RolloutRecord,
  cancelled: AbortSignal,
): Promise<Conclusion> {
  let notifier: Notifier | undefined
  try {
    const inputs = await readInputs(runnerInputs, event)
    if (inputs.operation === 'skip') return { outcome: { kind: 'skipped', because: 'no-credentials' } }
    const operating = { event, log, signal: cancelled, clock: systemClock, random: Math.random }
    const gitHub = gitHubFor(inputs, operating)
    const wishes = wishesOf(inputs)
    if ('preview' in inputs && inputs.preview !== undefined && !isOfEvent(inputs.preview, event))
      record.commit = undefined
    const isSweep = inputs.operation === 'teardown' && inputs.request.what.kind === 'closed-previews'
    // The pull requests of a sweep are those of its previews.
    if (wishes.remark !== undefined && !isSweep) log.notice(wishes.remark)
    const waits = inputs.operation !== 'rollout' || inputs.request.wait
    if (!waits && wishes.environment !== undefined) log.notice(LEFT_TO_WAIT)
    notifier = await createNotifier({
      ...operating,
      ...wishes,
      waits,
      isCleanup: isSweep,
      isPreview: 'preview' in inputs && inputs.preview !== undefined,
      connect: gitHub.connect,
      onOpen: saveOpenRun,
      endWithin: gitHub.endWithin,
      warn: gitHub.warn,
    })
    return { outcome: await operate(inputs, { ...operating, gitHub, notifier }, record), notifier }
  } catch (thrown) {
    if (cancelled.aborted) return { outcome: { kind: 'cancelled' }, notifier }
    const error = toError(thrown)
    log.debug(error.stack ?? error.message)
    return { outcome: { kind: 'failed', because: { kind: 'error', error } }, notifier }
  }
}

/** What is to be told GitHub: nothing by a dry run, which writes nothing anywhere, nor by a single request. */
function wishesOf(inputs: Exclude<Inputs, { operation: 'skip' }>): GitHubWishes {
  switch (inputs.operation) {
    case 'request':
      return NOTHING_TO_TELL
    case 'wait':
      return inputs.gitHub
    case 'rollout':
    case 'teardown':
      return inputs.request.dryRun ? NOTHING_TO_TELL : inputs.gitHub
  }
}

const LEFT_TO_WAIT =
  'environment: a run with wait: false keeps no GitHub Deployment, as it does not see how the rollout ends. Give environment to the action wait that follows.'

const NOTHING_TO_TELL = { token: undefined, commentOn: undefined, environment: undefined }

/** GitHub has so long to be told of a cancellation, in milliseconds: the runner soon loses patience. */
const LAST_WORDS_WHEN_CANCELLED_MS = 2_000

function gitHubFor(
  inputs: Exclude<Inputs, { operation: 'skip' }>,
  { event, log, clock, signal }: Omit<Operating, 'gitHub' | 'notifier'>,
): Operating['gitHub'] {
  const wishes = 'gitHub' in inputs ? inputs.gitHub : undefined
  const deadline = clock.now() + inputs.request.timeoutMs
  const gitHub = openGitHub({
    event,
    log,
    clock,
    token: wishes?.token,
    deadline,
    writesComments: wishes?.commentOn !== undefined,
  })
  signal.addEventListener('abort', () => {
    gitHub.endWithin(LAST_WORDS_WHEN_CANCELLED_MS)
  })
  return gitHub
}

/** GitHub cancels a job with SIGINT, and with SIGTERM a little later. */
function cancellation(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error(`The runner sent ${signal}`)))
  }
  return controller.signal
}
