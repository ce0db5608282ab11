import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { timelineUpTo } from '../../__tests__/report/a-record.ts'
import { aFinalFleet, failedFleet, names, STARTED_AT, type FleetShape } from '../../__tests__/report/fleet/a-fleet.ts'
import { aBasis, aDeployment, aRecord, aRequest, aTeardown, type FinalRolloutRecord } from '../../__tests__/builders.ts'
import { renderSummaryPage } from '../../demo/summary-page.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import type { FleetOutcome } from '../../src/fleet/event.ts'
import { finalStateOf } from '../../src/notify/record-facts.ts'
import { renderFleet } from '../../src/report/fleet/end.ts'
import { describePlan } from '../../src/report/plan.ts'
import type { Final, FleetRecord, Removal, SingleRecord } from '../../src/report/record.ts'
import { renderComment, renderDeleted, renderProgress, renderSummary } from '../../src/report/summary.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'
import { Redactor } from '../../src/secrets/redact.ts'

const { redact } = new Redactor()
const DEPLOYED = { kind: 'deployed', confirmed: true } as const
const RUN = 'https://github.com/octo-org/hello-agent/actions/runs/17432198765'
const REPOSITORY = 'https://github.com/octo-org/hello-agent'
const [SHA, EARLIER] = ['846a4701c2c34ad0b1a7c2a4c84a5f3a9a1d02be', '0575a17b40f5e2f0f7ad09f01a59c1df1c22ab90']
const [NOW, BEFORE] = ['5e0f1c52-8d35-4c5f-9a63-7a3d5a9f0c11', '1f63b7aa-2d2c-44e7-8f4e-6c1f0a7f3b20']
const PIP = 'No matching distribution found for torch==9.9'

function aPlan() {
  const settings = { repoRef: 'v1.2.3', secrets: [{ name: 'MODEL_API_KEY', value: 'not-shown' }], buildOnPush: true }
  const planning = planRollout(aRequest({ settings }), aBasis(aDeployment()))
  if (planning.kind !== 'planned') throw new Error('the plan is refused')
  return describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
}

const PLAN = aPlan()

function aRollout(over: Partial<FinalRolloutRecord>, name = 'hello-agent'): FinalRolloutRecord {
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
    ...over,
  })
  return { ...record, endedAt: record.startedAt + 132_400 }
}

