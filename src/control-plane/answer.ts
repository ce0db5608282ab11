import type { z } from 'zod'
import { AmbiguousWriteError, BrokenContractError, type Trouble } from './errors.ts'
import { parseJson } from './json.ts'
import type * as Schemas from './schemas.ts'
import { isRepeatable, type ApiRequest } from './api-request.ts'
import type { Transport } from './transport.ts'

/** Sends a request and parses the response by one of the contract's schemas. */
export type Call = <T>(request: ApiRequest, choose: (schemas: typeof Schemas) => z.ZodType<T>) => Promise<T>

/**
 * @throws what the transport throws; for a response that breaks the contract, BrokenContractError after a read and
 * AmbiguousWriteError after a write
 */
export function createCall(transport: Transport): Call {
  return async (request, choose) => {
    const { body } = await transport.send(request)
    // Loaded after the first response: zod takes time to load, and the first request need not wait for it.
    return parseBody(request, body, choose(await import('./schemas.ts')))
  }
}

/**
 * Sends a write whose response need not show the result.
 * @returns undefined when the response is empty or is JSON of another shape
 * @throws what a call throws, also for a page of another server, such as a login page
 */
export async function acknowledged<T>(
  transport: Transport,
  request: ApiRequest,
  choose: (schemas: typeof Schemas) => z.ZodType<T>,
): Promise<T | undefined> {
  const { body } = await transport.send(request)
  if (body.trim() === '') return undefined
  const json = parseJson(body)
  if (!json.ok) throw broken(request, describeNonJson(body, json.bloated))
  return choose(await import('./schemas.ts')).safeParse(json.value).data
}

function parseBody<T>(request: ApiRequest, body: string, schema: z.ZodType<T>): T {
  const json = parseJson(body)
  if (!json.ok) throw broken(request, describeNonJson(body, json.bloated))
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw broken(request, `JSON that breaks the contract (${problems.join('; ')})`)
}

function describeNonJson(body: string, isBloated: boolean): string {
  if (isBloated) return 'JSON with far too many values, or nested far too deeply'
  if (body.trim() === '') return 'an empty body'
  return /^\s*</.test(body)
    ? 'HTML or XML instead of JSON, such as a login or error page'
    : 'text that is not JSON'
}

function broken(request: ApiRequest, received: string): BrokenContractError | AmbiguousWriteError {
  const path = request.path.replace(/\?.*$/, '')
  const trouble: Trouble = {
    attempted: request.attempted,
    cameBack: `${request.method} ${path} answered with ${received}`,
    hint: 'Check that base-url points to the control plane, path prefix included, and that no proxy responds in its place.',
  }
  // The status says that the write succeeded; only its result is unknown.
  return isRepeatable(request) ? new BrokenContractError(trouble) : new AmbiguousWriteError(trouble, false)
}
