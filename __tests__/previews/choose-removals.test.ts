import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { PullRequestState } from '../../src/github/pulls.ts'
import type { Deployment, Revision } from '../../src/control-plane/model.ts'
import {
  choosePreview,
  otherRepositoryOf,
  previewsOf,
  type Choice,
  type PreviewFacts,
} from '../../src/previews/choose-removals.ts'
import { aDeployment, aRevision } from '../builders.ts'

const NOW = Date.UTC(2026, 0, 31)
const DAY = 24 * 3_600_000
const reveals = (text: string): boolean => /s3\/?cret/i.test(decodeURIComponent(text))

type Verdict = Choice['verdict']

/** Decides on the preview of an open pull request that was updated a month ago. */
function choose(facts: Partial<PreviewFacts>, over: Partial<Deployment> = {}): Choice {
  const deployment = aDeployment({ name: 'agent-pr-1', updatedAt: NOW - 30 * DAY, ...over })
  return choosePreview(
    { deployment, pullRequest: 1 },
    {
      ...{ state: 'open', repoUrl: undefined, olderThanMs: undefined, revision: undefined },
      ...{ serverTime: NOW, runnerTime: NOW, reveals, ...facts },
    },
  )
}

/** Only `closed` and `unlabeled` are certain. A state without an entry is a type error. */
const VERDICTS: Record<
  PullRequestState,
  Record<'unlimited' | 'younger' | 'limit' | 'older' | 'unreported', Verdict>
> = {
  closed: { unlimited: 'remove', younger: 'remove', limit: 'remove', older: 'remove', unreported: 'remove' },
  unlabeled: { unlimited: 'remove', younger: 'remove', limit: 'remove', older: 'remove', unreported: 'remove' },
  open: { unlimited: 'keep', younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' },
  missing: { unlimited: 'keep', younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' },
  unknown: { unlimited: 'keep', younger: 'keep', limit: 'remove', older: 'remove', unreported: 'keep' },
}

const STATES = Object.keys(VERDICTS).filter((one): one is PullRequestState => one in VERDICTS)

describe.each(STATES)('a preview whose pull request is %s', (state) => {
  const LIMIT = 7 * DAY
  const { unlimited, ...limited } = VERDICTS[state]
  const verdictAt = (age: number | undefined, olderThanMs?: number): Verdict =>
    choose({ state, olderThanMs }, { updatedAt: age === undefined ? undefined : NOW - age }).verdict

  it.each([undefined, 0, DAY, 1_000 * DAY])('has its verdict without an age limit, whatever its age: %s', (age) => {
    expect(verdictAt(age)).toBe(unlimited)
  })

  it('has its verdict with an age limit of 7 days', () => {
    const [younger, limit, older, unreported] = [LIMIT - 1, LIMIT, 30 * DAY, undefined].map((age) =>
      verdictAt(age, LIMIT),
    )
    expect({ younger, limit, older, unreported }).toEqual(limited)
  })
})

it('an open preview stays whose update lies in the future by the clock of the server', () => {
  expect(choose({ olderThanMs: DAY }, { updatedAt: NOW + DAY }).verdict).toBe('keep')
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
        const facts = { olderThanMs: DAY, serverTime: serverTime === undefined ? undefined : NOW }
        const revision = aRevision({ status, updatedAt: revisedAt })
        const { verdict } = choose({ ...facts, revision }, { updatedAt })
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
      expect(choose({ olderThanMs: 1, serverTime })).toMatchObject({
        verdict: 'keep',
        because: { kind: 'age-unknown', lacks: 'server-time' },
      })
    },
  )
})

describe('the latest revision of a preview', () => {
  const choiceBy = (revision: PreviewFacts['revision'], serverTime = NOW): Choice =>
    choose({ olderThanMs: DAY, serverTime, revision })
  const old = NOW - 20 * DAY

  it.each<[Partial<Revision>, Verdict]>([
    [{ createdAt: old, updatedAt: old }, 'remove'],
    [{ createdAt: undefined, updatedAt: old }, 'remove'],
    [{ createdAt: NOW - 1, updatedAt: old }, 'keep'],
    [{ createdAt: old, updatedAt: NOW - 1 }, 'keep'],
    [{ createdAt: 0, updatedAt: old }, 'keep'],
  ])('counts as young as the younger of its times: %j', (times, verdict) => {
    expect(choiceBy(aRevision({ status: 'DEPLOYED', ...times })).verdict).toBe(verdict)
  })

  it('keeps the preview if the control plane does not report it', () => {
    expect(choiceBy('not-reported').because).toEqual({ kind: 'age-unknown', lacks: 'revision' })
  })

  it('is compared with the clock of the server, which may be a day ahead', () => {
    expect(choiceBy(aRevision({ status: 'DEPLOYED', updatedAt: old }), NOW + DAY).verdict).toBe('remove')
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
    const settings = { repoUrl: reported }
    for (const state of ['closed', 'open'] as const)
      expect(choose({ repoUrl, olderThanMs: 1, state }, { settings }).verdict).toBe(verdict)
  })

  it('is named without user info', () => {
    const settings = { repoUrl: 'https://eve:pass-word@github.com/eve/agent' }
    const { because } = choose({ state: 'closed', repoUrl: here }, { settings })
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

it('the previews of a deployment have the whole name of one, and are not made by the service', () => {
  const named = ['agent', 'agent-pr-1', 'agent-pr-12', 'my-agent-pr-1', 'agent-pr-1-old'].map((name) =>
    aDeployment({ name }),
  )
  const build = aDeployment({ name: 'agent-pr-3', isPreviewBuild: true })
  const found = previewsOf([...named, build], 'agent')
  expect(found.map(({ deployment, pullRequest }) => [deployment.name, pullRequest])).toEqual([
    ['agent-pr-1', 1],
    ['agent-pr-12', 12],
  ])
})
