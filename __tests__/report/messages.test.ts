import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER, type API_NAMES } from '../../src/control-plane/api.ts'
import { describeOutcome } from '../../src/report/messages.ts'
import {
  openRequest,
  type Final,
  type Removal,
  type RolloutRecord,
  type SingleRecord,
} from '../../src/report/record.ts'
import type {
  AnyOutcome,
  RolloutOutcome,
  NeverServed,
  NotPromotableCause,
  NotStartedCause,
  PlanDifference,
  RolloutFailure,
  Seen,
  UnfitState,
} from '../../src/rollout/outcome.ts'
import type { AnyPlan } from '../../src/rollout/plan/plan.ts'
import type { Rollback, SettingsLeft, RollbackObstacle } from '../../src/rollout/event.ts'
import {
  aBasis,
  aDeployment,
  aRecord,
  aRevision,
  aTeardown,
  OLD_REVISION_ID,
  REVISION_ID,
  aPush,
  COMMIT,
  DEPLOYMENT_ID,
  fakeClock,
} from '../builders.ts'
import {
  aPlan,
  FACTS,
  failedWith,
  notPossible,
  RESTORED,
  REVISION_FAILED,
  ROLLBACK_ERROR,
  TIMED_OUT,
  UNVERIFIED,
} from './a-record.ts'
import { ambiguous, RefusedError, UnreachableError, explainStatus } from '../../src/control-plane/errors.ts'
import { describePlan } from '../../src/report/plan.ts'
import { NoTemporaryFolderError } from '../../src/files.ts'
import { cutProblems, InputError, type Problem } from '../../src/problem.ts'
import fc from 'fast-check'
import { FIELDS } from '../../src/control-plane/settings.ts'
import { inputName } from '../../src/rollout/plan/settings.ts'
import { toError } from '../../src/clock.ts'
import { INPUTS_OF } from '../../src/inputs/inputs.ts'
import { readStep } from '../../src/inputs/read-step.ts'
import { describeFleet } from '../../src/report/fleet/end.ts'
import { endingsOf } from '../../src/report/fleet/results.ts'
import type { Message } from '../../src/report/words.ts'
import type { FleetOutcome } from '../../src/fleet/event.ts'
import type { TeardownFailure, TeardownOutcome } from '../../src/previews/event.ts'
import type { RequestOutcome } from '../../src/request/event.ts'
import { emptySlots } from '../empty-slots.ts'
import { aFinalFleet } from './fleet/a-fleet.ts'
import { AROUND } from '../here.ts'

const afterRequest = (isRead: boolean, outcome: AnyOutcome): Message =>
  describeOutcome({ ...openRequest(FACTS), isRead, endedAt: 1, timeoutMs: 1000, outcome })

describe('a single request that did not end', () => {
  it.each<AnyOutcome>([{ kind: 'cancelled' }, TIMED_OUT])('is doubtful when it writes: $kind', (outcome) => {
    const { written = '', next = '' } = afterRequest(false, outcome)
    expect(`${written} ${next}`).toContain('The request may have succeeded.')
  })

  it('changed nothing when it only reads', () => {
    expect(afterRequest(true, { kind: 'cancelled' }).written).toBe('Nothing was changed: the request only reads.')
    expect(afterRequest(true, TIMED_OUT).next).toMatch(/^Set a longer timeout\. timeout is 1 s; /)
  })
})

describe('a time limit of a phase', () => {
  const after = (api: (typeof API_NAMES)[number], name: 'queue' | 'build'): string | undefined => {
    const phase = { name, limitMs: 1000, forMs: 1200 }
    return describeOutcome(aRecord({ api, outcome: { ...TIMED_OUT, phase } })).next
  }

  it('says what a revision in the queue waits for, on a service that lets it wait', () => {
    expect(after('langsmith', 'queue')).toMatch(/^A revision waits as QUEUED until the earlier ones .* have ended: /)
    expect(after('langsmith', 'build')).not.toContain('QUEUED')
    expect(after('agent-server', 'queue')).not.toContain('QUEUED')
  })

  it.each(['queue', 'build'] as const)('names the input that ended the wait: %s', (name) => {
    expect(after('agent-server', name)).toContain(`; or set a longer ${name}-timeout.`)
    expect(describeOutcome(aRecord({ outcome: TIMED_OUT })).next).toContain('; or set a longer timeout.')
  })

  it.each(['timeout', 'queue-timeout'] as const)('is longer for the revision of a commit: %s', (limit) => {
    const missing = { commit: COMMIT, newest: undefined, forMs: 3000, limit }
    const { next } = describeOutcome(aRecord({ operation: 'wait', outcome: { ...TIMED_OUT, missing } }))
    expect(next).toMatch(new RegExp(`; or set a longer ${limit}\\.$`))
  })
})

describe('a run that was cancelled after its rollback had begun', () => {
  const after = (rollback: Rollback): string | undefined => {
    const { written, next } = describeOutcome(aRecord({ rollback, outcome: { kind: 'cancelled' } }))
    return [written, next].join(' ')
  }

  it('continues on the control plane, unless the rollback has ended', () => {
    const underWay = `A rollback to revision ${OLD_REVISION_ID} had begun; it continues on the control plane. Check the deployment before you rerun the job.`
    expect(after({ kind: 'under-way', to: OLD_REVISION_ID })).toMatch(new RegExp(` ${underWay}$`))
    expect(after({ ...ROLLBACK_ERROR, trouble: 'It broke' })).toMatch(
      / The rollback failed: It broke\. Check the deployment before you rerun the job\.$/,
    )
  })
})

