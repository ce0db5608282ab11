import { toError } from './clock.ts'
import { dispatch, type RunContext } from './dispatch.ts'
import { eventReader, readEvent, reportsHeadOf, type WorkflowEvent } from './github/event.ts'
import { GitHubOfRun, type GitHubQuestions } from './github/questions.ts'
import { proxyWarnings } from './inputs/connection.ts'
import { credentialTexts, maskInputs } from './inputs/masking.ts'
import { readStep, type RunnableStep } from './inputs/read-step.ts'
import { accessInputs, askedDeployment, askedName, askedOperation, wantsSummary } from './inputs/reader.ts'
import type { Notifier, NotifierOptions } from './notify/notify.ts'
import { shownBy } from './notify/options.ts'
import { isPostStep, openState, savedOpenRun, type SavedState } from './notify/saved-run.ts'
import { PARTS } from './parts.ts'
import { createLog, reportBroken, withTitle } from './report/log.ts'
import { type Ended, openRecord, type RunEvent, type RunRecord } from './report/record.ts'
import { Report } from './report/report.ts'
import { failedBy } from './rollout/outcome.ts'
import type { OwnNotes } from './rollout/dependencies.ts'
import { NotedPhases } from './rollout/read/earlier-rollouts.ts'
import { OwnRevisions } from './rollout/read/own-revisions.ts'
import { timeOf } from './run-time.ts'
import { givenInputs, inputsOf } from './runner.ts'
import { createMasks } from './secrets/learn.ts'
import { secretTexts } from './secrets/read.ts'
import { Redactor } from './secrets/redact.ts'
import type { Environment, World } from './world.ts'

/** Carries out the step, or what is left for the post step. Returns the exit code. Never throws. */
export async function run(world: World): Promise<number> {
  const { env, print } = world
  try {
    if (!isPostStep(env)) return await runStep(world)
    const { finishOpenRun } = await PARTS.later()
    await finishOpenRun(savedOpenRun(env), world, PARTS.github)
    return 0
  } catch (thrown) {
    reportBroken(redactorOf(env), print, thrown)
    return 1
  }
}

/** Knows the secrets of the inputs, if they can be read. */
function redactorOf(env: Environment): Redactor {
  const redactor = new Redactor()
  const raw = inputsOf(env)
  redactor.learn(credentialTexts(raw, env))
  redactor.learnValues(secretTexts(raw('secrets')))
  return redactor
}

/** Runs the step. Returns the exit code. With debug logging, it also writes a trace of the run. */
async function runStep(world: World): Promise<number> {
  const redactor = new Redactor()
  const act = async (around: World): Promise<number> => await carryOut(around, redactor)
  // Any text of a request may be a secret that only its author knows.
  const isTraced = world.env['RUNNER_DEBUG'] === '1' && askedOperation(inputsOf(world.env)) !== 'request'
  if (!isTraced) return await act(world)
  const { traced } = await PARTS.later()
  return await traced(world, redactor, act)
}

/** Masks the secrets first, and publishes the outcome, whatever it is. */
async function carryOut(world: World, redactor: Redactor): Promise<number> {
  const { env, clock, files, print } = world
  const untitled = createLog(redactor, print)
  const masks = createMasks(redactor, print)
  const raw = inputsOf(env)
  masks.credentials(credentialTexts(raw, env))
  // Read first: what the event names is public.
  const unreadable: string[] = []
  const event = await readEvent(env, eventReader(files), (sentence) => unreadable.push(sentence))
  maskInputs(masks, raw, event, env)
  const state = openState(world)
  for (const sentence of [state.problem ?? [], proxyWarnings(env), unreadable].flat()) untitled.warning(sentence)
  const { runUrl, repositoryUrl, commit, action, tempDir } = event
  const named = { asked: askedDeployment(raw), askedName: askedName(raw, event), access: accessInputs(raw) }
  const facts = { startedAt: clock.wallTime(), runUrl, repositoryUrl, commit, action, ...named }
  const report = new Report(openRecord(askedOperation(raw), facts), untitled, { clock, redactor })
  const log = withTitle(untitled, () => report.title())
  const { ended, openNotifier } = await conclude(event, { ...world, log, masks, save: state.save }, report)
  const record = report.end(ended)
  const { publish } = await PARTS.later()
  const { fleet } = PARTS
  const exitCode = await publish(record, { fleet, log, redactor, files, tempDir, jobSummary: wantsSummary(raw) })
  await (await openNotifier?.())?.finish(record)
  return exitCode
}

/** The world of a step with what the step has opened. */
type StepWorld = World & Pick<RunContext, 'log' | 'masks'> & Pick<SavedState, 'save'>

