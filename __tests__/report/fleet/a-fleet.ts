import { Cleaner } from '../../../src/report/typed-fields.ts'
import type { FleetEvent, FleetOutcome } from '../../../src/fleet/event.ts'
import type { FleetEntry, FleetPreview, FleetRequest, Shard } from '../../../src/fleet/fleet-request.ts'
import { renderFleet } from '../../../src/report/fleet/end.ts'
import { FLEET_PART, foldFleet } from '../../../src/report/fleet/fold.ts'
import {
  openFleet,
  type FleetRow,
  type FleetRecord,
  type Final,
  type RunEvent,
  type RunRecord,
} from '../../../src/report/record.ts'
import { createLog, type Log } from '../../../src/report/log.ts'
import { Redactor } from '../../../src/secrets/redact.ts'
import { Report } from '../../../src/report/report.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { AnyOutcome } from '../../../src/rollout/outcome.ts'
import { aDeployment, aRequest, aRevision } from '../../builders.ts'

/** An event, and when it happens: milliseconds after the begin of the run. */
export type Timed = [at: number, event: FleetEvent]

export interface FleetShape {
  /** `checks`: how many have a `verify-url`; all if not set. */
  waves: { name?: string; names: readonly string[]; maxParallel?: number; bakeMs?: number; checks?: number }[]
  dryRun?: boolean
  shards?: readonly Shard[]
  /** The number, in the order of the begins, of each deployment that fails; the message of its revision. */
  failures?: Readonly<Record<number, string>>
  /** Deployments of which nothing is begun, from this number on. */
  stopAt?: number
  /** The commit that each deployment serves when its state is read; none is read if it is not set. */
  activeCommit?: string
  /** Every deployment is a preview of a pull request. */
  preview?: FleetPreview
}

export const STARTED_AT = Date.UTC(2026, 0, 2, 3, 4, 5)
const facts = { startedAt: STARTED_AT, runUrl: 'https://github.com/acme/agent/actions/runs/1', commit: undefined }

export function names(count: number, prefix = 'agent'): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${prefix}-${String(index + 1).padStart(String(count).length, '0')}`,
  )
}

const CHECK = { url: '{url}/ok', status: 200, contains: undefined, timeoutMs: 300_000 }

export function aFleetRequest({ waves, dryRun = false, shards = [], preview }: FleetShape): FleetRequest {
  return {
    preview,
    manifest: 'fleet.yml',
    shard: undefined,
    names: new Set(waves.flatMap((wave) => wave.names)),
    waves: waves.map(({ name, names: own, maxParallel = 8, bakeMs = 0, checks = own.length }) => {
      const entries = own.map((one, place): FleetEntry => ({
        name: one,
        place: { file: 'fleet.yml', line: 2 },
        request: aRequest({ target: { kind: 'name', name: one }, verification: place < checks ? CHECK : undefined }),
      }))
      return { name, maxParallel, maxFailures: 0, bakeMs, entries }
    }),
    requestsPerSecond: 10,
    timeoutMs: 7_200_000,
    dryRun,
    shards,
  }
}

/** A whole run: two of three deployments get a new image, and every third is unchanged in its plan only in a dry run. */
export function aRun(shape: FleetShape): Timed[] {
  const request = aFleetRequest(shape)
  const all = request.waves.flatMap(({ entries }) => entries)
  const events: Timed[] = [
    [0, { kind: 'fleet-began', request, api: 'agent-server' }],
    // A shard without deployments reads nothing.
    ...(all.length > 0 ? [[400, { kind: 'fleet-found', existing: all.length, missing: 0 }] satisfies Timed] : []),
    ...all.flatMap(({ name }, place): Timed[] => stateRead(name, place, shape.activeCommit)),
    ...all.map(({ name }, place): Timed => [500, of(name, planned(name, place, request.dryRun))]),
    [600, { kind: 'fleet-planned' }],
  ]
  if (request.dryRun) return events
  let place = 0
  let now = 1_000
  for (const [index, { entries, maxParallel, bakeMs }] of request.waves.entries()) {
    if (place >= (shape.stopAt ?? Infinity)) break
    const begin = now
    events.push([now, { kind: 'wave-began', index }])
    const free = Array.from({ length: maxParallel }, () => begin)
    for (const { name } of entries) {
      if (place >= (shape.stopAt ?? Infinity)) break
      const slot = free.indexOf(Math.min(...free))
      const from = free[slot] ?? begin
      const until = from + 60_000 + ((place * 7_919) % 61) * 1_000
      events.push(...aRollout(name, place, [from, until], shape.failures?.[place]))
      free[slot] = until
      place++
    }
    now = Math.max(...free)
    if (bakeMs > 0) events.push([now, { kind: 'wave-baking', index, forMs: bakeMs }])
    now += bakeMs
    events.push([now, { kind: 'wave-ended', index }])
    now += 1_000
  }
  return events.sort(([one], [other]) => one - other)
}

export function of(name: string, event: RolloutEvent): FleetEvent {
  return { kind: 'of-deployment', name, event }
}

type PlannedEvent = Extract<RolloutEvent, { kind: 'planned' }>

const hex = (place: number): string => place.toString(16).padStart(12, '0')

function deploymentOf(name: string, place: number) {
  return aDeployment({
    id: `d1111111-1111-4111-8111-${hex(place)}`,
    name,
    settings: { customUrl: `https://${name.replace(/\W+/g, '-')}.example` },
  })
}

