import { isUtf8 } from 'node:buffer'
import { readFile, open } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import type { ApiRequest, Method } from '../control-plane/api-request.ts'
import { readText } from '../http/body.ts'
import { type Receive, textContent, type Content } from '../http/exchange.ts'
import { MAX_MASK_CHARACTERS, MAX_MASKS } from '../http/limits.ts'
import type { Run } from '../rollout/dependencies.ts'
import { routeOf, knownHint, type RouteMatch } from './catalogue/find.ts'
import type { RequestEvent } from './event.ts'
import type { CatalogueRoute, QueryRule } from './catalogue/routes.ts'
import { FoundSecrets } from '../secrets/json.ts'
import { redactText, type SentSecrets } from './redaction.ts'
import { openRegularFile, piecesOf } from '../files.ts'
import { newId } from '../world.ts'

export type Parameter = [name: string, value: string]

export interface ApiCall {
  method: Method
  /** Below base-url, percent-encoded, without a query. */
  path: string
  query: Parameter[]
  headers: Record<string, string>
  body: CallBody | undefined
  paginate: boolean
  expects: (status: number) => boolean
  /** Milliseconds, for the whole run. */
  timeoutMs: number
  match: RouteMatch
  /** Secrets in the body, which the action removes from the response. */
  secrets: string[]
  /** Values of the query, of headers and of a text: the action removes them from an error, which may repeat them. */
  echoes: string[]
  /** The body is text, of which an error may quote any part. */
  hasTextBody: boolean
}

/** Whether the response may repeat the request. An error may, even if its status is expected. */
export function isFailure({ expects }: ApiCall, status: number): boolean {
  return status >= 400 || !expects(status)
}

export type CallBody =
  | { kind: 'json'; value: unknown; text: string }
  | { kind: 'text'; text: string }
  /** `file`: without links, as it was checked. `name`: as it was set. `multipart`: as the route takes it. */
  | { kind: 'file'; file: string; name: string; bytes: number; multipart: boolean }

export function checkQuery({ query: rules = {} }: CatalogueRoute, query: readonly Parameter[]): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const values = query.filter(([key]) => key === name).map(([, value]) => value)
    if (values.length === 0) return rule.required === true ? [`${name} is required`] : []
    return values.flatMap((value) => queryProblem(value, rule) ?? []).map((problem) => `${name} ${problem}`)
  })
}

function queryProblem(value: string, rule: QueryRule): string | undefined {
  switch (rule.kind) {
    case 'text':
      return undefined
    case 'boolean':
      return /^(true|false)$/.test(value) ? undefined : 'must be true or false'
    case 'one of':
      return rule.accepted.includes(value) ? undefined : `must be one of ${rule.accepted.join(', ')}`
    case 'integer': {
      const { min, max = Infinity } = rule
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return undefined
      return `must be a whole number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`
    }
  }
}

/** Returns the problems of a body that the API would reject, as ends of a sentence that begins with it. */
export function checkBody({ body: rule, upload }: CatalogueRoute, body: CallBody | undefined): string[] {
  if (upload !== undefined) return checkUpload(upload.maxBytes, body)
  if (rule === undefined) return []
  return body === undefined || body.kind === 'json' ? rule(body?.value) : ['must be JSON for this route']
}

function checkUpload(maxBytes: number, body: CallBody | undefined): string[] {
  if (body === undefined) return ['is required: this route accepts multipart/form-data']
  if (body.kind !== 'file') return ['is not accepted by this route: set file instead']
  if (body.bytes <= maxBytes) return []
  return [`must not be larger than ${maxBytes / 1_000_000} megabytes for this route`]
}

/** Makes the request without its body. `receive` must remove secrets: the transport quotes its result in errors. */
export function plainRequest(call: ApiCall, query: readonly Parameter[], receive: Receive): ApiRequest {
  const { method, path, headers, expects, match } = call
  const route = routeOf(match)
  const search = new URLSearchParams([...query]).toString()
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    headers: { accept: '*/*', ...headers },
    attempted: `carry out ${method} ${path}`,
    accepts: expects,
    receive,
    repeatable: route?.idempotent === true,
    hintFor: (status, detail) => {
      if (match.kind === 'unknown' && status === 404) return UNKNOWN_PATH
      return route && knownHint(route, status, detail)
    },
  }
}

