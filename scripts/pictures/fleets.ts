import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { aFinalFleet, names, type FleetShape } from '../../__tests__/report/fleet/a-fleet.ts'
import { renderSummaryPage } from '../../demo/summary-page.ts'
import { fleetFinalState } from '../../src/notify/fleet.ts'
import { renderFleet } from '../../src/report/fleet/end.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import type { FleetOutcome } from '../../src/fleet/event.ts'

const DEPLOYED = { kind: 'deployed', confirmed: true } as const
const TWELVE: FleetShape = {
  waves: [
    { name: 'canary', names: ['agent-internal', 'agent-partner'], maxParallel: 1, bakeMs: 120_000 },
    { name: 'everyone', names: names(10, 'agent-team'), maxParallel: 4 },
  ],
}
const THOUSAND: FleetShape = {
  waves: [
    { name: 'canary', names: names(20, 'early-customer'), maxParallel: 10, bakeMs: 300_000 },
    { name: 'everyone', names: names(980, 'customer-in-region-eu-west'), maxParallel: 200 },
  ],
}
const LOG = 'No matching distribution found for torch==9.9'
const LONG_LOG = `Could not find a version that satisfies the requirement torch==9.9 (from versions: 2.8.0, 2.9.0). ${LOG}`

function failing(shape: FleetShape, places: readonly number[], stopAt: number, log = LOG): [FleetShape, FleetOutcome] {
  const size = shape.waves.reduce((sum, wave) => sum + wave.names.length, 0)
  const failures = Object.fromEntries(places.map((place) => [place, log]))
  const outcome = {
    kind: 'failed',
    because: { kind: 'fleet', failed: places.length, notStarted: size - stopAt },
  } as const
  return [{ ...shape, failures, stopAt }, outcome]
}

const FLEETS: Record<string, [FleetShape, FleetOutcome]> = {
  'fleet-12': [TWELVE, DEPLOYED],
  'fleet-12-failed': failing(TWELVE, [4, 5], 8),
  'fleet-12-plan': [{ ...TWELVE, dryRun: true }, { kind: 'planned' }],
  'fleet-1000': [THOUSAND, DEPLOYED],
  'fleet-1000-failed': failing(
    THOUSAND,
    Array.from({ length: 25 }, (_, index) => 40 + index * 17),
    600,
    LONG_LOG,
  ),
}

const APPS = [
  'search',
  'chat',
  'mail',
  'billing',
  'summaries',
  'translation',
  'tickets',
  'forecast',
  'review',
  'onboarding',
]

/** Previews of a pull request that does not touch two other apps. */
function previews(count: number): FleetShape {
  const all = [...APPS, 'routing', 'documents'].slice(0, count).map((name) => `${name}-pr-128`)
  const preview = { pullRequest: 128, repoUrl: undefined, environment: 'preview', untouched: ['archive', 'legacy-bot'] }
  return { waves: [{ names: all, maxParallel: 4 }], preview }
}

const PREVIEWS: Record<string, [FleetShape, FleetOutcome]> = {
  'previews-3': [previews(3), DEPLOYED],
  'previews-12': failing(previews(12), [5], 12),
}

const COMMENT = '-comment'
const WITH_COMMENT = Object.keys(PREVIEWS).flatMap((name) => [name, name + COMMENT])
export const FLEET_NAMES = [...Object.keys(FLEETS), ...WITH_COMMENT]

/** Writes the summary of a made-up fleet as a page; returns the address of the page. */
export async function writeFleetPage(folder: string, name: string): Promise<string> {
  const fleet = { ...FLEETS, ...PREVIEWS }[name.replace(COMMENT, '')]
  if (fleet === undefined) throw new Error(`no fleet is named ${name}`)
  const [record, redactor] = [aFinalFleet(...fleet), new Redactor()]
  const isComment = name.endsWith(COMMENT)
  const markdown = isComment
    ? fleetFinalState(record, redactor.redact).comment
    : renderFleet(record, redactor).markdown()
  const file = path.join(folder, `${name}.html`)
  writeFileSync(file, await renderSummaryPage(markdown, { title: 'fleet' }))
  return pathToFileURL(file).href
}
