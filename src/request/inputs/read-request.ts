import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { checkRequest, type CheckedBody } from '../catalogue/check.ts'
import { findRoute, type Found } from '../catalogue/find.ts'
import { isRead, METHODS, type Method } from '../../control-plane/method.ts'
import { asBytes } from '../bytes.ts'
import { HiddenValues } from '../redact-json.ts'
import type { ApiCall, CallBody } from '../api-call.ts'
import { isDataFile, readBodyFile, readBodyText, readQuery } from './documents.ts'
import { headerLines, relativePath, statuses } from './texts.ts'
import * as accept from '../../inputs/parsers.ts'
import type { InputReader } from '../../inputs/reader.ts'

/** Reads the request of operation `request` and checks it against the catalogue of routes. */
export async function readApiCall(read: InputReader, workspace: string): Promise<ApiCall | undefined> {
  const method = read.defaulted('method', (given) => accept.oneOf(...METHODS)(given.toUpperCase()))
  const target = read.optional('path', relativePath)
  if (read.isUnset('path'))
    read.problems.push({ input: 'path', message: 'is required, as in /v2/deployments' })
  const query = [...(target?.query ?? []), ...(await readQuery(read.raw('query'), read))]
  const expects = read.defaulted('expect-status', statuses)
  const headers = read.optional('headers', headerLines) ?? {}
  const paginate = read.defaulted('paginate', accept.boolean)
  const timeoutMs = read.defaulted('timeout', accept.duration)
  const found: Found = target === undefined ? { kind: 'unknown' } : findRoute(method, target.path)
  const body = await readBody(read, workspace, method, found)
  if (paginate && method !== 'GET')
    read.problems.push({
      input: 'paginate',
      value: 'true',
      message: `is accepted only with GET, not with ${method}`,
    })
  if (target === undefined) return undefined
  if (found.kind === 'known') checkRoute(found.route, read, query, body)
  const { path: at } = target
  return { method, path: at, query, headers, body, paginate, expects, timeoutMs, found, ...secretsIn(body) }
}

type KnownRoute = Extract<Found, { kind: 'known' }>['route']

function checkRoute(
  route: KnownRoute,
  read: InputReader,
  query: ApiCall['query'],
  body: CallBody | undefined,
): void {
  const isFile = read.isUnset('body') && !read.isUnset('file')
  const isSet = isFile || !read.isUnset('body')
  // A body that could not be read already has a problem.
  const checked: CheckedBody = body ?? { kind: isSet ? 'unreadable' : 'none' }
  for (const { part, message } of checkRequest(route, { query, body: checked }))
    read.problems.push({ input: part === 'body' && isFile ? 'file' : part, message })
}

async function readBody(
  read: InputReader,
  workspace: string,
  method: Method,
  found: Found,
): Promise<CallBody | undefined> {
  const hasBody = !read.isUnset('body')
  const file = read.optional('file', accept.text)
  if (hasBody && file !== undefined)
    read.problems.push({ input: 'file', value: file, message: 'must not be set together with body' })
  if ((hasBody || file !== undefined) && isRead(method)) {
    const input = hasBody ? 'body' : 'file'
    read.problems.push({ input, message: `is not accepted with ${method}: set method, for example to POST` })
  }
  if (file !== undefined) return await readBodyOf(file, read, workspace, found)
  return hasBody ? await readBodyText(read.raw('body'), read) : undefined
}

/** The limit for a file sent as JSON, which is read into memory; other files are streamed. */
const MAX_JSON_BYTES = 10 * 1024 * 1024

async function readBodyOf(
  file: string,
  read: InputReader,
  workspace: string,
  found: Found,
): Promise<CallBody | undefined> {
  const full = path.resolve(workspace, file)
  const multipart = found.kind === 'known' && found.route.upload !== undefined
  let message = 'is not a file'
  try {
    const facts = await stat(full)
    if (facts.isFile()) {
      if (multipart || !isDataFile(file)) return { kind: 'file', file: full, bytes: facts.size, multipart }
      if (facts.size <= MAX_JSON_BYTES) return await readBodyFile(await readFile(full), read)
      message = 'cannot be sent as JSON: it is larger than 10 MB'
    }
  } catch {
    message = 'cannot be read: there is no such file'
  }
  read.problems.push({ input: 'file', value: file, message })
  return undefined
}

/** Finds the secrets in the body. A service may repeat a rejected body in its response. */
function secretsIn(body: CallBody | undefined): Pick<ApiCall, 'secrets'> {
  if (body?.kind !== 'json') return { secrets: [] }
  const hidden = new HiddenValues()
  hidden.pass(asBytes(body.text))
  return { secrets: [...hidden.found.secrets, ...hidden.found.keys] }
}
