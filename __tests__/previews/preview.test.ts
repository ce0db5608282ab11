import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { previewStateOf } from '../../src/github/pulls.ts'
import type { PullRequest } from '../../src/github/read.ts'
import type { PreviewEvent } from '../../src/previews/event.ts'
import type { LabelGate, Preview } from '../../src/previews/request.ts'
import { checkLimit, lookAhead, rolloutPreview } from '../../src/previews/preview.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import {
  aDeployment,
  aRequest,
  COMMIT,
  DEPLOYMENT_ID,
  fakeClock,
  INTEGRATION_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'
import type { ControlPlaneModel } from '../control-plane-model.ts'
import { aMemoryControlPlane, endOf, SERVER_TIME } from './memory-control-plane.ts'
import { previewOf } from './tearing-down.ts'
import { aRun, gitHubOf } from '../a-run.ts'
import type { Deployment } from '../../src/control-plane/model.ts'

const NUMBER = 7
const NAME = 'agent-pr-7'
const HEAD = 'feedfacefeedfacefeedfacefeedfacefeedface'

/** Pull request 7 as GitHub reports it, with its labels; `undefined`: GitHub does not report it. `cancelled`: SIGINT comes. */
type Reported = 'open' | 'closed' | 'cancelled' | readonly string[] | undefined

interface Scenario {
  /** What GitHub reports, read by read; the last report stays. */
  reports: readonly Reported[]
  memory?: ControlPlaneModel
  request?: Partial<RolloutRequest>
  over?: Pick<Preview, 'gate' | 'limit'>
  isFirstAttempt?: boolean
  /** Monotonic milliseconds; the clock starts at 0. */
  deadline?: number
}

/** Rolls out the preview of pull request 7. */
async function preview({
  reports,
  memory = aMemoryControlPlane(),
  request = {},
  deadline = 60_000,
  over,
  isFirstAttempt = true,
}: Scenario) {
  const events: PreviewEvent[] = []
  const clock = Object.assign(fakeClock(), { wallTime: () => SERVER_TIME })
  let reads = 0
  const cancellation = new AbortController()
  const running = rolloutPreview(
    aRequest({
      target: { kind: 'name', name: NAME },
      source: 'git_host',
      settings: { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' },
      ...request,
    }),
    { pullRequest: NUMBER, isClosed: undefined, ...over },
    aRun<PreviewEvent>({
      controlPlane: memory.controlPlane,
      clock,
      deadline,
      signal: cancellation.signal,
      emit: (event) => void events.push(event),
      isFirstAttempt,
      gitHub: gitHubOf({
        compareCommits: () => Promise.resolve(undefined),
        readCommit: () => Promise.resolve(undefined),
        readRunAge: () => Promise.resolve(undefined),
        // Only a cleanup asks for the states of many.
        pullRequestStates: (numbers, label) => {
          expect(numbers).toEqual([NUMBER])
          expect(label).toBe(over?.gate?.label)
          const found = aPullRequest(reports.at(-1))
          return Promise.resolve(new Map(found === undefined ? [] : [[NUMBER, previewStateOf(found, label)]]))
        },
        readPullRequest: (number) => {
          expect(number).toBe(NUMBER)
          const reported = reports[Math.min(reads++, reports.length - 1)]
          if (reported !== 'cancelled') return Promise.resolve(aPullRequest(reported))
          cancellation.abort(new Error('The runner sent SIGINT'))
          return Promise.reject(new Error('The runner sent SIGINT'))
        },
      }),
    }),
  )
  const { outcome: end, error } = await endOf(running)
  return { operation: end?.operation, outcome: end?.outcome, error, events, memory, clock, reads: () => reads }
}

function aPullRequest(reported: Reported): PullRequest | undefined {
  const isLabeled = typeof reported === 'object'
  const state = isLabeled ? 'open' : reported
  if (state === 'cancelled') throw new Error('the run is cancelled')
  const labels = isLabeled ? [...reported] : undefined
  const head = { labels, headRef: 'feature/greeting', headSha: HEAD, headRepository: 'acme/agent' }
  return state === undefined ? undefined : { number: NUMBER, state, sameRepository: true, ...head }
}

const kindsOf = (events: readonly PreviewEvent[]): string[] => events.map(({ kind }) => kind)

const existing = (): ControlPlaneModel => aMemoryControlPlane([aDeployment({ name: NAME })])

/** Another run deletes the deployment before its revision is read. */
function disappearing(): ControlPlaneModel {
  const memory = aMemoryControlPlane()
  const { getRevision } = memory.controlPlane
  memory.controlPlane.getRevision = (id, revisionId) =>
    Promise.try(() => {
      memory.remove(id)
      return getRevision(id, revisionId)
    })
  return memory
}

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
  withTracingProjects: false,
})