describe('a rollback that has not succeeded', () => {
  const revision = aRevision({ status: 'DEPLOY_FAILED' })
  const after = (rollback: Rollback): string | undefined =>
    describeOutcome(aRecord({ rollback, revision, outcome: REVISION_FAILED })).written
  const left = { restored: ['customUrl'], kept: ['secrets'], changedSince: ['shareable'] } satisfies SettingsLeft
  const WORDS =
    'These settings are restored: custom-url. Not restored, so these keep the value of this run: secrets. Not restored, because these no longer show the value of this run, and another client may have set them: shareable.'
  const incomplete = { kind: 'incomplete', to: 'v1', revisionId: 'v3', outcome: REVISION_FAILED } as const

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
    describeOutcome(aRecord({ revision: aRevision({ status }), log, outcome: REVISION_FAILED })).next

  it.each([
    ['BUILD_FAILED', 'build'],
    ['DEPLOY_FAILED', 'deploy'],
  ] as const)('of %s is in the log that the run has read', (status, type) => {
    const advice = after(status, { type, lines: ['one'] })
    expect(advice).toMatch(new RegExp(`^Check the end of the ${type} log in this step's log,`))
    expect(advice).not.toContain('in the control plane')
    expect(after(status, { type, lines: [] })).toContain('in the control plane')
    expect(after(status)).toContain('in the control plane')
  })
})

describe('a check that fails', () => {
  const outcome = UNVERIFIED
  const restored: Rollback = { ...RESTORED, kept: ['secrets'] }

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
    const { headline, reason, written, next: then } = describeOutcome(aRecord({ outcome, rollback: restored }))
    expect(headline).toMatch(
      /was rolled back to revision v1; it fails the same check, so verify-url itself may be wrong\.$/,
    )
    expect(reason).toBe('x')
    expect(written).toMatch(
      / Revision v3 serves, and its check failed as well\. Not restored, so these keep the value of this run: secrets\.$/,
    )
    expect(then).toBe('Check verify-url and what answers there: https://a.example')
  })

  it('of a first revision says that it serves', () => {
    const active = { revisionId: REVISION_ID, at: 1 }
    const record = aRecord({ outcome, change: 'created', servingFacts: { isRead: true, origins: [], active } })
    expect(describeOutcome(record).next).toBe(
      'The new revision serves its users now; fix the cause, then roll out again.',
    )
    expect(describeOutcome({ ...record, servingFacts: { isRead: true, origins: [] } }).next).toBe(
      'Fix the cause, then roll out again.',
    )
  })

  it('lists what another client has changed since', () => {
    const rollback: Rollback = { ...restored, kept: [], changedSince: ['secrets', 'customUrl'] }
    const { written } = describeOutcome(aRecord({ outcome, rollback }))
    expect(written).toContain(
      'Not restored, because these no longer show the value of this run, and another client may have set them: secrets, custom-url.',
    )
  })

  it('after a rollback of a revision that failed is beside what that needs', () => {
    const { written } = describeOutcome(aRecord({ outcome: REVISION_FAILED, rollback: restored }))
    expect(written).toContain('Revision v3 serves, and its check failed as well.')
  })

  it.each([
    [404, 'HTTP 404'],
    ['refused', 'refused connections'],
  ] as const)('as before (%s) says why there is no rollback', (seen, words) => {
    const rollback = notPossible({ kind: 'failed-before', seen })
    expect(describeOutcome(aRecord({ outcome, rollback })).written).toContain(
      `Not rolled back: the check failed in the same way before this rollout (${words}), so verify-url itself may be wrong.`,
    )
  })
})

describe('a run that is superseded before its revision', () => {
  it.each([
    ['patched', 'The settings were patched. No revision is known to have been created.'],
    ['none', 'Nothing was written.'],
  ] as const)('says what it has changed: %s', (change, written) => {
    const record = aRecord({ outcome: { kind: 'superseded', by: OLD_REVISION_ID }, change, revisionId: undefined })
    expect(describeOutcome({ ...record, revision: undefined }).written).toBe(written)
  })
})

describe('a run whose inputs have a problem', () => {
  const unread = { target: '', deployment: undefined, change: 'none', revisionId: undefined } as const

  it.each([
    ['my-agent', 'A problem in the inputs of my-agent.', 'Skipped my-agent: '],
    [undefined, 'A problem in the inputs.', 'Skipped the deployment: '],
    ['a\nb', 'A problem in the inputs.', 'Skipped the deployment: '],
    ['x'.repeat(101), 'A problem in the inputs.', 'Skipped the deployment: '],
  ])('names the deployment that the inputs name: %j', (askedDeployment, headline, skipped) => {
    const headlineOf = (outcome: RolloutOutcome): string =>
      describeOutcome(aRecord({ ...unread, askedDeployment, outcome })).headline
    expect(headlineOf(failedWith(new InputError([NO_NAME])))).toBe(headline)
    expect(headlineOf({ kind: 'skipped', because: 'no-credentials' })).toContain(skipped)
  })
})

describe('a run that did not begin', () => {
  it.each(['no-pull-request', 'other-label'] as const)('has no remedy, and no serving revision: %s', (because) => {
    const message = describeOutcome(aRecord({ outcome: { kind: 'skipped', because } }))
    expect([message.next, message.serving, message.written]).toEqual([undefined, undefined, undefined])
    const begun = describeOutcome(aRecord({ outcome: { kind: 'skipped', because: 'revision' } }))
    expect(begun.serving).toMatch(/serves/i)
  })
})

