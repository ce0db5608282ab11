import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { systemClock } from '../../src/real/world.ts'
import type { GitHubClientOptions, GitHub } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { aServer } from '../a-server.ts'
import { fakeClock } from '../builders.ts'
import { AnsweringServer, type Answer } from './answering-server.ts'

let answers: Answer[] = []
const server = AnsweringServer.forEachTest()
beforeEach(() => {
  answers = []
  server.respond = () => answers.shift() ?? { status: 200, body: [] }
})

const connect = (over: Partial<GitHubClientOptions> = {}): GitHub => server.connect(over, '/api/v3')

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

/** Sends the request with the options. */
const ask = async (over: Partial<GitHubClientOptions> = {}, limits: { withinMs?: number; isSentOnce?: true } = {}) =>
  await connect(over).request({ ...read, ...limits }, z.unknown())

const refused = (status: number, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { message },
  headers,
})
/** A rate limit that ends after so many seconds. */
const limitedFor = (seconds: number | string): Answer => refused(429, 'rate limit', { 'retry-after': String(seconds) })

/** A list, and a page of it that has no room for more. */
const entries = z.array(z.object({ id: z.number() }))
const full = { status: 200, body: Array.from({ length: 100 }, (_, id) => ({ id })) }
const linking = (next: string) => ({ link: `<${next}>; rel="next", </last>; rel="last"` })
const fullBefore = (next: string): Answer => ({ ...full, headers: linking(next) })

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
    expect(server.asked).toMatchObject([
      { path: '/api/v3/repos/acme/agent/pulls/7', authorization: 'token ghs_hunter2' },
    ])
  })

  it('reads the login of the token', async () => {
    answers = [{ status: 200, body: { data: { viewer: { login: 'octocat' } } } }]
    expect((await connect().request(whoAmI, viewer)).data.viewer.login).toBe('octocat')
  })

  it('requests the next page only when it is needed', async () => {
    answers = [fullBefore('/second'), fullBefore('/third?page=3'), { status: 200, body: [{ id: 200 }] }]
    const gitHub = connect()
    expect(await Array.fromAsync(gitHub.pages(read, entries))).toHaveLength(201)
    expect(server.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/api/v3/repos/acme/agent/pulls/7?per_page=100', 'token ghs_hunter2'],
      ['/api/v3/second', 'token ghs_hunter2'],
      ['/api/v3/third?page=3', 'token ghs_hunter2'],
    ])
    answers = [fullBefore('/second')]
    const first = gitHub.pages(read, entries)
    await first.next()
    await first.return()
    expect(server.asked).toHaveLength(4)
  })

  it.each<[string, Answer, RegExp]>([
    [
      '403',
      refused(403, 'Resource not accessible by integration'),
      /refused it \(Resource not accessible by integration\)\. Grant the job the permission "pull-requests: read"/,
    ],
    [
      '403 without the address of the documentation',
      { status: 403, body: { message: 'No', documentation_url: 'https://docs.example/x' } },
      /refused it \(No\)\./,
    ],
    [
      'a rate limit whose end is beyond every calendar',
      refused(429, 'slow down', { 'retry-after': '9'.repeat(20) }),
      /limits the rate of requests \(slow down\)\.$/,
    ],
    [
      'a rate limit that the budget of requests says nothing about',
      refused(429, 'slow down', { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '2145916800' }),
      /limits the rate of requests \(slow down\)\.$/,
    ],
    [
      'an answer that is too large for memory',
      { status: 200, body: Array(100_002).fill(0) },
      /JSON that has far too many values, or is nested far too deeply/,
    ],
    ['404', refused(404, 'Not Found'), /HTTP 404.*check that this GitHub server has the route/],
    ['401', refused(401, 'Bad credentials'), /does not accept github-token \(Bad credentials\)/],
    ['422', refused(422, 'Validation Failed'), /HTTP 422 \(Validation Failed/],
    [
      'an exhausted budget of requests, although the status is 403',
      refused(403, 'API rate limit exceeded for installation ID 12345.', {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '2145916800',
      }),
      /limits the rate of requests until 00:00 UTC \(API rate limit exceeded for installation ID 12345\.\)\.$/,
    ],
    [
      'an exhausted budget of requests, whatever the words',
      refused(403, 'Forbidden', { 'x-ratelimit-remaining': '0' }),
      /limits the rate of requests \(Forbidden\)\.$/,
    ],
    [
      'a rate limit of which only the message speaks',
      refused(403, 'You have exceeded a secondary Rate Limit.'),
      /limits the rate of requests \(You have exceeded a secondary Rate Limit\.\)\.$/,
    ],
    [
      'a rate limit of another kind',
      refused(403, 'abuse', { 'retry-after': '3600' }),
      /limits the rate of requests until \d\d:\d\d UTC \(abuse\)\.$/,
    ],
    [
      'a rate limit without an end',
      refused(403, 'API rate limit exceeded', { 'retry-after': 'soon' }),
      /limits the rate of requests \(API rate limit exceeded\)\.$/,
    ],
    [
      'a locked conversation',
      refused(403, 'Unable to create comment because issue is locked.'),
      /its conversation is locked \(Unable to create comment because issue is locked\.\)\.$/,
    ],
    ['a response of another shape', { status: 200, body: 'what?' }, /does not match its documentation/],
  ])('explains %s with the permission, and without the token', async (_case, answer, words) => {
    answers = [answer]
    const asking = connect({ clock: systemClock }).request(read, z.object({ number: z.number() }))
    await expect(asking).rejects.toThrow(words)
    await expect(asking).rejects.toThrow('could not read pull request 7')
    await expect(asking).rejects.not.toThrow('hunter2')
    expect(server.asked).toHaveLength(1)
  })

  it('counts every rate limit as 429', async () => {
    answers = [refused(403, 'x', { 'retry-after': '3600' })]
    await expect(ask()).rejects.toMatchObject({ name: 'GitHubError', status: 429 })
  })

  it.each<Answer>([{ status: 502 }, 'hang up'])(
    'sends a request once if a second one would repeat its effect',
    async (answer) => {
      answers = [answer]
      await expect(ask({}, { isSentOnce: true })).rejects.toThrow(GitHubError)
      expect(server.asked).toHaveLength(1)
    },
  )

  it('waits for a short rate limit, with a notice', async () => {
    answers = [limitedFor(1)]
    const notices: string[] = []
    await ask({ onNotice: (text) => notices.push(text) })
    expect(notices).toEqual(['GitHub limits the rate of requests: trying again in 1 s.'])
  })

  const write = { ...read, route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments', isSentOnce: true }

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
    expect(server.asked).toHaveLength(43)
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
    expect(server.asked).toHaveLength(20)
  })

  it.each<[string, number, Record<string, string>, number]>([
    ['Retry-After', 403, { 'retry-after': '7' }, 7_000],
    ['Retry-After', 429, { 'retry-after': '7' }, 7_000],
    ['Retry-After: 0', 429, { 'retry-after': '0' }, 1_000],
    ['Retry-After in the past', 403, { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 1_000],
    [
      'Retry-After: 0 beside x-ratelimit-reset',
      403,
      { ...resetAt('00:00:30', '00:00:00'), 'retry-after': '0' },
      30_000,
    ],
    ['Retry-After longer than an attempt may take', 429, { 'retry-after': '20' }, 20_000],
    ['x-ratelimit-reset', 403, resetAt('00:00:30', '00:00:00'), 30_000],
    ['x-ratelimit-reset, an hour ahead of the runner,', 403, resetAt('01:00:30', '01:00:00'), 30_000],
    ['x-ratelimit-reset without a date', 403, resetAt('00:00:30', ''), 30_000],
    ['x-ratelimit-reset in the past', 429, resetAt('00:00:00', '00:01:40'), 1_000],
  ])('waits as %s of a %i tells it, before a write too', async (_header, status, headers, pauseMs) => {
    const limited = refused(status, 'You have exceeded a secondary rate limit.', headers)
    answers = [limited, limited, { status: 201 }]
    const clock = fakeClock()
    await connect({ clock }).request({ ...write, parameters: { issue_number: 7 } }, z.unknown())
    expect(clock.slept[0]).toBe(pauseMs)
    expect(clock.slept[1]).toBeGreaterThanOrEqual(4_000)
    expect(server.asked).toHaveLength(3)
  })

  it.each<[string, Partial<GitHubClientOptions>, { withinMs?: number }]>([
    ['the deadline of the run', { deadline: () => 20_000 }, {}],
    ['the limit of the request', {}, { withinMs: 20_000 }],
  ])('does not begin a wait that would last beyond %s', async (_limit, over, limits) => {
    answers = [limitedFor(20)]
    const clock = fakeClock()
    await expect(ask({ clock, ...over }, limits)).rejects.toThrow('limits the rate of requests')
    expect(clock.slept).toEqual([])
  })

  it('sends no other request before a rate limit has ended, and none that cannot wait for it', async () => {
    answers = [refused(403, 'secondary rate limit', { 'retry-after': '7' })]
    const clock = fakeClock()
    const gitHub = connect({ clock })
    const hurried = { ...read, withinMs: 5_000 }
    await expect(gitHub.request(hurried, z.unknown())).rejects.toThrow('limits the rate of requests')
    const message = 'could not read pull request 7: GitHub limits the rate of requests until 00:00 UTC.'
    await expect(gitHub.request(hurried, z.unknown())).rejects.toMatchObject({ message, status: 429 })
    expect(server.asked).toHaveLength(1)
    await gitHub.request(read, z.unknown())
    await gitHub.request(read, z.unknown())
    expect([clock.slept, server.asked.length]).toEqual([[7_000], 3])
  })

  it('gives up after the third refusal for a rate limit', async () => {
    answers = [limitedFor(5), limitedFor(5), limitedFor(5)]
    const clock = fakeClock()
    await expect(ask({ clock })).rejects.toThrow('limits the rate of requests')
    expect([clock.slept, server.asked.length]).toEqual([[5_000, 5_000], 3])
  })

  it('waits longer before the second retry after a failure', async () => {
    answers = [{ status: 502, headers: { connection: 'close' } }, 'hang up']
    const clock = fakeClock()
    await ask({ clock })
    expect([clock.slept, server.asked.length]).toEqual([[1_000, 4_000], 3])
  })

  it('reads again at once if GitHub has closed the idle connection, and counts only what a fresh one does', async () => {
    const clock = fakeClock()
    const gitHub = connect({ clock })
    await gitHub.request(read, z.unknown())
    answers = ['hang up']
    await gitHub.request(read, z.unknown())
    expect([clock.slept, server.asked.length]).toEqual([[], 3])
    answers = ['hang up', 'hang up']
    await gitHub.request(read, z.unknown())
    expect([clock.slept, server.asked.length]).toEqual([[1_000], 6])
  })

  it('asks for compressed answers to reads, and each write has its own connection', async () => {
    const requests: [string, string | undefined, unknown][] = []
    server.http.on('request', ({ method = '', headers, socket }: IncomingMessage) => {
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
    await expect(ask({ clock })).rejects.toThrow('a redirect')
    expect([clock.slept, server.asked.length]).toEqual([[], 1])
  })

  it('does not ask again after an answer of GraphQL that is an error', async () => {
    answers = [{ status: 200, body: { errors: [{ message: 'no' }] } }]
    const clock = fakeClock()
    await expect(connect({ clock }).request(whoAmI, viewer)).rejects.toThrow(GitHubError)
    expect([clock.slept, server.asked.length]).toEqual([[], 1])
  })

  it('does not retry after a timeout', async () => {
    answers = ['silence']
    const clock = fakeClock()
    server.http.once('request', () => clock.advance(15_000))
    await expect(ask({ clock })).rejects.toThrow('cannot be reached (no answer in time)')
    expect([clock.slept, server.asked.length]).toEqual([[], 1])
  })

  it.each<[string, Answer[], number]>([
    ['silence', ['silence'], 300],
    ['one failure after the other', [{ status: 502 }, { status: 502 }], 0],
  ])('ends a request after its limit, with %s', async (_case, given, takesMs) => {
    answers = given
    const clock = fakeClock()
    server.http.once('request', () => clock.advance(takesMs))
    await expect(ask({ clock }, { withinMs: 300 })).rejects.toThrow('cannot be reached (no answer in time)')
    clock.advance(60_000)
    await pause(0)
    expect([clock.timers(), server.asked.length]).toEqual([0, 1])
  })

  it.each([3600, 61])('does not wait for a rate limit of %d seconds', async (seconds) => {
    answers = [limitedFor(seconds)]
    await expect(ask()).rejects.toThrow('limits the rate')
  })

  it('names the wrong answer if the run ends before the next one', async () => {
    const clock = { ...fakeClock(), sleep: () => Promise.reject(new Error('aborted')) }
    const wrong = z.unknown().refine(() => false, 'is about another pull request')
    const asking = connect({ clock }).request(read, wrong)
    await expect(asking).rejects.toThrow("GitHub's response is about another pull request")
  })

  it.each<[string, Answer]>([
    ['is too long', fullBefore('/next')],
    ['is too long, although its last page has room', { status: 200, body: [], headers: linking('/next') }],
    ['GitHub may have cut', full],
  ])('refuses a list that %s', async (_case, last) => {
    answers = [...Array.from({ length: 14 }, () => fullBefore('/next')), last]
    const all = Array.fromAsync(connect().pages(read, entries))
    await expect(all).rejects.toThrow('the list has more than 1500 entries')
    expect(server.asked).toHaveLength(15)
  })

  it('takes a list for whole whose last page ends it, however many entries that are', async () => {
    answers = [...Array.from({ length: 14 }, () => fullBefore('/next')), { status: 200, body: [{ id: 1 }] }]
    expect(await Array.fromAsync(connect().pages(read, entries))).toHaveLength(1_401)
  })

  it('sends no token to the address of a next page that is elsewhere', async () => {
    const elsewhere = await aServer((_request, response) => response.end('[]'))
    const asked: unknown[] = []
    elsewhere.server.on('request', ({ url }: IncomingMessage) => asked.push(url))
    const { port } = new URL(elsewhere.url)
    for (const next of [`${elsewhere.url}/next`, `@127.0.0.1:${port}/next`, 'https://[', 'httpx://next']) {
      answers = [fullBefore(next)]
      server.asked = []
      const clock = fakeClock()
      await expect(Array.fromAsync(server.connect({ clock }).pages(read, entries))).rejects.toMatchObject({
        name: 'GitHubError',
        message:
          'could not read pull request 7: GitHub answered with a next page at another address, which is not requested.',
      })
      expect([server.asked.length, clock.slept]).toEqual([1, []])
    }
    expect(asked).toEqual([])
  })

  it.each<[string, Answer]>([
    ['fails', { status: 502 }],
    ['is about something else', { status: 200, body: [{ id: 'about another list' }] }],
  ])('requests a page again that %s, and none twice', async (_case, wrong) => {
    answers = [fullBefore('/second'), wrong, { status: 200, body: [{ id: 100 }] }]
    const ours = z.array(
      z.object({ id: z.unknown() }).refine(({ id }) => typeof id === 'number', 'is about another list'),
    )
    expect(await Array.fromAsync(connect().pages(read, ours))).toHaveLength(101)
    expect(server.asked.map(({ path }) => path.replace('/api/v3', ''))).toEqual([
      '/repos/acme/agent/pulls/7?per_page=100',
      '/second',
      '/second',
    ])
  })

  it('ends the attempt of a page after its time', async () => {
    answers = ['silence']
    const clock = fakeClock()
    server.http.once('request', () => clock.advance(15_000))
    const all = Array.fromAsync(connect({ clock }).pages(read, entries))
    const end = Promise.race([all, pause(5_000, 'still waiting')])
    await expect(end).rejects.toThrow('cannot be reached (no answer in time)')
    expect(server.asked).toHaveLength(1)
  })

  it('takes no refusal for the end of a list', async () => {
    answers = [fullBefore('/second'), refused(409, 'Conflict')]
    await expect(Array.fromAsync(connect().pages(read, entries))).rejects.toThrow('HTTP 409 (Conflict)')
  })

  it('follows three redirects within the origin, and ends their connections', async () => {
    const sockets = new Set<Socket>()
    server.http.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    answers = Array.from({ length: 9 }, () => ({ status: 307, headers: { location: '/elsewhere' } }))
    await expect(ask()).rejects.toThrow('HTTP 307, a redirect that is not followed')
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/api/v3/repos/acme/agent/pulls/7',
      ...Array<string>(3).fill('/elsewhere'),
    ])
    await pause(50)
    expect(sockets.size).toBe(0)
  })

  it.each([{}, { withinMs: 10_000 }])('aborts a request at once when the run is cancelled, with %j', async (limits) => {
    answers = ['silence']
    const cancel = new AbortController()
    server.http.once('request', () => {
      cancel.abort()
    })
    const startedAt = systemClock.now()
    await expect(ask({ signal: cancel.signal, clock: systemClock }, limits)).rejects.toThrow(GitHubError)
    expect(systemClock.now() - startedAt).toBeLessThan(5_000)
    expect(server.asked).toHaveLength(1)
  })
})