describe('the preview of an open pull request', () => {
  it('is rolled out, and kept if the pull request is still open afterwards', async () => {
    const { outcome, events, memory, reads } = await preview({ reports: ['open'] })
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(events[0]).toEqual({ kind: 'head-read', commit: COMMIT })
    expect(kindsOf(events)).toContain('applied')
    expect(kindsOf(events)).not.toContain('teardown-began')
    expect(memory.deletions).toEqual([])
    expect(reads()).toBe(2)
  })

  it('keeps the outcome of its rollout if it is cancelled after that', async () => {
    const { outcome } = await preview({ reports: ['open', 'cancelled'] })
    expect(outcome).toMatchObject({ kind: 'deployed' })
  })

  it('keeps the outcome of a failed rollout', async () => {
    const memory = aMemoryControlPlane([], ['BUILDING', 'BUILD_FAILED'])
    const { outcome, events } = await preview({ reports: ['open'], memory })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'revision' } })
    expect(events.at(-1)).toEqual({
      kind: 'log-read',
      type: 'build',
      lines: [`build log of ${REVISION_ID}`],
      isShown: false,
    })
  })

  it('is built from the ref of the event if GitHub does not report the head', async () => {
    const ref = { kind: 'ref', ref: 'fix' } as const
    const repository = { repoUrl: 'https://github.com/acme/agent', repoRef: ref, commit: undefined }
    const { outcome, memory } = await preview({ reports: [undefined], request: { repository } })
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(memory.deployments[0]?.settings.repoRef).toBe('fix')
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
    const { operation, outcome, events, memory } = await preview({
      reports: ['closed'],
      memory: existing(),
      request: { dryRun: true },
    })
    expect({ operation, outcome }).toEqual({ operation: 'teardown', outcome: { kind: 'planned' } })
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
    const memory = disappearing()
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
  ])('is the only excuse for a preview that disappears: a failure if it %s', async (_case, last) => {
    const memory = disappearing()
    const deleted = { kind: 'failed', because: { kind: 'deleted' } }
    expect(await preview({ reports: ['open', last], memory })).toMatchObject({ outcome: deleted })
  })

  it('does not hide another error', async () => {
    const memory = aMemoryControlPlane()
    memory.controlPlane.createDeployment = () => Promise.reject(refusedWith(403))
    const { error, events } = await preview({ reports: ['open', 'closed'], memory })
    expect(error).toMatchObject({ status: 403 })
    expect(kindsOf(events)).not.toContain('teardown-began')
  })

  it('does not turn a dry run into a teardown', async () => {
    const { operation, outcome, events, reads } = await preview({
      reports: ['open', 'closed'],
      memory: existing(),
      request: { dryRun: true },
    })
    expect({ operation, outcome }).toEqual({ operation: 'rollout', outcome: { kind: 'planned' } })
    expect(events.at(-1)?.kind).toBe('planned')
    expect(reads()).toBe(1)
  })
})

