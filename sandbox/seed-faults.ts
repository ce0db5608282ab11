import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import type { Fault } from './faults.ts'
import { KNOWN_ROUTES } from './known-routes.ts'

/** Faults as a seed file says them. One that could never hit is refused: a test of it would pass for nothing. */

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A final one: what is below 200 is no answer. */
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

/** What HTTP can carry: anything else would become a 500 of the sandbox's own. */
const headerValue = z.string().refine((value) => isTaken(() => validateHeaderValue('x', value)), {
  error: 'Expected a value that a header of HTTP can carry',
})
const headers = z.record(z.string(), headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given))
    if (!isTaken(() => validateHeaderName(name)))
      context.addIssue({ code: 'custom', path: [name], message: 'Expected a name of a header of HTTP' })
})

const answer = {
  status,
  headers: headers.exactOptional(),
  body: z.string().exactOptional(),
  contentType: headerValue.exactOptional(),
}

/** What goes wrong; see `Effect` of the faults. */
const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), ...answer }),
  z.strictObject({
    kind: z.literal('body'),
    body: z.string(),
    contentType: headerValue,
    status: status.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('redirect'),
    location: headerValue,
    status: elsewhere.exactOptional(),
  }),
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

const method = z.preprocess(
  (given) => (typeof given === 'string' ? given.toUpperCase() : given),
  z.enum(METHODS),
)

const path = z.enum([...KNOWN_ROUTES.keys()], {
  error: 'Expected the path of a route as /openapi.json has it, as in /v2/deployments/{deployment_id}',
})

const match = z
  .strictObject({ method: method.exactOptional(), path: path.exactOptional() })
  .superRefine((given, context) => {
    const methods = given.path === undefined ? undefined : KNOWN_ROUTES.get(given.path)
    if (given.method === undefined || methods === undefined || methods.has(given.method)) return
    const message = `That path is asked with ${[...methods].join(', ')} only`
    context.addIssue({ code: 'custom', path: ['method'], message })
  })
  .describe(
    'Which requests: a method, and a path as the document has it, as in /v2/deployments/{deployment_id}.',
  )

export const faultSeed = z.strictObject({
  match,
  skip: z.int().min(0).exactOptional().describe('So many matching requests pass first.'),
  times: z
    .union([z.int().min(1), z.literal('always')])
    .exactOptional()
    .describe('Number of requests that the fault applies to after that. Default: 1.'),
  probability: z.number().gt(0).max(1).exactOptional().describe('Of those, this part is hit, by chance.'),
  effect,
})

export function toFault({ times, ...rest }: z.infer<typeof faultSeed>): Fault {
  return times === undefined
    ? rest
    : { ...rest, times: times === 'always' ? Number.POSITIVE_INFINITY : times }
}
