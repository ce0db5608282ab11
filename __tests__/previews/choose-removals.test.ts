import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { PullRequestState } from '../../src/github/pulls.ts'
import type { Revision } from '../../src/control-plane/model.ts'
import { choosePreview, otherRepositoryOf, previewsOf } from '../../src/previews/choose-removals.ts'
import { aDeployment, aRevision } from '../builders.ts'

const NOW = Date.UTC(2026, 0, 31)
const DAY = 24 * 3_600_000
const reveals = (text: string): boolean => /s3\/?cret/i.test(decodeURIComponent(text))

interface Preview {
  /** The state of its pull request, as GitHub reports it; `undefined`: GitHub was not asked. */
  state: PullRequestState | undefined
  /** Milliseconds since the deployment was updated; `undefined`: the control plane does not report it. */
  age: number | undefined
}

type Verdict = ReturnType<typeof choosePreview>['verdict']

/** Decides on the previews of `agent`; the pull requests are numbered from 1. */
function verdictsOn(previews: readonly Preview[], olderThanMs?: number): Verdict[] {
  const deployments = previews.map(({ age }, index) =>
    aDeployment({ name: `agent-pr-${index + 1}`, updatedAt: age === undefined ? undefined : NOW - age }),
  )
  const states = new Map(
    previews.flatMap(({ state }, index): [number, PullRequestState][] =>
      state === undefined ? [] : [[index + 1, state]],
    ),
  )
  const facts = { olderThanMs, repoUrl: undefined, serverTime: NOW, runnerTime: NOW, reveals, revision: undefined }
  return previewsOf(deployments, 'agent').map((preview) => {
    const state = states.get(preview.pullRequest) ?? 'unknown'
    return choosePreview(preview, { ...facts, state }).verdict
  })
}

/** A state without an entry is a type error. Only `closed` is certain. */
const WITHOUT_AGE_LIMIT: Record<PullRequestState, Verdict> = {
  closed: 'remove',
  unlabeled: 'remove',
  open: 'keep',
  missing: 'keep',
  unknown: 'keep',
}

describe('a teardown of closed previews, without an age limit', () => {
  const { closed, open, missing, unknown } = WITHOUT_AGE_LIMIT
  it.each<[string, Preview['state'], Verdict]>([
    ['is closed', 'closed', closed],
    ['is open', 'open', open],
    ['is not known to GitHub', 'missing', missing],
    ['could not be read', 'unknown', unknown],
    ['was not asked about', undefined, 'keep'],
  ])('decides on a preview whose pull request %s, whatever its age', (_case, state, verdict) => {
    const ages = [undefined, 0, DAY, 1_000 * DAY]
    expect(verdictsOn(ages.map((age) => ({ state, age })))).toEqual(ages.map(() => verdict))
  })
})

