import { describe, expect, it } from '@jest/globals'
import type { PullRequest } from '../../src/github/pulls.ts'
import type { PreviewEvent } from '../../src/previews/event.ts'
import { rolloutPreview } from '../../src/previews/preview.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, COMMIT, DEPLOYMENT_ID, fakeClock, INTEGRATION_ID, NO_LUCK } from '../builders.ts'
import { refusedWith } from '../control-plane-stub.ts'
import { aMemoryControlPlane, endOf, type MemoryControlPlane } from './memory-control-plane.ts'

const NUMBER = 7
const NAME = 'agent-pr-7'
const HEAD = 'feedfacefeedfacefeedfacefeedfacefeedface'

/** Pull request 7 as GitHub reports it; `undefined`: GitHub does not report it. */
type Reported = 'open' | 'closed' | undefined

interface Scenario {
  /** What GitHub reports, read by read; the last report stays. */
  reports: readonly Reported[]
  memory?: MemoryControlPlane
  request?: Partial<RolloutRequest>
  /** Monotonic milliseconds; the clock starts at 0. */
  deadline?: number
}

/** Rolls out the preview of pull request 7. */
async function preview({ reports, memory = aMemoryControlPlane(), request = {}, deadline = 60_000 }: Scenario) {
  const events: PreviewEvent[] = []
  const clock = fakeClock()
  let reads = 0
  const running = rolloutPreview(
    aRequest({
      target: { kind: 'name', name: NAME },
      source: 'git_host',
      settings: { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' },
      ...request,
    }),
    NUMBER,
    {
      controlPlane: memory.controlPlane,
      clock,
      deadline,
      random: NO_LUCK,
      signal: new AbortController().signal,
      maxRetries: 0,
      requestTimeoutMs: 1_000,
      workspace: '/',
      tempDir: undefined,
      emit: (event) => void events.push(event),
      reveals: () => false,
      readEarlier: () => Promise.resolve([]),
      compareCommits: () => Promise.resolve(undefined),
      isFirstAttempt: true,
      // Only a cleanup asks for the states of many.
      pullRequestStates: (numbers) => {
        expect(numbers).toEqual([NUMBER])
        const state = reports.at(-1)
        return Promise.resolve(new Map(state === undefined ? [] : [[NUMBER, state]]))
      },
      readPullRequest: (number) => {
        expect(number).toBe(NUMBER)
        return Promise.resolve(aPullRequest(reports[Math.min(reads++, reports.length - 1)]))
      },
    },
  )
  return { ...(await endOf(running)), events, memory, clock, reads: () => reads }
}

function aPullRequest(state: Reported): PullRequest | undefined {
  const head = { headRef: 'feature/greeting', headSha: HEAD, headRepository: 'acme/agent' }
  return state === undefined ? undefined : { number: NUMBER, state, sameRepository: true, ...head }
}

const kindsOf = (events: readonly PreviewEvent[]): string[] => events.map(({ kind }) => kind)

const existing = (): MemoryControlPlane => aMemoryControlPlane([aDeployment({ name: NAME })])

const began = { kind: 'teardown-began', target: NAME, timeoutMs: 60_000 }
const chosen = (dryRun: boolean) => ({
  kind: 'deletions-chosen',
  choices: [
    expect.objectContaining({
      deployment: expect.objectContaining({ name: NAME }),
      verdict: 'remove',
      because: { kind: 'pull-request-closed', pullRequest: NUMBER },
    }),
  ],
  dryRun,
  isOne: true,
})

describe('the preview of an open pull request', () => {
  it('is rolled out, and kept if the pull request is still open afterwards', async () => {
    const { outcome, events, memory, reads } = await preview({ reports: ['open'] })
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
    expect(events[0]).toEqual({ kind: 'head-read', commit: COMMIT })
    expect(kindsOf(events)).toContain('applied')
    expect(kindsOf(events)).not.toContain('teardown-began')
    expect(memory.deletions).toEqual([])
    expect(reads()).toBe(2)
  })

  it('is kept if GitHub does not report the pull request', async () => {
    const { outcome, memory } = await preview({ reports: [undefined] })
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
    expect(memory.deletions).toEqual([])
  })

  it('keeps the outcome of a failed rollout', async () => {
    const memory = aMemoryControlPlane([], ['BUILDING', 'BUILD_FAILED'])
    const { outcome, events } = await preview({ reports: ['open'], memory })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'revision' } })
    expect(events.at(-1)).toEqual({ kind: 'log-read', type: 'build', lines: ['npm ERR!'], isShown: false })
  })

  it('is built from the head that GitHub reports if the event has none', async () => {
    const repository = {
      repoUrl: 'https://github.com/acme/agent',
      repoRef: { kind: 'unusable', reason: 'GitHub did not report the head' },
      commit: undefined,
    } as const
    const { events, memory } = await preview({ reports: ['open'], request: { repository } })
    expect(events[0]).toEqual({ kind: 'head-read', commit: HEAD })
    expect(memory.deployments[0]?.settings.repoRef).toBe('feature/greeting')
  })
})

