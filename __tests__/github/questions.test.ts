import { beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createChance } from '../../sandbox/chance.ts'
import { SimulatedTime } from '../../simulation/time.ts'
import type { Network } from '../../src/world.ts'
import { readEvent, type WorkflowEvent } from '../../src/github/event.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { GitHubOfRun } from '../../src/github/questions.ts'
import { PARTS } from '../../src/parts.ts'
import { NO_PAYLOAD } from '../here.ts'
import { replying } from '../networks.ts'

const time = new SimulatedTime(Date.UTC(2026, 0, 1), createChance(1))

/** A GitHub that accepts every connection and never answers. */
const SILENT: Network = {
  send: async ({ signal }) => {
    await time.sleep(3_600_000, signal)
    throw new Error('the connection was closed without an answer')
  },
  hasProxy: () => false,
}

// Its modules are loaded before time passes.
beforeAll(async () => await (await questions(10_000)).gitHub.connect())

/** `token`: null for a step without one. */
interface Setting {
  event?: Partial<WorkflowEvent>
  token?: string | null
  signal?: AbortSignal
  network?: Network
}

async function questions(
  timeoutMs: number,
  { event: over = {}, token = 'x', signal = new AbortController().signal, network = SILENT }: Setting = {},
): Promise<{ gitHub: GitHubOfRun; warnings: string[]; notes: string[] }> {
  const event = await readEvent({}, NO_PAYLOAD)
  const warnings: string[] = []
  const notes: string[] = []
  const gitHub = new GitHubOfRun({
    ...PARTS,
    event: {
      ...event,
      apiUrl: 'https://github.example',
      repository: 'acme/agent',
      head: { branch: 'x', headRepository: 'acme/agent', isFromFork: false, commit: undefined },
      pullRequest: { number: 7, isClosed: false },
      attempt: { run: '7351', attempt: 1 },
      ...over,
    },
    token: token ?? undefined,
    clock: time,
    network,
    deadline: time.now() + timeoutMs,
    signal,
    log: { info: (text) => notes.push(text), warning: (text) => warnings.push(text) },
  })
  return { gitHub, warnings, notes }
}

async function durationOf(asking: Promise<unknown>): Promise<number> {
  const startedAt = time.now()
  expect(await asking).toBeUndefined()
  return time.now() - startedAt
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
    const { gitHub, warnings } = await questions(10_000, { event: { repository: undefined } })
    for (const number of [7, 8]) expect(await gitHub.readPullRequest(number)).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/^Could not read pull requests from GitHub: GITHUB_REPOSITORY /)])
  })

  it('is given once if there is no token', async () => {
    const { gitHub, warnings } = await questions(10_000, { token: null })
    expect(await gitHub.pullRequestStates([], undefined)).toEqual(new Map())
    expect(warnings).toEqual([])
    expect(await gitHub.readPullRequest(7)).toBeUndefined()
    expect(await gitHub.pullRequestStates([7], undefined)).toEqual(new Map())
    expect(await gitHub.compareCommits('a', 'b')).toBeUndefined()
    expect(warnings).toEqual(['Could not read pull requests from GitHub: github-token is empty'])
  })

  it('is given once about the age of the run, and none where the run has no known id', async () => {
    const { gitHub, warnings } = await questions(10_000, { token: null })
    expect([await gitHub.readRunAge(), await gitHub.readRunAge()]).toEqual([undefined, undefined])
    expect(warnings).toEqual(['Continuing without the age of this workflow run: github-token is empty'])
    const unknown = await questions(10_000, { event: { attempt: undefined }, token: null })
    expect(await unknown.gitHub.readRunAge()).toBeUndefined()
    expect(unknown.warnings).toEqual([])
  })

  it('is given each time about anything else', async () => {
    const { gitHub, warnings } = await questions(10_000)
    for (const text of ['one', 'two']) gitHub.warn(text, new GitHubError('no answer', undefined))
    expect(warnings).toEqual(['one: no answer', 'two: no answer'])
  })
})

