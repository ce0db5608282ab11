import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../clock.ts'
import type { Credentials } from '../control-plane/credentials.ts'
import { BrokenContractError, RefusedError, UnreachableError } from '../control-plane/errors.ts'
import type { ApiRequest, Transport } from '../control-plane/transport.ts'
import type { Log } from '../report/log.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { CallAnswer, RolloutRecord } from '../rollout/record.ts'
import { contentOf } from '../request/content.ts'
import { cleanText, type GivenSecrets } from '../request/given-secrets.ts'
import { nextPage, readPage } from '../request/pages.ts'
import { receiveInto } from '../request/receive.ts'
import { remarksOn } from '../request/remarks.ts'
import type { ApiCall } from '../request/request.ts'

export interface RequestDoors {
  transport: Transport
  credentials: Credentials
  log: Log
  clock: Clock
  signal: AbortSignal
  tempDir: string | undefined
  /** Monotonic milliseconds of the clock after which no further page of a list is read. */
  deadline: number
}

/**
 * Sends one request to any route and hands its answer on, in a file and, when it is small, as an output.
 * @throws ControlPlaneError when it was not answered as expected; the answer, if any, is in the record all the same
 */
export async function request(call: ApiCall, doors: RequestDoors, record: RolloutRecord): Promise<Outcome> {
  const { log, clock } = doors
  log.mask(call.secrets)
  for (const { level, text } of remarksOn(call, clock.wallTime())) {
    if (level === 'error') log.error(text, 'Request')
    else log[level](text)
  }
  const folder = await mkdtemp(path.join(doors.tempDir ?? tmpdir(), 'request-'))
  const file = path.join(folder, 'response')
  if (call.paginate) await readList(call, file, doors, record)
  else await readOnce(call, file, doors, record)
  const { answer } = record
  if (answer?.file !== undefined) log.info(`${sizeOf(answer)} in ${answer.file}`)
  return { kind: 'answered' }
}

function sizeOf({ bytes, entries }: CallAnswer): string {
  const list = entries === undefined ? '' : `${entries} ${entries === 1 ? 'entry' : 'entries'}, `
  return `${list}${bytes} bytes`
}

async function readOnce(
  call: ApiCall,
  file: string,
  doors: RequestDoors,
  record: RolloutRecord,
): Promise<void> {
  let received: { status: number; bytes: number; announcedBytes: number | undefined } | undefined
  const receive = receiveInto({
    file,
    secrets: givenSecrets(call, doors),
    isRaw: call.found.kind === 'known' && call.found.route.raw === true,
    mask: doors.log.mask,
    onReceived: (next) => {
      received = next
    },
  })
  const content = contentOf(call.body)
  try {
    await doors.transport({
      ...plainRequest(call, call.query),
      ...(content === undefined ? {} : { content }),
      receive,
    })
  } finally {
    if (received !== undefined) {
      const { status, bytes, announcedBytes } = received
      // A HEAD tells a size and brings nothing.
      const size = call.method === 'HEAD' ? (announcedBytes ?? 0) : bytes
      const small = await readSmall(file, bytes)
      // A download is in the file as it is; an output is a text that others read.
      const text = small === undefined ? undefined : withoutSecrets(small, status, call, doors)
      record.answer = { status, bytes: size, file, text, entries: undefined }
    }
  }
}

async function readList(
  call: ApiCall,
  file: string,
  doors: RequestDoors,
  record: RolloutRecord,
): Promise<void> {
  let entries = 0
  let status = 0
  const json = async function* (): AsyncGenerator<string> {
    for await (const page of readPages(call, doors)) {
      status = page.status
      for (const entry of page.entries) yield `${entries++ === 0 ? '[' : ','}\n${JSON.stringify(entry)}`
    }
    yield entries === 0 ? '[]\n' : '\n]\n'
  }
  try {
    await pipeline(json, createWriteStream(file, { mode: 0o600 }))
  } catch (thrown) {
    if (thrown instanceof RefusedError)
      record.answer = { status: thrown.status, bytes: 0, file: undefined, text: undefined, entries }
    throw thrown
  }
  const { size: bytes } = await stat(file)
  record.answer = { status, bytes, file, text: await readSmall(file, bytes), entries }
}

async function* readPages(
  call: ApiCall,
  doors: RequestDoors,
): AsyncGenerator<{ status: number; entries: unknown[] }> {
  const seen = new Set<string>()
  let query = startOf(call)
  let count = 0
  for (;;) {
    if (doors.clock.now() >= doors.deadline) throw tooLate(call, count)
    const { status, body } = await doors.transport(plainRequest(call, query))
    const page = readPage(withoutSecrets(body, status, call, doors))
    if (page === undefined) throw notPaged(call)
    count += page.entries.length
    yield { status, entries: page.entries }
    const next = nextPage(page, query, seen)
    if (next.kind === 'stuck') doors.log.warning(`The list may not be complete: ${next.why}.`)
    if (next.kind !== 'next') return
    query = next.query
  }
}

/** The largest page that the route is known to give: fewer requests. */
function startOf({ query, found }: ApiCall): [string, string][] {
  const rule = found.kind === 'known' ? found.route.query?.['limit'] : undefined
  if (rule?.kind !== 'integer' || rule.max === undefined || query.some(([name]) => name === 'limit'))
    return query
  return [...query, ['limit', String(rule.max)]]
}

function plainRequest(call: ApiCall, query: readonly [string, string][]): ApiRequest {
  const { method, path: at, headers, expects, found } = call
  const search = new URLSearchParams([...query]).toString()
  return {
    method,
    path: search === '' ? at : `${at}?${search}`,
    headers: { accept: '*/*', ...headers },
    attempted: `carry out ${method} ${at}`,
    accepts: expects.has,
    repeatable: found.kind === 'known' && found.route.idempotent === true,
  }
}

function withoutSecrets(body: string, status: number, call: ApiCall, doors: RequestDoors): string {
  const { text, found } = cleanText(body, givenSecrets(call, doors), status >= 400)
  doors.log.mask([...found.secrets, ...found.keys])
  return text
}

function givenSecrets({ secrets }: ApiCall, { credentials }: RequestDoors): GivenSecrets {
  const { apiKey, bearerToken } = credentials
  return { credentials: [apiKey, bearerToken].filter((one) => one !== undefined), values: secrets }
}

function toItsEnd({ method, path: at }: ApiCall): string {
  return `read the list ${method} ${at} to its end`
}

function tooLate(call: ApiCall, count: number): UnreachableError {
  return new UnreachableError({
    attempted: toItsEnd(call),
    cameBack: `the time was over after ${count} entries`,
    hint: 'Set a longer timeout.',
  })
}

function notPaged(call: ApiCall): BrokenContractError {
  return new BrokenContractError({
    attempted: toItsEnd(call),
    cameBack: 'the answer is no page of "resources" or "items", and no list',
    hint: 'Leave paginate out for a route that gives no list.',
  })
}

/** The largest answer that becomes an output, in bytes: a job has 1 MB for all its outputs together. */
const MAX_OUTPUT_BYTES = 256 * 1024

async function readSmall(file: string, bytes: number): Promise<string | undefined> {
  if (bytes > MAX_OUTPUT_BYTES) return undefined
  const content = await readFile(file)
  const text = content.toString('utf8')
  // What is no text would come out broken.
  return Buffer.from(text).equals(content) && !text.includes('\u0000') ? text : undefined
}
