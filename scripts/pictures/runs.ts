import { timelineUpTo } from '../../__tests__/report/a-record.ts'
import { STARTED_AT } from '../../__tests__/report/fleet/a-fleet.ts'
import { aBasis, aDeployment, aRecord, aRequest, aTeardown, type FinalRolloutRecord } from '../../__tests__/builders.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { RefusedError } from '../../src/control-plane/errors.ts'
import { describePlan } from '../../src/report/plan.ts'
import type { Final, Removal, SingleRecord } from '../../src/report/record.ts'
import { NO_FACTS, type RevisionOrigin, type ServingFacts } from '../../src/report/serving-facts.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'

export const RUN = 'https://github.com/octo-org/hello-agent/actions/runs/17432198765'
export const REPOSITORY = 'https://github.com/octo-org/hello-agent'
export const [SHA, EARLIER] = ['846a4701c2c34ad0b1a7c2a4c84a5f3a9a1d02be', '0575a17b40f5e2f0f7ad09f01a59c1df1c22ab90']
const [NOW, BEFORE] = ['5e0f1c52-8d35-4c5f-9a63-7a3d5a9f0c11', '1f63b7aa-2d2c-44e7-8f4e-6c1f0a7f3b20']
/** Of another run, or of the rollback of this one. */
const THIRD = '77aa0f3e-2d2c-44e7-8f4e-6c1f0a7f3b20'
export const PIP = 'No matching distribution found for torch==9.9'

function aPlan() {
  const settings = { repoRef: 'v1.2.3', secrets: [{ name: 'MODEL_API_KEY', value: 'not-shown' }], buildOnPush: true }
  const planning = planRollout(aRequest({ settings }), aBasis(aDeployment()))
  if (planning.kind !== 'planned') throw new Error('the plan is refused')
  return describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
}

const PLAN = aPlan()

const [PLANNED_MS, WRITTEN_MS] = [600, 750]

function built(id: string, commit: string, ref = 'main'): RevisionOrigin {
  return { id, commit, origin: `${ref}@${commit.slice(0, 7)}` }
}

/** A run has read this active revision some time after its start, and has written before, or nothing at all. */
function serving(active: RevisionOrigin | null, afterMs: number, hasWritten = true): { servingFacts: ServingFacts } {
  const origins = active === null ? [] : [active]
  const [at, writtenAt] = [STARTED_AT + afterMs, hasWritten ? STARTED_AT + WRITTEN_MS : undefined]
  return { servingFacts: { isRead: true, active: { revisionId: active?.id ?? null, at }, writtenAt, origins } }
}

const EARLIER_SERVES = built(BEFORE, EARLIER)
/** Known from the plan alone. */
export const AS_PLANNED = serving(EARLIER_SERVES, PLANNED_MS, false)

export function aRollout(over: Partial<FinalRolloutRecord>, name = 'hello-agent'): FinalRolloutRecord {
  const record = aRecord({
    target: name,
    deployment: { id: '9b1d7c38-6c5f-4b0e-8f4e-2a5c1d7e9f03', name },
    plan: { ...PLAN, deployment: { ...PLAN.deployment, name } },
    ref: 'refs/heads/main',
    repositoryUrl: REPOSITORY,
    runUrl: RUN,
    commit: SHA,
    url: `https://${name}.example`,
    revisionId: NOW,
    activeBefore: BEFORE,
    previousRevisionId: BEFORE,
    revision: { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha: SHA },
    timeline: timelineUpTo(['QUEUED', 800], ['BUILDING', 6_400], ['DEPLOYING', 98_000], ['DEPLOYED', 131_000]),
    ...serving(built(NOW, SHA), 131_200),
    ...over,
  })
  return { ...record, endedAt: record.startedAt + 132_400 }
}

export const FAILED: Partial<FinalRolloutRecord> = {
  outcome: { kind: 'failed', because: { kind: 'revision' } },
  revision: { status: 'BUILD_FAILED', statusMessage: PIP, repoCommitSha: SHA },
  timeline: timelineUpTo(['QUEUED', 800], ['BUILDING', 6_400], ['BUILD_FAILED', 61_000]),
  ...serving(EARLIER_SERVES, 61_300),
  log: {
    type: 'build',
    lines: [
      'Collecting langgraph==1.0.3',
      'Collecting torch==9.9',
      `ERROR: Could not find torch==9.9`,
      `ERROR: ${PIP}`,
    ],
  },
}
const UNVERIFIED = {
  kind: 'unverified',
  url: 'https://hello-agent.example/ok',
  trouble: 'it answers HTTP 404',
  evidence: 'answer',
} as const

export const DELETION = { ...aTeardown(), runUrl: RUN, startedAt: STARTED_AT, endedAt: STARTED_AT + 3_200 }

const REMOVALS = ['7', '9', '12'].map((number): Removal => ({
  id: `${number.padStart(8, '0')}-2d2c-44e7-8f4e-6c1f0a7f3b20`,
  name: `hello-agent-pr-${number}`,
  result: number === '9' ? 'kept' : 'removed',
  because: { kind: number === '9' ? 'pull-request-open' : 'pull-request-closed', pullRequest: Number(number) },
}))
const GONE = ['hello-agent-pr-7', 'hello-agent-pr-12']