const gateOf = (over: Partial<LabelGate> = {}): Pick<Preview, 'gate'> => ({
  gate: { label: 'preview', isLabeledOnEvent: undefined, change: undefined, ...over },
})
const WITH = ['bug', 'Preview']
const WITHOUT = ['bug']

describe('a preview that needs a label', () => {
  it.each<[string, readonly Reported[], Partial<LabelGate>, string, boolean]>([
    ['GitHub reports it', [WITH], {}, 'deployed', true],
    ['GitHub reports it, and the event does not', [WITH], { isLabeledOnEvent: false }, 'deployed', true],
    ['GitHub does not report it', [WITHOUT], {}, 'skipped', false],
    ['GitHub does not report it, and the event does', [WITHOUT], { isLabeledOnEvent: true }, 'skipped', false],
    ['GitHub reports no label', [[]], {}, 'skipped', false],
    ['only the event reports it', [undefined], { isLabeledOnEvent: true }, 'deployed', true],
    ['only the event reports its absence', [undefined], { isLabeledOnEvent: false }, 'skipped', false],
    ['GitHub reports no labels at all, and the event does', ['open'], { isLabeledOnEvent: true }, 'deployed', true],
    ['GitHub reports no labels at all, nor does the event', ['open'], { isLabeledOnEvent: false }, 'skipped', false],
    ['the pull request is closed', ['closed'], { isLabeledOnEvent: true }, 'nothing-to-tear-down', false],
    ['the event adds it', [WITH], { change: { kind: 'labeled', isGateLabel: true } }, 'deployed', true],
    ['the event adds another label', [WITH], { change: { kind: 'labeled', isGateLabel: false } }, 'deployed', true],
    ['the event adds another label', [WITHOUT], { change: { kind: 'labeled', isGateLabel: false } }, 'skipped', false],
    [
      'the event removes another label',
      [WITH],
      { change: { kind: 'unlabeled', isGateLabel: false } },
      'skipped',
      false,
    ],
  ])('when %s (%j): the outcome', async (_case, reports, gate, kind, isCreated) => {
    const { outcome, memory } = await preview({ reports, over: gateOf(gate) })
    expect(outcome?.kind).toBe(kind)
    expect(memory.deployments.map(({ name }) => name)).toEqual(isCreated ? [NAME] : [])
  })

  it('is neither rolled out nor deleted if nothing reports the labels', async () => {
    const memory = existing()
    const { error } = await preview({ reports: [undefined], memory, over: gateOf() })
    expect(String(error)).toMatch(/preview-label: "preview" needs the labels of pull request 7.*pull-requests: read/)
    expect(memory.deletions).toEqual([])
  })

  it('asks for nothing when another label is removed', async () => {
    const { outcome, events, reads } = await preview({
      reports: [WITH],
      memory: existing(),
      over: gateOf({ change: { kind: 'unlabeled', isGateLabel: false } }),
    })
    expect(outcome).toEqual({ kind: 'skipped', because: 'other-label' })
    expect(events).toEqual([])
    expect(reads()).toBe(0)
  })

  it('is deleted when its own label is removed', async () => {
    const memory = existing()
    const over = gateOf({ isLabeledOnEvent: false, change: { kind: 'unlabeled', isGateLabel: true } })
    const { outcome } = await preview({ reports: [WITHOUT], memory, over })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(memory.deletions).toHaveLength(1)
  })

  it('gets no revision of the same settings when another label is added', async () => {
    const memory = existing()
    const { settings } = memory.deployment(DEPLOYMENT_ID)
    memory.give(DEPLOYMENT_ID, { id: OLD_REVISION_ID, repoCommitSha: COMMIT, settings })
    const change = { kind: 'labeled', isGateLabel: false } as const
    const { outcome } = await preview({ reports: [WITH], memory, over: gateOf({ change }) })
    expect([outcome, memory.writes]).toEqual([{ kind: 'unchanged' }, []])
  })

  it.each<[string, readonly Reported[], boolean, string, number]>([
    ['by the word of GitHub', [WITHOUT], true, 'torn-down', 1],
    ['in a rerun, too', [WITHOUT], false, 'torn-down', 1],
    ['not by the word of the event', [undefined], true, 'skipped', 0],
    ['not if GitHub reports no labels', ['open'], true, 'skipped', 0],
    ['not if GitHub reports them no more', [WITHOUT, 'open'], true, 'nothing-to-tear-down', 0],
    ['not if it has the label again', [WITHOUT, WITH], true, 'nothing-to-tear-down', 0],
  ])('and remains of an earlier run is deleted: %s', async (_case, reports, isFirstAttempt, kind, deleted) => {
    const memory = existing()
    const over = gateOf({ isLabeledOnEvent: false })
    const { outcome, events } = await preview({ reports, memory, over, isFirstAttempt })
    expect(outcome?.kind).toBe(kind)
    expect(memory.deletions).toHaveLength(deleted)
    expect(kindsOf(events)).not.toContain('applying')
    if (kind !== 'skipped') expect(kindsOf(events)).toContain('pull-request-unlabeled')
  })

  it('is deleted if it loses the label during the rollout', async () => {
    const { outcome, memory } = await preview({ reports: [WITH, WITHOUT], over: gateOf() })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(memory.deletions).toEqual([`id-of-${NAME}`])
  })

  it('is not deleted in a dry run', async () => {
    const memory = existing()
    const { outcome } = await preview({ reports: [WITHOUT], memory, over: gateOf(), request: { dryRun: true } })
    expect(outcome).toEqual({ kind: 'planned' })
    expect(memory.deletions).toEqual([])
  })
})