function stateRead(name: string, place: number, commit: string | undefined): Timed[] {
  if (commit === undefined) return []
  const id = `b3333333-3333-4333-8333-${hex(place)}`
  const current = { ...deploymentOf(name, place), latestRevisionId: id, activeRevisionId: id, repoCommitSha: commit }
  const readAt = STARTED_AT + 450
  return [[450, of(name, { kind: 'current-state-read', current: { ...current, readAt }, builtRef: undefined })]]
}

const REVISE = {
  kind: 'revise',
  because: { kind: 'field-differs', field: 'imageUri' },
  matchesActive: false,
  patch: undefined,
  patchLast: false,
  upload: undefined,
  revision: { source: 'git_host', settings: {} },
} as const

export function planned(name: string, place: number, dryRun: boolean): PlannedEvent {
  const deployment = deploymentOf(name, place)
  const base = { deployment, changes: [], notes: [] }
  const change = { input: 'image-uri', before: 'a:1', after: 'a:2', action: 'replace', via: 'revision' } as const
  return {
    kind: 'planned',
    plan:
      place % 3 === 2 ? { ...base, kind: 'unchanged', active: aRevision() } : { ...base, ...REVISE, changes: [change] },
    wait: true,
    dryRun,
    warnings: [],
    prefix: '',
  }
}

function aRollout(name: string, place: number, [from, until]: [number, number], failure: string | undefined): Timed[] {
  const deployment = deploymentOf(name, place)
  const id = `${((0xa2222222 + place * 0x9e3779b1) % 2 ** 32).toString(16).padStart(8, '0')}-2222-4222-8222-${hex(place)}`
  const status = (word: string, statusMessage?: string): FleetEvent =>
    of(name, { kind: 'status', revision: aRevision({ id, status: word, statusMessage }) })
  const length = until - from
  const end: Timed[] =
    failure === undefined
      ? [
          [until, status('DEPLOYED')],
          [until, { kind: 'deployment-ended', name, outcome: { kind: 'deployed', isConfirmed: true } }],
        ]
      : [
          [until, status('BUILD_FAILED', failure)],
          [
            until,
            of(name, {
              kind: 'log-read',
              type: 'build',
              lines: ['Collecting packages', `ERROR: ${failure}`],
              isShown: false,
            }),
          ],
          [until, { kind: 'deployment-ended', name, outcome: { kind: 'failed', because: { kind: 'revision' } } }],
        ]
  return [
    [from, { kind: 'deployment-began', name }],
    [from + 500, of(name, { kind: 'written', change: 'revised', deployment, revisionId: id })],
    [from + 600, status('QUEUED')],
    [from + length / 6, status('BUILDING')],
    [from + length / 3, of(name, { kind: 'polled' })],
    [from + length / 2, status('DEPLOYING')],
    ...end,
  ]
}

