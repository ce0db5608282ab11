import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import type { ApiRequest, Credentials } from '../control-plane/api-request.ts'
import type { Transport } from '../control-plane/transport.ts'
import { readText } from '../http/body.ts'
import type { Receive } from '../http/exchange.ts'
import { MAX_MASK_CHARACTERS, MAX_MASKS } from '../http/limits.ts'
import type { Emit } from '../rollout/event.ts'
import { isFailure, type ApiCall, type Parameter } from './api-call.ts'
import { routeOf } from './catalogue/find.ts'
import { knownHint } from './catalogue/hints.ts'
import type { RequestEvent } from './event.ts'
import { FoundSecrets } from '../secrets/json.ts'
import { piecesOf, redactText, type SentSecrets } from './redaction.ts'
import type { Files } from '../world.ts'

export interface RequestDependencies {
  transport: Transport
  credentials: Credentials
  emit: Emit<RequestEvent>
  /** Masks secrets in the log of the step. */
  mask: (values: readonly string[]) => void
  clock: Clock
  random: () => number
  files: Files
  /** The system's own if undefined. */
  tempDir: string | undefined
  /** Monotonic milliseconds after which no further page of a list is read. */
  deadline: number
}

/**
 * Returns the request for the transport, without its body.
 * @param receive removes secrets: the transport words its errors with what it returns
 */
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

/** The secrets of all responses to a call. */
export function secretsOf(
  { secrets: values, echoes, bodyText = '' }: ApiCall,
  { credentials }: RequestDependencies,
): SentSecrets {
  const { apiKey, bearerToken } = credentials
  const found = new FoundSecrets(MAX_MASKS, MAX_MASK_CHARACTERS)
  const sent = [apiKey, bearerToken].filter((one) => one !== undefined)
  return { credentials: sent, values, echoes, pieces: piecesOf(bodyText), found }
}

/** Redacts the body of a response and masks the secrets in it. */
export function redactBody(
  call: ApiCall,
  status: number,
  body: string,
  secrets: SentSecrets,
  { mask }: Pick<RequestDependencies, 'mask'>,
): string {
  const text = redactText(body, secrets, isFailure(call, status))
  mask(secrets.found.all)
  return text
}

/** Receives a response into memory: that of a failure without its secrets, as it becomes part of a message. */
export function receiveText(call: ApiCall, secrets: SentSecrets, deps: RequestDependencies): Receive {
  return async (answer) => {
    const { status } = answer
    const text = await readText(answer)
    return isFailure(call, status) ? { ...text, body: redactBody(call, status, text.body, secrets, deps) } : text
  }
}

/** Says that the response is without some of its credentials, if it is. */
export function warnIfFull({ found }: SentSecrets, { emit }: RequestDependencies): void {
  if (found.isFull) emit({ kind: 'credentials-removed', kept: MAX_MASKS })
}

/** The largest response that becomes an output, in bytes: all outputs of a job share 1 MB. */
const MAX_OUTPUT_BYTES = 256 * 1024

/** Returns the content of a file for an output; undefined if it is too large or is not text. */
export async function readOutput(
  file: string,
  bytes: number,
  clock: Pick<Clock, 'during'>,
): Promise<string | undefined> {
  if (bytes > MAX_OUTPUT_BYTES) return undefined
  const content = await clock.during(readFile(file))
  return isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined
}