describe('a limited number of previews', () => {
  it('names the existing ones by age, the oldest first', async () => {
    const others = [0, 1, 2, undefined].map((hours, index) => {
      const updatedAt = hours === undefined ? undefined : SERVER_TIME - hours * 3_600_000
      return aDeployment({ id: `other-${index}`, name: `agent-pr-${100 + index}`, updatedAt })
    })
    const memory = aMemoryControlPlane(others)
    const { outcome, events } = await preview({ reports: ['open'], memory, over: { limit: { name: 'agent', max: 2 } } })
    expect(outcome).toEqual({
      kind: 'failed',
      because: {
        kind: 'too-many-previews',
        max: 2,
        existing: [
          { name: 'agent-pr-102', ageMs: 7_200_000 },
          { name: 'agent-pr-101', ageMs: 3_600_000 },
          { name: 'agent-pr-100', ageMs: 0 },
          { name: 'agent-pr-103', ageMs: undefined },
        ],
      },
    })
    expect(kindsOf(events)).toEqual(['head-read'])
  })
})

describe('the head of a fork', () => {
  const reason = 'it is a fork'
  const repository = { ...aRequest().repository, repoRef: { kind: 'unusable', reason } } as const
  const over = { ...gateOf({ isLabeledOnEvent: true }), limit: { name: 'agent', max: 1 } }
  const refuseEveryRead = () => {
    const listDeployments = jest.fn<ControlPlane['listDeployments']>().mockRejectedValue(new Error('a read'))
    return { listDeployments, memory: aMemoryControlPlane([], [], { listDeployments }) }
  }

  it('is refused before the first read with the credentials', async () => {
    const { memory, listDeployments } = refuseEveryRead()
    const { error } = await preview({ reports: [WITH], memory, request: { repository }, over })
    expect(String(error)).toContain('repo-ref: is required: it is a fork')
    expect(listDeployments).not.toHaveBeenCalled()
  })

  it('is no error where the pull request has not the label that its preview needs', async () => {
    const { outcome } = await preview({ reports: [WITHOUT], request: { repository }, over })
    expect(outcome).toEqual({ kind: 'skipped', because: 'unlabeled' })
  })

  it('is known later where GitHub has to report it', async () => {
    const unreported = { ...repository, commit: undefined }
    const { outcome } = await preview({ reports: [WITH], request: { repository: unreported }, over })
    expect(outcome?.kind).toBe('deployed')
  })
})

