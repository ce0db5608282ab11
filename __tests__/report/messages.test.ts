import { describe, expect, it } from '@jest/globals'
import type { API_NAMES } from '../../src/control-plane/api.ts'
import { describeOutcome } from '../../src/report/messages.ts'
import { openRequest } from '../../src/report/record.ts'
import type { Outcome } from '../../src/rollout/outcome.ts'
import type { Rollback } from '../../src/rollout/rollback-result.ts'
import { aRecord, aRevision, OLD_REVISION_ID } from '../builders.ts'

const FACTS = { startedAt: 0, runUrl: undefined, commit: undefined }

const next = (isRead: boolean, outcome: Outcome): string | undefined =>
  describeOutcome({ ...openRequest(FACTS), isRead, endedAt: 1, timeoutMs: 1000, outcome }).next

const TIMED_OUT = { kind: 'timed-out', lastTrouble: undefined } as const satisfies Outcome

describe('a single request that did not end', () => {
  it.each<Outcome>([{ kind: 'cancelled' }, TIMED_OUT])('is doubtful when it writes: $kind', (outcome) => {
    expect(next(false, outcome)).toContain('The request may have succeeded.')
  })

  it('changed nothing when it only reads', () => {
    expect(next(true, { kind: 'cancelled' })).toBe('Nothing was changed: the request only reads.')
    expect(next(true, TIMED_OUT)).toMatch(/^Set a longer timeout\. timeout: 1 is seconds; /)
  })
})

describe('a time limit of a phase', () => {
  const after = (api: (typeof API_NAMES)[number], name: 'queue' | 'build'): string | undefined => {
    const phase = { name, limitMs: 1000, forMs: 1200 }
    return describeOutcome(aRecord({ api, outcome: { kind: 'timed-out', lastTrouble: undefined, phase } })).next
  }

  it('says what a revision in the queue waits for, on a service that lets it wait', () => {
    expect(after('langsmith', 'queue')).toMatch(/^A revision waits as QUEUED until the earlier ones .* have ended: /)
    expect(after('langsmith', 'build')).not.toContain('QUEUED')
    expect(after('agent-server', 'queue')).not.toContain('QUEUED')
  })
})

describe('a run that was cancelled after its rollback had begun', () => {
  const after = (rollback: Rollback): string | undefined =>
    describeOutcome(aRecord({ rollback, outcome: { kind: 'cancelled' } })).next

  it('continues on the control plane, unless the rollback has ended', () => {
    const underWay = `A rollback to revision ${OLD_REVISION_ID} had begun. It continues on the control plane. Check the deployment.`
    expect(after({ kind: 'under-way', to: OLD_REVISION_ID })).toBe(underWay)
    expect(after({ kind: 'error', isUnknown: false, revisionId: undefined, trouble: 'It broke' })).toBe(
      'The rollback failed: It broke. Check the deployment.',
    )
  })
})

describe('a time limit of less than a minute', () => {
  const OF_BUILD = { name: 'build', limitMs: 20_000, forMs: 21_000 } as const
  const after = (timeoutMs: number, phase?: typeof OF_BUILD): string | undefined => {
    const outcome: Outcome = { ...TIMED_OUT, ...(phase && { phase }) }
    return describeOutcome(aRecord({ timeoutMs, outcome })).next
  }

  it('may have been meant in minutes', () => {
    expect(after(10_000)).toMatch(/ timeout: 10 is seconds; for minutes, set timeout: 10m\.$/)
    expect(after(600_000, OF_BUILD)).toMatch(/ build-timeout: 20 is seconds; for minutes, set build-timeout: 20m\.$/)
    expect(after(59_999)).toContain('is seconds')
    expect(after(60_000)).not.toContain('is seconds')
  })
})

describe('the next step after a failed revision', () => {
  const after = (status: string, log?: { type: 'build' | 'deploy'; lines: string[] }): string | undefined =>
    describeOutcome(
      aRecord({
        revision: { ...aRevision({ status }) },
        log,
        outcome: { kind: 'failed', because: { kind: 'revision' } },
      }),
    ).next

  it.each([
    ['BUILD_FAILED', 'build'],
    ['DEPLOY_FAILED', 'deploy'],
  ] as const)('of %s is in the log that the run has read', (status, type) => {
    expect(after(status, { type, lines: ['one'] })).toMatch(
      new RegExp(`^Check the end of the ${type} log, which is in`),
    )
    expect(after(status, { type, lines: ['one'] })).not.toContain('in the control plane')
    expect(after(status, { type, lines: [] })).toContain('in the control plane')
    expect(after(status)).toContain('in the control plane')
  })
})

describe('a check that fails', () => {
  const outcome = { kind: 'unverified', url: 'https://a.example', trouble: 'x', evidence: 'answer' } as const
  const restored: Rollback = {
    kind: 'restored',
    to: 'v1',
    revisionId: 'v3',
    kept: ['secrets'],
    changedSince: [],
    failsCheck: true,
  }

  it('also after a rollback is about the revision that serves, and about the address', () => {
    const { headline, reason, next: then } = describeOutcome(aRecord({ outcome, rollback: restored }))
    expect(headline).toMatch(
      /was rolled back to revision v1; it fails the same check, so verify-url itself may be wrong\.$/,
    )
    expect(reason).toBe('x')
    expect(then).toBe(
      'Revision v3 serves, and its check failed as well. Not restored, so these keep the value of this run: secrets. Check verify-url and what answers there: https://a.example',
    )
  })

  it('lists what another client has changed since', () => {
    const rollback: Rollback = { ...restored, kept: [], changedSince: ['secrets', 'customUrl'] }
    const { next: then } = describeOutcome(aRecord({ outcome, rollback }))
    expect(then).toContain(
      'Not restored, because these no longer show the value of this run, and another client may have set them: secrets, custom-url.',
    )
  })

  it('after a rollback of a revision that failed is beside what that needs', () => {
    const failed = { kind: 'failed', because: { kind: 'revision' } } as const
    const { next: then } = describeOutcome(aRecord({ outcome: failed, rollback: restored }))
    expect(then).toContain('Revision v3 serves, and its check failed as well.')
  })

  it.each([
    [404, 'HTTP 404'],
    ['refused', 'refused connections'],
  ] as const)('as before (%s) says why there is no rollback', (seen, words) => {
    const because = { kind: 'failed-before', seen } as const
    const rollback: Rollback = { kind: 'not-possible', because, restored: [], kept: [], changedSince: [] }
    expect(describeOutcome(aRecord({ outcome, rollback })).next).toContain(
      `Not rolled back: the check failed in the same way before this rollout (${words}), so verify-url itself may be wrong.`,
    )
  })
})

describe('a run that is superseded before its revision', () => {
  it.each([
    ['patched', 'It has changed settings before, and has created no revision.'],
    ['none', undefined],
  ] as const)('says what it has changed: %s', (change, reason) => {
    const record = aRecord({ outcome: { kind: 'superseded', by: OLD_REVISION_ID }, change, revisionId: undefined })
    expect(describeOutcome({ ...record, revision: undefined }).reason).toBe(reason)
  })
})