describe('what to do after a run that is superseded', () => {
  const nextOf = (onSuperseded: 'fail' | 'succeed'): string | undefined =>
    describeOutcome(aRecord({ outcome: { kind: 'superseded', by: OLD_REVISION_ID }, onSuperseded })).next

  it('names an input only if it is not set already', () => {
    expect(nextOf('fail')).toMatch(/ If this should not fail the job, set on-superseded to succeed\.$/)
    expect(nextOf('succeed')).toBe('Check the run that created that revision.')
  })

  it.each([
    [{}, /^Revision \S+ still serves agent: the new revision was not activated\.$/, /why it was not activated/],
    [{ change: 'none' }, /was superseded by revision/, /the run that created that revision/],
    [{ revisionId: undefined }, /was superseded by revision/, /the run that created that revision/],
    [{ activeBefore: DEPLOYMENT_ID }, /was superseded by revision/, /the run that created that revision/],
  ] as const)('is no other run where the earlier revision still serves: %j', (over, headline, next) => {
    const outcome = { kind: 'superseded', by: OLD_REVISION_ID } as const
    expect(describeOutcome(aRecord({ outcome, activeBefore: OLD_REVISION_ID, ...over }))).toMatchObject({
      headline: expect.stringMatching(headline),
      next: expect.stringMatching(next),
    })
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
    ['deployed', { kind: 'deployed', isConfirmed: true }, /^agent is deployed\.$/],
    ['started', { kind: 'started' }, /^Started a revision of agent\. Not waiting/],
    ['superseded', { kind: 'superseded', by: OLD_REVISION_ID }, new RegExp(OLD_REVISION_ID)],
    ['skipped', { kind: 'skipped', because: 'revision' }, /skipped this revision/],
    ['no credentials', { kind: 'skipped', because: 'no-credentials' }, /has no credentials/],
    ['author', { kind: 'skipped', because: 'untrusted-author', association: 'NONE' }, /only an owner, a member or a/],
    ['issue', { kind: 'skipped', because: 'no-pull-request' }, /the comment is on an issue/],
    ['no label', { kind: 'skipped', because: 'unlabeled' }, /does not have the label/],
    ['other label', { kind: 'skipped', because: 'other-label' }, /is not the one/],
    ['planned', { kind: 'planned' }, /Nothing was written/],
    ['unchanged', { kind: 'unchanged' }, /is unchanged/],
    ['interrupted', { kind: 'interrupted' }, /interrupted/],
    ['timed-out', TIMED_OUT, /^Timed out after 30 m 00 s; agent was still BUILDING\.$/],
    ['cancelled', { kind: 'cancelled' }, /cancelled/],
    ['nothing active', { kind: 'failed', because: { kind: 'nothing-active' } }, /reports no active revision/],
  ])('%s', (_name, outcome, headline) => {
    const record = aRecord({ outcome, timeoutMs: 1_800_000, revision: aRevision({ status: 'BUILDING' }) })
    expect(describeOutcome(record).headline).toMatch(headline)
  })

  it.each([
    ['list the integrations', 'The rollout of agent stopped: the control plane refused to list the integrations.'],
    [`update the deployment ${DEPLOYMENT_ID}`, 'The control plane refused to update the deployment agent.'],
  ])('names the deployment where the control plane refuses to %s', (attempted, headline) => {
    const refused = new RefusedError(422, '', { attempted, cameBack: 'no', hint: 'Wait.' })
    expect(describeOutcome(aRecord({ outcome: failedWith(refused) })).headline).toBe(headline)
  })

  it('says that a wait stopped, and only once that a write may have succeeded', () => {
    const refused = new RefusedError(404, '', { attempted: 'read the revision r9', cameBack: 'no', hint: 'Wait.' })
    const waited = aRecord({ operation: 'wait', outcome: failedWith(refused) })
    expect(describeOutcome(waited).headline).toBe(
      'The wait for agent stopped: the control plane refused to read the revision r9.',
    )
    const lost = ambiguous(new UnreachableError({ attempted: 'do it', cameBack: 'no', hint: 'Wait.' }))
    expect(describeOutcome(aRecord({ outcome: failedWith(lost), ...NOTHING }))).toMatchObject({
      written: 'The last request of this run may have succeeded: no response confirms it.',
      next: 'Check the deployment before you rerun the job. Wait.',
    })
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
    const outcomeOf = (existing: typeof named) =>
      ({ kind: 'failed', because: { kind: 'too-many-previews', max: 2, existing } }) as const
    expect(describeOutcome(aRecord({ outcome: outcomeOf(named) }))).toMatchObject({
      headline: 'agent was not created: max-previews is 2, and 2 previews exist.',
      reason: 'agent-pr-1: updated 3 days ago\nagent-pr-2: its age is unknown',
      next: expect.stringMatching(/^Close a pull request/),
    })
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `agent-pr-${index + 1}`, ageMs: 0 }))
    const { reason = '' } = describeOutcome(aRecord({ outcome: outcomeOf(many) }))
    expect(reason.split('\n')).toHaveLength(21)
    expect(reason).toMatch(/and 100 more$/)
  })

  it('says to check the deployment after a timeout only if something was written, or may have been', () => {
    const after = (over: Parameters<typeof aRecord>[0]): string | undefined =>
      describeOutcome(aRecord({ revisionId: undefined, change: 'none', outcome: TIMED_OUT, ...over })).next
    expect(after({})).toMatch(/^Rerun the job\./)
    expect(after({ isWriting: true })).toMatch(/^Check the deployment before you rerun the job\./)
    expect(after({ change: 'created' })).toMatch(/^Check the deployment before you rerun the job\./)
  })

  it('says that a revision continues after a timeout', () => {
    const { written } = describeOutcome(aRecord({ outcome: TIMED_OUT }))
    expect(written).toBe(
      `Revision ${REVISION_ID} was created. It continues on the control plane; it cannot be cancelled.`,
    )
  })

  it('states what was attempted, what came back and what to do about an error', () => {
    const error = new RefusedError(409, 'taken', {
      attempted: 'create the deployment "agent"',
      cameBack: 'POST answered 409: taken',
      hint: 'Choose another name.',
    })
    const message = describeOutcome(aRecord({ revisionId: undefined, outcome: failedWith(error) }))
    expect(message).toMatchObject({
      headline: 'The control plane refused to create the deployment "agent".',
      reason: 'POST answered 409: taken',
      next: 'Choose another name.',
    })
  })

  it('says that the runner lacks a folder for temporary files', () => {
    const outcome = failedWith(new NoTemporaryFolderError('/temp: EACCES'))
    expect(describeOutcome(aRecord({ change: 'none', revisionId: undefined, outcome }))).toMatchObject({
      headline: 'The run for agent needs a folder for temporary files, and none can be made.',
      reason: '/temp: EACCES',
      next: 'Set RUNNER_TEMP on the runner to a folder that its user can write to, then rerun the job.',
    })
  })

  it('states what exists after an error that follows a create', () => {
    const outcome = failedWith(new Error('broke off'))
    const left = aRecord({ change: 'created', revisionId: undefined, revision: undefined, timeline: [], outcome })
    expect(describeOutcome(left).written).toContain(
      'was created, and its first revision continues on the control plane',
    )
    const packed = aBasis(undefined, { packed: { files: 1, bytes: 1, sha256: 'x' } })
    const plan = aPlan({ source: 'internal_source', settings: { appConfigPath: 'agent.json' } }, packed)
    const { written } = describeOutcome({ ...left, plan })
    expect(written).toContain('no revision that builds its source')
    expect(written).not.toContain('continues on the control plane')
    const { upload, ...withoutUpload } = plan
    expect(upload?.files).toBe(1)
    const requests = [{ method: 'POST', path: '/v2/deployments/d1/revisions', purpose: 'create a revision' } as const]
    const ofRevision = describeOutcome({ ...left, plan: { ...withoutUpload, requests } })
    expect(ofRevision.written).toContain('was created, but no revision of it')
  })

  it('lists the problems in the inputs', () => {
    const error = new InputError([
      { input: 'name', message: 'is required' },
      { input: 'timeout', value: 'x', message: 'must be a duration' },
    ])
    const message = describeOutcome(aRecord({ outcome: failedWith(error) }))
    expect(message.headline).toBe('2 problems in the inputs of agent.')
    expect(message.reason).toBe('name: is required\ntimeout: "x" must be a duration')
  })

  const NOTHING = { change: 'none', revisionId: undefined, timeline: [] } as const
  const refused = (problems: Problem[]) => failedWith(new InputError(problems))

  it.each<[string, Problem[]]>([
    ['the workflow', [NO_NAME]],
    ['fleet.yml', cutProblems('manifest', [AT_LINE, AT_LINE, AT_LINE], 1)],
    ['the workflow', [{ input: 'secrets', message: 'has an empty value for A, B', count: 2 }]],
    ['the workflow', cutProblems('name', [NO_NAME, NO_NAME], 1)],
    ['fleet.yml and the workflow', [AT_LINE, AT_LINE, { input: 'shard', message: 'must be a part' }]],
  ])('says that the problems must be corrected in %s', (where, problems) => {
    const message = describeOutcome(aRecord({ outcome: refused(problems), ...NOTHING }))
    expect(message.next).toMatch(new RegExp(`^Correct (it|them) in ${where}\\.$`))
    expect(message.written).toBe('Nothing was written.')
  })

  it.each<[string, Parameters<typeof aRecord>[0], RegExp]>([
    [
      'has lost a write',
      { hasLostWrite: true },
      /^The last request of this run may have succeeded: no response confirms it\.$/,
    ],
    ['has patched settings', { change: 'patched' }, /^The settings were patched\./],
  ])(
    'does not claim that nothing was written by a run that %s before a further plan was refused',
    (_what, done, written) => {
      const message = describeOutcome(aRecord({ outcome: refused([NO_NAME]), ...NOTHING, ...done }))
      expect(message.written).toMatch(written)
      expect(message.written).not.toContain('Nothing was written')
    },
  )

  it.each<[string, NeverServed, string, string]>([
    [
      'one newer revision failed',
      neverServed({}),
      'The newer revision v3 failed with BUILD_FAILED and never served, so there is nothing to go back from.',
      'To leave v2, set revision-id: v1.',
    ],
    [
      'two were skipped, and no origin is reported',
      neverServed({
        active: { id: 'v2', origin: undefined },
        newer: { id: 'v4', status: 'SKIPPED', others: 1 },
        before: undefined,
      }),
      'The newer revision v4 ended SKIPPED and never served, nor did the other newer one, so there is nothing to go back from.',
      'No earlier revision ended DEPLOYED: to replace the active one, roll out a revision that works.',
    ],
    [
      'three failed',
      neverServed({ newer: { id: 'v5', status: 'INTERRUPTED', others: 2 } }),
      'The newer revision v5 ended INTERRUPTED and never served, nor did the 2 other newer ones, so there is nothing to go back from.',
      'To leave v2, set revision-id: v1.',
    ],
  ])('says what to set to leave a revision that serves: %s', (_case, because, headline, next) => {
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because }, ...NOTHING }))
    expect(message).toMatchObject({ mark: '❌', headline, written: 'Nothing was written.', next })
  })

  it('does not claim that nothing was written by a run that has lost a write before another plan than the approved one', () => {
    const because = { kind: 'other-plan', differences: [{ kind: 'revision' }] } as const
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because }, ...NOTHING, hasLostWrite: true }))
    expect(message.written).toBe('The last request of this run may have succeeded: no response confirms it.')
  })

  it('says what others have changed since the PATCH of an approved plan, and that the settings are patched', () => {
    const change = { kind: 'revised', revisionId: 'theirs' } as const
    const because = { kind: 'other-plan', differences: [{ kind: 'meanwhile', change }] } as const
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because }, ...NOTHING, change: 'patched' }))
    expect(message.reason).toBe('Since the approval: the deployment got another latest revision (theirs).')
    expect(message.written).toBe('The settings were patched. No revision is known to have been created.')
  })
})

