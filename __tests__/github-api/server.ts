import { createServer, type IncomingMessage, type Server } from 'node:http'
import { breakOf, broken } from '../../sandbox/connection.ts'
import { systemClock } from '../../src/real/world.ts'
import type { Clock } from '../../src/clock.ts'
import { KeptDeployments, type Answer, type JobDeployment, type KeptDeployment } from './deployments.ts'
import { listFiles } from './files.ts'
import { answerQuestion, checkQuestion, type AskedPullRequest } from './graphql.ts'
import { JOB_BOT, REPOSITORY, startEmulator, TOKEN, type GitHubEmulator } from './emulator.ts'
import { loadDescription } from './openapi.ts'

export { TOKEN } from './emulator.ts'

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

/** GitHub's REST API: the emulator, with deployments and failures. */
export interface GitHubApi extends Omit<GitHubEmulator, 'ask'> {
  /** For GITHUB_API_URL. */
  url: string
  /** For github-token. */
  token: string
  requests: readonly RecordedGitHubRequest[]
  /** Requests that violate GitHub's own description of its API, as sentences. */
  violations: () => string[]
  fail: (fault: GitHubFault) => void
  /** Pull requests without comments that only the test knows: hundreds of them would take the emulator long. */
  keepPullRequests: (pulls: ReadonlyMap<number, AskedPullRequest>) => void
  /** The files that a pull request changes. Those with ` -> ` are renamed. */
  seedFiles: (number: number, files: readonly string[]) => void
  /** Answers for commits that only the test knows; the emulator compares branches and commits of pull requests. */
  seedComparison: (base: string, head: string, status: 'ahead' | 'behind' | 'identical' | 'diverged') => void
  deployments: () => readonly KeptDeployment[]
  /** Makes the GitHub Deployment of a job with `environment:`, as GitHub does itself. */
  startJob: (deployment: JobDeployment) => (state: string) => void
}

export const FORBIDDEN = { message: 'Resource not accessible by integration', status: '403' }

interface Sent extends Answer {
  headers?: Record<string, string>
}

/** A GitHub without a server: a request may end in a broken connection, see `breakOf`. */
export interface OpenGitHubApi extends GitHubApi {
  fetch: (request: Request) => Promise<Response>
}

/** Starts it on loopback. */
export async function startGitHubApi(options: GitHubApiOptions = {}): Promise<GitHubApi> {
  const server = createServer()
  const opened = await openGitHubApi(options, await listen(server))
  server.on('request', (request, response) => {
    void (async () => {
      const answer = await opened.fetch(await readRequest(request))
      if (breakOf(answer) !== undefined) request.socket.destroy()
      else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })()
  })
  return {
    ...opened,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await opened.close()
    },
  }
}

