import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import { createEmulator, type Emulator } from 'emulate'
import { z } from 'zod'
import { KeptDeployments, type KeptDeployment } from './deployments.ts'
import { loadDescription } from './openapi.ts'

export interface RecordedGitHubRequest {
  method: string
  /** Below the API's address, with its query. */
  path: string
  body: unknown
  headers: IncomingHttpHeaders
  status: number
}

/** What goes wrong with which requests, without anything being done. */
export interface GitHubFault {
  method?: string
  path: RegExp
  status: number | 'hang up'
  body?: unknown
  headers?: Record<string, string>
  /** Default: always. */
  times?: number
}

export interface GitHubApiOptions {
  /** Below /api/v3, as on GitHub Enterprise Server. */
  ghes?: boolean
  /** As whom the token of the action writes: the job's own bot, another app's, or a person. */
  login?: string
}

/** GitHub's REST API on loopback: the emulator, and what it lacks. */
export interface GitHubApi {
  /** As GITHUB_API_URL has it. */
  url: string
  /** What the action uses as github-token. */
  token: string
  requests: readonly RecordedGitHubRequest[]
  /** What GitHub's own description of its API would not have let pass. */
  violations: () => string[]
  fail: (fault: GitHubFault) => void
  seedPullRequest: (number: number, options?: { branch?: string; headRepository?: string }) => Promise<void>
  closePullRequest: (number: number) => Promise<void>
  comment: (issue: number, author: string, body: string) => Promise<number>
  comments: (issue: number) => Promise<{ id: number; author: string; body: string }[]>
  deleteComment: (id: number) => Promise<void>
  deployments: () => readonly KeptDeployment[]
  close: () => Promise<void>
}

const OWNER = 'octo-org'
const REPOSITORY = `${OWNER}/hello-agent`
export const TOKEN = 'ghs_the-token-of-the-job'
const OWNERS_TOKEN = 'owners-token'
const JOB_BOT = 'github-actions[bot]'
export const FORBIDDEN = { message: 'Resource not accessible by integration', status: '403' }

const listedComments = z.array(
  z.object({ id: z.number(), body: z.string(), user: z.object({ login: z.string() }) }),
)

