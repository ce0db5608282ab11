import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { aFinalFleet, names, type FleetShape } from '../../__tests__/report/fleet/a-fleet.ts'
import { renderSummaryPage } from '../../demo/summary-page.ts'
import { renderFleet } from '../../src/report/fleet/render-fleet.ts'
import { createRedactor } from '../../src/report/redact.ts'
import type { Outcome } from '../../src/rollout/outcome.ts'

const DEPLOYED: Outcome = { kind: 'deployed', confirmed: true }
const TWELVE: FleetShape = {
  waves: [
    { name: 'canary', names: ['agent-eu', 'agent-us'], maxParallel: 1, bakeMs: 120_000 },
    { name: 'everyone', names: names(10, 'customer'), maxParallel: 4 },
  ],
}
const THOUSAND: FleetShape = {
  waves: [
    { name: 'canary', names: names(20, 'early-customer'), maxParallel: 10, bakeMs: 300_000 },
    { name: 'everyone', names: names(980, 'customer-in-region-eu-west'), maxParallel: 200 },
  ],
}
const LOG = 'ERROR: could not find a version that satisfies the requirement torch==9.9 (from versions: 2.1, 2.2)'

function failing(shape: FleetShape, places: readonly number[], stopAt: number): [FleetShape, Outcome] {
  const size = shape.waves.reduce((sum, wave) => sum + wave.names.length, 0)
  const failures = Object.fromEntries(places.map((place) => [place, LOG]))
  const outcome = {
    kind: 'failed',
    because: { kind: 'fleet', failed: places.length, notStarted: size - stopAt },
  } as const
  return [{ ...shape, failures, stopAt }, outcome]
}

const FLEETS: Record<string, [FleetShape, Outcome]> = {
  'fleet-12': [TWELVE, DEPLOYED],
  'fleet-12-failed': failing(TWELVE, [4, 5], 8),
  'fleet-12-plan': [{ ...TWELVE, dryRun: true }, { kind: 'planned' }],
  'fleet-1000': [THOUSAND, DEPLOYED],
  'fleet-1000-failed': failing(
    THOUSAND,
    Array.from({ length: 25 }, (_, index) => 40 + index * 17),
    600,
  ),
}

/** Writes the summary of each made-up fleet as a page; returns the addresses of the pages by their names. */
export async function writeFleetPages(folder: string): Promise<[name: string, url: string][]> {
  const pages: [string, string][] = []
  for (const [name, [shape, outcome]] of Object.entries(FLEETS)) {
    const markdown = renderFleet(aFinalFleet(shape, outcome), createRedactor()).markdown()
    const file = path.join(folder, `${name}.html`)
    writeFileSync(file, await renderSummaryPage(markdown, { title: 'fleet' }))
    pages.push([name, pathToFileURL(file).href])
  }
  return pages
}
