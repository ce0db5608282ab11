import path from 'node:path'
import { toError } from '../clock.ts'
import { createLog } from '../report/log.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { World } from '../world.ts'
import { TRACE_VERSION, type Exchange, type Failure, type Surroundings, type TraceLine } from './format.ts'
import { Recorder, type RecordedExchange } from './recorder.ts'
import { TraceRedactor } from './trace-redactor.ts'

/** What goes wrong with the trace changes nothing of the step. `redactor`: has learnt every secret at the end. */
export async function traced(
  world: World,
  redactor: Redactor,
  act: (world: World) => Promise<number>,
): Promise<number> {
  const recorder = new Recorder(world)
  let exitCode = 1
  try {
    return (exitCode = await act(recorder.world))
  } finally {
    const log = createLog(redactor, world.print)
    try {
      const file = await writeTrace(recorder, exitCode, { world, redactor })
      log.info(`Trace of this run, for a bug report: ${file}`)
    } catch (thrown) {
      log.warning(`Could not write the trace: ${toError(thrown).message}`)
    }
  }
}

async function writeTrace(
  recorder: Recorder,
  exitCode: number,
  { world: { env, files }, redactor }: { world: World; redactor: Redactor },
): Promise<string> {
  const record = recorder.outputs['record-path']
  const folder = record === undefined ? await files.makeFolder('rollout-', env['RUNNER_TEMP'] || undefined) : undefined
  const file = path.join(folder ?? path.dirname(record ?? ''), 'trace.jsonl')
  const lines = await linesOf(recorder, exitCode, new TraceRedactor(redactor))
  await files.write(
    file,
    lines.map((line) => `${JSON.stringify(line)}\n`),
  )
  return file
}

async function linesOf(recorder: Recorder, exitCode: number, redactor: TraceRedactor): Promise<TraceLine[]> {
  const { wallTime, cancelled, isCut, outputs } = recorder
  const at = recorder.now()
  const surroundings = surroundingsOf(recorder, redactor)
  const exchanges: Exchange[] = []
  for (const exchange of recorder.exchanges) exchanges.push(await redactedExchange(exchange, redactor))
  const shown = Object.entries(outputs).map(([name, value]) => [name, redactor.text(value)] as const)
  return [
    { kind: 'trace', version: TRACE_VERSION, wallTime },
    surroundings,
    ...exchanges,
    { kind: 'end', at, exitCode, outputs: Object.fromEntries(shown), cancelled, isCut },
  ]
}

function surroundingsOf({ env, paths, files, random, proxied }: Recorder, redactor: TraceRedactor): Surroundings {
  const { text } = redactor
  return {
    kind: 'surroundings',
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, redactor.variable(name, value)])),
    paths: paths.map((one) =>
      'real' in one
        ? { path: text(one.path), real: text(one.real) }
        : { path: text(one.path), failure: redactedFailure(one.failure, redactor) },
    ),
    files: files.map((one) =>
      'text' in one
        ? { path: text(one.path), text: redactor.data(one.text) }
        : { path: text(one.path), failure: redactedFailure(one.failure, redactor) },
    ),
    random,
    proxied: [...proxied].map(text),
  }
}

async function redactedExchange({ end, ...exchange }: RecordedExchange, redactor: TraceRedactor): Promise<Exchange> {
  const { sent } = exchange
  return {
    kind: 'exchange',
    ...exchange,
    url: redactor.text(exchange.url),
    sent: typeof sent === 'string' ? redactor.data(sent) : sent,
    end: await redactedEnd(end, redactor, isNewestFirst(exchange.url)),
  }
}

/** As a client asks for a log of which it shows the end. */
function isNewestFirst(url: string): boolean {
  return URL.parse(url)?.searchParams.get('order') === 'desc'
}

async function redactedEnd(
  end: RecordedExchange['end'],
  redactor: TraceRedactor,
  isReversed: boolean,
): Promise<Exchange['end']> {
  if (end === undefined) return undefined
  if ('kind' in end) return { ...end, failure: redactedEnding(end.failure, redactor) }
  const { at, status } = end
  const headers = Object.entries(end.headers()).map(([name, value]) => [name, redactor.text(value)] as const)
  const body = await end.body()
  const { content, failure } = body
  return {
    kind: 'answer',
    at,
    status,
    headers: Object.fromEntries(headers),
    body: {
      ...body,
      content: content.kind === 'text' ? { ...content, text: redactor.body(content.text, isReversed) } : content,
      failure: failure && redactedEnding(failure, redactor),
    },
  }
}

function redactedEnding(failure: Failure | 'gave-up', redactor: TraceRedactor): Failure | 'gave-up' {
  return failure === 'gave-up' ? failure : redactedFailure(failure, redactor)
}

function redactedFailure(failure: Failure, redactor: TraceRedactor): Failure {
  const { message, errors } = failure
  return {
    ...failure,
    message: redactor.text(message),
    ...(errors && { errors: errors.map((one) => redactedFailure(one, redactor)) }),
  }
}
