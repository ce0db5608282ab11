import { oncePerKey } from './async.ts'
import { toError } from './clock.ts'
import { dispatch } from './dispatch.ts'
import { withTemporaryFolders } from './files.ts'
import { eventReader, readEvent, reportsHeadOf, type WorkflowEvent } from './github/event.ts'
import { GitHubOfRun, type GitHubQuestions } from './github/questions.ts'
import { proxyWarnings } from './inputs/proxies.ts'
import { credentialTexts, maskInputs, secretValues } from './inputs/masking.ts'
import { readStep, type RunnableStep } from './inputs/read-step.ts'
import { accessInputs, askedDeployment, askedName, askedOperation, isTrue, wantsSummary } from './inputs/reader.ts'
import type { Notifier, NotifierOptions } from './notify/notify.ts'
import { shownBy } from './notify/options.ts'
import { isPostStep, openState, savedOpenRun } from './notify/saved-run.ts'
import { openRun } from './open-run.ts'
import { PARTS } from './parts.ts'
import { createLog, type Log, reportBroken } from './report/log.ts'
import { type Ended, type FinalRecord, openRecord, type RunEvent, type RunRecord } from './report/record.ts'
import { Report } from './report/report.ts'
import { failedBy } from './rollout/outcome.ts'
import { NO_NOTES, type OwnNotes } from './rollout/dependencies.ts'
import { OwnRevisions } from './rollout/read/own-revisions.ts'
import { timeOf } from './run-time.ts'
import { commandLine, givenInputs, inputsOf, isRunByAct } from './runner.ts'
import { Redactor } from './secrets/redact.ts'
import type { Environment, World } from './world.ts'

/** Carries out the step, or what is left for the post step. Returns the exit code. Never throws. */
export async function run(world: World): Promise<number> {
  const { env, print } = world
  try {
    if (!isPostStep(env)) return await runStep(world)
    const { finishOpenRun } = await PARTS.loadRest()
    await finishOpenRun(savedOpenRun(env), { ...world, ...PARTS, ...(await begin(world, masking(world))) })
    return 0
  } catch (thrown) {
    reportBroken(redactorOf(env), print, thrown)
    return 1
  }
}

function masking({ print }: World): Redactor {
  return new Redactor((form) => print(commandLine('add-mask', form)))
}

function redactorOf(env: Environment): Redactor {
  const redactor = new Redactor(() => undefined)
  const raw = inputsOf(env)
  redactor.learn(credentialTexts(raw, env))
  redactor.learnValues(secretValues(raw))
  return redactor
}

/** Runs the step. Returns the exit code. With debug logging, it also writes a trace of the run. */
async function runStep(world: World): Promise<number> {
  const redactor = masking(world)
  const act = async (ofRun: World): Promise<number> => await carryOut(ofRun, redactor)
  // Any text of a request may be a secret that only its author knows.
  const isTraced = world.env['RUNNER_DEBUG'] === '1' && askedOperation(inputsOf(world.env)) !== 'request'
  if (!isTraced) return await act(world)
  const { traced } = await PARTS.loadRest()
  return await traced(world, redactor, act)
}

/** Opens the log, and masks the secrets of the inputs before anything is printed. `unreadable`: sentences about the event. */
async function begin({ env, files, print }: World, redactor: Redactor) {
  const log = createLog(redactor, print)
  const raw = inputsOf(env)
  redactor.learn(credentialTexts(raw, env))
  // Read first: what the event names is public.
  const unreadable: string[] = []
  const event = await readEvent(env, eventReader(files), (sentence) => unreadable.push(sentence))
  maskInputs(redactor, raw, event, env)
  return { raw, event, log, unreadable }
}

/** Publishes the outcome, whatever it is. */
async function carryOut(world: World, redactor: Redactor): Promise<number> {
  const { env, clock } = world
  const { raw, event, log: untitled, unreadable } = await begin(world, redactor)
  const state = openState(world)
  for (const sentence of [state.problem ?? [], proxyWarnings(env), unreadable].flat()) untitled.warning(sentence)
  const namedByInputs = {
    askedDeployment: askedDeployment(raw),
    askedName: askedName(raw, event),
    access: accessInputs(raw),
  }
  const commit = isTrue(raw('preview')) ? event.head?.commit : event.code.commit
  const facts = { ...event, ...namedByInputs, commit, startedAt: clock.wallTime() }
  const report = new Report(openRecord(askedOperation(raw), facts), untitled, redactor, clock)
  const { log } = report
  const files = withTemporaryFolders(world.files, log.warning)
  const { ended, shownRun } = await conclude({ ...world, files, event, log, redactor, save: state.save, report })
  const record = report.end(ended)
  const { publish } = await PARTS.loadRest()
  const { tempDir } = event
  const exitCode = await publish(record, { ...PARTS, log, redactor, files, tempDir, jobSummary: wantsSummary(raw) })
  await shownRun?.finish(record)
  return exitCode
}

interface StepWorld extends World {
  event: WorkflowEvent
  log: Log
  redactor: Redactor
  save: NotifierOptions['onOpen']
  report: Report
}

/** The part of the action that is loaded late. */
class Rest {
  #parts: Awaited<ReturnType<typeof PARTS.loadRest>> | undefined

