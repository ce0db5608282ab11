import type { z } from 'zod'
import { AmbiguousWriteError, BrokenContractError, type Trouble } from './errors.ts'
import { parseJson } from './json.ts'
import type * as Schemas from './schemas.ts'
import { isRepeatable, type ApiRequest } from './api-request.ts'
import type { Transport } from './transport.ts'

/** Sends a request and reads its answer by one of the contract's schemas. */
export type Call = <T>(request: ApiRequest, choose: (schemas: typeof Schemas) => z.ZodType<T>) => Promise<T>

/** @throws what the transport throws; BrokenContractError, or AmbiguousWriteError of a write, for an answer that is none */
export function createCall(transport: Transport): Call {
  return async (request, choose) => {
    const { body } = await transport.send(request)
    // Loaded with the first answer, so that the first request need not wait for it.
    return parseAnswer(request, body, choose(await import('./schemas.ts')))
  }
}

/**
 * Sends a write whose answer need not be told.
 * @returns nothing when it is empty, or is JSON of another kind
 * @throws what a call throws, for a page of something that answers in the control plane's place
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

function parseAnswer<T>(request: ApiRequest, body: string, schema: z.ZodType<T>): T {
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
  if (isBloated) return 'JSON of far too many values, or nested far too deeply'
  if (body.trim() === '') return 'an empty body'
  return /^\s*</.test(body)
    ? 'HTML or XML instead of JSON, such as a login or error page'
    : 'text that is not JSON'
}

function broken(request: ApiRequest, what: string): BrokenContractError | AmbiguousWriteError {
  const path = request.path.replace(/\?.*$/, '')
  const trouble: Trouble = {
    attempted: request.attempted,
    cameBack: `${request.method} ${path} answered with ${what}`,
    hint: 'Check that base-url points to the control plane, path prefix included, and that no proxy answers in its place.',
  }
  // A write that was answered with success did happen, whatever became of its answer.
  return isRepeatable(request) ? new BrokenContractError(trouble) : new AmbiguousWriteError(trouble, false)
}
