import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Api } from '../../control-plane/api.ts'
import { isRead, type Method } from '../../control-plane/api-request.ts'
import { parseJson, parseOwnJson } from '../../http/json.ts'
import { checkBody, checkQuery, type ApiCall, type CallBody, type Parameter } from '../../request/call.ts'
import { findRoute, type RouteMatch, routeOf } from '../../request/catalogue/find.ts'
import type { CatalogueRoute } from '../../request/catalogue/routes.ts'
import { findSecrets } from '../../secrets/json.ts'
import { codeOf, locate } from '../../sources/workspace-path.ts'
import { refusePassword } from '../addresses.ts'
import { didYouMean } from '../hint.ts'
import { headerName, type Parser, text, Unacceptable } from '../parsers.ts'
import { readPathOf } from '../paths.ts'
import type { InputReader } from '../reader.ts'
import type { FilesWorld } from '../files-world.ts'
import { HEADER_VALUE, headerEntries } from '../verification.ts'

export async function readApiCall(
  read: InputReader,
  workspace: string,
  world: FilesWorld,
  api: Api['name'] = 'agent-server',
): Promise<ApiCall | undefined> {
  const method = read.defaulted('method')
  const target = read.optional('path', relativePath)
  if (read.isUnset('path')) read.refuse('path', 'is required, as in /v2/deployments')
  const query = [...(target?.query ?? []), ...(await readQuery(read.unparsed('query') ?? '', read, world.loadRest))]
  const expects = read.defaulted('expect-status', statuses)
  const headers = read.optional('headers', headerLines) ?? {}
  const paginate = read.defaulted('paginate')
  const timeoutMs = read.defaulted('timeout')
  const match: RouteMatch = target === undefined ? { kind: 'unknown' } : findRoute(method, target.path, api)
  const route = routeOf(match)
  checkSegments(read, { method, api }, target?.segments ?? [])
  const body = await readBody(read, method, route, { ...world, workspace })
  if (paginate && method !== 'GET') read.refuse('paginate', `is accepted only with GET, not with ${method}`, 'true')
  if (target === undefined) return undefined
  if (route !== undefined) checkRules(route, read, query, body)
  // A service may repeat a body that it rejects.
  const secrets = body?.kind === 'json' ? findSecrets(body.text) : []
  const bodyText = await textOf(body, world)
  const inBody = bodyText === undefined ? valuesOf(body) : linesAndWordsOf(bodyText)
  return {
    method,
    path: target.path,
    query,
    headers,
    body,
    paginate,
    expects,
    timeoutMs,
    match,
    secrets,
    echoes: [...echoesOf(query, headers), ...inBody],
    hasTextBody: bodyText !== undefined,
  }
}

/** The values of a query, and those of headers with their long words. */
function echoesOf(query: readonly Parameter[], headers: Readonly<Record<string, string>>): string[] {
  const values = Object.values(headers)
  return [...query.map(([, value]) => value), ...values, ...values.flatMap(wordsOf)]
}

/** In bytes: an error does not repeat the text of a larger file. */
const MAX_TEXT_BYTES = 64 * 1024
/** The number of strings of a JSON body that are searched in an error: the first ones. */
const MAX_STRINGS = 1_000
const MIN_WORD = 8

async function textOf(body: CallBody | undefined, { files }: FilesWorld): Promise<string | undefined> {
  if (body?.kind === 'text') return body.text
  if (body?.kind === 'json') return typeof body.value === 'string' ? body.value : undefined
  if (body === undefined || body.bytes > MAX_TEXT_BYTES) return undefined
  const bytes = await files.readWhole(body.file, MAX_TEXT_BYTES)
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined
}

/** Returns the long strings of JSON, which an error may repeat. */
function valuesOf(body: CallBody | undefined): string[] {
  if (body?.kind !== 'json') return []
  return typeof body.value === 'object' ? stringsOf(body.value).slice(0, MAX_STRINGS) : [body.text]
}