function neverServed(over: Partial<NeverServed>): NeverServed {
  const newer = { id: 'v3', status: 'BUILD_FAILED', others: 0 }
  return { kind: 'never-served', active: { id: 'v2', origin: 'main@2222222' }, newer, before: 'v1', ...over }
}

/** One arbitrary for each kind of a union: the compiler finds a kind that is missing here. */
type EachKind<Of extends { kind: string }> = { [Kind in Of['kind']]: fc.Arbitrary<Extract<Of, { kind: Kind }>> }

const any = fc.constantFrom
const fields = fc.subarray([...FIELDS], { maxLength: 3 })
const trouble = any('it answers HTTP 503, not 200', 'GET /v2/deployments answered 500')
const count = fc.integer({ min: 1, max: 3 })
const ms = any(10_000, 600_000)
const orUnknown = <T>(known: T): fc.Arbitrary<T | undefined> => any(known, undefined)
const kind = <const Kind extends string>(name: Kind): { kind: fc.Arbitrary<Kind> } => ({ kind: fc.constant(name) })

const WORDS = { attempted: 'list the deployments', cameBack: 'GET /v2/deployments answered 404', hint: 'Check it.' }
const PLACE = { file: 'fleet.yml', line: 3 }
const problem = fc.record(
  { input: any('secrets', 'name'), message: any('has a mistake'), place: any(PLACE), count },
  { requiredKeys: ['input', 'message'] },
)
const error: fc.Arbitrary<Error> = fc.oneof(
  fc.array(problem, { minLength: 1, maxLength: 4 }).map((problems) => new InputError(problems)),
  any(new RefusedError(404, '', WORDS), new UnreachableError(WORDS), new Error('It broke')),
)