export async function startGitHubApi(options: GitHubApiOptions = {}): Promise<GitHubApi> {
  const { ghes = false, login = JOB_BOT } = options
  const people = ['octocat', 'eve']
  const tokens: Record<string, { login: string; scopes: string[] }> = {
    [TOKEN]: { login, scopes: ['repo'] },
    [OWNERS_TOKEN]: { login: OWNER, scopes: ['repo'] },
  }
  for (const name of people) tokens[`token-of-${name}`] = { login: name, scopes: ['repo'] }
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens,
      github: {
        users: [...new Set([OWNER, login, JOB_BOT, ...people])].map((name) => ({ login: name })),
        repos: [{ owner: OWNER, name: 'hello-agent', auto_init: true }],
      },
    },
  })
  const description = loadDescription()
  const kept = new KeptDeployments(REPOSITORY)
  const requests: RecordedGitHubRequest[] = []
  const violations: string[] = []
  const faults: (GitHubFault & { left: number })[] = []
  const heads = new Map<number, string>()
  const prefix = ghes ? '/api/v3' : ''

  const answer = async (method: string, path: string, body: unknown, headers: IncomingHttpHeaders) => {
    if (/^(\/api)?\/graphql$/.test(path)) return { status: 200, body: { data: { viewer: { login } } } }
    const wrong = description.check({ method, path, body })
    violations.push(...wrong)
    if (wrong.length > 0) return { status: 422, body: { message: 'Validation Failed', errors: wrong } }
    if (path === '/user' && login.endsWith('[bot]')) return { status: 403, body: FORBIDDEN }
    const ours = kept.answer(method, path, body)
    if (ours !== undefined) return ours
    return await ask(emulator, method, path, body, headers.authorization ?? '')
  }
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const full = request.url ?? '/'
      const path = full.startsWith(prefix) ? full.slice(prefix.length) : full
      const method = request.method ?? 'GET'
      const record = { method, path, body, headers: request.headers, status: 0 }
      requests.push(record)
      const fault = faults.find((one) => matches(one, method, path))
      if (fault !== undefined) fault.left -= 1
      if (fault?.status === 'hang up') {
        request.socket.destroy()
        return
      }
      const told =
        fault === undefined
          ? await answer(method, path, body, request.headers)
          : { status: fault.status, body: fault.body ?? FORBIDDEN }
      record.status = told.status
      const text = told.status === 204 ? '' : JSON.stringify(withHeads(told.body, heads))
      response.writeHead(told.status, { 'content-type': 'application/json', ...fault?.headers }).end(text)
    })
  })
  const port = await listen(server)

  const owner = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    (await ask(emulator, method, `/repos/${REPOSITORY}${path}`, body, `token ${OWNERS_TOKEN}`)).body
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    token: TOKEN,
    requests,
    violations: () => violations,
    fail: (fault) => faults.push({ ...fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    async seedPullRequest(number, { branch = `feature/${number}`, headRepository } = {}) {
      const main = z
        .object({ object: z.object({ sha: z.string() }) })
        .parse(await owner('GET', '/git/ref/heads/main'))
      await owner('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha })
      await owner('PUT', `/contents/${number}.txt`, { message: 'x', content: 'eA==', branch })
      // Issues and pull requests share their numbers.
      for (;;) {
        const made = z
          .object({ number: z.number() })
          .parse(await owner('POST', '/issues', { title: 'before the pull request' }))
        if (made.number >= number - 1) break
      }
      const pull = z
        .object({ number: z.number() })
        .parse(await owner('POST', '/pulls', { title: 'A change', head: branch, base: 'main' }))
      if (pull.number !== number) throw new Error(`it became pull request ${pull.number}, not ${number}`)
      if (headRepository !== undefined) heads.set(number, headRepository)
    },
    async closePullRequest(number) {
      await owner('PATCH', `/pulls/${number}`, { state: 'closed' })
    },
    async comment(issue, author, body) {
      const token = author === login ? TOKEN : `token-of-${author}`
      const path = `/repos/${REPOSITORY}/issues/${issue}/comments`
      const made = await ask(emulator, 'POST', path, { body }, `token ${token}`)
      return z.object({ id: z.number() }).parse(made.body).id
    },
    async comments(issue) {
      const all = []
      for (let page = 1; ; page++) {
        const told = await owner('GET', `/issues/${issue}/comments?per_page=100&page=${page}`)
        const some = listedComments.parse(told)
        all.push(...some.map(({ id, body, user }) => ({ id, body, author: user.login })))
        if (some.length < 100) return all
      }
    },
    async deleteComment(id) {
      await owner('DELETE', `/issues/comments/${id}`)
    },
    deployments: () => kept.all,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await emulator.close()
    },
  }
}

function matches(
  { method, path, left }: GitHubFault & { left: number },
  wanted: string,
  at: string,
): boolean {
  return left > 0 && (method === undefined || method === wanted) && path.test(at)
}

async function ask(emulator: Emulator, method: string, path: string, body: unknown, authorization: string) {
  const response = await fetch(emulator.url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  const told: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body: told }
}

/** A pull request from a fork, as far as anybody looks. */
function withHeads(body: unknown, heads: ReadonlyMap<number, string>): unknown {
  const pull = z.looseObject({ number: z.number(), head: z.looseObject({}) }).safeParse(body).data
  const headRepository = pull === undefined ? undefined : heads.get(pull.number)
  if (pull === undefined || headRepository === undefined) return body
  return { ...pull, head: { ...pull.head, repo: { full_name: headRepository } } }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return body
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}
