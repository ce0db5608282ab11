import type { z } from 'zod'
import { AmbiguousWriteError, BrokenContractError, type Trouble } from './errors.ts'
import { parseJson } from '../http/json.ts'
import type * as Schemas from './schemas.ts'
import { isRepeatable, type ApiRequest } from './api-request.ts'
import { type Moments, parseHttpDate } from './server-clock.ts'
import type { Transport } from './transport.ts'

/** Chooses the schema of a response; the schemas are loaded when needed. */
export type Choose<T> = (schemas: typeof Schemas) => z.ZodType<T>

/**
 * Sends a request and parses the response by one of the contract's schemas. Returns the server's time with it, in
 * milliseconds since the epoch.
 * @throws what the transport throws; for a response that breaks the contract, BrokenContractError after a read and
 * AmbiguousWriteError after a write
 */
export async function call<T>(
  transport: Transport,
  request: ApiRequest,
  choose: Choose<T>,
): Promise<{ value: T; serverTime: number | undefined; moments: Moments | undefined }> {
  // Loaded while the response is on its way: zod takes time to load, and the first request need not wait for it. What
  // fails to load here fails again where it is used.
  const onSent = (): void => void loadSchemas().catch(() => undefined)
  const { body, headers, moments } = await transport.send({ onSent, ...request })
  const schema = choose(await loadSchemas())
  const parsed = schema.safeParse(readJson(transport, request, body))
  if (parsed.success) return { value: parsed.data, serverTime: parseHttpDate(headers?.date), moments }
  const placeOf = (path: readonly PropertyKey[]) => (transport.words?.place(request, path) ?? path).join('.') || 'body'
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${placeOf(path)}: ${message}`)
  throw broken(transport, request, `JSON that breaks the contract (${problems.join('; ')})`)
}

/**
 * Sends a write whose response need not show the result.
 * @returns undefined when the response is empty or is JSON of another shape
 * @throws what a call throws, also for a page of another server, such as a login page
 */
export async function acknowledged<T>(
  transport: Transport,
  request: ApiRequest,
  choose: Choose<T>,
): Promise<T | undefined> {
  const { body } = await transport.send(request)
  if (body.trim() === '') return undefined
  const json = readJson(transport, request, body)
  return choose(await loadSchemas()).safeParse(json).data
}

const loadSchemas = async (): Promise<typeof Schemas> => await import('./schemas.ts')

function readJson(transport: Transport, request: ApiRequest, body: string): unknown {
  const json = parseJson(body)
  if (json.ok) return json.value
  if (json.bloated) throw broken(transport, request, BLOATED)
  if (body.trim() === '') throw broken(transport, request, 'an empty body')
  const isMarkup = /^\s*</.test(body)
  throw broken(
    transport,
    request,
    isMarkup ? 'HTML or XML instead of JSON, such as a login or error page' : 'text that is not JSON',
  )
}

/** Completes "answered with". */
export const BLOATED = 'JSON with far too many values, or nested far too deeply'

/** The error for a response that cannot be what was requested; `received` completes "answered with". */
export function broken(
  { prefix = '', words }: Pick<Transport, 'prefix' | 'words'>,
  request: ApiRequest,
  received: string,
): BrokenContractError | AmbiguousWriteError {
  const path = prefix + (words?.path(request.path) ?? request.path).replace(/\?[^]*/, '')
  const trouble: Trouble = {
    attempted: request.attempted,
    cameBack: `${request.method} ${path} answered with ${received}`,
    hint: 'Check that base-url points to the control plane, path prefix included, and that no proxy responds in its place.',
  }
  // The status says that the write succeeded; only its result is unknown.
  return isRepeatable(request) ? new BrokenContractError(trouble) : new AmbiguousWriteError(trouble)
}