const UNKNOWN_PATH =
  'Check the input path, which is none of the routes that the action knows, and that base-url has its path prefix.'

/** Removes the secrets from all responses to one call, and masks what it finds in the log. */
export class CallRedaction {
  readonly call: ApiCall
  readonly secrets: SentSecrets
  readonly #deps: Run<RequestEvent>

  constructor(call: ApiCall, deps: Run<RequestEvent>) {
    const { apiKey, bearerToken } = deps.credentials
    const { secrets: values, echoes, hasTextBody } = call
    const credentials = [apiKey, bearerToken].filter((one) => one !== undefined)
    const responseSecrets = new FoundSecrets(MAX_MASKS, MAX_MASK_CHARACTERS)
    this.secrets = { credentials, values, echoes, hasTextBody, responseSecrets }
    this.call = call
    this.#deps = deps
  }

  redact(status: number, body: string): string {
    const text = redactText(body, this.secrets, isFailure(this.call, status))
    this.maskFound()
    return text
  }

  /** Must be called before any part of a response is shown. */
  maskFound(): void {
    this.#deps.mask(this.secrets.responseSecrets.all)
  }

  /** Receives a response into memory. A failure loses its secrets here, because it becomes part of a message. */
  readonly receive: Receive = async (answer) => {
    const text = await readText(answer)
    return isFailure(this.call, answer.status) ? { ...text, body: this.redact(answer.status, text.body) } : text
  }

  /** Reports that some credentials were removed from the responses, if the log cannot mask them all. */
  warnIfFull(): void {
    if (this.secrets.responseSecrets.isFull) this.#deps.emit({ kind: 'credentials-removed', kept: MAX_MASKS })
  }
}

/** The largest response that becomes an output, in bytes: all outputs of a job share 1 MB. */
const MAX_OUTPUT_BYTES = 256 * 1024

/** Returns the content of a file for an output; undefined if it is too large or is not text. */
export async function readOutput(file: string, bytes: number, clock: Clock): Promise<string | undefined> {
  if (bytes > MAX_OUTPUT_BYTES) return undefined
  const content = await clock.during(readFile(file))
  return isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined
}

const BLOCK_BYTES = 64 * 1024

/** Returns the size of the file, which only this user may read. Throws what the pieces throw. */
export async function writeFile(
  file: string,
  pieces: AsyncIterable<Uint8Array | string>,
  clock: Clock,
): Promise<number> {
  // Opened first: pieces that throw at once still leave an empty file.
  const out = await clock.during(open(file, 'w', 0o600))
  try {
    let bytes = 0
    let block: Uint8Array[] = []
    let blockBytes = 0
    const flush = async (): Promise<void> => {
      await clock.during(out.appendFile(Buffer.concat(block)))
      bytes += blockBytes
      block = []
      blockBytes = 0
    }
    for await (const piece of pieces) {
      const added = typeof piece === 'string' ? Buffer.from(piece) : piece
      block.push(added)
      blockBytes += added.length
      if (blockBytes >= BLOCK_BYTES) await flush()
    }
    await flush()
    return bytes
  } finally {
    await clock.during(out.close())
  }
}

type FileBody = Extract<CallBody, { kind: 'file' }>

interface ContentWorld {
  clock: Clock
  random: () => number
}

export function contentOf(body: CallBody | undefined, world: ContentWorld): Content | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'json':
      return textContent('application/json', body.text)
    case 'text':
      return textContent('text/plain; charset=utf-8', body.text)
    case 'file':
      return body.multipart
        ? multipartContent(body, world)
        : { type: 'application/octet-stream', bytes: body.bytes, open: () => contentOfFile(body, world) }
  }
}

/** One part named `file` (RFC 7578). */
function multipartContent(body: FileBody, world: ContentWorld): Content {
  const boundary = `rollout-${newId(world.random)}`
  const name = body.name.replace(/["\\\r\n]/g, '_')
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    yield head
    yield* contentOfFile(body, world)
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + body.bytes + tail.length,
    open: parts,
  }
}

/** Yields exactly the announced number of bytes: with fewer, the server would wait for the rest. */
async function* contentOfFile({ file, bytes }: FileBody, { clock }: ContentWorld): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const piece of piecesOf(async () => await openRegularFile(file), clock)) {
    sent += piece.length
    if (sent > bytes) break
    yield piece
  }
  if (sent !== bytes) throw new Error('its size has changed since it was checked')
}
