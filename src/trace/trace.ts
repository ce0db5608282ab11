import path from 'node:path'
import { toError } from '../clock.ts'
import { withTemporaryFolders } from '../files.ts'
import { createLog } from '../report/log.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { World } from '../world.ts'
import { TRACE_VERSION, type Exchange, type TraceLine } from './format.ts'
import { Recorder, type RecordedExchange } from './recorder.ts'
import { TraceRedactor } from './trace-redactor.ts'

/** A failure of the trace does not change the outcome of the step. `redactor`: knows every secret at the end. */
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
      const files = withTemporaryFolders(world.files, log.warning)
      const file = await writeTrace(recorder, exitCode, { ...world, files }, redactor)
      log.info(`Trace of this run, for a bug report: ${file}`)
    } catch (thrown) {
      log.warning(`Could not write the trace: ${toError(thrown).message}`)
    }
  }
}

async function writeTrace(recorder: Recorder, exitCode: number, world: World, redactor: Redactor): Promise<string> {
  const { env, files } = world
  const record = recorder.outputs['record-path']
  const folder = record === undefined ? await files.makeFolder('rollout-', env['RUNNER_TEMP'] || undefined) : undefined
  const file = path.join(folder ?? path.dirname(record ?? ''), 'trace.jsonl')
  const lines = await linesOf(recorder, exitCode, new TraceRedactor(redactor))
  await files.write(file, lines)
  return file
}

/** The keys of texts that no one else has written, and of those that are redacted before, as they may be JSON. */
const KEPT = new Set(['kind', 'method', 'name', 'code', 'failure', 'text', 'sent'])

async function linesOf(recorder: Recorder, exitCode: number, redactor: TraceRedactor): Promise<string[]> {
  const { wallTime, env, paths, files, random, proxied, cancelled, room, outputs } = recorder
  const at = recorder.now()
  const redacted = (key: string, value: unknown): unknown =>
    typeof value !== 'string' || KEPT.has(key) ? value : redactor.text(value)
  const variables = Object.entries(env).map(([name, value]) => [name, redactor.variable(name, value)] as const)
  const surroundings = {
    env: Object.fromEntries(variables),
    files: files.map((one) => ('text' in one ? { ...one, text: redactor.file(one.text, one.content) } : one)),
    ...{ paths, random, proxied: [...proxied] },
  }
  const lines: TraceLine[] = [
    { kind: 'trace', version: TRACE_VERSION, wallTime },
    { kind: 'surroundings', ...surroundings },
    ...(await Array.fromAsync(recorder.exchanges, async (exchange) => await lineOf(exchange, redactor))),
    { kind: 'end', at, exitCode, outputs, cancelled, isCut: room.isCut },
  ]
  return lines.map((line) => `${JSON.stringify(line, redacted)}\n`)
}

async function lineOf({ end, ...recorded }: RecordedExchange, redactor: TraceRedactor): Promise<Exchange> {
  const { url, sent } = recorded
  const exchange = {
    kind: 'exchange',
    ...recorded,
    sent: typeof sent === 'string' ? redactor.data(sent) : sent,
  } as const
  if (end === undefined || 'kind' in end) return { ...exchange, end }
  const answer = await end.answered()
  const { content } = answer.body
  if (content.kind !== 'text') return { ...exchange, end: answer }
  // A client asks so for a log of which it shows the end.
  const isNewestFirst = URL.parse(url)?.searchParams.get('order') === 'desc'
  const redactedContent = { ...content, text: redactor.body(content.text, isNewestFirst) }
  return { ...exchange, end: { ...answer, body: { ...answer.body, content: redactedContent } } }
}
