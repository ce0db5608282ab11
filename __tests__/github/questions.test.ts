import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { readEvent, type WorkflowEvent } from '../../src/github/event.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { openGitHub, type GitHubQuestions } from '../../src/github/questions.ts'
import { fastClock } from '../fast-clock.ts'
import { NO_PAYLOAD } from '../here.ts'
import { overSockets } from '../networks.ts'

/** All times of this file are of a clock that is so many times faster. */
const clock = fastClock(10)

/** A GitHub that accepts every connection and never answers. */
let server: Server
beforeAll(async () => {
  server = createServer((socket) => {
    open.push(() => socket.destroy())
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
const open: (() => void)[] = []
afterAll(async () => {
  for (const end of open.splice(0)) end()
  await new Promise((resolve) => server.close(resolve))
})

async function questions(
  timeoutMs: number,
  over: Partial<WorkflowEvent> = {},
  token: string | null = 'x',
  signal?: AbortSignal,
): Promise<{ gitHub: GitHubQuestions; warnings: string[]; notes: string[] }> {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const event = await readEvent({}, NO_PAYLOAD)
  const warnings: string[] = []
  const notes: string[] = []
  const gitHub = openGitHub({
    event: {
      ...event,
      apiUrl: `http://127.0.0.1:${port}`,
      repository: 'acme/agent',
      ref: { kind: 'pull-request', branch: 'x', headRepository: 'acme/agent', foreign: false },
      pullRequest: { number: 7, closed: false },
      ...over,
    },
    token: token ?? undefined,
    clock,
    network: overSockets(),
    deadline: clock.now() + timeoutMs,
    ...(signal && { signal }),
    log: { info: (text) => notes.push(text), warning: (text) => warnings.push(text) },
  })
  return { gitHub, warnings, notes }
}

async function durationOf(asking: Promise<unknown>): Promise<number> {
  const startedAt = clock.now()
  expect(await asking).toBeUndefined()
  return clock.now() - startedAt
}

describe('a warning about GitHub', () => {
  it.each<[string, GitHubError]>([
    ['a rate limit', new GitHubError('too many', 429)],
    ['a missing permission', new GitHubError('refused', 403, { lacks: 'deployments: write' })],
  ])('is given once about %s, and is a note after that', async (_case, thrown) => {
    const { gitHub, warnings, notes } = await questions(10_000)
    gitHub.warn('one', thrown)
    gitHub.warn('two', thrown)
    expect([warnings, notes]).toEqual([[`one: ${thrown.message}`], [`two: ${thrown.message}`]])
  })

  it('is given once about questions, whatever their number', async () => {
    const { gitHub, warnings } = await questions(10_000, { repository: undefined })
    for (const number of [7, 8]) expect(await gitHub.readPullRequest(number)).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/^Could not read pull requests from GitHub: GITHUB_REPOSITORY /)])
  })

  it('is given once if there is no token', async () => {
    const { gitHub, warnings } = await questions(10_000, {}, null)
    expect(await gitHub.pullRequestStates([], undefined)).toEqual(new Map())
    expect(warnings).toEqual([])
    expect(await gitHub.readPullRequest(7)).toBeUndefined()
    expect(await gitHub.compareCommits('a', 'b')).toBeUndefined()
    expect(warnings).toEqual(['Could not read pull requests from GitHub: github-token is empty'])
  })

  it('is given each time about anything else', async () => {
    const { gitHub, warnings } = await questions(10_000)
    for (const text of ['one', 'two']) gitHub.warn(text, new GitHubError('no answer', undefined))
    expect(warnings).toEqual(['one: no answer', 'two: no answer'])
  })
})

describe('a question of a run that is cancelled', () => {
  type Ask = (gitHub: GitHubQuestions) => Promise<unknown>
  const questionsOfRuns: [string, Ask][] = [
    ['one pull request', async (gitHub) => await gitHub.readPullRequest(8)],
    ['many', async (gitHub) => await gitHub.pullRequestStates([1, 2, 3, 4, 5], undefined)],
    ['two commits', async (gitHub) => await gitHub.compareCommits('a', 'b')],
  ]
  const reason = new Error('The runner sent SIGINT')

  it.concurrent.each(questionsOfRuns)('about %s ends at once, and warns of nothing', async (_what, ask) => {
    const cancelled = new AbortController()
    const { gitHub, warnings, notes } = await questions(600_000, {}, 'x', cancelled.signal)
    const asking = ask(gitHub)
    setTimeout(() => {
      cancelled.abort(reason)
      gitHub.endWithin(500)
    }, 200)
    await expect(asking).rejects.toBe(reason)
    await expect(ask(gitHub)).rejects.toBe(reason)
    // The request itself ends later.
    await clock.sleep(1_500, new AbortController().signal)
    expect([warnings, notes]).toEqual([[], []])
  })

  it('about anything is not sent after that', async () => {
    const { gitHub, warnings } = await questions(10_000, {}, null, AbortSignal.abort(reason))
    for (const [, ask] of questionsOfRuns) await expect(ask(gitHub)).rejects.toBe(reason)
    expect(warnings).toEqual([])
  })
})

describe('questions to a GitHub that does not answer', () => {
  it.concurrent('take a small part of the time of a run that does not need the answer', async () => {
    const { gitHub, warnings } = await questions(10_000)
    expect(await durationOf(gitHub.readPullRequest(7))).toBeLessThan(7_500)
    expect(await durationOf(gitHub.compareCommits('a', 'b'))).toBeLessThan(7_500)
    expect(warnings.join('\n')).toMatch(/GitHub cannot be reached \(no answer in time\)/)
  })

  it.concurrent('never take longer than the run has left, even if it needs the answer', async () => {
    const { gitHub } = await questions(3_000)
    expect(await durationOf(gitHub.readPullRequest(8))).toBeLessThan(12_000)
  })

  it.concurrent('have their time where the event does not answer them, as that of a comment', async () => {
    const { gitHub } = await questions(5_000, { ref: { kind: 'branch', name: 'main' } })
    expect(await durationOf(gitHub.readPullRequest(7))).toBeGreaterThan(4_000)
  })

  it.concurrent('take a few seconds where the event answers them, however long the run may take', async () => {
    const { gitHub } = await questions(600_000)
    expect(await durationOf(gitHub.readPullRequest(7))).toBeLessThan(12_000)
  })

  it.concurrent('have two seconds even at the end of the run', async () => {
    const { gitHub } = await questions(0)
    expect(await durationOf(gitHub.readPullRequest(8))).toBeGreaterThan(1_900)
  })

  it.concurrent('have the time that the end allows, also long after the time of the run', async () => {
    const { gitHub } = await questions(-60_000)
    const asking = gitHub.readPullRequest(8)
    gitHub.endWithin(1_000)
    expect(await durationOf(asking)).toBeGreaterThan(900)
  })

  it.concurrent('end a few seconds after the time of the run, whatever the end allows', async () => {
    const { gitHub } = await questions(0)
    gitHub.endWithin(60_000)
    const asked = { route: 'GET /user', attempted: 'ask', permission: 'contents: read' } as const
    const asking = (await gitHub.connect()).request(asked, z.unknown()).catch(() => undefined)
    expect(await durationOf(asking)).toBeLessThan(8_000)
  })

  it.concurrent('end at once when the run ends', async () => {
    const { gitHub } = await questions(60_000)
    const asking = gitHub.readPullRequest(8)
    gitHub.endWithin(100)
    expect(await durationOf(asking)).toBeLessThan(3_000)
  })

  it.concurrent('are asked once about many pull requests, not once for each', async () => {
    const { gitHub } = await questions(3_000)
    const startedAt = clock.now()
    expect(await gitHub.pullRequestStates([1, 2, 3], undefined)).toEqual(new Map())
    expect(clock.now() - startedAt).toBeLessThan(12_000)
  })
})
