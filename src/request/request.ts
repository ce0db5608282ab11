import path from 'node:path'
import type { Run } from '../rollout/dependencies.ts'
import { CallRedaction, plainRequest, readOutput, type ApiCall, contentOf, writeFile, type Parameter } from './call.ts'
import { routeOf, routeNotices } from './catalogue/find.ts'
import type { RequestEvent, RequestOutcome, ListObstacle } from './event.ts'
import { receiveInto, type ReceivedBody } from './receive.ts'
import { isBloated, fieldOf, numberOf, parseExactJson } from '../http/json.ts'
import { MAX_PAGE_VALUES } from '../http/limits.ts'
import { BrokenContractError, UnreachableError, type Trouble } from '../control-plane/errors.ts'
import { sha256 } from '../world.ts'

/** Emits `answered` with the file of the response. Throws ControlPlaneError if its status is not an expected one. */
export async function request(call: ApiCall, deps: Run<RequestEvent>): Promise<RequestOutcome> {
  deps.mask(call.secrets)
  for (const notice of routeNotices(call, deps.clock.wallTime())) deps.emit({ kind: 'route-notice', notice })
  const folder = await deps.files.makeFolder('request-', deps.tempDir)
  const file = path.join(folder, 'response')
  if (call.paginate) await readList(call, file, deps)
  else await readOnce(call, file, deps)
  return { kind: 'answered' }
}

/** Asks for an uncompressed response: a compressed one has another size and other ranges. Headers of the call override it. */
const UNPACKED = { 'accept-encoding': 'identity' }

async function readOnce(call: ApiCall, file: string, deps: Run<RequestEvent>): Promise<void> {
  let received: ReceivedBody | undefined
  const redaction = new CallRedaction(call, deps)
  const onReceived = (next: ReceivedBody): void => {
    received = next
  }
  const receive = receiveInto(file, redaction, deps.clock, onReceived)
  try {
    const plain = plainRequest(call, call.query, receive)
    await deps.transport.send({
      ...plain,
      headers: { ...UNPACKED, ...plain.headers },
      content: contentOf(call.body, deps),
    })
  } finally {
    if (received !== undefined) {
      const { status, announcedBytes = 0 } = received
      const bytes = call.method === 'HEAD' ? announcedBytes : received.bytes
      const content = await readOutput(file, received.bytes, deps.clock)
      // The file of a download is unchanged, but outputs are shown: they contain no secrets.
      const text = content === undefined ? undefined : redaction.redact(status, content)
      redaction.warnIfFull()
      deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries: undefined } })
    }
  }
}

interface Progress {
  status?: number
  entries: number | undefined
}

/**
 * Reads a list to its end into a file, as one JSON array. Emits `answered`, also with the status of a failed page.
 * @throws ControlPlaneError if the response to a request for a page is not an expected one
 */
async function readList(call: ApiCall, file: string, deps: Run<RequestEvent>): Promise<void> {
  const progress: Progress = { entries: 0 }
  let bytes: number
  try {
    bytes = await writeFile(file, listOf(call, deps, progress), deps.clock)
  } catch (thrown) {
    const { status, entries } = progress
    if (status !== undefined)
      deps.emit({ kind: 'answered', answer: { status, bytes: 0, file: undefined, text: undefined, entries } })
    throw thrown
  }
  const { status = 0, entries } = progress
  const text = await readOutput(file, bytes, deps.clock)
  deps.emit({ kind: 'answered', answer: { status, bytes, file, text, entries } })
}

/** Yields the list as JSON, or the first response if it is another one that is expected, like a 404. */
async function* listOf(call: ApiCall, deps: Run<RequestEvent>, progress: Progress): AsyncGenerator<string> {
  const seen = new Set<string>()
  const redaction = new CallRedaction(call, deps)
  let query = firstQuery(call)
  let count = 0
  for (let number = 1; ; number++) {
    if (deps.clock.now() >= deps.deadline) {
      const cameBack = `the time limit was reached after ${count} entries`
      throw new UnreachableError(troubleWith(call, cameBack, 'Set a longer timeout.'))
    }
    const { status, text } = await requestPage(call, { query, number, redaction, progress }, deps)
    const page = readPage(text, query, seen)
    if (page === undefined) {
      if (number > 1 || status < 300) {
        const cameBack = 'the response is neither a page of "resources" or "items" nor a list'
        throw new BrokenContractError(troubleWith(call, cameBack, 'Set paginate only for routes that return a list.'))
      }
      progress.entries = undefined
      yield text
      return
    }
    yield* joinedTo(count, page.entries)
    count += page.entries.length
    progress.entries = count
    const { next } = page
    if (next.kind === 'stuck') deps.emit({ kind: 'list-incomplete', because: next.because })
    if (next.kind !== 'next') break
    query = next.query
  }
  redaction.warnIfFull()
  yield count === 0 ? '[]\n' : '\n]\n'
}

interface PageRequest {
  query: readonly Parameter[]
  /** The number of the page, from 1. */
  number: number
  redaction: CallRedaction
  progress: Progress
}