describe('a question of a run that is cancelled', () => {
  type Ask = (gitHub: GitHubOfRun) => Promise<unknown>
  const questionsOfRuns: [string, Ask][] = [
    ['one pull request', async (gitHub) => await gitHub.readPullRequest(8)],
    ['many', async (gitHub) => await gitHub.pullRequestStates([1, 2, 3, 4, 5], undefined)],
    ['two commits', async (gitHub) => await gitHub.compareCommits('a', 'b')],
    ['the commit of a ref', async (gitHub) => await gitHub.readCommit({ repository: 'acme/agent', ref: 'main' })],
    ['the age of the run', async (gitHub) => await gitHub.readRunAge()],
  ]
  const reason = new Error('The runner sent SIGINT')

  it.each(questionsOfRuns)(
    'about %s ends at once, and warns of nothing',
    async (_what, ask) =>
      await time.run(async () => {
        const cancelled = new AbortController()
        const { gitHub, warnings, notes } = await questions(600_000, { signal: cancelled.signal })
        const asking = ask(gitHub)
        time.at(time.now() + 200, () => {
          cancelled.abort(reason)
          gitHub.endWithin(500)
        })
        await expect(asking).rejects.toBe(reason)
        await expect(ask(gitHub)).rejects.toBe(reason)
        // The request itself ends later.
        await time.sleep(1_500, new AbortController().signal)
        expect([warnings, notes]).toEqual([[], []])
      }),
  )

  it('about anything is not sent after that', async () => {
    const { gitHub, warnings } = await questions(10_000, { token: null, signal: AbortSignal.abort(reason) })
    for (const [, ask] of questionsOfRuns) await expect(ask(gitHub)).rejects.toBe(reason)
    expect(warnings).toEqual([])
  })
})

describe('questions to a GitHub that does not answer', () => {
  type Ask = (gitHub: GitHubOfRun) => Promise<unknown>
  const readOwn: Ask = async (gitHub) => await gitHub.readPullRequest(7)
  const readOther: Ask = async (gitHub) => await gitHub.readPullRequest(8)
  const endingWithin =
    (ms: number, ask: Ask): Ask =>
    async (gitHub) => {
      const asking = ask(gitHub)
      gitHub.endWithin(ms)
      return await asking
    }
  const connectLate: Ask = async (gitHub) => {
    gitHub.endWithin(60_000)
    const asked = { route: 'GET /user', attempted: 'ask', permission: 'contents: read' } as const
    return await (await gitHub.connect()).request(asked, z.unknown()).catch(() => undefined)
  }

  it.each<[string, number, Ask, { above?: number; below?: number }]>([
    ['never take longer than the run has left, even if it needs the answer', 3_000, readOther, { below: 12_000 }],
    [
      'take a few seconds where the event answers them, however long the run may take',
      600_000,
      readOwn,
      { below: 12_000 },
    ],
    ['have two seconds even at the end of the run', 0, readOther, { above: 1_900 }],
    [
      'have the time that the end allows, also long after the time of the run',
      -60_000,
      endingWithin(1_000, readOther),
      { above: 900 },
    ],
    ['end a few seconds after the time of the run, whatever the end allows', 0, connectLate, { below: 8_000 }],
    ['end at once when the run ends', 60_000, endingWithin(100, readOther), { below: 3_000 }],
  ])('%s', async (_sentence, timeoutMs, ask, { above = 0, below = Infinity }) => {
    await time.run(async () => {
      const ms = await durationOf(ask((await questions(timeoutMs)).gitHub))
      expect(ms).toBeGreaterThan(above)
      expect(ms).toBeLessThan(below)
    })
  })

  it('are not repeated beyond the first end that was set', async () => {
    const limited = replying(() => ({ status: 429, body: '{}', headers: { 'retry-after': '5' } }))
    await time.run(async () => {
      const { gitHub } = await questions(60_000, { network: limited })
      gitHub.endWithin(2_000)
      gitHub.endWithin(30_000)
      // The pause would end after the first end, and before the second one.
      expect(await durationOf(gitHub.readPullRequest(8))).toBeLessThan(1_000)
    })
  })

  it('take a small part of the time of a run that does not need the answer', async () => {
    await time.run(async () => {
      const { gitHub, warnings } = await questions(10_000)
      expect(await durationOf(readOwn(gitHub))).toBeLessThan(7_500)
      expect(await durationOf(gitHub.compareCommits('a', 'b'))).toBeLessThan(7_500)
      expect(await durationOf(gitHub.readCommit({ repository: 'acme/agent', ref: 'main' }))).toBeLessThan(7_500)
      expect(await durationOf(gitHub.readRunAge())).toBeLessThan(7_500)
      expect(warnings.join('\n')).toMatch(/GitHub cannot be reached \(no answer in time\)/)
    })
  })

  it('have their time where the event does not answer them, as that of a comment', async () => {
    await time.run(async () => {
      const { gitHub } = await questions(5_000, { event: { head: undefined } })
      expect(await durationOf(readOwn(gitHub))).toBeGreaterThan(4_000)
    })
  })

  it('are asked once about many pull requests, not once for each', async () => {
    await time.run(async () => {
      const { gitHub } = await questions(3_000)
      const startedAt = time.now()
      expect(await gitHub.pullRequestStates([1, 2, 3], undefined)).toEqual(new Map())
      expect(time.now() - startedAt).toBeLessThan(12_000)
    })
  })
})