describe('a pull request that is closed before the rollout', () => {
  it('has its preview deleted in place of a rollout', async () => {
    const { outcome, events, memory } = await preview({ reports: ['closed'], memory: existing() })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(events).toEqual([
      { kind: 'head-read', commit: COMMIT },
      { kind: 'pull-request-closed', pullRequest: NUMBER },
      began,
      chosen(false),
      { kind: 'deleted', id: DEPLOYMENT_ID },
    ])
    expect(memory.deployments).toEqual([])
  })

  it('gets no preview', async () => {
    const { outcome, events, memory } = await preview({ reports: ['closed'] })
    expect(outcome).toEqual({ kind: 'nothing-to-tear-down' })
    expect(kindsOf(events)).toEqual(['head-read', 'pull-request-closed', 'teardown-began', 'nothing-to-delete'])
    expect(memory.deployments).toEqual([])
  })

  it('keeps its preview in a dry run, which only lists it', async () => {
    const { outcome, events, memory } = await preview({
      reports: ['closed'],
      memory: existing(),
      request: { dryRun: true },
    })
    expect(outcome).toEqual({ kind: 'planned' })
    expect(events.at(-1)).toEqual(chosen(true))
    expect(memory.deletions).toEqual([])
  })
})

describe('a pull request that is closed during the rollout', () => {
  it.each([
    ['fails', ['BUILDING', 'BUILD_FAILED']],
    ['succeeds', ['BUILDING', 'DEPLOYED']],
  ])('has its preview deleted after a build that %s', async (_case, statuses) => {
    const memory = aMemoryControlPlane([], statuses)
    const { outcome, events } = await preview({ reports: ['open', 'closed'], memory })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(kindsOf(events)).toContain('applied')
    expect(events.slice(-4)).toEqual([
      { kind: 'pull-request-closed', pullRequest: NUMBER },
      began,
      chosen(false),
      { kind: 'deleted', id: `id-of-${NAME}` },
    ])
    expect(memory.deployments).toEqual([])
  })

  it('has its preview deleted with time of its own, although the rollout has timed out', async () => {
    const memory = aMemoryControlPlane([], ['BUILDING'])
    const { outcome, clock, events } = await preview({ reports: ['open', 'closed'], memory, deadline: 2_000 })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(events.at(-1)?.kind).toBe('deleted')
    expect(memory.deadlines.at(-1)).toBe(clock.now() + 60_000)
  })

  it('and whose preview another run has deleted, leaves nothing to delete', async () => {
    const memory = aMemoryControlPlane()
    memory.controlPlane.getRevision = () => {
      memory.deployments.length = 0
      return Promise.reject(refusedWith(404))
    }
    const { outcome, events } = await preview({ reports: ['open', 'closed'], memory })
    expect(outcome).toEqual({ kind: 'nothing-to-tear-down' })
    expect(events.slice(-3)).toEqual([
      { kind: 'pull-request-closed', pullRequest: NUMBER },
      began,
      { kind: 'nothing-to-delete', name: NAME },
    ])
  })

  it.each<[string, Reported]>([
    ['is open', 'open'],
    ['is not reported by GitHub', undefined],
  ])('is the only excuse for a preview that disappears: an error if it %s', async (_case, last) => {
    const memory = aMemoryControlPlane()
    memory.controlPlane.getRevision = () => {
      memory.deployments.length = 0
      return Promise.reject(refusedWith(404))
    }
    expect(await preview({ reports: ['open', last], memory })).toMatchObject({ error: { status: 404 } })
  })

  it('does not hide another error', async () => {
    const memory = aMemoryControlPlane()
    memory.controlPlane.createDeployment = () => Promise.reject(refusedWith(403))
    const { error, events } = await preview({ reports: ['open', 'closed'], memory })
    expect(error).toMatchObject({ status: 403 })
    expect(kindsOf(events)).not.toContain('teardown-began')
  })

  it('does not turn a dry run into a teardown', async () => {
    const { outcome, events, reads } = await preview({
      reports: ['open', 'closed'],
      memory: existing(),
      request: { dryRun: true },
    })
    expect(outcome).toEqual({ kind: 'planned' })
    expect(events.at(-1)?.kind).toBe('planned')
    expect(reads()).toBe(1)
  })
})
