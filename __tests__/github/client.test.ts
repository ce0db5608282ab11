import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { systemClock } from '../../src/real/world.ts'
import { GitHubClient, type GitHubClientOptions, type GitHub } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { fakeClock } from '../builders.ts'
import { overSockets } from '../networks.ts'

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up' | 'silence'

let server: Server
let answers: Answer[] = []
let seen: { path: string; authorization: string | undefined }[] = []

beforeEach(async () => {
  answers = []
  seen = []
  server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization })
    const answer = answers.shift() ?? { status: 200, body: [] }
    if (answer === 'silence') return
    if (answer === 'hang up') {
      request.socket.destroy()
      return
    }
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function connect(over: Partial<GitHubClientOptions> = {}): GitHub {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return new GitHubClient({
    token: 'ghs_hunter2',
    apiUrl: `http://127.0.0.1:${port}/api/v3`,
    owner: 'acme',
    repo: 'agent',
    signal: new AbortController().signal,
    clock: systemClock,
    network: overSockets(),
    deadline: () => Number.POSITIVE_INFINITY,
    onNotice: () => undefined,
    ...over,
  })
}

const whoAmI = {
  route: 'POST /graphql',
  parameters: { query: '{ viewer { login } }' },
  attempted: 'read the login of github-token',
  permission: 'contents: read',
} as const
const viewer = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) })

const read = {
  route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  parameters: { pull_number: 7 },
  attempted: 'read pull request 7',
  permission: 'pull-requests: read' as const,
}

async function failure(over: Partial<GitHubClientOptions> = {}): Promise<GitHubError> {
  const gitHub = connect(over)
  const error: unknown = await gitHub.request(read, z.unknown()).catch((thrown: unknown) => thrown)
  if (!(error instanceof GitHubError)) throw new Error('expected a GitHubError', { cause: error })
  return error
}

/** The times are by the clock of GitHub; that of the runner shows midnight. */
function resetAt(reset: string, date: string): Record<string, string> {
  return {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse(`2026-01-01T${reset}Z`) / 1000),
    date: date === '' ? '' : `Thu, 01 Jan 2026 ${date} GMT`,
  }
}