  /** The modules of the rest; undefined until they are loaded. */
  get parts(): Awaited<ReturnType<typeof PARTS.loadRest>> | undefined {
    return this.#parts
  }

  readonly load: typeof PARTS.loadRest = async () => (this.#parts ??= await PARTS.loadRest())
}

/** The comment and the GitHub Deployment of a run, kept up to date by its events. */
class ShownRun {
  readonly #options: NotifierOptions
  readonly #report: Report
  readonly #rest: Rest
  #notifier: Notifier | undefined
  #record: RunRecord | undefined

  constructor(options: NotifierOptions, report: Report, rest: Rest) {
    this.#options = options
    this.#report = report
    this.#rest = rest
  }

  readonly emit = (event: RunEvent): void => {
    const record = this.#report.add(event)
    this.#record = record
    const { parts } = this.#rest
    // No event is progress before the rest is loaded: the rest emits them.
    if (parts !== undefined) this.#notifierOf(parts).onEvent(event, record)
  }

  readonly findNotes = async (): Promise<void> => {
    if (this.#record !== undefined) await this.#notifierOf(await this.#rest.load()).findNotes(this.#record)
  }

  async finish(record: FinalRecord): Promise<void> {
    await this.#notifierOf(await this.#rest.load()).finish(record)
  }

  /** Sends nothing: the notifier opens its channels at the first progress, before the first write. */
  #notifierOf({ Notifier }: NonNullable<Rest['parts']>): Notifier {
    return (this.#notifier ??= new Notifier(this.#options))
  }
}

/** Makes every error of the step an outcome. `shown`: undefined if the step was not read. */
async function conclude(world: StepWorld): Promise<{ ended: Ended; shownRun: ShownRun | undefined }> {
  const { env, event, log, redactor, report, signal } = world
  let shownRun: ShownRun | undefined
  try {
    const set = { inputTexts: givenInputs(env), isRunByAct: isRunByAct(env) }
    const step = await readStep(inputsOf(env), event, {
      ...world,
      ...PARTS,
      ...set,
      warn: log.warning,
      note: log.notice,
    })
    if (step.operation === 'skip')
      return { ended: { operation: 'any', outcome: { kind: 'skipped', ...step.skip } }, shownRun }
    if (step.operation === 'fleet') report.use((await PARTS.fleet()).FLEET_PART)
    // The commit of the event is then not the head of this pull request.
    if ('preview' in step && step.preview !== undefined && !reportsHeadOf(event, step.preview.pullRequest))
      report.add({ kind: 'head-read', commit: undefined })
    const { apiKey, bearerToken } = step.connection.credentials
    // The seal of a note needs a secret that is the same in a rerun. A tenant's id is masked, too, but others know it.
    const key = apiKey ?? bearerToken
    const noted = new OwnRevisions(event.attempt, key)
    const rest = new Rest()
    const gitHub = gitHubFor(step, world)
    const channels = shownBy(step, log.notice)
    const notes = { own: noted, onOpen: world.save }
    shownRun = new ShownRun({ ...world, ...channels, ...gitHub, ...notes, runCommits: event.runCommits }, report, rest)
    const hasPlace = channels.commentOn !== undefined || channels.environment !== undefined
    const own = hasPlace && key !== undefined ? notesOf(noted, event, shownRun.findNotes) : NO_NOTES
    const opened = { event, log, redactor, emit: shownRun.emit, own, gitHub, loadRest: rest.load }
    return { ended: await dispatch(step, openRun(step, world, opened)), shownRun }
  } catch (thrown) {
    if (signal.aborted) return { ended: { operation: 'any', outcome: { kind: 'cancelled' } }, shownRun }
    const error = toError(thrown)
    log.debug(error.stack ?? error.message)
    return { ended: { operation: 'any', outcome: failedBy(error) }, shownRun }
  }
}

/** In the first attempt, nothing is noted yet. */
function notesOf(noted: OwnRevisions, { attempt }: WorkflowEvent, findNotes: () => Promise<void>): OwnNotes {
  const findOnce = oncePerKey(findNotes, () => '')
  return {
    request: (...requested) => noted.request(...requested),
    async findNote(...parameters) {
      if (attempt === undefined || attempt.attempt === 1) return false
      await findOnce()
      return noted.isNoted(...parameters)
    },
    isNamedSoFar: (revisionId) => noted.isNamed(revisionId),
    async findAnyNote(revisionId) {
      await findOnce()
      return noted.isNamed(revisionId)
    },
  }
}

/** Milliseconds for GitHub after a cancellation: the runner soon kills the step. */
const GITHUB_AFTER_CANCELLATION_MS = 2_000

function gitHubFor(step: RunnableStep, world: StepWorld): GitHubQuestions {
  const { token, commentOn } = (step.operation === 'request' ? undefined : step.gitHub) ?? {}
  const { deadlineMs, endMs = Infinity } = timeOf(step)
  const now = world.clock.now()
  const limits = { deadline: now + deadlineMs, endsAt: now + endMs }
  const writesComments = commentOn !== undefined
  const gitHub = new GitHubOfRun({ ...world, ...PARTS, ...limits, token, writesComments })
  world.signal.addEventListener('abort', () => gitHub.endWithin(GITHUB_AFTER_CANCELLATION_MS))
  return gitHub
}