describe('a teardown of closed previews, with an age limit of 7 days', () => {
  const LIMIT = 7 * DAY
  const younger = LIMIT - 1

  it.each<[PullRequestState | undefined, Record<'younger' | 'limit' | 'older' | 'unreported', Verdict>]>([
    ['closed', { younger: 'remove', limit: 'remove', older: 'remove', unreported: 'remove' }],
    ['open', { younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' }],
    ['missing', { younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' }],
    ['unknown', { younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' }],
    [undefined, { younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' }],
  ])('decides by the age when the state of the pull request is %s', (state, expected) => {
    const ages = [younger, LIMIT, 30 * DAY, undefined]
    expect(
      verdictsOn(
        ages.map((age) => ({ state, age })),
        LIMIT,
      ),
    ).toEqual([expected.younger, expected.limit, expected.older, expected.unreported])
  })

  it('keeps a preview whose update lies in the future by the clock of the server', () => {
    expect(verdictsOn([{ state: 'open', age: -DAY }], LIMIT)).toEqual(['keep'])
  })
})

describe('the age of a preview', () => {
  const times = fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: Date.UTC(1, 0), max: Date.UTC(2100, 0) }),
    fc.integer({ min: NOW - 30 * DAY, max: NOW + DAY }),
  )
  const isPlausible = (at: number | undefined): boolean =>
    at !== undefined && at >= Date.UTC(2020, 0, 1) && at <= NOW + 5 * 60_000

  it('has it deleted only if every time is plausible and older than the limit', () => {
    fc.assert(
      fc.property(times, times, times, fc.constantFrom('DEPLOYED', 'BUILD_FAILED', 'BUILDING', 'NEW'), (...drawn) => {
        const [updatedAt, revisedAt, serverTime, status] = drawn
        const { verdict } = choosePreview(
          { deployment: aDeployment({ name: 'agent-pr-1', updatedAt }), pullRequest: 1 },
          {
            state: 'open',
            repoUrl: undefined,
            olderThanMs: DAY,
            serverTime: serverTime === undefined ? undefined : NOW,
            runnerTime: NOW,
            reveals,
            revision: aRevision({ status, updatedAt: revisedAt }),
          },
        )
        const isOld = (at: number | undefined): boolean => isPlausible(at) && NOW - (at ?? NOW) >= DAY
        const isUnderWay = status === 'BUILDING' || status === 'NEW'
        const isDeleted = serverTime !== undefined && isOld(updatedAt) && isOld(revisedAt) && !isUnderWay
        expect(verdict).toBe(isDeleted ? 'remove' : 'keep')
      }),
    )
  })

  it.each([undefined, 0, Date.UTC(2019, 11, 31), NOW + DAY + 1, Date.UTC(2099, 0)])(
    'is unknown if the time of the server is %s',
    (serverTime) => {
      const facts = {
        state: 'open',
        repoUrl: undefined,
        olderThanMs: 1,
        serverTime,
        runnerTime: NOW,
        reveals,
        revision: undefined,
      } as const
      const deployment = aDeployment({ name: 'agent-pr-1', updatedAt: NOW - DAY })
      expect(choosePreview({ deployment, pullRequest: 1 }, facts)).toMatchObject({
        verdict: 'keep',
        because: { kind: 'age-unknown', lacks: 'server-time' },
      })
    },
  )
})

describe('the latest revision of a preview', () => {
  const verdictOn = (revision: Revision | 'not-reported', serverTime = NOW) =>
    choosePreview(
      { deployment: aDeployment({ name: 'agent-pr-1', updatedAt: NOW - 30 * DAY }), pullRequest: 1 },
      { state: 'open', repoUrl: undefined, olderThanMs: DAY, serverTime, runnerTime: NOW, reveals, revision },
    )
  const old = NOW - 20 * DAY

  it.each<[Partial<Revision>, Verdict]>([
    [{ createdAt: old, updatedAt: old }, 'remove'],
    [{ createdAt: undefined, updatedAt: old }, 'remove'],
    [{ createdAt: NOW - 1, updatedAt: old }, 'keep'],
    [{ createdAt: old, updatedAt: NOW - 1 }, 'keep'],
    [{ createdAt: 0, updatedAt: old }, 'keep'],
  ])('counts as young as the younger of its times: %j', (times, verdict) => {
    expect(verdictOn(aRevision({ status: 'DEPLOYED', ...times })).verdict).toBe(verdict)
  })

  it('keeps the preview if the control plane does not report it', () => {
    expect(verdictOn('not-reported').because).toEqual({ kind: 'age-unknown', lacks: 'revision' })
  })

  it('is compared with the clock of the server, which may be a day ahead', () => {
    expect(verdictOn(aRevision({ status: 'DEPLOYED', updatedAt: old }), NOW + DAY).verdict).toBe('remove')
  })
})

describe('the repository of a preview', () => {
  const here = 'https://github.com/acme/agent'
  it.each<[string | undefined, string | undefined, Verdict]>([
    [here, here, 'remove'],
    ['git@github.com:ACME/agent.git', here, 'remove'],
    [undefined, here, 'remove'],
    ['https://github.com/eve/agent', undefined, 'remove'],
    ['https://github.com/eve/agent', here, 'keep'],
    ['https://gitlab.com/acme/agent', here, 'keep'],
    ['https://github.com/acme/agent-pr-1', here, 'keep'],
    ['no address', here, 'keep'],
  ])('%s, where %s is expected: %s', (reported, repoUrl, verdict) => {
    const deployment = aDeployment({ name: 'agent-pr-1', updatedAt: NOW - DAY, settings: { repoUrl: reported } })
    const facts = { repoUrl, olderThanMs: 1, serverTime: NOW, runnerTime: NOW, reveals, revision: undefined }
    for (const state of ['closed', 'open'] as const)
      expect(choosePreview({ deployment, pullRequest: 1 }, { ...facts, state }).verdict).toBe(verdict)
  })

  it('is named without user info', () => {
    const settings = { repoUrl: 'https://eve:pass-word@github.com/eve/agent' }
    const { because } = choosePreview(
      { deployment: aDeployment({ settings }), pullRequest: 1 },
      {
        state: 'closed',
        repoUrl: here,
        olderThanMs: undefined,
        serverTime: NOW,
        runnerTime: NOW,
        reveals,
        revision: undefined,
      },
    )
    expect(because).toEqual({
      kind: 'other-repository',
      reported: 'github.com/eve/agent',
      expected: 'github.com/acme/agent',
    })
  })
})

describe('the name of another repository', () => {
  it.each([
    ['https://github.com/eve/S3CRET', 'another address'],
    ['https://github.com/eve/s3%63ret', 'another address'],
    ['git@S3cret:eve/agent', 'another address'],
    ['https://s3cret@github.com/eve/agent', 'another address'],
    ['git@host.s3:cret/agent', 'another address'],
    ['no address', 'another address'],
    ['https://github.com/eve/agent', 'github.com/eve/agent'],
  ])('%s is printed as %s', (repoUrl, reported) => {
    const expected = 'https://github.com/acme/agent'
    expect(otherRepositoryOf(aDeployment({ settings: { repoUrl } }), expected, reveals)).toMatchObject({ reported })
  })
})

describe('several previews', () => {
  it('are decided on each by its own pull request, in the order of the list', () => {
    const previews: Preview[] = [
      { state: 'open', age: 0 },
      { state: 'closed', age: 0 },
      { state: 'unknown', age: 30 * DAY },
      { state: undefined, age: undefined },
    ]
    expect(verdictsOn(previews, 7 * DAY)).toEqual(['keep', 'remove', 'remove', 'keep'])
    expect(verdictsOn([])).toEqual([])
  })
})

describe('the previews of a deployment', () => {
  it('are those whose whole name is that of one of its previews', () => {
    const names = [
      'agent',
      'agent-pr-1',
      'agent-pr-12',
      'my-agent-pr-1',
      'agent-pr-1-old',
      'agent-pr-01',
      'agent-pr-0',
      'agent-pr-',
      'agent-pr-x',
      'Agent-pr-1',
      'agent-pr-1-pr-2',
    ]
    const found = previewsOf(
      names.map((name) => aDeployment({ name })),
      'agent',
    )
    expect(found.map(({ deployment, pullRequest }) => [deployment.name, pullRequest])).toEqual([
      ['agent-pr-1', 1],
      ['agent-pr-12', 12],
    ])
  })
})

it('takes no preview build of the service for a preview', () => {
  const build = aDeployment({ name: 'agent-pr-1', isPreviewBuild: true })
  expect(previewsOf([build, aDeployment({ name: 'agent-pr-2' })], 'agent')).toMatchObject([{ pullRequest: 2 }])
})