const side = any<'sent' | 'replaced'>('sent', 'replaced')
const DIFFERENCES: EachKind<PlanDifference> = {
  hash: fc.record(kind('hash')),
  'not-approved': fc.record({ ...kind('not-approved'), others: fc.subarray(['agent-1', 'agent-2'], { minLength: 1 }) }),
  'control-plane': fc.record(kind('control-plane')),
  deployment: fc.record({ ...kind('deployment'), approved: orUnknown(DEPLOYMENT_ID), now: orUnknown('d2') }),
  active: fc.record({ ...kind('active'), approved: orUnknown(OLD_REVISION_ID), now: orUnknown(REVISION_ID) }),
  latest: fc.record({ ...kind('latest'), approved: orUnknown(OLD_REVISION_ID), now: orUnknown(REVISION_ID) }),
  revision: fc.record(kind('revision')),
  meanwhile: fc.record({
    ...kind('meanwhile'),
    change: any({ kind: 'revised', revisionId: 'r9' } as const, { kind: 'set', fields: ['customUrl'] } as const),
  }),
  value: fc.record({
    ...kind('value'),
    side,
    key: any('secrets', 'secrets/DATABASE_URL', 'variables/LOG_LEVEL', 'resource-spec/min_scale', 'image-uri'),
    approved: orUnknown('1'),
    now: orUnknown(''),
  }),
}

const revisionId = any(REVISION_ID)
const NOT_PROMOTABLE: EachKind<NotPromotableCause> = {
  'nothing-active': fc.record(kind('nothing-active')),
  'active-not-reported': fc.record(kind('active-not-reported')),
  'revision-not-reported': fc.record({
    ...{ ...kind('revision-not-reported'), revisionId },
    lacks: any<'image' | 'ref' | 'commit'>('image', 'ref', 'commit'),
  }),
  'unsupported-source': fc.record({ ...kind('unsupported-source'), source: orUnknown('teleport') }),
  'revision-of-other-source': fc.record({
    ...{ ...kind('revision-of-other-source'), revisionId },
    ...{ revisionSource: any('git_host'), source: any('external_container') },
  }),
  'unversioned-source': fc.record({
    ...{ ...kind('unversioned-source'), revisionId },
    source: any<'internal_source' | 'internal_template'>('internal_source', 'internal_template'),
  }),
  'contradictory-commit': fc.record({
    ...{ ...kind('contradictory-commit'), revisionId },
    ...{ ref: any('c2'), commit: any(COMMIT) },
  }),
  'ref-moved': fc.record({
    ...{ ...kind('ref-moved'), ref: any('main'), isTag: fc.boolean() },
    ...{ commit: any(COMMIT), head: orUnknown('c1') },
  }),
}

const UNFIT: EachKind<UnfitState> = {
  'being-deleted': fc.record(kind('being-deleted')),
  'other-source': fc.record({ ...kind('other-source'), has: any('git_host'), wanted: any('external_container') }),
  'unsupported-source': fc.record({ ...kind('unsupported-source'), source: orUnknown('teleport') }),
  'other-repository': fc.record({
    ...kind('other-repository'),
    reported: any('github.com/acme/other', 'another address'),
    expected: any('github.com/acme/agent'),
  }),
  'nothing-earlier': fc.record(kind('nothing-earlier')),
  'not-promotable': fc.record({
    ...kind('not-promotable'),
    from: any('staging'),
    because: fc.oneof(...Object.values<fc.Arbitrary<NotPromotableCause>>(NOT_PROMOTABLE)),
  }),
}

