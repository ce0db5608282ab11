import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Api } from '../../control-plane/api.ts'
import { isRead, type Method } from '../../control-plane/api-request.ts'
import { checkBody, checkQuery, type ApiCall, type CallBody, type Parameter } from '../../request/call.ts'
import { findRoute, type RouteMatch, routeOf } from '../../request/catalogue/find.ts'
import type { CatalogueRoute } from '../../request/catalogue/routes.ts'
import { findSecrets } from '../../secrets/json.ts'
import { codeOf, locate } from '../../sources/workspace-path.ts'
import {
  headerLines,
  isDataFile,
  nonEmptyLines,
  readBodyFile,
  readBodyText,
  readQuery,
  relativePath,
  statuses,
} from './documents.ts'
import type { InputReader } from '../reader.ts'
import type { FilesWorld } from '../rollout.ts'

export async function readApiCall(
  read: InputReader,
  workspace: string,
  world: FilesWorld,
  api: Api['name'] = 'agent-server',
): Promise<ApiCall | undefined> {
  const method = read.defaulted('method')
  const target = read.optional('path', relativePath)
  if (read.isUnset('path')) read.refuse('path', 'is required, as in /v2/deployments')
  const query = [...(target?.query ?? []), ...(await readQuery(read.unparsed('query') ?? '', read, world.later))]
  const expects = read.defaulted('expect-status', statuses)
  const headers = read.optional('headers', headerLines) ?? {}
  const paginate = read.defaulted('paginate')
  const timeoutMs = read.defaulted('timeout')
  const match: RouteMatch = target === undefined ? { kind: 'unknown' } : findRoute(method, target.path, api)
  const route = routeOf(match)
  const body = await readBody(read, method, route, { ...world, workspace })
  if (paginate && method !== 'GET') {
    read.refuse('paginate', `is accepted only with GET, not with ${method}`, 'true')
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

async function textOf(body: CallBody | undefined, { files }: FilesWorld): Promise<string | undefined> {
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
  for (const message of checkQuery(route, query)) read.refuse('query', message)
  const isFile = read.isUnset('body') && !read.isUnset('file')
  const isSet = isFile || !read.isUnset('body')
  // A body that could not be read already has a problem.
  if (body === undefined && isSet) return
  const part = isFile || (body === undefined && route.upload !== undefined) ? 'file' : 'body'
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
    return text === undefined ? undefined : await readBodyText(text, read, at.later)
  }
  const body = await readFileBody(file, read, { ...at, multipart: route?.upload !== undefined })
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
  { workspace, multipart, files, clock, later }: FilesWorld & { workspace: string; multipart: boolean },
): Promise<CallBody | string | undefined> {
  const place = await locate(file, workspace, files)
  if (place.kind === 'missing') return 'cannot be read: there is no such file'
  if (place.kind === 'refused') return place.message
  const asJson = !multipart && isDataFile(file)
  try {
    const facts = await clock.during(stat(place.real))
    if (!facts.isFile()) return 'is not a file'
    if (asJson) return await readBodyFile(await files.readWhole(place.real, MAX_JSON_BYTES), read, later)
    return { kind: 'file', file: place.real, name: path.basename(file), bytes: facts.size, multipart }
  } catch (thrown) {
    return `cannot be ${asJson ? 'sent as JSON' : 'read'}: ${codeOf(thrown)}`
  }
}
