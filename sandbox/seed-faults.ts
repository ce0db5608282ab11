import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import type { Fault } from './faults.ts'
import { KNOWN_ROUTES } from './known-routes.ts'

/** Faults of a seed file. A fault that could never apply is refused: its test would pass without a check. */

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A final status: those below 200 are no responses. */
const status = z.int().min(200).max(599)
const elsewhere = z.int().min(300).max(399)

function isTaken(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

/** Values that HTTP allows: any other value would cause a 500 of the sandbox. */
const headerValue = z
  .string()
  .refine((value) => isTaken(() => validateHeaderValue('x', value)), {
    error: 'Expected a valid value of an HTTP header',
  })
const headers = z.record(z.string(), headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given))
    if (!isTaken(() => validateHeaderName(name)))
      context.addIssue({ code: 'custom', path: [name], message: 'Expected a valid name of an HTTP header' })
})

const answer = {
  status,
  headers: headers.exactOptional(),
  body: z.string().exactOptional(),
  contentType: headerValue.exactOptional(),
}

/** See `Effect` in faults.ts. */
const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), ...answer }),
  z.strictObject({
    kind: z.literal('body'),
    body: z.string(),
    contentType: headerValue,
    status: status.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('redirect'), location: headerValue, status: elsewhere.exactOptional() }),
  z.strictObject({ kind: z.literal('act-then-status'), status, detail: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal('drop'), when: z.enum(['before', 'after']) }),
  z.strictObject({ kind: z.literal('garbage') }),
  z.strictObject({
    kind: z.literal('delay'),
    ms: z.int().min(0),
    when: z
      .enum(['before', 'after'])
      .exactOptional()
      .describe('`before`: the sandbox also acts late. If not set, only the response is late.'),
  }),
  z.strictObject({ kind: z.literal('drip'), ms: z.int().min(0) }),
  z.strictObject({ kind: z.literal('truncate') }),
])

const method = z.preprocess((given) => (typeof given === 'string' ? given.toUpperCase() : given), z.enum(METHODS))

const path = z.enum([...KNOWN_ROUTES.keys()], {
  error: 'Expected the path of a route in /openapi.json, such as /v2/deployments/{deployment_id}',
})

const match = z
  .strictObject({ method: method.exactOptional(), path: path.exactOptional() })
  .superRefine((given, context) => {
    const methods = given.path === undefined ? undefined : KNOWN_ROUTES.get(given.path)
    if (given.method === undefined || methods === undefined || methods.has(given.method)) return
    const message = `That path has the methods ${[...methods].join(', ')} only`
    context.addIssue({ code: 'custom', path: ['method'], message })
  })
  .describe('Which requests: a method, and a path in /openapi.json, such as /v2/deployments/{deployment_id}.')

export const faultSeed = z.strictObject({
  match,
  skip: z.int().min(0).exactOptional().describe('Number of matching requests that pass first. Default: 0.'),
  times: z
    .union([z.int().min(1), z.literal('always')])
    .exactOptional()
    .describe('Number of requests that the fault applies to after that. Default: 1.'),
  probability: z
    .number()
    .gt(0)
    .max(1)
    .exactOptional()
    .describe('Share of those that the fault applies to, at random. Default: 1.'),
  effect,
})

export function toFault({ times, ...rest }: z.infer<typeof faultSeed>): Fault {
  return times === undefined ? rest : { ...rest, times: times === 'always' ? Number.POSITIVE_INFINITY : times }
}
