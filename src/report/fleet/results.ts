import { MAX_NAMED, withFullStop } from '../../problem.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { FleetOutcome } from '../../fleet/event.ts'
import { failsStep, type AnyOutcome, type RolloutOutcome } from '../../rollout/outcome.ts'
import { oneLine } from '../escape.ts'
import { describeOutcome } from '../messages.ts'
import { errorOf, type Final, type FleetRow, type FleetRecord, type Row } from '../record.ts'
import type { Redact } from '../../secrets/redact.ts'
import { unconfirmedSentences } from '../log-lines.ts'
import { rollbackSentence, liveAddress, restoredRevision } from '../serving.ts'
import { sentences, capital, inSeconds } from '../words.ts'
import { shownId } from '../typed-fields.ts'

/** Of deployments: first what needs attention. */
export const STANDINGS = {
  failed: { mark: '❌', colour: 'red', word: 'failed' },
  /** Also after a cancellation, as the revision continues. */
  'under-way': { mark: '⚠️', colour: 'blue', word: 'under way' },
  waiting: { mark: '⏸', colour: 'grey', word: 'not started' },
  passed: { mark: '⏭️', colour: 'grey', word: 'ended otherwise' },
  deployed: { mark: '✅', colour: 'green', word: 'deployed' },
  unchanged: { mark: '✅', colour: 'grey', word: 'unchanged' },
} as const
export type Standing = keyof typeof STANDINGS

export function byAttention<Of extends { standing: Standing }>(endings: readonly Of[]): Of[] {
  const order = Object.keys(STANDINGS)
  return endings.toSorted((one, other) => order.indexOf(one.standing) - order.indexOf(other.standing))
}

export function standingOf({ outcome, beganAt, onSuperseded }: Row): Standing {
  if (outcome === undefined || outcome.kind === 'cancelled') return beganAt === undefined ? 'waiting' : 'under-way'
  if (failsStep(outcome, onSuperseded)) return 'failed'
  return outcome.kind === 'deployed' || outcome.kind === 'unchanged' ? outcome.kind : 'passed'
}

export type Tally = Record<Standing, number>

export function tallyOf(deployments: Iterable<FleetRow>): Tally {
  const tally = { waiting: 0, 'under-way': 0, deployed: 0, unchanged: 0, passed: 0, failed: 0 }
  for (const one of deployments) tally[standingOf(one)]++
  return tally
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

  of({ deployments }: FleetRecord) {
    const parts = deployments.parts.map((part) => {
      const known = this.#counted.get(part) ?? countOpen(part)
      this.#counted.set(part, known)
      return known
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

/** In characters, in `results` and in tables: why, and what is left. */
const MAX_REASON = 300

/** The ends in the order of the waves. Text of the server is redacted. */
export function endingsOf(record: Final<FleetRecord>, redact: Redact) {
  return [...settled(record).deployments].map((deployment) => {
    return { deployment, standing: standingOf(deployment), result: resultOf(deployment, record, redact) }
  })
}

/** What the run did not see end has the run's own end. */
export function settled(record: Final<FleetRecord>): Final<FleetRecord> {
  const { deployments, endedAt } = record
  const outcome = cutOf(record.outcome)
  if (outcome === undefined) return record
  const isOpen = (one: FleetRow): boolean => one.outcome === undefined && one.beganAt !== undefined
  return { ...record, deployments: deployments.map((one) => (isOpen(one) ? { ...one, endedAt, outcome } : one)) }
}

/** The end of a run that may leave deployments under way. */
function cutOf(outcome: FleetOutcome): AnyOutcome | undefined {
  if (outcome.kind === 'cancelled' || outcome.kind === 'timed-out') return outcome
  if (outcome.kind !== 'failed' || outcome.because.kind !== 'error') return undefined
  return { kind: 'failed', because: outcome.because }
}

/** What became of one deployment: an entry of the output `results`. */
function resultOf(one: FleetRow, record: Final<FleetRecord>, redact: Redact) {
  const { name, beganAt, endedAt } = one
  const wave = record.waves[one.wave]?.name
  const isTimed = beganAt !== undefined && endedAt !== undefined
  const isPlanned = record.outcome.kind === 'planned' && one.plan !== undefined
  return {
    name: redact(name),
    'deployment-id': shownId(one.deployment?.id),
    'revision-id': shownId(one.revisionId),
    'restored-revision-id': restoredRevision(one),
    wave: wave && redact(wave),
    /** As the output `outcome` of a single rollout; also `not-started`. */
    outcome: one.outcome?.kind ?? (isPlanned ? 'planned' : 'not-started'),
    change: one.change,
    status: one.revision?.status,
    url: liveAddress(one),
    /** Counted from the begin of its rollout. */
    seconds: isTimed ? inSeconds(endedAt - beganAt) : undefined,
    reason: reasonOf(one, record.endedAt, redact),
  }
}

/** Why a deployment was not deployed, in the words of a single rollout, and what it leaves uncertain. It is redacted. */
export function reasonOf(row: Row, at: number, redact: Redact): string | undefined {
  const { outcome, endedAt } = row
  if (outcome === undefined) return undefined
  const { headline, reason } = describeOutcome({ ...row, outcome, endedAt: endedAt ?? at })
  const isQuiet = QUIET.includes(outcome.kind) || (isOfRevision(outcome) && reason !== undefined)
  // What a check found is our own sentence. It is redacted before its first letter is changed.
  const isOfCheck = outcome.kind === 'unverified' || outcome.kind === 'rolled-back'
  const because = isOfCheck && reason !== undefined ? capital(redact(reason)) : reason
  const why = sentences(isQuiet ? undefined : headline, because)
  const { unconfirmed } = row
  const left = sentences(
    errorOf(outcome) instanceof AmbiguousWriteError || (outcome.kind === 'failed' && row.hasLostWrite !== undefined)
      ? 'It may have succeeded.'
      : undefined,
    rollbackSentence(row),
    unconfirmed.length === 0 ? undefined : unconfirmedSentences(unconfirmed),
  )
  const [shownWhy = '', shownLeft = ''] = [why, left].map((text) => oneLine(redact(text), MAX_REASON))
  if (shownWhy === '' || shownLeft === '') return shownWhy || shownLeft || undefined
  return `${withFullStop(shownWhy)} ${shownLeft}`
}

export function isOfRevision(outcome: RolloutOutcome | undefined): boolean {
  return outcome?.kind === 'failed' && outcome.because.kind === 'revision'
}

const QUIET: readonly string[] = ['deployed', 'unchanged', 'planned']