const CAUSES: EachKind<RolloutFailure> = {
  revision: fc.record(kind('revision')),
  'nothing-active': fc.record(kind('nothing-active')),
  'active-unknown': fc.record({ ...kind('active-unknown'), trouble }),
  deleted: fc.record(kind('deleted')),
  'other-commit': fc.record({ ...kind('other-commit'), wanted: any(COMMIT), built: orUnknown('c1') }),
  'too-many-previews': fc.record({
    ...kind('too-many-previews'),
    max: count,
    existing: fc.array(fc.record({ name: any('agent-pr-7'), ageMs: orUnknown(60_000) }), { minLength: 1 }),
  }),
  'never-served': fc.record({
    ...kind('never-served'),
    active: fc.record({ id: any(REVISION_ID), origin: any('main@2222222', 'registry.example/agent:2', undefined) }),
    newer: fc.record({ id: any('v3'), status: any('BUILD_FAILED', 'SKIPPED', 'INTERRUPTED'), others: fc.nat(2) }),
    before: orUnknown(OLD_REVISION_ID),
  }),
  unfit: fc.record({
    ...kind('unfit'),
    namedBy: any<'name' | 'deployment-id'>('name', 'deployment-id'),
    state: fc.oneof(...Object.values<fc.Arbitrary<UnfitState>>(UNFIT)),
  }),
  'other-plan': fc.record({
    ...kind('other-plan'),
    differences: fc.array(fc.oneof(...Object.values(DIFFERENCES)), { minLength: 1 }),
  }),
  error: fc.record({ ...kind('error'), error }),
}

const notStarted: fc.Arbitrary<NotStartedCause> = any<NotStartedCause>(
  { because: 'no-credentials' },
  { because: 'untrusted-author', association: 'NONE' },
  { because: 'untrusted-author', association: undefined },
  { because: 'no-pull-request' },
  { because: 'unlabeled' },
  { because: 'other-label' },
)

const unverified = fc.record(
  {
    ...kind('unverified'),
    url: any('https://agent.example/ok'),
    trouble,
    evidence: any('answer', 'refusals', 'none'),
    afterMs: ms,
  },
  { requiredKeys: ['kind', 'url', 'trouble', 'evidence'] },
)
const failedRollout = fc.record({
  ...kind('failed'),
  because: fc.oneof(...Object.values<fc.Arbitrary<RolloutFailure>>(CAUSES)),
})
const skipped = notStarted.map((one) => ({ kind: 'skipped' as const, ...one }))

const OUTCOMES: EachKind<RolloutOutcome> = {
  deployed: fc.record({ ...kind('deployed'), isConfirmed: fc.boolean() }),
  failed: failedRollout,
  'timed-out': fc.record(
    {
      ...kind('timed-out'),
      lastTrouble: fc.option(trouble, { nil: undefined }),
      phase: fc.record({ name: any('queue', 'build', 'deploy'), limitMs: ms, forMs: ms }),
    },
    { requiredKeys: ['kind', 'lastTrouble'] },
  ),
  superseded: fc.record({ ...kind('superseded'), by: any(OLD_REVISION_ID) }),
  skipped: fc.oneof(skipped, fc.record({ ...kind('skipped'), because: any('revision') })),
  interrupted: fc.record(kind('interrupted')),
  cancelled: fc.record(kind('cancelled')),
  unverified,
  'rolled-back': fc.record({
    ...kind('rolled-back'),
    to: any(OLD_REVISION_ID),
    from: fc.oneof(unverified, failedRollout),
  }),
  started: fc.record(kind('started')),
  planned: fc.record(kind('planned')),
  unchanged: fc.record(kind('unchanged')),
}
const outcome: fc.Arbitrary<RolloutOutcome> = fc.oneof(...Object.values<fc.Arbitrary<RolloutOutcome>>(OUTCOMES))

const OBSTACLES: EachKind<RollbackObstacle> = {
  'no-evidence': fc.record(kind('no-evidence')),
  'failed-before': fc.record({ ...kind('failed-before'), seen: any<Seen>('refused', 404) }),
  'no-deployment-before': fc.record(kind('no-deployment-before')),
  'no-active-revision-before': fc.record(kind('no-active-revision-before')),
  'another-revision-serves': fc.record({ ...kind('another-revision-serves'), revisionId: any(REVISION_ID) }),
  'not-own-revision': fc.record({ ...kind('not-own-revision'), revisionId: any(REVISION_ID) }),
  'newer-revision': fc.record({ ...kind('newer-revision'), revisionId: any(REVISION_ID) }),
  'unknown-source': fc.record(kind('unknown-source')),
  'commit-unknown': fc.record(kind('commit-unknown')),
  'not-redeployed': fc.record({
    ...kind('not-redeployed'),
    because: any('no-route', 'refused', 'no-revision'),
    cameBack: trouble,
    commit: orUnknown(COMMIT),
  }),
  'other-commit': fc.record({
    ...kind('other-commit'),
    revisionId: any(REVISION_ID),
    builds: any('c1'),
    wanted: any(COMMIT),
  }),
}
const obstacle: fc.Arbitrary<RollbackObstacle> = fc.oneof(...Object.values(OBSTACLES))

const left = { restored: fields, kept: fields, changedSince: fields }

