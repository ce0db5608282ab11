import path from 'node:path'
import { toError } from '../clock.ts'
import { takeTurn } from '../async.ts'
import { describeProblem } from '../problem.ts'
import { failsRun } from './exit.ts'
import { type Final, type FinalRecord, type SingleRecord } from './record.ts'
import { excerpt } from './escape.ts'
import { placedProblems } from './failure-messages.ts'
import { MAX_EARLIER_ERRORS, type Log } from './log.ts'
import { outputsOf, recordedOf, type Rendered } from './outputs.ts'
import type { renderFleet } from './fleet/end.ts'
import type { Redactor } from '../secrets/redact.ts'
import { describeOutcome } from './messages.ts'
import { liveAddress } from './serving.ts'
import { titleOf } from './report.ts'
import { renderSummary } from './summary.ts'
import { asSentence } from './words.ts'
import type { Files } from '../world.ts'

export interface PublishOptions {
  fleet: () => Promise<{ renderFleet: typeof renderFleet }>
  log: Log
  redactor: Redactor
  files: Files
  jobSummary: boolean
  /** Folder for the record; the system's own when the runner names none. */
  tempDir: string | undefined
}

/** Publishes the outcome of the run: outputs, record, summary, log. Returns the step's exit code. */
export async function publish(record: FinalRecord, options: PublishOptions): Promise<number> {
  const { log, files, redactor } = options
  // The end of a large fleet has taken time already, and its reports take more.
  await takeTurn()
  const rendered =
    record.operation === 'fleet'
      ? (await options.fleet()).renderFleet(record, redactor)
      : renderSingle(record, redactor)
  const { outputs } = rendered
  const recordPath = await attempt(log, 'write the record', async () => await writeRecord(rendered, options))
  const outputValues: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...outputs, 'record-path': recordPath }))
    if (value !== undefined) outputValues[name] = value
  await attempt(log, 'set the outputs', async () => await files.setOutputs(outputValues))
  if (options.jobSummary)
    await attempt(log, 'write the job summary', async () => await files.addSummary(rendered.markdown()))
  rendered.printBefore?.(log)
  return print(record, rendered, log)
}

function renderSingle(record: Final<SingleRecord>, redactor: Redactor): Rendered {
  return {
    message: describeOutcome(record),
    outputs: outputsOf(record, redactor),
    markdown: () => renderSummary(record, redactor.redact),
    recorded: recordedOf(record, redactor),
  }
}

function print(record: FinalRecord, { message, unannotated }: Rendered, log: Log): number {
  const { mark, headline, reason, isSentence, serving, written, next } = message
  const inFiles = placedProblems(record)
  const reasonToShow = inFiles?.reason ?? reason
  // Short enough for an annotation together with what follows it.
  const why = reasonToShow === undefined ? undefined : excerpt(log.redact(reasonToShow), 50, 3000)
  const whyToShow = why && isSentence === true ? asSentence(why) : why
  const lines = [serving, whyToShow, written, next].filter((line) => line !== undefined)
  const title = titleOf(record)
  if (failsRun(record)) {
    log.error([headline, ...lines, unannotated].filter((line) => line !== undefined).join('\n'), title)
    inFiles?.placed.forEach((problem, index) => {
      if (index < MAX_EARLIER_ERRORS) log.error(describeProblem(problem), title, problem.place)
      else log.info(describeProblem(problem))
    })
    return 1
  }
  const address = liveAddress(record)
  const servingLines = [serving ?? [], address ?? []].flat()
  const text = [`${mark} ${headline}`, ...servingLines, ...lines.filter((line) => line !== serving)].join('\n')
  if (record.outcome.kind === 'skipped') log.notice(text, title)
  else log.info(text)
  return 0
}

/** The whole record as a JSON file, fit for upload-artifact: no secret's value is in it. */
async function writeRecord(rendered: Rendered, { redactor, files, tempDir }: PublishOptions): Promise<string> {
  const { message, outputs, recorded, results } = rendered
  const folder = await files.makeFolder('rollout-', tempDir)
  const file = path.join(folder, 'record.json')
  const content = {
    ...outputs,
    // The body of the response is in a file of its own.
    'response-body': undefined,
    // The plan itself is a field of its own.
    'plan-markdown': undefined,
    polls: Number(outputs.polls),
    'duration-seconds': Number(outputs['duration-seconds']),
    headline: redactor.redact(message.headline),
    reason: message.reason === undefined ? undefined : redactor.redact(message.reason),
    serving: message.serving === undefined ? undefined : redactor.redact(message.serving),
    written: message.written === undefined ? undefined : redactor.redact(message.written),
    next: message.next === undefined ? undefined : redactor.redact(message.next),
    ...recorded,
  }
  await files.write(file, recordText(content, results))
  return file
}

/** In characters: of one write. */
const PIECE = 65_536

/** Yields the JSON of `{ ...content, results }` in pieces. */
function* recordText(content: object, results: Iterable<object> | undefined): Generator<string> {
  const text = JSON.stringify(content, null, 2)
  if (results === undefined) {
    yield `${text}\n`
    return
  }
  let piece = `${text.slice(0, -'\n}'.length)},\n  "results": [`
  let isFirst = true
  for (const result of results) {
    const json = JSON.stringify(result, null, 2).replaceAll('\n', '\n    ')
    piece += `${isFirst ? '' : ','}\n    ${json}`
    isFirst = false
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}${isFirst ? '' : '\n  '}]\n}\n`
}

/** A report that cannot be written must not change the outcome. */
async function attempt<T>(log: Log, purpose: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (thrown) {
    log.warning(`Could not ${purpose}: ${toError(thrown).message}`)
    return undefined
  }
}