const FAILED: Partial<FinalRolloutRecord> = {
  outcome: { kind: 'failed', because: { kind: 'revision' } },
  revision: { status: 'BUILD_FAILED', statusMessage: PIP, repoCommitSha: SHA },
  timeline: timelineUpTo(['QUEUED', 800], ['BUILDING', 6_400], ['BUILD_FAILED', 61_000]),
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

const DELETION = { ...aTeardown(), runUrl: RUN, startedAt: STARTED_AT, endedAt: STARTED_AT + 3_200 }

const REMOVALS = ['7', '9', '12'].map((number): Removal => ({
  id: `${number.padStart(8, '0')}-2d2c-44e7-8f4e-6c1f0a7f3b20`,
  name: `hello-agent-pr-${number}`,
  result: number === '9' ? 'kept' : 'removed',
  because: { kind: number === '9' ? 'pull-request-open' : 'pull-request-closed', pullRequest: Number(number) },
}))
const GONE = ['hello-agent-pr-7', 'hello-agent-pr-12']

/** Of one pull request, as all of a comment. */
const OF_APPS = ['search', 'chat', 'mail'].map((app): Removal => ({
  id: BEFORE,
  name: `${app}-pr-7`,
  result: app === 'mail' ? 'kept' : 'removed',
  because: { kind: app === 'mail' ? 'not-proven' : 'pull-request-closed', pullRequest: 7 },
}))

const PROMOTED = {
  deployment: { id: NOW, name: 'hello-agent-staging' },
  revisionId: '77aa0f3e-2d2c-44e7-8f4e-6c1f0a7f3b20',
}
const IMAGE = `registry.example/hello-agent@sha256:${SHA.repeat(2).slice(0, 64)}`

/** Runs of one deployment, and of previews. */
const RECORDS: Record<string, Final<SingleRecord>> = {
  success: aRollout({}),
  failure: aRollout(FAILED),
  plan: aRollout({ outcome: { kind: 'planned' }, change: 'none', revisionId: undefined, timeline: [] }),
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
  }),
  rollback: aRollout({
    operation: 'rollback',
    goesBackTo: { id: BEFORE, origin: 'v1', notRestored: [] },
    ref: 'refs/tags/v1',
    revision: { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha: EARLIER },
  }),
  unverified: aRollout({ outcome: UNVERIFIED }),
  'rolled-back': aRollout({
    outcome: { kind: 'rolled-back', from: UNVERIFIED, to: '77aa0f3e-2d2c-44e7-8f4e-6c1f0a7f3b20' },
    rollback: {
      kind: 'restored',
      to: BEFORE,
      revisionId: '77aa0f3e-2d2c-44e7-8f4e-6c1f0a7f3b20',
      kept: [],
      changedSince: [],
      failsCheck: false,
    },
  }),
  superseded: aRollout({
    outcome: { kind: 'superseded', by: '77aa0f3e-2d2c-44e7-8f4e-6c1f0a7f3b20' },
    revision: { status: 'SKIPPED', statusMessage: 'A newer revision exists.', repoCommitSha: SHA },
    timeline: timelineUpTo(['QUEUED', 800], ['SKIPPED', 6_400]),
  }),
  'timed-out': aRollout({
    outcome: { kind: 'timed-out', lastTrouble: undefined },
    timeoutMs: 120_000,
    revision: { status: 'BUILDING', statusMessage: undefined, repoCommitSha: SHA },
    timeline: timelineUpTo(['QUEUED', 800], ['BUILDING', 6_400]),
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

const PREVIEW = 'hello-agent-pr-7'
const building = aRollout({
  ...RECORDS['timed-out'],
  ...aRollout({}, PREVIEW),
  timeline: timelineUpTo(['BUILDING', 800]),
})

const TWELVE: FleetShape = {
  waves: [
    { name: 'canary', names: ['agent-internal', 'agent-partner'], maxParallel: 1, bakeMs: 120_000 },
    { name: 'everyone', names: names(10, 'agent-team'), maxParallel: 4 },
  ],
}

function inTwoWaves(size: number, name: string, maxParallel: number): FleetShape {
  const first = names(20, 'early-customer')
  return {
    waves: [
      { name: 'canary', names: first, maxParallel: 10, bakeMs: 300_000 },
      { name: 'everyone', names: names(size - first.length, name), maxParallel },
    ],
  }
}

/** Previews of so many apps; the pull request does not touch two others. */
function previewsOf(size: number): FleetShape {
  const preview = { pullRequest: 7, repoUrl: REPOSITORY, environment: undefined, untouched: ['webhooks', 'calendar'] }
  return { waves: [{ names: names(size, 'app').map((app) => `${app}-pr-7`), maxParallel: 4 }], preview }
}

const TWO_HUNDRED = inTwoWaves(200, 'customer', 40)
const THOUSAND = inTwoWaves(1_000, 'customer-in-region-eu-west', 200)
const LONG_LOG = `Could not find a version that satisfies the requirement torch==9.9 (from versions: 2.8.0, 2.9.0). ${PIP}`

function failing(shape: FleetShape, places: readonly number[], stopAt: number, log = PIP): [FleetShape, FleetOutcome] {
  const size = shape.waves.reduce((sum, wave) => sum + wave.names.length, 0)
  const failures = Object.fromEntries(places.map((place) => [place, log]))
  return [{ ...shape, failures, stopAt }, failedFleet(places.length, size - stopAt)]
}

/** As if all were built from the pull request's commit. */
function fromRepository(record: Final<FleetRecord>): Final<FleetRecord> {
  const deployments = record.deployments.map((one) => ({
    ...one,
    rollout: { ...one.rollout, ref: 'refs/heads/next', commit: SHA, repositoryUrl: REPOSITORY },
  }))
  return { ...record, runUrl: RUN, deployments }
}

const FLEETS: Record<string, Final<FleetRecord>> = {
  'fleet-12': aFinalFleet(TWELVE, DEPLOYED),
  'fleet-12-failed': aFinalFleet(...failing(TWELVE, [4, 5], 8)),
  'fleet-12-plan': aFinalFleet({ ...TWELVE, dryRun: true }, { kind: 'planned' }),
  'previews-3': fromRepository(aFinalFleet(previewsOf(3), DEPLOYED)),
  'previews-12': fromRepository(aFinalFleet({ ...previewsOf(12), failures: { 4: PIP } }, failedFleet(1))),
  'fleet-200': aFinalFleet(TWO_HUNDRED, DEPLOYED),
  'fleet-200-failed': aFinalFleet(...failing(TWO_HUNDRED, [31, 47, 80, 81, 99, 110], 120, LONG_LOG)),
  'fleet-1000': aFinalFleet(THOUSAND, DEPLOYED),
  'fleet-1000-failed': aFinalFleet(
    ...failing(
      THOUSAND,
      Array.from({ length: 25 }, (_, index) => 40 + index * 17),
      600,
      LONG_LOG,
    ),
  ),
}

function fleet(name: string): Final<FleetRecord> {
  const found = FLEETS[name]
  if (found === undefined) throw new Error(`no fleet is named ${name}`)
  return found
}

/** Summaries and comments of made-up runs, by the names of their pictures. */
export const MADE_UP: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(Object.entries(RECORDS).map(([name, record]) => [name, () => renderSummary(record, redact)])),
  ...Object.fromEntries(
    Object.keys(FLEETS).map((name) => [name, () => renderFleet(fleet(name), new Redactor()).markdown()]),
  ),
  'comment-progress': () => renderProgress(building, redact, building.startedAt + 42_000),
  'comment-preview': () => renderComment(aRollout({ change: 'created' }, PREVIEW), redact),
  'comment-failed': () => renderComment(aRollout(FAILED, PREVIEW), redact),
  'comment-plan': () => renderComment(aRollout({ outcome: { kind: 'planned' }, revisionId: undefined }), redact),
  'comment-deleted': () => renderDeleted(PREVIEW, DELETION, redact),
  ...Object.fromEntries(
    [
      ['comment-fleet', 'fleet-12-failed'] as const,
      ...['previews-3', 'previews-12'].map((of) => [`comment-${of}`, of] as const),
    ].map(([name, of]) => [name, () => finalStateOf(fleet(of), redact).comment]),
  ),
  'comment-previews-deleted': () =>
    renderComment(
      { ...DELETION, target: 'previews', ofFleet: true, removals: OF_APPS, gone: ['search-pr-7', 'chat-pr-7'] },
      redact,
    ),
}

/** Writes one of them as a page; returns the address of the page. */
export async function writeMadeUpPage(folder: string, name: string): Promise<string> {
  const markdown = MADE_UP[name]?.()
  if (markdown === undefined) throw new Error(`nothing is named ${name}`)
  const file = path.join(folder, `${name}.html`)
  writeFileSync(file, await renderSummaryPage(markdown, { title: name }))
  return pathToFileURL(file).href
}