const ROLLBACKS: EachKind<Rollback> = {
  'not-possible': fc.record({ ...kind('not-possible'), because: obstacle, ...left }),
  'under-way': fc.record({ ...kind('under-way'), to: any(OLD_REVISION_ID) }),
  restored: fc.record({
    ...kind('restored'),
    to: any(OLD_REVISION_ID),
    revisionId: any(REVISION_ID),
    kept: fields,
    changedSince: fields,
    failsCheck: fc.boolean(),
  }),
  incomplete: fc.record({
    ...kind('incomplete'),
    to: any(OLD_REVISION_ID),
    revisionId: any(REVISION_ID),
    outcome,
    ...left,
  }),
  error: fc.record({
    ...kind('error'),
    isUnknown: fc.boolean(),
    revisionId: orUnknown(REVISION_ID),
    trouble,
    unsure: fields,
    ...left,
  }),
}
const rollback: fc.Arbitrary<Rollback> = fc.oneof(...Object.values(ROLLBACKS))

const REVISION = { status: 'BUILD_FAILED', statusMessage: undefined, repoCommitSha: undefined }
const KEPT: AnyPlan = { kind: 'unchanged', deployment: aDeployment(), active: aRevision(), changes: [], notes: [] }
const UNCHANGED = describePlan({ plan: KEPT, wait: true, prefix: '' }, AGENT_SERVER)
const facts = fc.record<Partial<Final<RolloutRecord>>>({
  plan: orUnknown(UNCHANGED),
  operation: any('rollout', 'wait', 'rollback'),
  target: any('agent', DEPLOYMENT_ID),
  timeoutMs: fc.option(ms, { nil: undefined }),
  change: any('created', 'patched', 'revised', 'redeployed', 'resumed', 'none'),
  api: any('agent-server', 'langsmith'),
  revisionId: orUnknown(REVISION_ID),
  revision: orUnknown(REVISION),
  activeBefore: orUnknown(OLD_REVISION_ID),
  timeline: any([], [{ status: 'DEPLOYED', phase: 'terminal' as const, at: 0 }]),
  log: orUnknown({ type: 'build' as const, lines: ['one'] }),
  rollback: fc.option(rollback, { nil: undefined }),
  goesBackTo: fc.record({ id: any(OLD_REVISION_ID), origin: orUnknown('v1'), notRestored: fields }),
  unconfirmed: fields,
})

const BECAUSE: Record<Removal['because']['kind'], fc.Arbitrary<Removal['because']>> = {
  requested: fc.record(kind('requested')),
  'pull-request-open': fc.record({ ...kind('pull-request-open'), pullRequest: count }),
  'pull-request-closed': fc.record({ ...kind('pull-request-closed'), pullRequest: count }),
  'pull-request-unlabeled': fc.record({ ...kind('pull-request-unlabeled'), pullRequest: count }),
  'pull-request-missing': fc.record({ ...kind('pull-request-missing'), pullRequest: count }),
  'pull-request-unknown': fc.record({ ...kind('pull-request-unknown'), pullRequest: count }),
  'event-outdated': fc.record({ ...kind('event-outdated'), pullRequest: count }),
  'label-event-outdated': fc.record({ ...kind('label-event-outdated'), pullRequest: count }),
  'not-updated': fc.record({ ...kind('not-updated'), forMs: ms }),
  'age-unknown': fc.record({ ...kind('age-unknown'), lacks: any('server-time', 'update-time', 'revision') }),
  'revision-under-way': fc.record({ ...kind('revision-under-way'), status: any('BUILDING') }),
  'other-repository': fc.record({ ...kind('other-repository'), reported: any('a/b'), expected: any('c/d') }),
  'files-unknown': fc.record({ ...kind('files-unknown'), pullRequest: count }),
  'notes-unknown': fc.record({ ...kind('notes-unknown'), pullRequest: count }),
  'not-proven': fc.record({ ...kind('not-proven'), pullRequest: count }),
  failed: fc.record({ ...kind('failed'), trouble }),
  accepted: fc.record(kind('accepted')),
}
const removal = fc.record<Removal>({
  id: any(DEPLOYMENT_ID),
  name: any('agent-pr-7'),
  result: any('removed', 'kept', 'failed', 'planned'),
  because: fc.oneof(...Object.values(BECAUSE)),
})

const ofAny: fc.Arbitrary<AnyOutcome> = fc.oneof(
  fc.record({ ...kind('failed'), because: CAUSES.error }),
  fc.record({ ...kind('timed-out'), lastTrouble: fc.option(trouble, { nil: undefined }) }),
  skipped,
  OUTCOMES.cancelled,
)

const TEARDOWN_CAUSES: EachKind<TeardownFailure> = {
  teardown: fc.record({ ...kind('teardown'), failed: count }),
  'states-unknown': fc.record({ ...kind('states-unknown'), unknown: count }),
  unfit: CAUSES.unfit,
  error: CAUSES.error,
}
const ofTeardown: fc.Arbitrary<TeardownOutcome> = fc.oneof(
  ofAny,
  fc.record({ ...kind('failed'), because: fc.oneof(...Object.values<fc.Arbitrary<TeardownFailure>>(TEARDOWN_CAUSES)) }),
  fc.record(kind('torn-down')),
  fc.record(kind('nothing-to-tear-down')),
  OUTCOMES.planned,
)
const ofRequest: fc.Arbitrary<RequestOutcome> = fc.oneof(ofAny, fc.record(kind('answered')))
const ofFleet: fc.Arbitrary<FleetOutcome> = fc.oneof(
  ofAny,
  OUTCOMES.deployed,
  OUTCOMES.unchanged,
  OUTCOMES.planned,
  fc.record({ ...kind('failed'), because: fc.record({ ...kind('fleet'), failed: count, notStarted: fc.nat(2) }) }),
  fc.record({
    ...kind('failed'),
    because: fc.record({ ...kind('other-plans'), others: count, missing: fc.subarray(['agent-1', 'agent-2']) }),
  }),
)

