import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { Exchange, Failure, Surroundings, TraceEnd, TraceHead } from '../../src/trace/format.ts'

/** The trace of a run. Whoever sent it may have written anything into it: all of it is data. */
export interface TracedRun {
  head: TraceHead
  surroundings: Surroundings
  exchanges: readonly Exchange[]
  end: TraceEnd
}

export class TraceError extends Error {}

/** In bytes: a trace has at most 20 MB of texts, and their escapes. */
const MAX_BYTES = 128 * 1024 * 1024

/** @throws TraceError if it is no trace that can be replayed */
export function readTrace(file: string): TracedRun {
  if (!statSync(file).isFile()) throw new TraceError('it is no regular file')
  if (statSync(file).size > MAX_BYTES) throw new TraceError(`it is larger than ${MAX_BYTES / 1024 / 1024} MB`)
  return parseTrace(readFileSync(file, 'utf8'))
}

/** @throws TraceError if it is no trace that can be replayed */
export function parseTrace(text: string): TracedRun {
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines.length < 3) throw new TraceError('it has no end: is it whole?')
  const [first = '', second = '', ...rest] = lines
  const last = rest.pop() ?? ''
  return {
    head: parsed(head, first, 1),
    surroundings: parsed(surroundings, second, 2),
    exchanges: rest.map((line, index) => parsed(exchange, line, index + 3)),
    end: parsed(end, last, lines.length),
  }
}

function parsed<T>(schema: z.ZodType<T>, line: string, number: number): T {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    throw new TraceError(`line ${number} is not JSON`)
  }
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new TraceError(
    `line ${number} is no such line of a trace: ${[place, issue?.message].filter(Boolean).join(': ')}`,
  )
}

/** In milliseconds: no run takes longer than a month. */
const time = z
  .number()
  .min(0)
  .max(31 * 24 * 3_600_000)
const texts = z.record(z.string(), z.string())

const failure: z.ZodType<Failure> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    message: z.string(),
    code: z.string().optional(),
    errors: z.array(failure).optional(),
  }),
)
const ending = z.union([failure, z.literal('gave-up')])

const head = z.strictObject({
  kind: z.literal('trace'),
  version: z.literal(1),
  wallTime: z.number().min(0).max(Date.UTC(9_999, 0)),
})

const surroundings = z.strictObject({
  kind: z.literal('surroundings'),
  env: texts,
  paths: z.array(
    z.union([z.strictObject({ path: z.string(), real: z.string() }), z.strictObject({ path: z.string(), failure })]),
  ),
  files: z.array(
    z.union([z.strictObject({ path: z.string(), text: z.string() }), z.strictObject({ path: z.string(), failure })]),
  ),
  random: z.array(z.number().min(0).max(1)),
  proxied: z.array(z.string()),
})

const content = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('unusable'), message: z.string() }),
  z.strictObject({ kind: z.literal('omitted'), why: z.string() }),
])

const exchange = z.strictObject({
  kind: z.literal('exchange'),
  at: time,
  method: z.string().regex(/^[A-Z]{1,20}$/),
  url: z.string(),
  sent: z.union([z.string(), z.strictObject({ bytes: z.number() })]),
  end: z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('answer'),
        at: time,
        status: z.int().min(100).max(999),
        headers: texts,
        body: z.strictObject({ at: time.optional(), bytes: z.number(), content, failure: ending.optional() }),
      }),
      z.strictObject({ kind: z.literal('failed'), at: time, failure: ending }),
    ])
    .optional(),
})

const end = z.strictObject({
  kind: z.literal('end'),
  at: time,
  exitCode: z.int(),
  outputs: texts,
  cancelled: z.strictObject({ at: time, requests: z.int() }).optional(),
  isCut: z.boolean(),
})
