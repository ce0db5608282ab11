import { apiOf } from '../../control-plane/api.ts'
import { fleetName } from '../../fleet/fleet-request.ts'
import type { RolloutEvent } from '../../rollout/event.ts'
import { nameOf } from '../../rollout/rollout-request.ts'
import { changeAtEnd, fold, foldRow } from '../fold.ts'
import { LINES } from '../log-lines.ts'
import type { PlanNote } from '../../rollout/plan/plan.ts'
import { noteText, noteWarnings } from '../plan-words.ts'
import {
  openRollout,
  type RunEvent,
  type RunRecord,
  openFleet,
  type EventOf,
  type Folds,
  perSomeKinds,
  type FleetRow,
  type FleetRecord,
  type FleetWave,
} from '../record.ts'
import { FLEET_LINES } from './log.ts'
import { standingOf } from '../row.ts'
import { sharedReason } from './failures.ts'
import { LongList } from '../long-list.ts'

/** The notes of a plan about the code that the event means. */
const NOTES_OF_EVENT: readonly PlanNote['kind'][] = ['repo-ref-from-event', 'other-commit-tested']

/** The number of failed deployments that keep the end of their log: the report shows no more. */
const MAX_LOGS = 5

/** The record of a fleet after an event, at a time in milliseconds since the epoch. */
export function foldFleet(record: RunRecord, event: RunEvent, at: number): RunRecord {
  if (event.kind === 'fleet-began') return begun(record, event)
  const after = record.operation === 'fleet' ? perSomeKinds(FLEET, event, record, at) : undefined
  return after ?? fold(record, event, at)
}

const FLEET: Folds<FleetRecord> = {
  'of-deployment': ({ name, event }, record, at) =>
    withDeployment(record, name, (row) => foldDeployment(row, event, at)),
  'fleet-planned': (_event, record) => ({ ...record, isPlanned: true }),
  'fleet-stopped': (_event, record) => ({ ...record, isStopped: true }),
  'wave-began': ({ index }, record, at) => withWave(record, index, { beganAt: at }),
  'deployment-began': ({ name }, record, at) =>
    withDeployment(record, name, (row) => ({ ...row, beganAt: at, startedAt: at })),
  'deployment-ended': withEnd,
  'wave-baking': ({ index, forMs }, record, at) => withWave(record, index, { bakingSince: at, bakeMs: forMs }),
  'wave-ended': ({ index }, record, at) => withWave(record, index, { endedAt: at }),
}

function begun(before: RunRecord, { request, api }: EventOf<'fleet-began'>): FleetRecord {
  const deployments = request.waves.flatMap(({ entries }, wave) =>
    entries.map(({ name, since, request: { target, timeoutMs, onSuperseded } }): FleetRow => {
      const rollout = { ...openRollout('rollout', before), target: nameOf(target), timeoutMs, onSuperseded, api }
      return { ...rollout, name, wave, ...(since !== undefined && { since }), warnings: [], beganAt: undefined }
    }),
  )
  const open = { beganAt: undefined, bakingSince: undefined, endedAt: undefined }
  return {
    ...openFleet(before),
    target: fleetName(request),
    preview: request.preview,
    timeoutMs: request.timeoutMs,
    dryRun: request.dryRun,
    waves: request.waves.map(({ name, maxParallel, bakeMs, entries }) => {
      const checks = entries.filter((one) => one.request.verification !== undefined).length
      return { name, maxParallel, bakeMs, checks, size: entries.length, ...open }
    }),
    deployments: LongList.from(deployments),
    longestName: deployments.reduce((longest, { name }) => Math.max(longest, name.length), 0),
    shards: request.shards,
    notSelected: request.notSelected ?? [],
    skippedWaves: request.skippedWaves ?? [],
  }
}

function foldDeployment(row: FleetRow, event: RolloutEvent, at: number): FleetRow {
  const after = { ...row, ...foldRow(row, event, at) }
  if (event.kind !== 'planned') return after
  const { notes } = event.plan
  const api = apiOf(row.api)
  const warnings = [...event.warnings, ...noteWarnings(notes, api)]
  const ofEvent = notes.filter(({ kind }) => NOTES_OF_EVENT.includes(kind)).map((note) => noteText(note, api))
  return { ...after, warnings, ofEvent, isOfOtherRef: notes.some(({ kind }) => kind === 'newer-not-compared') }
}

function withEnd({ name, outcome }: EventOf<'deployment-ended'>, record: FleetRecord, at: number): FleetRecord {
  const after = withDeployment(record, name, (row) => {
    const ended = { ...row, outcome, endedAt: at }
    const log = standingOf(ended) === 'failed' ? row.log : undefined
    return { ...ended, change: changeAtEnd(row, outcome), log }
  })
  return after.deployments.get(name)?.log === undefined ? after : withFirstLogs(after, at)
}

/** Keeps the logs of the first failures in the order of the report, those with another reason before the others. */
function withFirstLogs(record: FleetRecord, at: number): FleetRecord {
  const withLog = [...record.deployments].filter(({ outcome, log }) => outcome !== undefined && log !== undefined)
  const reasons = withLog.map((row) => sharedReason(row, at, String))
  const isRepeated = (place: number): boolean => reasons.indexOf(reasons[place]) < place
  const [firsts, repeated] = [false, true].map((is) => withLog.filter((_row, place) => isRepeated(place) === is))
  const dropped = [...(firsts ?? []), ...(repeated ?? [])].slice(MAX_LOGS)
  return dropped.reduce((open, { name }) => withDeployment(open, name, (row) => ({ ...row, log: undefined })), record)
}

function withDeployment(record: FleetRecord, name: string, change: (row: FleetRow) => FleetRow): FleetRecord {
  return { ...record, deployments: record.deployments.with(name, change) }
}

function withWave(record: FleetRecord, index: number, change: Partial<FleetWave>): FleetRecord {
  const waves = record.waves.map((wave, place) => (place === index ? { ...wave, ...change } : wave))
  return { ...record, waves }
}

export const FLEET_PART = { fold: foldFleet, lines: { ...LINES, ...FLEET_LINES } }