/** @param root its address, without the prefix of GitHub Enterprise Server */
export async function openGitHubApi(
  { ghes = false, login = JOB_BOT }: GitHubApiOptions,
  root: string,
  clock: Pick<Clock, 'now' | 'wallTime' | 'during'> = systemClock,
): Promise<OpenGitHubApi> {
  const emulator = await startEmulator(login, clock)
  const prefix = ghes ? '/api/v3' : ''
  const description = loadDescription(ghes ? 'ghes' : 'github.com')
  const kept = new KeptDeployments(REPOSITORY, root + prefix, () => clock.wallTime())
  const requests: RecordedGitHubRequest[] = []
  const violations: string[] = []
  const faults: (GitHubFault & { left: number })[] = []
  const comparisons = new Map<string, object>()
  const files = new Map<number, readonly string[]>()

  let keptPulls: ReadonlyMap<number, AskedPullRequest> = new Map()
  const asked = {
    repository: REPOSITORY,
    login,
    pullRequest: async (number: number) => keptPulls.get(number) ?? (await emulator.pullRequest(number)),
    comments: async (issue: number) => (keptPulls.has(issue) ? [] : await emulator.comments(issue)),
  }
  const answer = async (record: RecordedGitHubRequest, wrong: readonly string[]): Promise<Sent> => {
    const { method, path, body, headers } = record
    const { authorization } = headers
    const refusal = refuseCredentials(authorization)
    if (refusal !== undefined) return refusal
    if (wrong.length > 0) return { status: 422, body: { message: 'Validation Failed', errors: wrong } }
    if (isGraphQl(record)) return await answerQuestion(body, asked)
    if (path === '/user' && login.endsWith('[bot]')) return { status: 403, body: FORBIDDEN }
    const comparison = comparisons.get(decodeURIComponent(/\/compare\/([^?]+)/.exec(path)?.[1] ?? ''))
    if (comparison !== undefined) return { status: 200, body: comparison }
    const [, filesOf] = /\/pulls\/(\d+)\/files/.exec(path) ?? []
    if (filesOf !== undefined) return listFiles(files.get(Number(filesOf)) ?? [], path)
    const [, of, number, rest] = /\/(pulls|issues)\/(\d+)(\/comments)?(?:\?|$)/.exec(path) ?? []
    const pull = keptPulls.get(Number(number))
    if (method === 'GET' && pull !== undefined && rest !== undefined) return { status: 200, body: [] }
    if (method === 'GET' && pull !== undefined && of === 'pulls')
      return { status: 200, body: showPullRequest(Number(number), pull) }
    const ours = kept.answer(method, path, body)
    if (ours !== undefined) return ours
    return await emulator.ask(method, path, body, authorization ?? '')
  }
  const serve = async (request: Request): Promise<Sent | 'hang up'> => {
    const { method } = request
    const { pathname, search } = new URL(request.url)
    const full = pathname + search
    const text = await request.text()
    const body = parseBody(text)
    const path = pathBelow(prefix, full)
    const headers = Object.fromEntries(request.headers)
    const record = { method, path: path ?? full, body, headers, status: 0, at: clock.now() }
    requests.push(record)
    const wrong = isGraphQl(record) ? checkQuestion(body) : description.check(record)
    if (path === undefined) wrong.push(`${method} ${full}: this server's API is below ${prefix}`)
    if (text !== '' && body === undefined) wrong.push(`${method} ${full}: the body is not JSON`)
    violations.push(...wrong)
    const fault = faults.find((one) => matches(one, record))
    if (fault !== undefined) fault.left -= 1
    if (fault?.isDone === true) await answer(record, wrong)
    if (fault?.status === 'hang up') return 'hang up'
    const sent =
      fault === undefined
        ? await answer(record, wrong)
        : { ...fault, status: fault.status, body: fault.body ?? FORBIDDEN }
    record.status = sent.status
    return sent
  }
  // A client that used the emulator's own address would bypass this server.
  const ours = (text: string): string => text.replaceAll(emulator.url, root + prefix)
  const respond = async (request: Request): Promise<Response> => {
    const sent = await serve(request)
    if (sent === 'hang up') return broken({ kind: 'reset' })
    const headers = { 'content-type': 'application/json', ...sent.headers }
    const link = sent.link === undefined ? {} : { link: ours(sent.link) }
    const text = [204, 304].includes(sent.status) ? null : ours(JSON.stringify(sent.body))
    return new Response(text, { status: sent.status, headers: { ...headers, ...link } })
  }

  return {
    ...emulator,
    async fetch(request) {
      try {
        return await respond(request)
      } catch (thrown) {
        violations.push(`${request.method} ${request.url}: this server failed: ${String(thrown)}`)
        return new Response('{}', { status: 500 })
      }
    },
    url: root + prefix,
    token: TOKEN,
    requests,
    violations: () => violations,
    fail: (fault) => faults.push({ ...fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    keepPullRequests: (pulls) => void (keptPulls = pulls),
    seedFiles: (number, changed) => void files.set(number, changed),
    seedComparison: (base, head, status) => {
      const merge_base_commit = { sha: status === 'behind' ? head : base }
      const body = { status, base_commit: { sha: base }, merge_base_commit, commits: [], files: [] }
      comparisons.set(`${base}...${head}`, body)
    },
    deployments: () => kept.all,
    startJob: (deployment) => kept.addOfJob(deployment),
  }
}

/** What the action reads of it. */
function showPullRequest(number: number, { state, labels }: AskedPullRequest): object {
  const repo = { full_name: REPOSITORY }
  const head = { ref: `feature/${number}`, sha: 'f'.repeat(40), repo }
  return { number, state, labels: labels.map((name) => ({ name })), head, base: { repo } }
}

/** The emulator accepts every token, and none. */
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
