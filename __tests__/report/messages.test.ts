import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER, type API_NAMES } from '../../src/control-plane/api.ts'
import { describeOutcome } from '../../src/report/messages.ts'
import { openRequest } from '../../src/report/record.ts'
import type { AnyOutcome, RolloutOutcome } from '../../src/rollout/outcome.ts'
import type { Rollback, SettingsLeft } from '../../src/rollout/event.ts'
import { aBasis, aRecord, aRequest, aRevision, aTeardown, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import { failed, NOTHING_LEFT, ROLLBACK_ERROR } from './a-record.ts'
import { RefusedError } from '../../src/control-plane/errors.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'
import { describePlan } from '../../src/report/plan.ts'
import { cutProblems, InputError, type Problem } from '../../src/problem.ts'

const FACTS = { startedAt: 0, runUrl: undefined, commit: undefined }

const next = (isRead: boolean, outcome: AnyOutcome): string | undefined =>
  describeOutcome({ ...openRequest(FACTS), isRead, endedAt: 1, timeoutMs: 1000, outcome }).next

const TIMED_OUT = { kind: 'timed-out', lastTrouble: undefined } as const satisfies AnyOutcome

describe('a single request that did not end', () => {
  it.each<AnyOutcome>([{ kind: 'cancelled' }, TIMED_OUT])('is doubtful when it writes: $kind', (outcome) => {
    expect(next(false, outcome)).toContain('The request may have succeeded.')
  })

  it('changed nothing when it only reads', () => {
    expect(next(true, { kind: 'cancelled' })).toBe('Nothing was changed: the request only reads.')
    expect(next(true, TIMED_OUT)).toMatch(/^Set a longer timeout\. timeout is 1 s; /)
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
    expect(after({ ...ROLLBACK_ERROR, trouble: 'It broke' })).toBe(
      'The rollback failed: It broke. Check the deployment.',
    )
  })
})

describe('a rollback that has not succeeded', () => {
  const failed = { kind: 'failed', because: { kind: 'revision' } } as const
  const after = (rollback: Rollback): string | undefined =>
    describeOutcome(aRecord({ rollback, revision: { ...aRevision({ status: 'DEPLOY_FAILED' }) }, outcome: failed }))
      .next
  const left = { restored: ['customUrl'], kept: ['secrets'], changedSince: ['shareable'] } satisfies SettingsLeft
  const WORDS =
    'These settings are restored: custom-url. Not restored, so these keep the value of this run: secrets. Not restored, because these no longer show the value of this run, and another client may have set them: shareable.'
  const incomplete = { kind: 'incomplete', to: 'v1', revisionId: 'v3', outcome: failed } as const

  it.each<[string, Rollback, string]>([
    ['is not possible', { ...left, kind: 'not-possible', because: { kind: 'unknown-source' } }, 'unknown.'],
    ['is incomplete', { ...left, ...incomplete }, 'The rollback to revision v1 failed: revision v3 ended failed.'],
    ['ends with an error', { ...ROLLBACK_ERROR, ...left }, 'The rollback failed: no.'],
    [
      'ends with an error after its revision',
      { ...ROLLBACK_ERROR, ...left, isUnknown: true, revisionId: 'v3' },
      'The rollback may have succeeded: no. Revision v3 was created for it.',
    ],
  ])('says which settings it has restored, and which not: it %s', (_case, rollback, words) => {
    expect(after(rollback)).toMatch(new RegExp(`${words.replaceAll('.', '\\.')} ${WORDS.replaceAll('.', '\\.')}$`))
  })

  it('says of which settings it does not know', () => {
    const unknown = 'The rollback failed: no. It is unknown whether these settings are restored: custom-url.'
    expect(after({ ...ROLLBACK_ERROR, unsure: ['customUrl'] })).toContain(unknown)
  })
})

describe('a time limit of less than a minute', () => {
  const OF_BUILD = { name: 'build', limitMs: 20_000, forMs: 21_000 } as const
  const after = (timeoutMs: number, phase?: typeof OF_BUILD): string | undefined => {
    const outcome: RolloutOutcome = { ...TIMED_OUT, ...(phase && { phase }) }
    return describeOutcome(aRecord({ timeoutMs, outcome })).next
  }

  it('may have been meant in minutes', () => {
    expect(after(10_000)).toMatch(/ timeout is 10 s; for minutes, set timeout: 10m\.$/)
    expect(after(600_000, OF_BUILD)).toMatch(/ build-timeout is 20 s; for minutes, set build-timeout: 20m\.$/)
    expect(after(59_999)).toContain('; for minutes')
    expect(after(60_000)).not.toContain('; for minutes')
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
      new RegExp(`^Check the end of the ${type} log in this step's log,`),
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

  it('is why the deployment was rolled back, which is not called deployed', () => {
    const from = { ...outcome, afterMs: 60_000 } as const
    const { headline, reason } = describeOutcome(aRecord({ outcome: { kind: 'rolled-back', to: 'v1', from } }))
    expect(headline).toMatch(
      /^\S+ was rolled back to the previous revision: the check of https:\/\/a\.example failed 3 times in a row, 1 m 00 s after it had succeeded\.$/,
    )
    expect(reason).toBe('x')
  })

  it('of a promotion that built another commit is no reason to rerun the job, which would be refused', () => {
    const from = { kind: 'failed', because: { kind: 'other-commit', wanted: 'c1', built: 'c2' } } as const
    const record = aRecord({ outcome: from, rollback: { ...restored, kept: [], failsCheck: false } })
    const { next: advice } = describeOutcome({ ...record, outcome: { kind: 'rolled-back', to: 'v1', from } })
    expect(advice).toBe(
      'To roll out exactly that commit, give it a tag, and set repo-ref to it in place of promote-from.',
    )
    expect(advice).toBe(describeOutcome(record).next)
  })

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
    const rollback: Rollback = { kind: 'not-possible', because, ...NOTHING_LEFT }
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

const AT_LINE: Problem = {
  input: 'waves[0].bake',
  message: 'must be a duration',
  place: { file: 'fleet.yml', line: 3 },
}

const NO_NAME: Problem = { input: 'name', message: 'is required' }

describe('describeOutcome', () => {
  it.each<[string, RolloutOutcome, RegExp]>([
    ['deployed', { kind: 'deployed', confirmed: true }, /^agent is deployed\.$/],
    ['started', { kind: 'started' }, /^Started a revision of agent\. Not waiting/],
    ['superseded', { kind: 'superseded', by: OLD_REVISION_ID }, new RegExp(OLD_REVISION_ID)],
    ['skipped', { kind: 'skipped', because: 'revision' }, /skipped this revision/],
    ['no credentials', { kind: 'skipped', because: 'no-credentials' }, /has no credentials/],
    [
      'author',
      { kind: 'skipped', because: 'untrusted-author', association: 'NONE' },
      /only an owner, a member or a coll/,
    ],
    ['issue', { kind: 'skipped', because: 'no-pull-request' }, /the comment is on an issue/],
    ['no label', { kind: 'skipped', because: 'unlabeled' }, /does not have the label/],
    ['other label', { kind: 'skipped', because: 'other-label' }, /is not the one/],
    ['planned', { kind: 'planned' }, /Nothing was written/],
    ['unchanged', { kind: 'unchanged' }, /is unchanged/],
    ['interrupted', { kind: 'interrupted' }, /interrupted/],
    [
      'timed-out',
      { kind: 'timed-out', lastTrouble: undefined },
      /^Timed out after 30 m 00 s; agent was still BUILDING\.$/,
    ],
    ['cancelled', { kind: 'cancelled' }, /cancelled/],
    ['nothing active', { kind: 'failed', because: { kind: 'nothing-active' } }, /reports no active revision/],
  ])('%s', (_name, outcome, headline) => {
    const record = aRecord({
      outcome,
      timeoutMs: 1_800_000,
      revision: { status: 'BUILDING', statusMessage: undefined, repoCommitSha: undefined },
    })
    expect(describeOutcome(record).headline).toMatch(headline)
  })

  it('says that what is to be deleted does not exist', () => {
    const record = { ...aTeardown(), target: 'agent', outcome: { kind: 'nothing-to-tear-down' } } as const
    expect(describeOutcome(record).headline).toBe('Nothing to tear down: agent does not exist.')
  })

  it('does not tell the owner of a lost secret that there is nothing to do', () => {
    const { next } = describeOutcome(aRecord({ outcome: { kind: 'skipped', because: 'no-credentials' } }))
    expect(next).toMatch(/In any other run, check that the secret is set\.$/)
  })

  it('names the existing previews beyond the limit, and how old they are, at most 20', () => {
    const named = [
      { name: 'agent-pr-1', ageMs: 3 * 24 * 3_600_000 },
      { name: 'agent-pr-2', ageMs: undefined },
    ]
    const outcomeOf = (existing: typeof named): RolloutOutcome => ({
      kind: 'failed',
      because: { kind: 'too-many-previews', max: 2, existing },
    })
    expect(describeOutcome(aRecord({ outcome: outcomeOf(named) }))).toMatchObject({
      headline: 'agent was not created: max-previews is 2, and 2 previews exist.',
      reason: 'agent-pr-1: updated 3 days ago\nagent-pr-2: its age is unknown',
      next: expect.stringContaining('Nothing was written.'),
    })
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `agent-pr-${index + 1}`, ageMs: 0 }))
    const { reason = '' } = describeOutcome(aRecord({ outcome: outcomeOf(many) }))
    expect(reason.split('\n')).toHaveLength(21)
    expect(reason).toMatch(/and 100 more$/)
  })

  it('says that a revision continues after a timeout', () => {
    const { next } = describeOutcome(aRecord({ outcome: { kind: 'timed-out', lastTrouble: undefined } }))
    expect(next).toContain('continues on the control plane')
    expect(next).toContain(REVISION_ID)
  })

  it('says that the previous revision is still serving, when there was one', () => {
    expect(describeOutcome({ ...failed, activeBefore: OLD_REVISION_ID }).serving).toContain('still serving')
    expect(describeOutcome(failed).serving).toBeUndefined()
  })

  it('states what was attempted, what came back and what to do about an error', () => {
    const error = new RefusedError(409, 'taken', {
      attempted: 'create the deployment "agent"',
      cameBack: 'POST answered 409: taken',
      hint: 'Choose another name.',
    })
    const message = describeOutcome(
      aRecord({ revisionId: undefined, outcome: { kind: 'failed', because: { kind: 'error', error } } }),
    )
    expect(message).toMatchObject({
      headline: 'The control plane refused to create the deployment "agent".',
      reason: 'POST answered 409: taken',
      next: 'Choose another name.',
    })
  })

  it('states what exists after an error that follows a create', () => {
    const error = new Error('broke off')
    const left = aRecord({
      change: 'created',
      revisionId: undefined,
      revision: undefined,
      timeline: [],
      outcome: { kind: 'failed', because: { kind: 'error', error } },
    })
    expect(describeOutcome(left).next).toContain('was created, and its first revision continues on the control plane')
    const planning = planRollout(
      aRequest({ source: 'internal_source', settings: { appConfigPath: 'agent.json' } }),
      aBasis(undefined, { packed: { files: 1, bytes: 1, sha256: 'x' } }),
    )
    if (planning.kind === 'refused') throw new Error('expected a plan')
    const plan = describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
    const { next } = describeOutcome({ ...left, plan })
    expect(next).toContain('no revision that builds its source')
    expect(next).not.toContain('continues on the control plane')
    const { upload, ...withoutUpload } = plan
    expect(upload?.files).toBe(1)
    const requests = [{ method: 'POST', path: '/v2/deployments/d1/revisions', purpose: 'create a revision' } as const]
    const ofRevision = describeOutcome({ ...left, plan: { ...withoutUpload, requests } })
    expect(ofRevision.next).toContain('was created, but no revision of it')
  })

  it('lists the problems in the inputs', () => {
    const error = new InputError([
      { input: 'name', message: 'is required' },
      { input: 'timeout', value: 'x', message: 'must be a duration' },
    ])
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because: { kind: 'error', error } } }))
    expect(message.headline).toBe('2 problems in the inputs:')
    expect(message.reason).toBe('name: is required\ntimeout: "x" must be a duration')
  })

  const NOTHING = { change: 'none', revisionId: undefined, timeline: [] } as const
  const REFUSED = (problems: Problem[]) =>
    ({ outcome: { kind: 'failed', because: { kind: 'error', error: new InputError(problems) } } }) as const

  it.each<[string, Problem[]]>([
    ['the workflow', [NO_NAME]],
    ['fleet.yml', cutProblems('manifest', [AT_LINE, AT_LINE, AT_LINE], 1)],
    ['the workflow', [{ input: 'secrets', message: 'has an empty value for A, B', count: 2 }]],
    ['the workflow', cutProblems('name', [NO_NAME, NO_NAME], 1)],
    ['fleet.yml and the workflow', [AT_LINE, AT_LINE, { input: 'shard', message: 'must be a part' }]],
  ])('says that the problems must be corrected in %s', (where, problems) => {
    const message = describeOutcome(aRecord({ ...REFUSED(problems), ...NOTHING }))
    expect(message.next).toMatch(new RegExp(`^Correct (it|them) in ${where}\\. Nothing was written\\.`))
  })

  it.each<[string, Parameters<typeof aRecord>[0], RegExp]>([
    [
      'has lost a write',
      { hasLostWrite: true },
      /^Correct it in the workflow\. The response .* it may have succeeded\./,
    ],
    ['has patched settings', { change: 'patched' }, /^Correct it in the workflow\. The settings were patched/],
  ])(
    'does not claim that nothing was written by a run that %s before a further plan was refused',
    (_what, done, next) => {
      const message = describeOutcome(aRecord({ ...REFUSED([NO_NAME]), ...NOTHING, ...done }))
      expect(message.next).toMatch(next)
      expect(message.next).not.toContain('Nothing was written')
    },
  )

  it('does not claim that nothing was written by a run that has lost a write before another plan than the approved one', () => {
    const because = { kind: 'other-plan', differences: [{ kind: 'revision' }] } as const
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because }, ...NOTHING, hasLostWrite: true }))
    expect(message.next).toMatch(/^Nothing more was written\. .*it may have succeeded\./)
  })
})
