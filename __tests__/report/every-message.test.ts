import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { RefusedError, UnreachableError, explainStatus } from '../../src/control-plane/errors.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { FIELDS } from '../../src/control-plane/settings.ts'
import { inputName } from '../../src/rollout/plan/settings.ts'
import { toError } from '../../src/clock.ts'
import { INPUTS_OF } from '../../src/inputs/inputs.ts'
import { InputError } from '../../src/problem.ts'
import { readStep } from '../../src/inputs/read-step.ts'
import { describeFleet } from '../../src/report/fleet/end.ts'
import { endingsOf } from '../../src/report/fleet/results.ts'
import { describePlan } from '../../src/report/plan.ts'
import { describeOutcome } from '../../src/report/messages.ts'
import type { Message } from '../../src/report/words.ts'
import {
  type Final,
  openRequest,
  type Removal,
  type RolloutRecord,
  type SingleRecord,
} from '../../src/report/record.ts'
import type { FleetOutcome } from '../../src/fleet/event.ts'
import type { TeardownFailure, TeardownOutcome } from '../../src/previews/event.ts'
import type { RequestOutcome } from '../../src/request/event.ts'
import type {
  AnyOutcome,
  NotStartedCause,
  PlanDifference,
  RolloutFailure,
  RolloutOutcome,
  Seen,
} from '../../src/rollout/outcome.ts'
import type { Rollback, RollbackObstacle } from '../../src/rollout/event.ts'
import {
  aDeployment,
  aPush,
  aRecord,
  aRevision,
  aTeardown,
  COMMIT,
  DEPLOYMENT_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../builders.ts'
import { emptySlots } from '../empty-slots.ts'
import { aFinalFleet } from './fleet/a-fleet.ts'
import { AROUND } from '../here.ts'

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
  revision: fc.record(kind('revision')),
  value: fc.record({
    ...kind('value'),
    side,
    key: any('secrets', 'secrets/DATABASE_URL', 'variables/LOG_LEVEL', 'resource-spec/min_scale', 'image-uri'),
    approved: orUnknown('1'),
    now: orUnknown(''),
  }),
}

const CAUSES: EachKind<RolloutFailure> = {
  revision: fc.record(kind('revision')),
  'nothing-active': fc.record(kind('nothing-active')),
  'active-unknown': fc.record({ ...kind('active-unknown'), trouble }),
  'other-commit': fc.record({ ...kind('other-commit'), wanted: any(COMMIT), built: orUnknown('c1') }),
  'too-many-previews': fc.record({
    ...kind('too-many-previews'),
    max: count,
    existing: fc.array(fc.record({ name: any('agent-pr-7'), ageMs: orUnknown(60_000) }), { minLength: 1 }),
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
const failed = fc.record({
  ...kind('failed'),
  because: fc.oneof(...Object.values<fc.Arbitrary<RolloutFailure>>(CAUSES)),
})
const skipped = notStarted.map((one) => ({ kind: 'skipped' as const, ...one }))

const OUTCOMES: EachKind<RolloutOutcome> = {
  deployed: fc.record({ ...kind('deployed'), confirmed: fc.boolean() }),
  failed,
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
  'rolled-back': fc.record({ ...kind('rolled-back'), to: any(OLD_REVISION_ID), from: fc.oneof(unverified, failed) }),
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
const UNCHANGED = describePlan(
  {
    plan: { kind: 'unchanged', deployment: aDeployment(), active: aRevision(), fields: [], notes: [] },
    wait: true,
    prefix: '',
  },
  AGENT_SERVER,
)
const facts = fc.record<Partial<RolloutRecord>>({
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
  'teardown-blind': fc.record({ ...kind('teardown-blind'), unknown: count }),
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
      ...openRequest({ startedAt: 0, runUrl: undefined, commit: undefined }),
      ...{ target: 'GET /v2/deployments', isRead, timeoutMs: 1000, endedAt: 1, outcome: end },
    })),
)

const textOf = ({ headline, reason, serving, next }: Message): string =>
  [headline, reason, serving, next].filter((text) => text !== undefined).join('\n')

/** Texts that are wrong for most inputs. */
const WRONG = [
  'x',
  'maybe',
  '-1',
  '{',
  '{}',
  '[1]',
  'a=',
  'A=\nB',
  '${{ x }}',
  'https://u:p@h',
  '99h',
  'Name_1',
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
  textOf(
    describeOutcome(
      aRecord({ revisionId: undefined, outcome: { kind: 'failed', because: { kind: 'error', error: failure } } }),
    ),
  )

describe('no message has an empty slot', () => {
  it.each(Object.entries(INPUTS_OF))('about an input of %s', async (operation, defaults) => {
    for (const name of Object.keys(defaults))
      for (const wrong of WRONG) {
        const failure = await refusal({ operation, 'base-url': 'https://cp.example', [name]: wrong })
        expect(emptySlots(messageAbout(failure))).toEqual([])
      }
  })

  const BODIES = ['', '{}', '{"detail":[]}', '{"detail":"It is wrong."}', '<title>Sign in</title>', '[]', '""']
  it.each([199, 204, 302, 400, 401, 403, 404, 409, 413, 418, 422, 429, 500])('about the status %d', (status) => {
    for (const body of BODIES) {
      const answer = { kind: 'answer', status, headers: {}, body } as const
      const request = { method: 'GET', path: '/v2/deployments', attempted: 'read it' } as const
      const failure = explainStatus(request, answer, { credentials: ACCESS, redactFreeText: String })
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
        const changed = deployments.map((one) => ({ ...one, rollout: ended, outcome: ended.outcome }))
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
    const changed = deployments.map((one) => ({ ...one, rollout: ended, outcome: ended.outcome }))
    return describeFleet({ ...aFinalFleet({ waves: [] }, end), timeoutMs: 1000, deployments: changed })
  })
  const singles = fc.sample(single, sampled).map((record) => describeOutcome(record))
  const sentences = [...singles, ...fleets].flatMap((message) => textOf(message).split(/(?<=[.:;]) |\n|, /))
  expect([...new Set(sentences.map(asTemplate))].toSorted().join('\n')).toMatchSnapshot()
})
