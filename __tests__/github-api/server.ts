import { createServer, type IncomingMessage, type Server } from 'node:http'
import { breakOf, broken } from '../../sandbox/connection.ts'
import { systemClock } from '../../src/real/world.ts'
import type { Clock } from '../../src/clock.ts'
import type { Answer } from './deployments.ts'
import { checkQuestion } from './graphql.ts'
import { loadDescription, type Description } from './openapi.ts'
import { FORBIDDEN, JOB_BOT, KeptRepository } from './repository.ts'

/** What the action uses as github-token. */
export const TOKEN = 'ghs_the-token-of-the-job'

export interface RecordedGitHubRequest {
  method: string
  /** Below the API's address, with its query. */
  path: string
  body: unknown
  headers: Readonly<Record<string, string>>
  /** 0 where the connection was dropped. */
  status: number
  /** Monotonic milliseconds. */
  at: number
}

/** A failure of some requests. They are not carried out, unless `isDone`. */
export interface GitHubFault {
  method?: string
  path: RegExp
  status: number | 'hang up'
  body?: unknown
  headers?: Record<string, string>
  /** Default: always. */
  times?: number
  /** The request is carried out, and only the response is lost. */
  isDone?: boolean
}

export interface GitHubApiOptions {
  /** Below /api/v3, as on GitHub Enterprise Server. */
  ghes?: boolean
  /** The login of the action's token: the job's own bot, another app's, or a person. */
  login?: string
}

/** Starts it on loopback. */
export async function startGitHubApi(options: GitHubApiOptions = {}): Promise<GitHubApi> {
  const server = createServer()
  const opened = new GitHubApi(options, await listen(server))
  server.on('request', (request, response) => {
    void (async () => {
      const answer = await opened.fetch(await readRequest(request))
      if (breakOf(answer) !== undefined) request.socket.destroy()
      else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })()
  })
  opened.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return opened
}

/** GitHub's API without a server: a kept repository, which fails on demand and records its requests. */
export class GitHubApi extends KeptRepository {
  /** For GITHUB_API_URL. */
  readonly url: string
  /** For github-token. */
  readonly token = TOKEN
  readonly requests: RecordedGitHubRequest[] = []
  /** Requests that violate GitHub's own description of its API, as sentences. */
  readonly violations: string[] = []
  close = async (): Promise<void> => await Promise.resolve()
  readonly #prefix: string
  readonly #description: Description
  readonly #clock: Pick<Clock, 'now' | 'wallTime'>
  readonly #faults: (GitHubFault & { left: number })[] = []

  /** @param root its address, without the prefix of GitHub Enterprise Server */
  constructor(
    { ghes = false, login = JOB_BOT }: GitHubApiOptions,
    root: string,
    clock: Pick<Clock, 'now' | 'wallTime'> = systemClock,
  ) {
    const prefix = ghes ? '/api/v3' : ''
    super({ url: root + prefix, login, now: () => clock.wallTime() })
    this.url = root + prefix
    this.#prefix = prefix
    this.#description = loadDescription(ghes ? 'ghes' : 'github.com')
    this.#clock = clock
  }

  fail(fault: GitHubFault): void {
    this.#faults.push({ ...fault, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  /** Answers a request. It may end in a broken connection, see `breakOf`. */
  async fetch(request: Request): Promise<Response> {
    try {
      const sent = await this.#serve(request)
      if (sent === 'hang up') return broken({ kind: 'reset' })
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        date: new Date(this.#clock.wallTime()).toUTCString(),
        ...sent.headers,
        ...(sent.link !== undefined && { link: sent.link }),
      }
      const text = [204, 304].includes(sent.status) ? null : JSON.stringify(sent.body)
      return new Response(text, { status: sent.status, headers })
    } catch (thrown) {
      this.violations.push(`${request.method} ${request.url}: this server failed: ${String(thrown)}`)
      return new Response('{}', { status: 500 })
    }
  }

  async #serve(request: Request): Promise<Sent | 'hang up'> {
    const { method } = request
    const { pathname, search } = new URL(request.url)
    const full = pathname + search
    const text = await request.text()
    const body = parseBody(text)
    const path = pathBelow(this.#prefix, full)
    const headers = Object.fromEntries(request.headers)
    const record = { method, path: path ?? full, body, headers, status: 0, at: this.#clock.now() }
    this.requests.push(record)
    const wrong = isGraphQl(record) ? checkQuestion(body) : this.#description.check(record)
    if (path === undefined) wrong.push(`${method} ${full}: this server's API is below ${this.#prefix}`)
    if (text !== '' && body === undefined) wrong.push(`${method} ${full}: the body is not JSON`)
    this.violations.push(...wrong)
    const fault = this.#faults.find((one) => matches(one, record))
    if (fault !== undefined) fault.left -= 1
    if (fault?.isDone === true) await this.#answer(record, wrong)
    if (fault?.status === 'hang up') return 'hang up'
    const sent =
      fault === undefined
        ? await this.#answer(record, wrong)
        : { ...fault, status: fault.status, body: fault.body ?? FORBIDDEN.body }
    record.status = sent.status
    return sent
  }

  async #answer({ method, path, body, headers }: RecordedGitHubRequest, wrong: readonly string[]): Promise<Answer> {
    const refusal = refuseCredentials(headers['authorization'])
    if (refusal !== undefined) return refusal
    if (wrong.length > 0) return { status: 422, body: { message: 'Validation Failed', errors: wrong } }
    return await this.answer(method, path, body)
  }
}

interface Sent extends Answer {
  headers?: Record<string, string>
}

function refuseCredentials(authorization: string | undefined): Answer | undefined {
  if (authorization === undefined) return { status: 401, body: { message: 'Requires authentication' } }
  const isOurs = /^(?:token|bearer) (.+)$/i.exec(authorization)?.[1] === TOKEN
  return isOurs ? undefined : { status: 401, body: { message: 'Bad credentials' } }
}

function matches({ method, path, left }: GitHubFault & { left: number }, request: RecordedGitHubRequest): boolean {
  return left > 0 && (method === undefined || method === request.method) && path.test(request.path)
}

/** GraphQL is beside the prefix of the REST API. Returns `undefined` for a path that is neither. */
function pathBelow(prefix: string, full: string): string | undefined {
  if (prefix !== '' && full === '/api/graphql') return '/graphql'
  return full.startsWith(`${prefix}/`) ? full.slice(prefix.length) : undefined
}

function isGraphQl({ method, path }: RecordedGitHubRequest): boolean {
  return method === 'POST' && path === '/graphql'
}

async function readRequest(message: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = message
  const chunks: Uint8Array[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = chunks.length === 0 ? null : Buffer.concat(chunks)
  return new Request(`http://${headers.host ?? 'localhost'}${url}`, { method, headers: sent, body })
}

/** Returns `undefined` for text that is not JSON. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns its address. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}
