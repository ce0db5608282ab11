import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { parseJson, Refusal } from './answers.ts'
import { showAnother } from './another.ts'
import { breakOf, broken, cut } from './connection.ts'
import { answerOf, millisecondsOf, type Effect, type FaultBox } from './faults.ts'
import type { LateActs } from './late-acts.ts'
import type { OtherClients } from './other-clients.ts'
import type { Store } from './store.ts'

export interface RecordedRequest {
  method: string
  /** With its query, without the prefix. */
  path: string
  /** That the path began with; empty for a request that lacks the sandbox's prefix. */
  prefix: string
  /** The route's pattern in the contract; for an unknown route, the path. */
  route: string
  /** The parsed JSON, or the text if it is not JSON; undefined without a body, and for an upload. */
  body: unknown
  /** Names in lower case. */
  headers: Record<string, string>
  /** 0 until the response is sent; it stays 0 if a fault breaks the connection. */
  status: number
  /** The fault that applied to it. */
  fault: Effect['kind'] | undefined
  at: number
  /** When it was acted on: its response shows that moment, and may be sent later. */
  actedAt: number
}

export interface Env {
  /** Without a server: only the fault of this request, if the caller chooses it. */
  Bindings: Partial<HttpBindings> & { effect?: Effect }
}

/** What handles every request before its route: the journal and the faults. */
export interface Intake {
  faults: FaultBox
  requests: RecordedRequest[]
  pathPrefix: string
  now: () => number
  store: Store
  late: LateActs
  others: OtherClients
  /** Takes each request after its response. */
  onRequest: (request: RecordedRequest) => void
  /** Returns the body of a response as clients see it. */
  shows: (body: unknown) => unknown
  /** Resolves after so many milliseconds, or when the sandbox is closed. */
  pause: (ms: number) => Promise<void>
  /** Whether the sandbox is closed. */
  isClosed: () => boolean
}

interface IncomingRequest {
  /** The route's pattern; undefined for a path without a route. */
  pattern: string | undefined
  /** The body as received; undefined for one that must not be held in memory. */
  text: string | undefined
}

/** Records a request, applies a matching fault, and otherwise answers with `act`. */
export async function recordAndAnswer(
  { pattern, text }: IncomingRequest,
  context: Context<Env>,
  intake: Intake,
  act: () => Promise<Response> | Response,
): Promise<Response> {
  const { req } = context
  const url = new URL(req.url)
  const isOurs = intake.pathPrefix !== '' && url.pathname.startsWith(`${intake.pathPrefix}/`)
  const pathname = isOurs ? url.pathname.slice(intake.pathPrefix.length) : url.pathname
  const record: RecordedRequest = {
    method: req.method,
    path: pathname + url.search,
    prefix: isOurs ? intake.pathPrefix : '',
    route: pattern ?? pathname,
    body: recorded(text),
    headers: req.header(),
    status: 0,
    fault: undefined,
    at: intake.now(),
    actedAt: intake.now(),
  }
  intake.requests.push(record)
  intake.others.meet(record)
  intake.late.settle()
  const effect = context.env.effect ?? intake.faults.take(record.method, record.route, record.path)
  record.fault = effect?.kind
  const actNow = async (): Promise<Response> => {
    record.actedAt = intake.now()
    return await answered(act)
  }
  // What other clients did while a write waited comes before it, also by date.
  const actInTurn = async (): Promise<Response> => {
    const time = intake.now()
    intake.late.settle(time)
    return await intake.store.at(time, actNow)
  }
  const isInTurn = record.method !== 'GET' && text !== undefined && effect?.kind !== 'act-later'
  try {
    const response = await answerWithFault(effect, isInTurn ? actInTurn : actNow, context, intake)
    if (breakOf(response) === undefined) {
      record.status = response.status
      // Node would send the date of this machine.
      if (!response.headers.has('date')) response.headers.set('date', new Date(intake.now()).toUTCString())
    }
    return response
  } finally {
    intake.onRequest(record)
  }
}

async function answered(act: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await act()
  } catch (thrown) {
    if (thrown instanceof Refusal) return Response.json(thrown.body, { status: thrown.status, headers: thrown.headers })
    throw thrown
  }
}

async function answerWithFault(
  effect: Effect | undefined,
  act: () => Promise<Response> | Response,
  context: Context<Env>,
  intake: Intake,
): Promise<Response> {
  const { pause, isClosed } = intake
  switch (effect?.kind) {
    case undefined:
      return await act()
    case 'act-then-status':
      await act()
      return Response.json({ detail: effect.detail ?? 'Internal error' }, { status: effect.status })
    case 'delay': {
      if (effect.when !== 'before') {
        const response = await act()
        await pause(effect.ms)
        return response
      }
      await pause(effect.ms)
      return isClosed() ? broken({ kind: 'reset' }) : await act()
    }
    case 'drip':
      return await drip(await act(), effect.ms, intake)
    case 'drop':
      if (effect.when === 'after') await act()
      await effect.meanwhile?.()
      return broken({ kind: 'reset' })
    case 'truncate':
      return await cut(await act())
    case 'lag':
      return await intake.store.behind(millisecondsOf(effect.ms), act)
    case 'act-later': {
      intake.late.add(intake.now() + millisecondsOf(effect.ms), act)
      const nothing = (): Response => Response.json({ detail: 'Not done yet' })
      return await answerWithFault(effect.answer, nothing, context, intake)
    }
    case 'about-another': {
      const { method, path } = context.req
      const another = showAnother(intake.store, method, path.slice(intake.pathPrefix.length))
      if (another === undefined) return await act()
      if (effect.acts) await act()
      return Response.json(intake.shows(another), { status: method === 'POST' ? 201 : 200 })
    }
    case 'status':
    case 'body':
    case 'redirect':
    case 'garbage':
      return faultAnswer(effect)
  }
}

/** Sends the response byte by byte, until it ends or the server is closed. */
async function drip(response: Response, ms: number, { pause, isClosed }: Intake): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  let at = 0
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await pause(ms)
      if (at >= bytes.length || isClosed()) controller.close()
      else controller.enqueue(bytes.subarray(at, ++at))
    },
  })
  return new Response(slow, { status: response.status, headers: response.headers })
}

function faultAnswer(effect: Effect): Response {
  const { status = 500, headers = {}, body, contentType = 'text/plain' } = answerOf(effect) ?? {}
  // These statuses refuse any body, even an empty one.
  const mayHaveBody = status !== 204 && status !== 304
  return new Response(mayHaveBody ? (body ?? '') : null, {
    status,
    headers: { 'content-type': contentType, ...headers },
  })
}

function recorded(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
