import { readFile } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import type { Credentials } from '../control-plane/credentials.ts'
import type { ApiRequest } from '../control-plane/api-request.ts'
import type { Transport } from '../control-plane/transport.ts'
import type { Emit } from '../rollout/event.ts'
import type { RequestEvent } from './event.ts'
import { cleanText, type GivenSecrets } from './redaction.ts'
import type { ApiCall } from './api-call.ts'
import { knownHint } from './catalogue/hints.ts'

/** What a single request works with. */
export interface RequestDependencies {
  transport: Transport
  credentials: Credentials
  emit: Emit<RequestEvent>
  /** Masks secrets in the log of the step. */
  mask: (values: readonly string[]) => void
  clock: Clock
  signal: AbortSignal
  tempDir: string | undefined
  /** Monotonic milliseconds after which no further page of a list is read. */
  deadline: number
}

/** The request as the transport takes it, but for its body. */
export function plainRequest(call: ApiCall, query: readonly [string, string][]): ApiRequest {
  const { method, path: at, headers, expects, found } = call
  const route = found.kind === 'known' ? found.route : undefined
  const search = new URLSearchParams([...query]).toString()
  return {
    method,
    path: search === '' ? at : `${at}?${search}`,
    headers: { accept: '*/*', ...headers },
    attempted: `carry out ${method} ${at}`,
    accepts: expects.has,
    repeatable: route?.idempotent === true,
    hintFor: (status, detail) => route && knownHint(route, status, detail),
  }
}

export function givenSecrets({ secrets }: ApiCall, { credentials }: RequestDependencies): GivenSecrets {
  const { apiKey, bearerToken } = credentials
  return { credentials: [apiKey, bearerToken].filter((one) => one !== undefined), values: secrets }
}

/** The body of an answer as it may leave. */
export function withoutSecrets(
  body: string,
  status: number,
  call: ApiCall,
  deps: RequestDependencies,
): string {
  const { text, found } = cleanText(body, givenSecrets(call, deps), status >= 400)
  deps.mask([...found.secrets, ...found.keys])
  return text
}

/** The largest answer that becomes an output, in bytes: a job has 1 MB for all its outputs together. */
const MAX_OUTPUT_BYTES = 256 * 1024

/** What is small enough for an output, and a text. */
export async function readSmall(file: string, bytes: number): Promise<string | undefined> {
  if (bytes > MAX_OUTPUT_BYTES) return undefined
  const content = await readFile(file)
  const text = content.toString('utf8')
  // What is no text would come out broken.
  return Buffer.from(text).equals(content) && !text.includes('\u0000') ? text : undefined
}