const rollout: fc.Arbitrary<Final<RolloutRecord>> = fc.oneof(
  fc.tuple(facts, fc.oneof(ofAny, OUTCOMES.planned)).map(([over, end]) => aRecord({ ...over, outcome: end })),
  fc
    .tuple(facts, outcome)
    .map(([over, end]) =>
      aRecord({
        ...over,
        timeoutMs: over.timeoutMs ?? 1000,
        ...{ revisionId: REVISION_ID, revision: over.revision ?? REVISION, outcome: end },
      }),
    ),
)

const single: fc.Arbitrary<Final<SingleRecord>> = fc.oneof(
  rollout,
  fc
    .tuple(fc.array(removal, { minLength: 1, maxLength: 3 }), ofTeardown)
    .map(([removals, end]) => ({ ...aTeardown(), target: 'agent', timeoutMs: 1000, removals, outcome: end })),
  fc
    .tuple(fc.boolean(), ofRequest)
    .map(([isRead, end]) => ({
      ...openRequest(FACTS),
      ...{ target: 'GET /v2/deployments', isRead, timeoutMs: 1000, endedAt: 1, outcome: end },
    })),
)

const textOf = ({ headline, serving, reason, written, next }: Message): string =>
  [headline, serving, reason, written, next].filter((text) => text !== undefined).join('\n')

/** Texts that are wrong for most inputs. */
const WRONG = [
  ...['x', 'maybe', '-1', '{', '{}', '[1]', 'a=', 'A=\nB', '${{ x }}', 'https://u:p@h', '99h', 'Name_1'],
  '/v2/a?b=c',
]

/** The error of a step without credentials, and with what else is wrong. */
async function refusal(inputs: Record<string, string>): Promise<Error> {
  return await readStep((name) => inputs[name] ?? '', aPush(), AROUND).then(
    () => new Error('not refused'),
    (thrown: unknown) => toError(thrown),
  )
}

const ACCESS = { apiKey: 'key', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' }

const messageAbout = (failure: Error): string =>
  textOf(describeOutcome(aRecord({ revisionId: undefined, outcome: failedWith(failure) })))

describe('no message has an empty slot', () => {
  it.each(Object.entries(INPUTS_OF))('about an input of %s', async (operation, defaults) => {
    for (const name of Object.keys(defaults))
      for (const wrong of WRONG) {
        const failure = await refusal({ operation, 'base-url': 'https://cp.example', [name]: wrong })
        expect(emptySlots(messageAbout(failure))).toEqual([])
      }
  })

  const BODIES = ['', '{}', '{"detail":[]}', '{"detail":"It is wrong."}', '<title>Sign in</title>', '[]', '""']
  it.each([199, 204, 302, 400, 401, 402, 403, 404, 409, 413, 418, 422, 429, 500])('about the status %d', (status) => {
    for (const body of BODIES) {
      const answer = { kind: 'answer', status, headers: {}, body } as const
      const request = { method: 'GET', path: '/v2/deployments', attempted: 'read it' } as const
      const failure = explainStatus(request, answer, {
        credentials: ACCESS,
        clock: fakeClock(),
        redactFreeText: String,
      })
      expect([failure.message, messageAbout(failure)].flatMap(emptySlots)).toEqual([])
    }
  })

  it('about a single operation, whatever its outcome', () => {
    fc.assert(
      fc.property(single, (record) => {
        expect(emptySlots(textOf(describeOutcome(record)))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('about a fleet, whatever its outcome and those of its deployments', () => {
    const { deployments } = aFinalFleet({ waves: [{ names: ['agent-eu', 'agent-us'] }] }, { kind: 'unchanged' })
    fc.assert(
      fc.property(ofFleet, rollout, (end, ended) => {
        const changed = deployments.map((one) => ({ ...one, ...ended, endedAt: one.endedAt }))
        const record = { ...aFinalFleet({ waves: [] }, end), timeoutMs: 1000, deployments: changed }
        const reasons = endingsOf(record, String).flatMap(({ result }) => result.reason ?? [])
        expect([textOf(describeFleet(record)), ...reasons].flatMap(emptySlots)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

/** A sentence as a template. */
const asTemplate = (sentence: string): string =>
  sentence
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')
    .replace(/\d+/g, 'N')
    .replace(new RegExp(`\\b(${FIELD_NAMES})(, (${FIELD_NAMES}))+\\b`, 'g'), 'FIELDS')
const FIELD_NAMES = FIELDS.map(inputName).join('|')

/** Each sentence once. Other tests hold when a message has which. */
it('the sentences are those that were recorded', () => {
  const sampled = { seed: 36, numRuns: 20_000 }
  const { deployments } = aFinalFleet({ waves: [{ names: ['agent-eu', 'agent-us'] }] }, { kind: 'unchanged' })
  const fleets = fc.sample(fc.tuple(ofFleet, rollout), sampled).map(([end, ended]) => {
    const changed = deployments.map((one) => ({ ...one, ...ended, endedAt: one.endedAt }))
    return describeFleet({ ...aFinalFleet({ waves: [] }, end), timeoutMs: 1000, deployments: changed })
  })
  const singles = fc.sample(single, sampled).map((record) => describeOutcome(record))
  const sentences = [...singles, ...fleets].flatMap((message) => textOf(message).split(/(?<=[.:;]) |\n|, /))
  expect([...new Set(sentences.map(asTemplate))].toSorted().join('\n')).toMatchSnapshot()
})
