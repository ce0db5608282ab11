import type { FleetOutcome } from '../../fleet/event.ts'
import { MAX_NAMED } from '../../problem.ts'
import type { AnyOutcome } from '../../rollout/outcome.ts'
import type { Redact } from '../../secrets/redact.ts'
import type { Final, FleetRecord, FleetRow } from '../record.ts'
import { reasonOf, restoredBy, rowOutputs, type Standing, standingOf, STANDINGS, tookMs } from '../row.ts'
import { inSeconds } from '../words.ts'
import { servingOfRow } from './shared-serving.ts'

export type Tally = Record<Standing, number>

export function tallyOf(deployments: Iterable<FleetRow>): Tally {
  const tally = { waiting: 0, 'under-way': 0, deployed: 0, unchanged: 0, passed: 0, failed: 0 }
  for (const row of deployments) tally[standingOf(row)]++
  return tally
}

/** Counts what has run out of the time of the whole run as under way: its revision continues. */
export function openTallyOf(deployments: Iterable<FleetRow>): Tally {
  const rows = [...deployments]
  const late = rows.filter(isLate).length
  const tally = tallyOf(rows)
  return { ...tally, failed: tally.failed - late, 'under-way': tally['under-way'] + late }
}

/** A phase has a limit of its own, and its end counts as a failure. */
function isLate({ outcome }: FleetRow): boolean {
  return outcome?.kind === 'timed-out' && outcome.phase === undefined && outcome.missing === undefined
}

export function inWave({ deployments }: FleetRecord, wave: number): FleetRow[] {
  return [...deployments].filter((one) => one.wave === wave)
}

/** As in `wave canary`; a manifest without waves has only one, which is the fleet. */
export function waveWords(name: string | undefined): string {
  return name === undefined ? 'fleet' : `wave ${name}`
}

/** `3 deployed, 1 failed, 2 not started`; what there is none of is omitted. */
export function countsOf(tally: Tally): string {
  const counts = COUNTED.filter((standing) => tally[standing] > 0)
  return counts.map((standing) => `${tally[standing]} ${STANDINGS[standing].word}`).join(', ') || 'no deployment'
}

const COUNTED: readonly Standing[] = ['deployed', 'unchanged', 'passed', 'failed', 'under-way', 'waiting']

/** Finds what is unfinished, after each of perhaps thousands of events: only what has changed is counted anew. */
export class Unfinished {
  readonly #counted = new WeakMap<readonly FleetRow[], ReturnType<typeof countOpen>>()

  countIn({ deployments }: FleetRecord) {
    const parts = deployments.parts.map((part) => {
      const counts = this.#counted.get(part) ?? countOpen(part)
      this.#counted.set(part, counts)
      return counts
    })
    const begun = parts.flatMap(({ names }) => names)
    const notStarted = parts.reduce((sum, { waiting }) => sum + waiting, 0)
    const underWay = begun.slice(0, MAX_NAMED.message)
    return { underWay, moreUnderWay: begun.length - underWay.length, notStarted }
  }
}

function countOpen(part: readonly FleetRow[]): { names: string[]; waiting: number } {
  const open = part.filter(({ outcome }) => outcome === undefined)
  const names = open.filter(({ beganAt }) => beganAt !== undefined).map(({ name }) => name)
  return { names, waiting: open.length - names.length }
}

export type Ending = ReturnType<typeof endingsOf>[number]

/** The ends in the order of the waves. Text of the server is redacted. */
export function endingsOf(record: Final<FleetRecord>, redact: Redact) {
  return [...settled(record).deployments].map((row) => {
    const serving = servingOfRow(row)
    return {
      row,
      standing: standingOf(row),
      result: resultOf(row, record, redact),
      serving: serving && redact(serving),
    }
  })
}

/** Gives each deployment whose end the run did not see the run's own end. */
export function settled(record: Final<FleetRecord>): Final<FleetRecord> {
  const { deployments, endedAt } = record
  const outcome = cutOf(record.outcome)
  if (outcome === undefined) return record
  const isOpen = (row: FleetRow): boolean => row.outcome === undefined && row.beganAt !== undefined
  return { ...record, deployments: deployments.map((row) => (isOpen(row) ? { ...row, endedAt, outcome } : row)) }
}

/** The end of a run that may leave deployments under way. */
function cutOf(outcome: FleetOutcome): AnyOutcome | undefined {
  if (outcome.kind === 'cancelled' || outcome.kind === 'timed-out') return outcome
  if (outcome.kind !== 'failed' || outcome.because.kind !== 'error') return undefined
  return { kind: 'failed', because: outcome.because }
}

/** Returns the entry of a deployment in the output `results`. Its outcome may also be `not-started`. */
function resultOf(row: FleetRow, record: Final<FleetRecord>, redact: Redact) {
  const wave = record.waves[row.wave]?.name
  const isPlanned = record.outcome.kind === 'planned' && row.plan !== undefined
  const { change, status, url, ...ids } = rowOutputs(row)
  const ms = row.endedAt === undefined ? undefined : tookMs(row, row.endedAt)
  return {
    name: redact(row.name),
    ...ids,
    'restored-revision-id': restoredBy(row),
    wave: wave && redact(wave),
    outcome: row.outcome?.kind ?? (isPlanned ? 'planned' : 'not-started'),
    change,
    status,
    url,
    seconds: ms === undefined ? undefined : inSeconds(ms),
    reason: reasonOf(row, record.endedAt, redact),
    'changed-since': row.since,
  }
}
