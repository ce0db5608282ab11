import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { timelineUpTo } from '../../__tests__/report/a-record.ts'
import { aFinalFleet, failedFleet, names, type FleetShape } from '../../__tests__/report/fleet/a-fleet.ts'
import { renderSummaryPage } from '../../demo/summary-page.ts'
import type { FleetOutcome } from '../../src/fleet/event.ts'
import { finalStateOf } from '../../src/notify/record-facts.ts'
import { renderFleet } from '../../src/report/fleet/end.ts'
import type { PublishedField } from '../../src/report/plan.ts'
import type { Final, FleetRecord } from '../../src/report/record.ts'
import { renderComment, renderDeleted, renderProgress, renderSummary } from '../../src/report/summary.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { aRollout, AS_PLANNED, DELETION, EARLIER, FAILED, OF_APPS, PIP, RECORDS, REPOSITORY, RUN, SHA } from './runs.ts'

const { redact } = new Redactor(() => undefined)
const DEPLOYED = { kind: 'deployed', isConfirmed: true } as const
const [OLD_ID, NEW_ID] = ['7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11', '2f6d0c1a-93c4-4c55-8d0e-7d1c2a5b9e44']
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

/** Each deployment serves the commit before. */
function aFleet(shape: FleetShape, outcome: FleetOutcome): Final<FleetRecord> {
  return aFinalFleet({ ...shape, activeCommit: EARLIER }, outcome)
}

function failing(shape: FleetShape, places: readonly number[], stopAt: number, log = PIP): [FleetShape, FleetOutcome] {
  const size = shape.waves.reduce((sum, wave) => sum + wave.names.length, 0)
  const failures = Object.fromEntries(places.map((place) => [place, log]))
  return [{ ...shape, failures, stopAt }, failedFleet(places.length, size - stopAt)]
}

/** Of a manifest of 40: two that are new, and what each of the others changes. */
function planOfForty(): Final<FleetRecord> {
  const record = aFleet({ ...inTwoWaves(40, 'customer', 8), dryRun: true }, { kind: 'planned' })
  const deployments = record.deployments.map((row, place) => {
    if (row.plan === undefined) return row
    if (row.plan.kind === 'unchanged') return row
    const version = `v1.${place % 4}.0`
    const fields: PublishedField[] = [
      { input: 'integration-id', current: OLD_ID, wanted: NEW_ID, difference: 'changed', via: 'patch' },
      {
        input: 'app-config-path',
        current: 'agent.json',
        wanted: 'apps/agent/agent.json',
        difference: 'changed',
        via: 'revision',
      },
      {
        input: 'secrets',
        current: ['MODEL_API_KEY'],
        wanted: ['MODEL_API_KEY', 'DATABASE_URL'],
        difference: 'unknown',
        via: 'patch',
      },
      ...(place % 4 === 0
        ? []
        : [{ input: 'repo-ref', current: 'v1.0.0', wanted: version, difference: 'changed', via: 'revision' } as const]),
    ]
    const because = place % 4 === 0 ? 'the control plane does not report the value of secrets' : 'repo-ref differs'
    return { ...row, plan: { ...row.plan, fields, revision: { follows: true, because } } }
  })
  return { ...record, deployments }
}

/** As if all were built from the pull request's commit. */
function fromRepository(record: Final<FleetRecord>): Final<FleetRecord> {
  const deployments = record.deployments.map((one) => ({
    ...one,
    ref: 'refs/heads/next',
    commit: SHA,
    repositoryUrl: REPOSITORY,
  }))
  return { ...record, runUrl: RUN, deployments }
}

/** A push to a monorepo of 31 apps, of which most have no changed file. */
function ofMonorepo(record: Final<FleetRecord>): Final<FleetRecord> {
  const others = names(31, 'app').slice(record.deployments.length)
  const notSelected = others.map((name) => {
    const because = { kind: 'no-change', paths: [`apps/${name}`], since: SHA, isCurrent: false } as const
    return { name, wave: undefined, because }
  })
  return { ...record, notSelected }
}

const FLEETS: Record<string, Final<FleetRecord>> = {
  'fleet-40-plan': planOfForty(),
  'fleet-31-failed': aFleet(
    {
      waves: [{ names: names(31, 'app'), maxParallel: 8 }],
      failures: { 2: PIP, 3: PIP, 7: 'Image registry.example/app-08:v2 was not found', 9: PIP },
      stopAt: 27,
    },
    failedFleet(4, 4),
  ),
  'fleet-31-part': ofMonorepo(
    aFleet({ waves: [{ names: names(31, 'app').slice(0, 5) }], failures: { 3: PIP } }, failedFleet(1)),
  ),
  'fleet-12': aFleet(TWELVE, DEPLOYED),
  'fleet-12-failed': aFleet(...failing(TWELVE, [4, 5], 8)),
  'fleet-12-plan': aFleet({ ...TWELVE, dryRun: true }, { kind: 'planned' }),
  'previews-3': fromRepository(aFleet(previewsOf(3), DEPLOYED)),
  'previews-12': fromRepository(aFleet({ ...previewsOf(12), failures: { 4: PIP } }, failedFleet(1))),
  'fleet-200': aFleet(TWO_HUNDRED, DEPLOYED),
  'fleet-200-failed': aFleet(...failing(TWO_HUNDRED, [31, 47, 80, 81, 99, 110], 120, LONG_LOG)),
  'fleet-1000': aFleet(THOUSAND, DEPLOYED),
  'fleet-1000-failed': aFleet(
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
    Object.keys(FLEETS).map((name) => [name, () => renderFleet(fleet(name), new Redactor(() => undefined)).markdown()]),
  ),
  'comment-progress': () => renderProgress(building, redact, building.startedAt + 42_000),
  'comment-preview': () => renderComment(aRollout({ change: 'created' }, PREVIEW), redact),
  'comment-failed': () => renderComment(aRollout(FAILED, PREVIEW), redact),
  'comment-plan': () =>
    renderComment(aRollout({ ...AS_PLANNED, outcome: { kind: 'planned' }, revisionId: undefined }), redact),
  'comment-deleted': () => renderDeleted(PREVIEW, DELETION, redact),
  ...Object.fromEntries(
    [
      ['comment-fleet', 'fleet-12-failed'] as const,
      ['comment-fleet-200', 'fleet-200-failed'] as const,
      ['comment-fleet-plan', 'fleet-40-plan'] as const,
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