/** Of one pull request, as all of a comment. */
export const OF_APPS = ['search', 'chat', 'mail'].map((app): Removal => ({
  id: BEFORE,
  name: `${app}-pr-7`,
  result: app === 'mail' ? 'kept' : 'removed',
  because: { kind: app === 'mail' ? 'not-proven' : 'pull-request-closed', pullRequest: 7 },
}))

const PROMOTED = { deployment: { id: NOW, name: 'hello-agent-staging' }, revisionId: THIRD }
const IMAGE = `registry.example/hello-agent@sha256:${SHA.repeat(2).slice(0, 64)}`

/** Runs of one deployment, and of previews. */
export const RECORDS: Record<string, Final<SingleRecord>> = {
  success: aRollout({}),
  failure: aRollout(FAILED),
  plan: aRollout({ outcome: { kind: 'planned' }, change: 'none', revisionId: undefined, timeline: [], ...AS_PLANNED }),
  promotion: aRollout({ plan: { ...PLAN, promotion: { ...PROMOTED, ref: 'v1.2.3', commit: SHA } } }),
  'promotion-image': aRollout({ plan: { ...PLAN, promotion: { ...PROMOTED, image: IMAGE } } }),
  'plan-refused': aRollout({
    outcome: {
      kind: 'failed',
      because: {
        kind: 'other-plan',
        differences: [
          { kind: 'active', approved: BEFORE, now: NOW },
          { kind: 'value', side: 'sent', key: 'image-uri', approved: 'registry.example/hello-agent:1', now: IMAGE },
          { kind: 'value', side: 'sent', key: 'secrets/DATABASE_URL', approved: undefined, now: '' },
          { kind: 'value', side: 'replaced', key: 'resource-spec/min_scale', approved: '1', now: '3' },
        ],
      },
    },
    change: 'none',
    revisionId: undefined,
    revision: undefined,
    timeline: [],
    ...serving(built(NOW, SHA), PLANNED_MS, false),
  }),
  rollback: aRollout({
    operation: 'rollback',
    goesBackTo: { id: BEFORE, origin: 'v1', notRestored: [] },
    ref: 'refs/tags/v1',
    revision: { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha: EARLIER },
    ...serving(built(NOW, EARLIER, 'v1'), 131_200),
  }),
  unverified: aRollout({ outcome: UNVERIFIED }),
  'rolled-back': aRollout({
    outcome: { kind: 'rolled-back', from: UNVERIFIED, to: THIRD },
    ...serving(built(THIRD, EARLIER), 131_900),
    rollback: { kind: 'restored', to: BEFORE, revisionId: THIRD, kept: [], changedSince: [], failsCheck: false },
  }),
  superseded: aRollout({
    outcome: { kind: 'superseded', by: THIRD },
    ...serving(EARLIER_SERVES, 6_800),
    revision: { status: 'SKIPPED', statusMessage: 'A newer revision exists.', repoCommitSha: SHA },
    timeline: timelineUpTo(['QUEUED', 800], ['SKIPPED', 6_400]),
  }),
  'timed-out': aRollout({
    outcome: { kind: 'timed-out', lastTrouble: undefined },
    timeoutMs: 120_000,
    ...serving(EARLIER_SERVES, 120_200),
    revision: { status: 'BUILDING', statusMessage: undefined, repoCommitSha: SHA },
    timeline: timelineUpTo(['QUEUED', 800], ['BUILDING', 6_400]),
  }),
  unchanged: aRollout({
    outcome: { kind: 'unchanged' },
    change: 'none',
    revisionId: BEFORE,
    timeline: [],
    ...serving(built(BEFORE, SHA), PLANNED_MS, false),
  }),
  cancelled: aRollout({
    outcome: { kind: 'cancelled' },
    ...serving(EARLIER_SERVES, PLANNED_MS),
    revision: { status: 'BUILDING', statusMessage: undefined, repoCommitSha: SHA },
    timeline: timelineUpTo(['QUEUED', 800], ['BUILDING', 6_400]),
  }),
  refused: aRollout({
    outcome: {
      kind: 'failed',
      because: {
        kind: 'error',
        error: new RefusedError(401, 'Invalid API key', {
          attempted: 'look for the deployment "hello-agent"',
          cameBack: 'HTTP 401: Invalid API key',
          hint: 'Check the credentials that were sent: api-key. They may be wrong, expired or without access.',
        }),
      },
    },
    change: 'none',
    deployment: undefined,
    plan: undefined,
    url: undefined,
    revision: undefined,
    revisionId: undefined,
    timeline: [],
    servingFacts: NO_FACTS,
  }),
  deletion: {
    ...DELETION,
    target: 'hello-agent-pr-7',
    deployment: { id: BEFORE, name: 'hello-agent-pr-7' },
    removals: [
      {
        id: BEFORE,
        name: 'hello-agent-pr-7',
        result: 'removed',
        because: { kind: 'pull-request-closed', pullRequest: 7 },
      },
    ],
    gone: ['hello-agent-pr-7'],
  },
  deletions: { ...DELETION, target: 'previews of hello-agent', removals: REMOVALS, gone: GONE },
}