/** Requests a page, and removes the secrets from its text. Notes its status, also of a page that fails. */
async function requestPage(
  call: ApiCall,
  { query, number, redaction, progress }: PageRequest,
  deps: Run<RequestEvent>,
): Promise<{ status: number; text: string }> {
  // The transport throws the last response of several attempts: only `accepts` sees its status.
  const accepts = (status: number): boolean => call.expects((progress.status = status))
  const request = plainRequest(call, query, redaction.receive)
  const attempted = number === 1 ? request.attempted : `${request.attempted}, page ${number}`
  const { status, body } = await deps.transport.send({ ...request, attempted, accepts })
  progress.status = status
  // The size is checked first: the redaction of a huge page would block signals.
  if (isBloated(body, MAX_PAGE_VALUES)) throw bloatedPage(call)
  return { status, text: redaction.redact(status, body) }
}

/** Continues the JSON of a list that has `count` entries so far. */
function joinedTo(count: number, entries: readonly string[]): string[] {
  return entries.map((entry, index) => `${count + index === 0 ? '[' : ','}\n${entry}`)
}

/** Adds the route's largest known `limit`: fewer requests. */
function firstQuery({ query, match }: ApiCall): Parameter[] {
  const rule = routeOf(match)?.query?.['limit']
  if (rule?.kind !== 'integer' || rule.max === undefined || query.some(([name]) => name === 'limit')) return query
  return [...query, ['limit', String(rule.max)]]
}

function bloatedPage(call: ApiCall): BrokenContractError {
  const cameBack = 'the page has far too many values, or is nested far too deeply'
  const hint = 'Request smaller pages by query, as in limit=10, or do not set paginate.'
  return new BrokenContractError(troubleWith(call, cameBack, hint))
}

function troubleWith({ method, path }: ApiCall, cameBack: string, hint: string): Trouble {
  return { attempted: `read the list ${method} ${path} to its end`, cameBack, hint }
}

interface ListPage {
  /** The entries as JSON, with the digits of their numbers. */
  entries: string[]
  next: NextPage
}

type NextPage =
  | { kind: 'next'; query: Parameter[] }
  | { kind: 'end' }
  /** The service returns no usable next page: the list may be incomplete. */
  | { kind: 'stuck'; because: ListObstacle }

/**
 * Reads a page of one of the contract's two kinds of lists, or a whole list; undefined for another body, and for one that
 * is nested too deeply or has too many values.
 * @param query of the request for the page
 * @param seen hashes of the cursors so far, to which it adds
 */
export function readPage(body: string, query: readonly Parameter[], seen: Set<string>): ListPage | undefined {
  const json = parseExactJson(body, MAX_PAGE_VALUES)
  if (!json.ok) return undefined
  const { value } = json
  const [resources, items] = [fieldOf(value, 'resources'), fieldOf(value, 'items')]
  if (Array.isArray(value)) return { entries: entriesOf(value), next: { kind: 'end' } }
  if (Array.isArray(resources))
    return { entries: entriesOf(resources), next: nextByOffset(value, resources.length, query) }
  return Array.isArray(items) ? { entries: entriesOf(items), next: nextByCursor(value, query, seen) } : undefined
}

function entriesOf(list: readonly unknown[]): string[] {
  return list.map((entry) => JSON.stringify(entry))
}

/** The page has `resources`, and the `offset` of the next page. */
function nextByOffset(page: unknown, entries: number, query: readonly Parameter[]): NextPage {
  // A short page may have been filtered, so that only an empty page is the last one.
  if (entries === 0) return { kind: 'end' }
  const before = Number(valueOf(query, 'offset') ?? 0)
  const offset = numberOf(fieldOf(page, 'offset')) ?? before + entries
  if (offset > before) return { kind: 'next', query: withValue(query, 'offset', String(offset)) }
  return { kind: 'stuck', because: { kind: 'offset-unchanged', offset } }
}

/** The usual fields, as the contract names none. */
const CURSORS = ['next_cursor', 'next_page_token', 'cursor', 'next']
/** The cursors that services return with the last page. */
const NO_CURSORS: readonly unknown[] = [undefined, null, '', false, 0]

/** The page has `items`, and an opaque cursor; the last page has none. */
function nextByCursor(page: unknown, query: readonly Parameter[], seen: Set<string>): NextPage {
  const rawCursor = CURSORS.map((name) => fieldOf(page, name)).find((one) => !NO_CURSORS.includes(numberOf(one) ?? one))
  if (rawCursor === undefined) return { kind: 'end' }
  const number = numberOf(rawCursor)
  const cursor = number !== undefined && Number.isSafeInteger(number) ? String(number) : rawCursor
  if (typeof cursor !== 'string') return { kind: 'stuck', because: { kind: 'unreadable-cursor' } }
  // A list may have many pages with long cursors: hashes need less memory.
  const hash = sha256(cursor, 'base64')
  if (cursor === valueOf(query, 'cursor') || seen.has(hash))
    return { kind: 'stuck', because: { kind: 'repeated-cursor' } }
  seen.add(hash)
  return { kind: 'next', query: withValue(query, 'cursor', cursor) }
}

function valueOf(query: readonly Parameter[], name: string): string | undefined {
  return query.findLast(([key]) => key === name)?.[1]
}

function withValue(query: readonly Parameter[], name: string, value: string): Parameter[] {
  return [...query.filter(([key]) => key !== name), [name, value]]
}