export interface Reported {
  report: Report
  redactor: Redactor
  log: Log
  /** Adds an event so many milliseconds after the begin. */
  add: (at: number, event: RunEvent) => FleetRecord
  end: (at: number, outcome: FleetOutcome) => Final<FleetRecord>
}

/** A report of a fleet. */
export function aReport({
  redactor = new Redactor(() => undefined),
  log = createLog(redactor, () => undefined),
  commit,
}: { redactor?: Redactor | undefined; log?: Log; commit?: string } = {}): Reported {
  let now = STARTED_AT
  const report = new Report(openFleet({ ...facts, commit }), log, redactor, { wallTime: () => now })
  report.use(FLEET_PART)
  return {
    report,
    redactor,
    log,
    add(at, event) {
      now = STARTED_AT + at
      const record = report.add(event)
      if (record.operation !== 'fleet') throw new Error('not a fleet')
      return record
    },
    end(at, outcome) {
      now = STARTED_AT + at
      const record = report.end({ operation: 'fleet', outcome })
      if (record.operation !== 'fleet') throw new Error('not a fleet')
      return record
    },
  }
}

/** A log that keeps its lines. Annotations begin with their level. */
export function aLog(redactor = new Redactor(() => undefined)): { log: Log; lines: string[] } {
  const lines: string[] = []
  const keep =
    (level: string) =>
    (text: string, title?: string): void => {
      lines.push(`${level}${title === undefined ? '' : `[${title}] `}${text}`)
    }
  const log: Log = {
    info: keep(''),
    notice: keep('notice '),
    warning: keep('warning '),
    error: keep('error '),
    debug: () => undefined,
    line: (title, text) => lines.push(`<${title}> ${text}`),
    group: (title, own) => lines.push(`<${title}>`, ...own),
    tail: (title, own) => lines.push(`<${title}>`, ...own),
    endGroup: () => undefined,
    redact: redactor.redact,
  }
  return { log, lines }
}

/** The record of a whole run as it is published. */
export function aFinalFleet(
  shape: FleetShape,
  outcome: FleetOutcome,
  redactor = new Redactor(() => undefined),
): Final<FleetRecord> {
  const events = aRun(shape)
  let record: RunRecord = openFleet(facts)
  for (const [at, event] of events) record = foldFleet(record, event, STARTED_AT + at)
  const clean = new Cleaner(redactor).clean(record).record
  if (clean.operation !== 'fleet') throw new Error('not a fleet')
  return { ...clean, outcome, endedAt: STARTED_AT + (events.at(-1)?.[0] ?? 0) + 500 }
}

export const DEPLOYED = { kind: 'deployed', isConfirmed: true } as const

export function failedFleet(failed: number, notStarted = 0): FleetOutcome {
  return { kind: 'failed', because: { kind: 'fleet', failed, notStarted } }
}

export function failedBy(message: string): AnyOutcome {
  return { kind: 'failed', because: { kind: 'error', error: new Error(message) } }
}

/** Two deployments, one after the other. */
export const TWO: FleetShape = { waves: [{ names: ['a', 'b'], maxParallel: 1 }] }

/** Three deployments, of which the first succeeds, the second fails, and the third is not started. */
export const SMALL: FleetShape = {
  waves: [
    { name: 'canary', names: ['eu'], maxParallel: 1 },
    { name: 'everyone', names: ['us', 'asia'], maxParallel: 1 },
  ],
  failures: { 1: 'pip: no such package' },
  stopAt: 2,
}

export function rendered(record: Final<FleetRecord>, redactor = new Redactor(() => undefined)) {
  const { recorded, results = [], ...rest } = renderFleet(record, redactor)
  return { ...rest, recorded: { ...recorded, results: [...results] } }
}

export function summaryOf(record: Final<FleetRecord>): string {
  return rendered(record).markdown()
}

/** The same record with changed deployments. */
export function changed(
  record: Final<FleetRecord>,
  change: (one: FleetRow, place: number) => Partial<FleetRow>,
): Final<FleetRecord> {
  return { ...record, deployments: record.deployments.map((one, place) => ({ ...one, ...change(one, place) })) }
}