/** Makes every error of the step an outcome. `openNotifier`: undefined if the step was not read. */
async function conclude(
  event: WorkflowEvent,
  world: StepWorld,
  report: Report,
): Promise<{ ended: Ended; openNotifier?: (() => Promise<Notifier>) | undefined }> {
  const { env, log, signal } = world
  let notifier: Notifier | undefined
  let openNotifier: (() => Promise<Notifier>) | undefined
  try {
    const around = { ...world, ...PARTS, given: givenInputs(env), warn: log.warning }
    const step = await readStep(inputsOf(env), event, around)
    if (step.operation === 'skip') return { ended: { of: 'any', outcome: { kind: 'skipped', ...step.skip } } }
    if (step.operation === 'fleet') report.use((await PARTS.fleet()).FLEET_PART)
    const phases = new NotedPhases()
    const key = keyOf(step.connection)
    const noted = new OwnRevisions(event.attempt, key)
    const context = { ...world, event, phases, noted }
    const gitHub = gitHubFor(step, context)
    const preview = 'preview' in step ? step.preview : undefined
    // The commit of the event is not the head of this pull request.
    const isOther = preview !== undefined && !reportsHeadOf(event, preview.pullRequest)
    if (isOther) report.add({ kind: 'head-read', commit: undefined })
    const shown = shownBy(step, log.notice)
    const options: NotifierOptions = {
      ...context,
      ...shown,
      runCommits: event.runCommits,
      own: noted,
      onOpen: world.save,
      connect: async () => await gitHub.connect(),
      warn: (text, thrown) => gitHub.warn(text, thrown),
      endWithin: (ms) => gitHub.endWithin(ms),
    }
    const open = async (): Promise<Notifier> => {
      const { Notifier } = await PARTS.later()
      return (notifier ??= new Notifier(options))
    }
    openNotifier = open
    let record: RunRecord | undefined
    const emit = (happened: RunEvent): void => {
      record = report.add(happened)
      notifier?.onEvent(happened, record)
    }
    // Whatever GitHub shows of a run follows this: it is open before the first progress.
    const later: typeof PARTS.later = async () => {
      await open()
      return await PARTS.later()
    }
    const findNotes = async (): Promise<void> => {
      if (record !== undefined) await (await open()).findNotes(record)
    }
    const hasPlace = shown.commentOn !== undefined || shown.environment !== undefined
    const own = hasPlace && key !== undefined ? notesOf(noted, event, findNotes) : undefined
    return { ended: await dispatch(step, { ...context, gitHub, emit, own, later }), openNotifier }
  } catch (thrown) {
    if (signal.aborted) return { ended: { of: 'any', outcome: { kind: 'cancelled' } }, openNotifier }
    const error = toError(thrown)
    log.debug(error.stack ?? error.message)
    return { ended: { of: 'any', outcome: failedBy(error) }, openNotifier }
  }
}

/** The seal of a note needs a secret that is the same in a rerun. A tenant's id is no secret. */
function keyOf({ credentials: { apiKey, bearerToken } }: RunnableStep['connection']): string | undefined {
  return apiKey ?? bearerToken
}

/** In the first attempt, nothing is noted yet. */
function notesOf(noted: OwnRevisions, { attempt }: WorkflowEvent, findNotes: () => Promise<void>): OwnNotes {
  let finding: Promise<void> | undefined
  return {
    request: (...about) => noted.request(...about),
    async isNoted(...about) {
      if (attempt === undefined || attempt.attempt === 1) return false
      await (finding ??= findNotes())
      return noted.isNoted(...about)
    },
  }
}

/** Milliseconds for GitHub after a cancellation: the runner soon kills the step. */
const GITHUB_AFTER_CANCELLATION_MS = 2_000

function gitHubFor(
  step: RunnableStep,
  { event, log, clock, network, signal }: Pick<RunContext, 'event' | 'log' | 'clock' | 'network' | 'signal'>,
): GitHubQuestions {
  const gitHubOptions = step.operation === 'request' ? undefined : step.gitHub
  const { deadlineMs, endMs = Infinity } = timeOf(step)
  const [deadline, endsAt] = [clock.now() + deadlineMs, clock.now() + endMs]
  const token = gitHubOptions?.token
  const writesComments = gitHubOptions?.commentOn !== undefined
  const gitHub = new GitHubOfRun({
    ...PARTS,
    event,
    log,
    clock,
    network,
    token,
    deadline,
    endsAt,
    signal,
    writesComments,
  })
  signal.addEventListener('abort', () => gitHub.endWithin(GITHUB_AFTER_CANCELLATION_MS))
  return gitHub
}