const previewLimit = (number: number, over: Partial<Deployment> = {}): Deployment =>
  previewOf(number, { updatedAt: SERVER_TIME - number, ...over })

describe('the number of previews', () => {
  it.each<[string, Deployment[], string[] | undefined]>([
    ['below the limit', [previewLimit(1)], undefined],
    ['at the limit, the oldest first', [previewLimit(1), previewLimit(2)], ['agent-pr-2', 'agent-pr-1']],
    [
      'at the limit with one that is being deleted',
      [previewLimit(1), previewLimit(2, { isBeingDeleted: true })],
      undefined,
    ],
    [
      'at the limit with a preview build of the service',
      [previewLimit(1), previewLimit(2, { isPreviewBuild: true })],
      undefined,
    ],
    ['of an existing preview', [previewLimit(1), previewLimit(2), previewLimit(7)], undefined],
    [
      'of an existing preview that is being deleted',
      [previewLimit(1), previewLimit(2), previewLimit(7, { isBeingDeleted: true })],
      undefined,
    ],
  ])('%s', async (_case, deployments, refused) => {
    const { controlPlane } = aMemoryControlPlane(deployments)
    const clock = { ...fakeClock(), wallTime: () => SERVER_TIME }
    const cause = await checkLimit({ name: 'agent', max: 2 }, 'agent-pr-7', aRun({ controlPlane, clock }))
    expect(cause?.existing.map(({ name }) => name)).toEqual(refused)
  })
})

/** Each answer has the number of its request as its offset. */
function lookingAhead() {
  const requests: string[] = []
  const controlPlane = aControlPlane({
    listDeployments: ({ nameContains = '', offset }) => {
      requests.push(`${nameContains} from ${offset}`)
      return Promise.resolve({ resources: [aDeployment()], offset: requests.length })
    },
  })
  const ahead = lookAhead(controlPlane, 'agent')
  const ask = async (query: Partial<Parameters<ControlPlane['listDeployments']>[0]>): Promise<number> =>
    (await ahead.listDeployments({ nameContains: 'agent', limit: 100, offset: 0, ...query })).offset
  return { ahead, ask, requests }
}

describe('a question that is asked ahead', () => {
  it('is sent at once, and answers the first question for that name', async () => {
    const { ask, requests } = lookingAhead()
    expect(requests).toEqual(['agent from 0'])
    expect(await ask({})).toBe(1)
    expect(requests).toHaveLength(1)
  })

  it('does not answer a teardown, which has a deadline of its own: the pull request was read since', async () => {
    const { ahead } = lookingAhead()
    const query = { nameContains: 'agent', limit: 100, offset: 0 }
    expect((await ahead.within(1).listDeployments(query)).offset).toBe(2)
  })

  it('does not answer a later question: the deployments may have changed', async () => {
    const { ask, requests } = lookingAhead()
    await ask({})
    expect(await ask({})).toBe(2)
    expect(requests).toEqual(['agent from 0', 'agent from 0'])
  })

  it.each([{ nameContains: 'agent-pr-' }, { offset: 100 }])('does not answer another one: %j', async (query) => {
    const { ask } = lookingAhead()
    expect(await ask(query)).toBe(2)
    expect(await ask({})).toBe(1)
  })

  it('fails only where its answer is needed', async () => {
    const ahead = lookAhead(aControlPlane({ listDeployments: () => Promise.reject(refusedWith(403)) }), 'agent')
    await Promise.resolve()
    const query = { nameContains: 'agent', limit: 100, offset: 0 }
    await expect(ahead.listDeployments(query)).rejects.toMatchObject({ status: 403 })
  })
})