/** Returns the lines and long words of a text, which an error may repeat. */
function linesAndWordsOf(text: string): string[] {
  return [...new Set([text, ...nonEmptyLines(text), ...wordsOf(text)])]
}

function wordsOf(text: string): string[] {
  return text.split(/[\s=:,;"']+/).filter((word) => word.length >= MIN_WORD)
}

/** Lists the strings of JSON. Recursion would exceed the stack on a body that is nested deeply. */
function stringsOf(value: unknown): string[] {
  const strings = new Set<string>()
  const open = [value]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string' && node.length >= MIN_WORD) strings.add(node)
    if (typeof node === 'object' && node !== null) for (const inner of Object.values(node)) open.push(inner)
  }
  return [...strings]
}

function checkRules(
  route: CatalogueRoute,
  read: InputReader,
  query: readonly Parameter[],
  body: CallBody | undefined,
): void {
  for (const message of checkQuery(route, query)) read.refuse('query', message)
  const bodyInput = (['body', 'file'] as const).find((name) => !read.isUnset(name))
  // A body that could not be read already has a problem.
  if (body === undefined && bodyInput !== undefined) return
  const part = bodyInput ?? (route.upload === undefined ? 'body' : 'file')
  for (const message of checkBody(route, body)) read.refuse(part, message)
}

async function readBody(
  read: InputReader,
  method: Method,
  route: CatalogueRoute | undefined,
  at: FilesWorld & { workspace: string },
): Promise<CallBody | undefined> {
  const hasBody = !read.isUnset('body')
  const file = read.optional('file')
  if (hasBody && file !== undefined) read.refuse('file', 'must not be set together with body', file)
  if ((hasBody || file !== undefined) && isRead(method))
    read.refuse(hasBody ? 'body' : 'file', `is not accepted with ${method}: set method, for example to POST`)
  if (file === undefined) {
    const text = read.unparsed('body')
    return text === undefined ? undefined : await readBodyText(text, read, at.loadRest)
  }
  const path = readPathOf(read, 'file', file, at.env)
  if (path === undefined) return undefined
  const body = await readFileBody(path, read, { ...at, multipart: route?.upload !== undefined })
  if (typeof body !== 'string') return body
  read.refuse('file', body, file)
  return undefined
}

/** The limit for a file sent as JSON, which is read into memory; other files are streamed. */
const MAX_JSON_BYTES = 10 * 1024 * 1024

/** Returns the body, the message of a problem, or `undefined` if the problem is reported. */
async function readFileBody(
  file: string,
  read: InputReader,
  { workspace, multipart, files, clock, loadRest }: FilesWorld & { workspace: string; multipart: boolean },
): Promise<CallBody | string | undefined> {
  const place = await locate(file, workspace, files)
  if (place.kind === 'missing') return 'cannot be read: there is no such file'
  if (place.kind === 'refused') return place.message
  const asJson = !multipart && DATA_FILE.test(file)
  try {
    const facts = await clock.during(stat(place.real))
    if (!facts.isFile()) return 'is not a file'
    if (asJson) return await readBodyFile(await files.readWhole(place.real, MAX_JSON_BYTES), read, loadRest)
    return { kind: 'file', file: place.real, name: path.basename(file), bytes: facts.size, multipart }
  } catch (thrown) {
    return `cannot be ${asJson ? 'sent as JSON' : 'read'}: ${codeOf(thrown)}`
  }
}

type LoadRest = FilesWorld['loadRest']

/** No message repeats the input, which may contain a secret. */
const QUERY_FORMS = 'must be a mapping in YAML or JSON, or text as in limit=10&offset=0'

/** Reads a mapping in YAML or JSON, in which a list repeats its name, or text like `limit=10&offset=0` on any number of lines. */
async function readQuery(literal: string, read: InputReader, loadRest: LoadRest): Promise<Parameter[]> {
  const lines = nonEmptyLines(literal)
  if (lines.every((line) => /^[^\s:{"'=]+=/.test(line))) return lines.flatMap((line) => [...new URLSearchParams(line)])
  const reading = (await loadRest()).parseYaml(literal)
  const pairs =
    reading.kind === 'read' && isPlainObject(reading.value)
      ? Object.entries(reading.value).map(([name, value]) => parametersOf(name, value))
      : [undefined]
  const parameters = pairs.filter((some) => some !== undefined)
  if (parameters.length < pairs.length) read.refuse('query', QUERY_FORMS)
  return parameters.flat()
}

/** Returns one parameter for a scalar, several for a list, none for null; `undefined` for a value that a query cannot contain. */
function parametersOf(name: string, value: unknown): Parameter[] | undefined {
  if (value === null) return []
  const all: unknown[] = Array.isArray(value) ? value : [value]
  const areTexts = all.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
  return areTexts ? all.map((one) => [name, String(one)]) : undefined
}

const FIELD = /^[ \t]*(?:- +)?(?:[\w.$/-]+|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:\s|$)/m
const ENTRY = /^[ \t]*-(?:\s|$)/m

/** Whether a mapping or a list was meant: the text begins like JSON, or a line begins with a field or an entry. */
function looksLikeData(literal: string): boolean {
  return /^\s*[{[]/.test(literal) || FIELD.test(literal) || ENTRY.test(literal)
}

/** Reads JSON unchanged, a mapping or a list in YAML as JSON, and other text as text. Broken JSON or YAML is a problem. */
async function readBodyText(literal: string, read: InputReader, loadRest: LoadRest): Promise<CallBody | undefined> {
  const data = await readData(literal, loadRest)
  if (data.kind === 'json') return data
  if (data.kind === 'unreadable' && looksLikeData(literal)) {
    read.refuse('body', `looks like YAML or JSON, but ${data.message}; use file to send it as text`)
    return undefined
  }
  return { kind: 'text', text: literal }
}

/** A file of such a name is sent as JSON, the API's usual format. */
const DATA_FILE = /\.(json|ya?ml)$/i

/** Reads the content of a file for a JSON body as JSON, scalars included. */
async function readBodyFile(bytes: Uint8Array, read: InputReader, loadRest: LoadRest): Promise<CallBody | undefined> {
  // The decoder removes a byte order mark.
  const data: Data = isUtf8(bytes)
    ? await readData(new TextDecoder().decode(bytes), loadRest)
    : { kind: 'unreadable', message: 'is not UTF-8' }
  if (data.kind === 'json') return data
  if (data.kind === 'scalar') return { kind: 'json', value: data.value, text: JSON.stringify(data.value) }
  read.refuse('file', `cannot be sent as JSON: it ${data.message}`)
  return undefined
}

type Data =
  | Extract<CallBody, { kind: 'json' }>
  | { kind: 'scalar'; value: unknown }
  /** The reason, as the end of a sentence. */
  | { kind: 'unreadable'; message: string }

async function readData(literal: string, loadRest: LoadRest): Promise<Data> {
  const own = parseOwnJson(literal)
  // A text that is too large for parseJson is too large for the YAML parser as well.
  const json = own.ok ? own : parseJson(literal)
  // The text stays unchanged because parsing would round large numbers.
  if (json.ok) return { kind: 'json', value: json.value, text: literal.trim() }
  if (json.bloated) return { kind: 'unreadable', message: 'has far too many values, or is nested far too deeply' }
  const reading = (await loadRest()).parseYaml(literal)
  if (reading.kind === 'unreadable') return reading
  const { value } = reading
  return typeof value === 'object' && value !== null
    ? { kind: 'json', value, text: JSON.stringify(value) }
    : { kind: 'scalar', value }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `segments`: as written, without the query. */
const relativePath: Parser<{ path: string; query: Parameter[]; segments: string[] }> = (literal) => {
  text(literal)
  refusePassword(literal)
  if (/^[a-z][a-z0-9+.-]*:/i.test(literal) || /^[\\/]{2}/.test(literal))
    throw new Unacceptable(`must be a path below base-url, as in /v2/deployments, not a full address`)
  if (literal.includes('#')) throw new Unacceptable('must not contain a fragment')
  const [before = '', ...after] = literal.split('?')
  const segments = before.replace(/^\//, '').split('/')
  if (segments.some(isUpward))
    throw new Unacceptable('must not contain "." or ".." or a backslash: the path must stay below base-url')
  const url = new URL(`http://base/${segments.join('/')}`)
  return { path: url.pathname, query: [...new URLSearchParams(after.join('?'))], segments }
}

/** A write to what is probably another path is refused. A read does no harm. */
function checkSegments(
  read: InputReader,
  { method, api }: { method: Method; api: Api['name'] },
  segments: readonly string[],
): void {
  const [placeholder] = segments.flatMap((segment) => /\{[^{}]*\}/.exec(segment)?.[0] ?? [])
  // The base address itself has one segment, which is empty.
  const isEmpty = segments.length > 1 && segments.includes('')
  const meant = `/${segments.filter((segment) => segment !== '').join('/')}`
  // Only a path without ids is proposed: else the word after a missing id would be taken for the id.
  const isKnown = routeOf(findRoute(method, meant, api))?.path.includes('{') === false
  const messages = [
    ...(isEmpty ? [EMPTY_SEGMENT + didYouMean(isKnown ? meant : undefined)] : []),
    ...(placeholder === undefined ? [] : [`has the placeholder ${placeholder.slice(0, 60)}: ${PLACEHOLDER}`]),
  ]
  for (const message of messages)
    if (isRead(method)) read.warn('path', message)
    else read.refuse('path', message, `/${segments.join('/')}`.slice(0, 120))
}

const EMPTY_SEGMENT =
  'has an empty part before or behind a /: look for an output or a variable that is empty, and write no / at the end'
const PLACEHOLDER =
  'write the value in its place, as in /v2/deployments/${{ steps.rollout.outputs.deployment-id }}; write braces that are meant as %7B and %7D'

/** Whether a server may read the segment as a step upwards. Servers differ in what they decode and how often. */
function isUpward(segment: string): boolean {
  let decoded = segment
  for (let times = 0; times < 3; times++)
    decoded = decoded.replace(/%(2e|2f|3b|5c|25)/gi, (code) => decodeURIComponent(code))
  // Some servers remove path parameters first, so that `..;` is a step.
  const steps = decoded.split('/').map((part) => part.replace(/;.*/, ''))
  return decoded.includes('\\') || steps.some((step) => step === '.' || step === '..')
}

const STATUS = /^[1-5](\d\d|xx)$/i

const statuses: Parser<ApiCall['expects']> = (literal) => {
  const wanted = literal.toLowerCase().match(/[^\s,]+/g) ?? []
  if (wanted.length === 0 || !wanted.every((one) => STATUS.test(one)))
    throw new Unacceptable('must be statuses, as in 200, 2xx or "200, 404"')
  return (status) => wanted.some((one) => one === String(status) || one === `${String(status).charAt(0)}xx`)
}

function nonEmptyLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

/** Headers that the action sets. Another value would break the request or send other credentials. */
const RESERVED =
  /^(host|content-length|content-type|transfer-encoding|connection|expect|cookie|authorization|x-api-key|user-agent)$/i

const headerLines: Parser<Record<string, string>> = (literal) => {
  const headers: Record<string, string> = {}
  for (const { name, value } of headerEntries(literal).entries) {
    if (value === undefined || !HEADER_VALUE.test(value))
      throw new Unacceptable('must be lines of the form "Name: value", as in "Range: bytes=0-99"')
    headerName(name)
    if (RESERVED.test(name)) throw new Unacceptable(`must not set ${name}: the action sets it itself`)
    headers[name.toLowerCase()] = value
  }
  return headers
}