describe('the GitHub client', () => {
  it('sends requests below the base address, with the token', async () => {
    answers = [{ status: 200, body: { number: 7 } }]
    const gitHub = connect()
    expect(await gitHub.request(read, z.object({ number: z.number() }))).toEqual({ number: 7 })
    expect(seen).toEqual([{ path: '/api/v3/repos/acme/agent/pulls/7', authorization: 'token ghs_hunter2' }])
  })

  it('reads the login of the token', async () => {
    answers = [{ status: 200, body: { data: { viewer: { login: 'octocat' } } } }]
    expect((await connect().request(whoAmI, viewer)).data.viewer.login).toBe('octocat')
  })

  it('requests the next page only when it is needed', async () => {
    const full = Array.from({ length: 100 }, (_, id) => ({ id }))
    answers = [
      { status: 200, body: full },
      { status: 200, body: full },
      { status: 200, body: [{ id: 200 }] },
    ]
    const gitHub = connect()
    let count = 0
    for await (const { id } of gitHub.pages(read, z.array(z.object({ id: z.number() })))) count += id >= 0 ? 1 : 0
    expect(count).toBe(201)
    expect(seen.map(({ path }) => path.split('?')[1])).toEqual([
      'per_page=100&page=1',
      'per_page=100&page=2',
      'per_page=100&page=3',
    ])
    answers = [{ status: 200, body: full }]
    const first = gitHub.pages(read, z.array(z.object({ id: z.number() })))
    await first.next()
    await first.return()
    expect(seen).toHaveLength(4)
  })

  it.each<[string, Answer, RegExp]>([
    [
      '403',
      { status: 403, body: { message: 'Resource not accessible by integration' } },
      /refused it \(Resource not accessible by integration\)\. Grant the job the permission "pull-requests: read"/,
    ],
    [
      '403 without the address of the documentation',
      { status: 403, body: { message: 'No', documentation_url: 'https://docs.example/x' } },
      /refused it \(No\)\./,
    ],
    [
      'a rate limit whose end is beyond every calendar',
      { status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '9'.repeat(20) } },
      /limits the rate of requests \(slow down\)\.$/,
    ],
    [
      'a rate limit that the budget of requests says nothing about',
      {
        status: 429,
        body: { message: 'slow down' },
        headers: { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '2145916800' },
      },
      /limits the rate of requests \(slow down\)\.$/,
    ],
    [
      'an answer that is too large for memory',
      { status: 200, body: Array(100_002).fill(0) },
      /JSON that has far too many values, or is nested far too deeply/,
    ],
    ['404', { status: 404, body: { message: 'Not Found' } }, /HTTP 404.*check that this GitHub server has the route/],
    ['401', { status: 401, body: { message: 'Bad credentials' } }, /does not accept github-token \(Bad credentials\)/],
    ['422', { status: 422, body: { message: 'Validation Failed' } }, /HTTP 422 \(Validation Failed/],
    [
      'an exhausted budget of requests, although the status is 403',
      {
        status: 403,
        body: { message: 'API rate limit exceeded for installation ID 12345.' },
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2145916800' },
      },
      /limits the rate of requests until 00:00 UTC \(API rate limit exceeded for installation ID 12345\.\)\.$/,
    ],
    [
      'an exhausted budget of requests, whatever the words',
      { status: 403, body: { message: 'Forbidden' }, headers: { 'x-ratelimit-remaining': '0' } },
      /limits the rate of requests \(Forbidden\)\.$/,
    ],
    [
      'a rate limit of which only the message speaks',
      { status: 403, body: { message: 'You have exceeded a secondary Rate Limit.' } },
      /limits the rate of requests \(You have exceeded a secondary Rate Limit\.\)\.$/,
    ],
    [
      'a rate limit of another kind',
      { status: 403, body: { message: 'abuse' }, headers: { 'retry-after': '3600' } },
      /limits the rate of requests until \d\d:\d\d UTC \(abuse\)\.$/,
    ],
    [
      'a rate limit without an end',
      { status: 403, body: { message: 'API rate limit exceeded' }, headers: { 'retry-after': 'soon' } },
      /limits the rate of requests \(API rate limit exceeded\)\.$/,
    ],
    [
      'a locked conversation',
      { status: 403, body: { message: 'Unable to create comment because issue is locked.' } },
      /its conversation is locked \(Unable to create comment because issue is locked\.\)\.$/,
    ],
    ['a response of another shape', { status: 200, body: 'what?' }, /does not match its documentation/],
  ])('explains %s with the permission, and without the token', async (_case, answer, words) => {
    answers = [answer]
    const gitHub = connect()
    const error: unknown = await gitHub
      .request(read, z.object({ number: z.number() }))
      .catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(words)
    expect(String(error)).toContain('could not read pull request 7')
    expect(String(error)).not.toContain('hunter2')
    expect(seen).toHaveLength(1)
  })

  it('counts every rate limit as 429', async () => {
    answers = [{ status: 403, body: { message: 'x' }, headers: { 'retry-after': '3600' } }]
    expect((await failure()).status).toBe(429)
  })

  it('retries after a 502 and a broken connection', async () => {
    answers = [{ status: 502 }, 'hang up', { status: 200, body: { number: 7 } }]
    const gitHub = connect({ clock: fakeClock() })
    await gitHub.request(read, z.unknown())
    expect(seen).toHaveLength(3)
  })

  it.each<Answer>([{ status: 502 }, 'hang up'])(
    'sends a request once if a second one would repeat its effect',
    async (answer) => {
      answers = [answer]
      const gitHub = connect()
      await expect(gitHub.request({ ...read, once: true }, z.unknown())).rejects.toThrow(GitHubError)
      expect(seen).toHaveLength(1)
    },
  )

  it('waits for a short rate limit, with a notice', async () => {
    const limited = { status: 429, body: { message: 'secondary rate limit' }, headers: { 'retry-after': '1' } }
    answers = [limited, { status: 200, body: {} }]
    const notices: string[] = []
    const gitHub = connect({ clock: fakeClock(), onNotice: (text) => notices.push(text) })
    await gitHub.request(read, z.unknown())
    expect(notices).toEqual(['GitHub limits the rate of requests: trying again in 1 s.'])
  })

  const write = { ...read, route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments', once: true }

  it('makes no pause between the writes of a rollout, and one of a second between those of a cleanup', async () => {
    const clock = fakeClock()
    const gitHub = connect({ clock })
    for (let n = 0; n < 20; n++) {
      await gitHub.request(read, z.unknown())
      await gitHub.request({ ...write, parameters: { issue_number: n } }, z.unknown())
    }
    expect(clock.slept).toEqual([])
    for (let n = 0; n < 3; n++) await gitHub.request({ ...write, parameters: { issue_number: n } }, z.unknown())
    expect(clock.slept).toEqual([1000, 1000, 1000])
    expect(seen).toHaveLength(43)
  })

  it('says that a write had no turn, if the time for it is over during its pause', async () => {
    const ended = new AbortController()
    const over = new DOMException('the time for it is over', 'TimeoutError')
    const sleep = (): Promise<void> => {
      ended.abort(over)
      return Promise.reject(over)
    }
    const gitHub = connect({ clock: { ...fakeClock(), sleep }, signal: ended.signal })
    for (let n = 0; n < 20; n++) await gitHub.request(write, z.unknown())
    await expect(gitHub.request(write, z.unknown())).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(/takes 80 writes a minute, and the time for this one was over before its turn\.$/),
    })
    expect(seen).toHaveLength(20)
  })

  it.each<[string, number, Record<string, string>, number]>([
    ['Retry-After', 403, { 'retry-after': '7' }, 7_000],
    ['Retry-After', 429, { 'retry-after': '7' }, 7_000],
    ['Retry-After: 0', 429, { 'retry-after': '0' }, 0],
    ['x-ratelimit-reset', 403, resetAt('00:00:30', '00:00:00'), 30_000],
    ['x-ratelimit-reset, an hour ahead of the runner,', 403, resetAt('01:00:30', '01:00:00'), 30_000],
    ['x-ratelimit-reset without a date', 403, resetAt('00:00:30', ''), 30_000],
    ['x-ratelimit-reset in the past', 429, resetAt('00:00:00', '00:01:40'), 0],
  ])('waits as %s of a %i tells it, before a write too', async (_header, status, headers, pauseMs) => {
    const limited = { status, body: { message: 'You have exceeded a secondary rate limit.' }, headers }
    answers = [limited, limited, { status: 201, body: {} }]
    const clock = fakeClock()
    const gitHub = connect({ clock })
    await gitHub.request({ ...write, parameters: { issue_number: 7 } }, z.unknown())
    expect(clock.slept[0]).toBe(pauseMs)
    expect(seen).toHaveLength(3)
  })

  it.each<[string, Partial<GitHubClientOptions>, number | undefined]>([
    ['the deadline of the run', { deadline: () => 20_000 }, undefined],
    ['the limit of the request', {}, 20_000],
  ])('does not begin a wait that would last beyond %s', async (_limit, over, withinMs) => {
    answers = [{ status: 429, body: { message: 'rate limit' }, headers: { 'retry-after': '20' } }]
    const clock = fakeClock()
    const gitHub = connect({ clock, ...over })
    const limits = withinMs === undefined ? {} : { withinMs }
    await expect(gitHub.request({ ...read, ...limits }, z.unknown())).rejects.toThrow('limits the rate of requests')
    expect(clock.slept).toEqual([])
  })

  it('sends no other request before a rate limit has ended, and none that cannot wait for it', async () => {
    answers = [{ status: 403, body: { message: 'secondary rate limit' }, headers: { 'retry-after': '7' } }]
    const clock = fakeClock()
    const gitHub = connect({ clock })
    const hurried = { ...read, withinMs: 5_000 }
    await expect(gitHub.request(hurried, z.unknown())).rejects.toThrow('limits the rate of requests')
    const refused = 'could not read pull request 7: GitHub limits the rate of requests until 00:00 UTC.'
    await expect(gitHub.request(hurried, z.unknown())).rejects.toMatchObject({ message: refused, status: 429 })
    expect(seen).toHaveLength(1)
    await gitHub.request(read, z.unknown())
    await gitHub.request(read, z.unknown())
    expect([clock.slept, seen.length]).toEqual([[7_000], 3])
  })

  it('gives up after the third refusal for a rate limit', async () => {
    const limited = { status: 429, body: { message: 'rate limit' }, headers: { 'retry-after': '5' } }
    answers = [limited, limited, limited]
    const clock = fakeClock()
    const gitHub = connect({ clock })
    await expect(gitHub.request(read, z.unknown())).rejects.toThrow('limits the rate of requests')
    expect([clock.slept, seen.length]).toEqual([[5_000, 5_000], 3])
  })

  it('waits longer before the second retry after a failure', async () => {
    answers = [{ status: 502, headers: { connection: 'close' } }, 'hang up', { status: 200, body: {} }]
    const clock = fakeClock()
    await connect({ clock }).request(read, z.unknown())
    expect(clock.slept).toEqual([1_000, 4_000])
  })

  it('reads again at once if GitHub has closed the idle connection, and counts only what a fresh one does', async () => {
    const clock = fakeClock()
    const gitHub = connect({ clock })
    await gitHub.request(read, z.unknown())
    answers = ['hang up']
    await gitHub.request(read, z.unknown())
    expect([clock.slept, seen.length]).toEqual([[], 3])
    answers = ['hang up', 'hang up']
    await gitHub.request(read, z.unknown())
    expect([clock.slept, seen.length]).toEqual([[1_000], 6])
  })

  it('asks for compressed answers to reads, and each write has its own connection', async () => {
    const requests: [string, string | undefined, unknown][] = []
    server.on('request', ({ method = '', headers, socket }: IncomingMessage) => {
      requests.push([method, headers['accept-encoding'], socket])
    })
    const gitHub = connect()
    for (const route of [read.route, 'POST /repos/{owner}/{repo}/deployments', read.route])
      await gitHub.request({ ...read, route }, z.unknown())
    expect(requests.map(([method, encoding]) => [method, encoding])).toEqual([
      ['GET', 'gzip'],
      ['POST', undefined],
      ['GET', 'gzip'],
    ])
    expect(requests[2]?.[2]).toBe(requests[0]?.[2])
    expect(requests[1]?.[2]).not.toBe(requests[0]?.[2])
  })

  it('does not ask again after an answer that it cannot use', async () => {
    answers = [{ status: 302, headers: { location: 'https://elsewhere.example/' } }]
    const clock = fakeClock()
    await expect(connect({ clock }).request(read, z.unknown())).rejects.toThrow('a redirect')
    expect([clock.slept, seen.length]).toEqual([[], 1])
  })

  it('does not ask again after an answer of GraphQL that is an error', async () => {
    answers = [{ status: 200, body: { errors: [{ message: 'no' }] } }]
    const clock = fakeClock()
    await expect(connect({ clock }).request(whoAmI, viewer)).rejects.toThrow(GitHubError)
    expect([clock.slept, seen.length]).toEqual([[], 1])
  })

  it('may pause longer than the limit of an attempt', async () => {
    answers = [
      { status: 429, body: { message: 'secondary rate limit' }, headers: { 'retry-after': '20' } },
      { status: 200, body: {} },
    ]
    const clock = fakeClock()
    await connect({ clock }).request(read, z.unknown())
    expect([clock.slept, seen.length]).toEqual([[20_000], 2])
  })

  it('does not retry after a timeout', async () => {
    answers = ['silence']
    const clock = fakeClock()
    server.once('request', () => clock.advance(15_000))
    const { message } = await failure({ clock })
    expect(message).toContain('cannot be reached (no answer in time)')
    expect([clock.slept, seen.length]).toEqual([[], 1])
  })

  it.each<[string, Answer[], number]>([
    ['silence', ['silence'], 300],
    ['one failure after the other', [{ status: 502 }, { status: 502 }], 0],
  ])('ends a request after its limit, with %s', async (_case, given, takesMs) => {
    answers = given
    const clock = fakeClock()
    server.once('request', () => clock.advance(takesMs))
    const asking = connect({ clock }).request({ ...read, withinMs: 300 }, z.unknown())
    await expect(asking).rejects.toThrow('cannot be reached (no answer in time)')
    clock.advance(60_000)
    await pause(0)
    expect([clock.timers(), seen.length]).toEqual([0, 1])
  })

  it.each(['3600', '61'])('does not wait for a rate limit of %s seconds', async (seconds) => {
    answers = [{ status: 429, body: { message: 'secondary rate limit' }, headers: { 'retry-after': seconds } }]
    expect((await failure()).message).toContain('limits the rate')
  })

  it('does not wait for a rate limit beyond the deadline', async () => {
    answers = [{ status: 429, body: { message: 'secondary rate limit' }, headers: { 'retry-after': '20' } }]
    expect((await failure({ deadline: () => systemClock.now() + 5_000 })).status).toBe(429)
  })

  it('names the wrong answer if the run ends before the next one', async () => {
    const clock = { ...fakeClock(), sleep: () => Promise.reject(new Error('aborted')) }
    const wrong = z.unknown().refine(() => false, 'is about another pull request')
    const asking = connect({ clock }).request(read, wrong)
    await expect(asking).rejects.toThrow("GitHub's response is about another pull request")
  })

  it('refuses a list that is too long', async () => {
    const full = Array.from({ length: 100 }, (_, id) => ({ id }))
    answers = Array.from({ length: 20 }, () => ({ status: 200, body: full }))
    const ids: number[] = []
    const all = (async () => {
      for await (const { id } of connect().pages(read, z.array(z.object({ id: z.number() })))) ids.push(id)
    })()
    await expect(all).rejects.toThrow('the list has more than 1500 entries')
    expect(seen).toHaveLength(15)
  })

  it('follows three redirects within the origin, and ends their connections', async () => {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    answers = Array.from({ length: 9 }, () => ({ status: 307, headers: { location: '/elsewhere' } }))
    expect((await failure()).message).toContain('HTTP 307, a redirect that is not followed')
    expect(seen.map(({ path }) => path)).toEqual([
      '/api/v3/repos/acme/agent/pulls/7',
      ...Array<string>(3).fill('/elsewhere'),
    ])
    await pause(50)
    expect(sockets.size).toBe(0)
  })

  it.each([undefined, 10_000])('aborts a request at once when the run is cancelled, within %s ms', async (withinMs) => {
    answers = ['silence']
    const cancel = new AbortController()
    server.once('request', () => {
      cancel.abort()
    })
    const startedAt = systemClock.now()
    const limits = withinMs === undefined ? {} : { withinMs }
    const asking = connect({ signal: cancel.signal }).request({ ...read, ...limits }, z.unknown())
    await expect(asking).rejects.toThrow(GitHubError)
    expect(systemClock.now() - startedAt).toBeLessThan(5_000)
    expect(seen).toHaveLength(1)
  })
})
