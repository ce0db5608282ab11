import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { checkBody, checkQuery } from '../../request/catalogue/check.ts'
import { findRoute, routeOf, type RouteMatch } from '../../request/catalogue/find.ts'
import type { Api } from '../../control-plane/api.ts'
import { isRead, METHODS, type Method } from '../../control-plane/api-request.ts'
import type { CatalogueRoute } from '../../request/catalogue/route.ts'
import { findSecrets } from '../../secrets/json.ts'
import type { ApiCall, CallBody, Parameter } from '../../request/call.ts'
import { isDataFile, readBodyFile, readBodyText, readQuery } from './documents.ts'
import { headerLines, nonEmptyLines, relativePath, statuses } from './texts.ts'
import * as accept from '../parsers.ts'
import type { InputReader } from '../reader.ts'
import { codeOf } from '../../sources/quote.ts'
import { locate } from '../../sources/workspace-path.ts'
import type { Clock } from '../../clock.ts'
import type { Files } from '../../world.ts'

interface ReadWorld {
  files: Files
  clock: Clock
}

interface FileContext extends ReadWorld {
  workspace: string
  /** The file is sent as multipart/form-data. */
  multipart: boolean
}

/** Reads the request of operation `request` and checks it against the catalogue of routes. */
export async function readApiCall(
  read: InputReader,
  workspace: string,
  world: ReadWorld,
  api: Api['name'] = 'agent-server',
): Promise<ApiCall | undefined> {
  const method = read.defaulted('method', (given) => accept.oneOf(...METHODS)(given.toUpperCase()))
  const target = read.optional('path', relativePath)
  if (read.isUnset('path')) read.problems.push({ input: 'path', message: 'is required, as in /v2/deployments' })
  const query = [...(target?.query ?? []), ...(await readQuery(read.unparsed('query') ?? '', read))]
  const expects = read.defaulted('expect-status', statuses)
  const headers = read.optional('headers', headerLines) ?? {}
  const paginate = read.defaulted('paginate', accept.boolean)
  const timeoutMs = read.defaulted('timeout', accept.duration)
  const match: RouteMatch = target === undefined ? { kind: 'unknown' } : findRoute(method, target.path, api)
  const route = routeOf(match)
  const body = await readBody(read, workspace, method, route, world)
  if (paginate && method !== 'GET') {
    const message = `is accepted only with GET, not with ${method}`
    read.problems.push({ input: 'paginate', value: 'true', message })
  }
  if (target === undefined) return undefined
  if (route !== undefined) checkRules(route, read, query, body)
  // A service may repeat a body that it rejects.
  const secrets = body?.kind === 'json' ? findSecrets(body.text) : []
  const values = Object.values(headers)
  const bodyText = await textOf(body, world)
  const inBody = bodyText === undefined ? valuesOf(body) : partsOf(bodyText)
  const echoes = [...query.map(([, value]) => value), ...values, ...values.flatMap(wordsOf), ...inBody]
  return { method, ...target, query, headers, body, paginate, expects, timeoutMs, match, secrets, echoes, bodyText }
}

/** A larger file is no text that an error repeats, in bytes. */
const MAX_TEXT_BYTES = 64 * 1024
/** The strings of a JSON body that count, which are the first ones. */
const MAX_STRINGS = 1_000
const MIN_WORD = 8

/** The body, if it is text. */
async function textOf(body: CallBody | undefined, { files }: ReadWorld): Promise<string | undefined> {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'text':
      return body.text
    case 'json':
      return typeof body.value === 'string' ? body.value : undefined
    case 'file': {
      if (body.bytes > MAX_TEXT_BYTES) return undefined
      const bytes = await files.readWhole(body.file, MAX_TEXT_BYTES)
      return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined
    }
  }
}

/** What an error may repeat of JSON: long strings. */
function valuesOf(body: CallBody | undefined): string[] {
  if (body?.kind !== 'json') return []
  return typeof body.value === 'object' ? stringsOf(body.value).slice(0, MAX_STRINGS) : [body.text]
}

/** What an error may repeat of a text: its lines and long words. */
function partsOf(text: string): string[] {
  return [...new Set([text, ...nonEmptyLines(text), ...wordsOf(text)])]
}

function wordsOf(text: string): string[] {
  return text.split(/[\s=:,;"']+/).filter((word) => word.length >= MIN_WORD)
}

/** A loop, as a body may be nested deeply. */
function stringsOf(value: unknown): string[] {
  const found = new Set<string>()
  const open = [value]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === 'string' && one.length >= MIN_WORD) found.add(one)
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) open.push(inner)
  }
  return [...found]
}

function checkRules(
  route: CatalogueRoute,
  read: InputReader,
  query: readonly Parameter[],
  body: CallBody | undefined,
): void {
  for (const message of checkQuery(route, query)) read.problems.push({ input: 'query', message })
  const isFile = read.isUnset('body') && !read.isUnset('file')
  const isSet = isFile || !read.isUnset('body')
  // A body that could not be read already has a problem.
  if (body === undefined && isSet) return
  for (const { part, message } of checkBody(route, body)) read.problems.push({ input: isFile ? 'file' : part, message })
}

async function readBody(
  read: InputReader,
  workspace: string,
  method: Method,
  route: CatalogueRoute | undefined,
  world: ReadWorld,
): Promise<CallBody | undefined> {
  const hasBody = !read.isUnset('body')
  const file = read.optional('file', accept.text)
  if (hasBody && file !== undefined)
    read.problems.push({ input: 'file', value: file, message: 'must not be set together with body' })
  if ((hasBody || file !== undefined) && isRead(method)) {
    const input = hasBody ? 'body' : 'file'
    read.problems.push({ input, message: `is not accepted with ${method}: set method, for example to POST` })
  }
  if (file !== undefined)
    return await readBodyOf(file, read, { workspace, multipart: route?.upload !== undefined, ...world })
  const text = read.unparsed('body')
  return text === undefined ? undefined : await readBodyText(text, read)
}

/** The limit for a file sent as JSON, which is read into memory; other files are streamed. */
const MAX_JSON_BYTES = 10 * 1024 * 1024

async function readBodyOf(file: string, read: InputReader, about: FileContext): Promise<CallBody | undefined> {
  const body = await readFileBody(file, read, about)
  if (typeof body !== 'string') return body
  read.problems.push({ input: 'file', value: file, message: body })
  return undefined
}

/** Returns the body, the message of a problem, or `undefined` if the problem is reported. */
async function readFileBody(
  file: string,
  read: InputReader,
  { workspace, multipart, files, clock }: FileContext,
): Promise<CallBody | string | undefined> {
  const place = await locate(file, workspace, files)
  if (place.kind === 'missing') return 'cannot be read: there is no such file'
  if (place.kind === 'refused') return place.message
  const asJson = !multipart && isDataFile(file)
  try {
    const facts = await clock.during(stat(place.real))
    if (!facts.isFile()) return 'is not a file'
    if (asJson) return await readBodyFile(await files.readWhole(place.real, MAX_JSON_BYTES), read)
    return { kind: 'file', file: place.real, name: path.basename(file), bytes: facts.size, multipart }
  } catch (thrown) {
    return `cannot be ${asJson ? 'sent as JSON' : 'read'}: ${codeOf(thrown)}`
  }
}
