import type { FleetPreview } from '../../fleet/fleet-request.ts'
import type { RolloutEvent } from '../../rollout/event.ts'
import type { Redact } from '../../secrets/redact.ts'
import { oneLine } from '../escape.ts'
import { logEntries, warning, type FleetLines, type LineContext, type LogContext, type Words } from '../log-lines.ts'
import type { LogEntry } from '../log.ts'
import type { EventOf, FleetRow, FleetRecord, FleetWave } from '../record.ts'
import { formatDuration, formatRange, capital, countOf, MAX_NAME_IN_LOG } from '../words.ts'
import { withCleanMessage } from '../typed-fields.ts'
import { untouchedText } from './previews.ts'
import { fleetPlanLines, matrixWarnings, planWarnings, unguardedLines } from './plan.ts'
import { reasonOf, standingOf } from '../row.ts'
import { inWave, openTallyOf, tallyOf, waveWords } from './results.ts'
import { notSelectedLines, selectedText, unclearWarnings } from './selection.ts'

/** The lines of a fleet. Those of single deployments are in the group of their wave. */
export const FLEET_LINES: FleetLines = {
  'fleet-began'({ request }, { redactor }) {
    const { waves, preview, changedSince } = request
    // It begins again when it is known which entries take part.
    if (changedSince !== undefined) return undefined
    const size = waves.reduce((sum, { entries }) => sum + entries.length, 0)
    if (preview !== undefined) return previewLine(preview, size, redactor.redact)
    const others = notSelectedLines(request, redactor.redact)
    if (size === 0 && others.length > 0)
      return [{ level: 'notice', text: ['No deployment is selected: there is nothing to do.', ...others].join('\n') }]
    if (size === 0)
      return [{ level: 'notice', text: 'This shard of the fleet has no deployments: there is nothing to do.' }]
    const named = waves.length > 1 ? ` in ${countOf(waves.length, 'wave')}` : ''
    return [`Fleet: ${countOf(size)}${named}.`, ...others].join('\n')
  },
  'fleet-selected': ({ selection }, { redactor: { redact } }) => [
    { level: 'info', text: selectedText(selection, redact) },
    ...unclearWarnings(selection, redact).flatMap(warning),
  ],
  'fleet-found': ({ existing, missing }) => `Found ${existing} of ${countOf(existing + missing)}.`,
  'of-deployment': ofFleet(entriesOf),
  'fleet-planned': ofFleet((_event, record, { redactor }) => {
    if (record.deployments.length === 0) return undefined
    const text = [...fleetPlanLines(record, redactor.redact), ...unguardedLines(record)].join('\n')
    return [{ level: 'info', text }, ...[...matrixWarnings(record), ...planWarnings(record)].flatMap(warning)]
  }),
  'wave-began': ofFleet(({ index }, record) => {
    // The line of its end is enough for a wave in which nothing starts.
    if (inWave(record, index).every(({ outcome }) => outcome !== undefined)) return undefined
    const { maxParallel } = record.waves[index] ?? { maxParallel: 1 }
    return [{ level: 'line', title: waveTitle(record, index), text: `Up to ${maxParallel} at the same time.` }]
  }),
  'deployment-began': () => undefined,
  'deployment-ended': ofFleet(endEntries),
  'wave-baking': ofFleet(({ index, forMs }, record) => {
    const { checks, size, name } = record.waves[index] ?? { checks: 0, size: 0, name: undefined }
    // A single check is of deployments that were not rolled out.
    const isOfSome = forMs === 0 && hasStarted(record, index)
    const checked = `every ${isOfSome ? 'unchanged ' : ''}deployment${checks === size ? '' : ' with a verify-url'}`
    const time = formatDuration(forMs)
    const keep = forMs === 0 ? `${checked} must answer` : `${checked} must keep answering for ${time}`
    const checkWords = checks === 0 ? `a pause of ${time}. No deployment has a verify-url` : keep
    return `${waveWords(name)}: ${checkWords}.`
  }),
  'wave-ended': ofFleet(({ index }, record, { at }) => {
    const { beganAt = at, bakingSince } = record.waves[index] ?? {}
    const { waiting } = tallyOf(inWave(record, index))
    const isTimed = hasStarted(record, index) || bakingSince !== undefined
    const time = isTimed ? [`after ${formatDuration(at - beganAt)}`] : []
    const end = waiting > 0 ? [`${waiting} not started`, ...time] : [time[0] ?? 'nothing to do']
    return `${[waveCounts(record, index), ...end].join(', ')}.`
  }),
  'fleet-stopped': ofFleet(({ index, failed, allowed }, { waves, deployments }) => {
    const rest = tallyOf(deployments).waiting > 0 ? ' No further rollout begins.' : ''
    const where = waveWords(waves[index]?.name)
    return warning(`${countOf(failed)} of the ${where} failed; max-failures allows ${allowed}.${rest}`)
  }),
  'rate-lowered': ({ cameBack, perSecond }, { short }) =>
    `The control plane asked for fewer requests (${short(cameBack, 300)}): at most ${Math.round(perSecond * 10) / 10} a second now.`,
  'fleet-progress': ofFleet((_event, record, { at }) => progressLine(record, at)),
}

function previewLine({ pullRequest, untouched }: FleetPreview, size: number, redact: Redact): Words {
  if (untouched === undefined) return undefined
  const others = untouchedText(untouched, redact, oneLine)
  return `Pull request ${pullRequest}: ${countOf(size, 'preview')}.${others === '' ? '' : ` ${others}`}`
}

function ofFleet<Event>(words: (event: Event, record: FleetRecord, context: LineContext) => Words) {
  return (event: Event, context: LineContext): Words =>
    context.record.operation === 'fleet' ? words(event, context.record, context) : undefined
}

function hasStarted(record: FleetRecord, wave: number): boolean {
  return inWave(record, wave).some((row) => row.beganAt !== undefined)
}

/** The events of one deployment that a fleet's log shows. Warnings are always shown. */
const SHOWN: readonly RolloutEvent['kind'][] = [
  'status',
  'write-lost',
  'name-taken',
  'changed-meanwhile',
  'other-commit',
  'not-activated',
  'bake-failed',
  'bake-recovered',
  'verification-failed',
  'rollback-changed',
]

function isShown(event: RolloutEvent): boolean {
  return event.kind === 'during-rollback' ? isShown(event.event) : SHOWN.includes(event.kind)
}

function entriesOf({ name, event }: EventOf<'of-deployment'>, record: FleetRecord, context: LogContext): LogEntry[] {
  // The warnings of all plans are shown together.
  if (event.kind === 'planned') return []
  const row = record.deployments.get(name)
  if (row === undefined) return []
  return logEntries(event, { ...context, record: row }).flatMap((entry): LogEntry[] => {
    switch (entry.level) {
      case 'warning':
      case 'notice':
      case 'error':
        return [{ ...entry, text: `${context.redactor.redact(name)}: ${entry.text}` }]
      case 'info':
        return isShown(event) ? [lineOf(record, row, entry.text, context)] : []
      default:
        return []
    }
  })
}

function endEntries(event: EventOf<'deployment-ended'>, record: FleetRecord, context: LogContext): LogEntry[] {
  const { outcome } = event
  const row = record.deployments.get(event.name)
  // The line of the last status says it already.
  if (row === undefined || outcome.kind === 'deployed') return []
  const { at, redactor } = context
  const revision = row.revision && withCleanMessage(row.revision, redactor.redactFreeText)
  const after = { ...row, revision, outcome, endedAt: at }
  const isBeforeWave = row.beganAt === undefined
  // The table of the plans says it already.
  if (isBeforeWave && (outcome.kind === 'planned' || outcome.kind === 'unchanged')) return []
  // The run ends with it, and its annotations have one sentence for all.
  if (isBeforeWave && outcome.kind === 'failed' && outcome.because.kind === 'other-plan') return []
  const reason = reasonOf(after, at, redactor.redact) ?? ''
  const since = row.beganAt ?? record.waves[row.wave]?.bakingSince ?? at
  const time = formatDuration(at - since).padStart(9)
  const line = lineOf(record, row, `${time}  ${outcome.kind}${reason === '' ? '' : `: ${reason}`}`, context)
  // The line is outside of the group, which a reader of the log has to open.
  return isBeforeWave || standingOf(after) === 'failed' ? [{ level: 'info', text: line.text }] : [line]
}

function lineOf(record: FleetRecord, { name, wave }: FleetRow, text: string, { redactor }: LogContext) {
  const width = Math.min(MAX_NAME_IN_LOG, record.longestName)
  const shownName = oneLine(redactor.redact(name), MAX_NAME_IN_LOG).padEnd(width)
  return { level: 'line', title: waveTitle(record, wave), text: `${shownName} ${text.trimEnd()}` } as const
}

function waveTitle({ waves }: FleetRecord, index: number): string {
  const wave = waves[index]
  if (wave === undefined) return 'Fleet'
  return `${capital(waveWords(wave.name))} (${countOf(wave.size)})`
}

/** As in `wave canary: 3 of 5 deployed, 1 under way, 0 failed, about 2 min left`; undefined if no wave is under way. */
export function progressLine(record: FleetRecord, at: number): string | undefined {
  const index = record.waves.findIndex(({ beganAt, endedAt }) => beganAt !== undefined && endedAt === undefined)
  const wave = record.waves[index]
  if (wave === undefined) return undefined
  const { bakingSince, bakeMs, checks } = wave
  const remainingMs = bakingSince === undefined ? leftMs(record, index, at) : bakingSince + bakeMs - at
  const baking = bakingSince === undefined ? [] : [checks > 0 ? 'being checked' : 'pausing']
  // A check that has no time of its own lasts until it succeeds.
  const estimate =
    remainingMs === undefined || (bakingSince !== undefined && bakeMs === 0)
      ? []
      : [`${formatRange({ fromMs: remainingMs, toMs: remainingMs })} left`]
  return [waveCounts(record, index), ...baking, ...estimate].join(', ')
}

function waveCounts(record: FleetRecord, index: number): string {
  const wave = record.waves[index]
  const { deployed, unchanged, passed, failed, 'under-way': underWay } = openTallyOf(inWave(record, index))
  const counts = [
    `${deployed} of ${wave?.size ?? 0} deployed`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(passed > 0 ? [`${passed} ended otherwise`] : []),
    `${underWay} under way`,
    `${failed} failed`,
  ]
  return `${waveWords(wave?.name)}: ${counts.join(', ')}`
}

/** The milliseconds that a wave will take with its bake, if each rollout takes the median time of this run. */
export function leftMs(record: FleetRecord, index: number, at: number): number | undefined {
  const wave = record.waves[index]
  const usual = usualMs(record)
  if (wave === undefined || usual === undefined) return undefined
  const own = inWave(record, index)
  const underWay = own
    .filter((one) => standingOf(one) === 'under-way')
    .map(({ beganAt = at }) => Math.max(0, usual - (at - beganAt)))
  const waiting = record.isStopped ? 0 : tallyOf(own).waiting
  return afterMs(underWay, waiting, wave, usual) + (record.isStopped ? 0 : wave.bakeMs)
}

/** Rollouts of equal length begin as soon as an earlier one has ended: each place takes every n-th of them. */
function afterMs(underWay: number[], waiting: number, { maxParallel }: FleetWave, usual: number): number {
  const idle = Array.from({ length: Math.min(waiting, maxParallel - underWay.length) }, () => 0)
  const places = [...idle, ...underWay.toSorted((one, other) => one - other)]
  const ends = places.map((busy, place) => busy + usual * Math.ceil((waiting - place) / places.length))
  return Math.max(0, ...ends)
}

function usualMs({ deployments }: FleetRecord): number | undefined {
  const durations = [...deployments]
    .flatMap(({ outcome, beganAt, endedAt }) =>
      outcome?.kind === 'deployed' && beganAt !== undefined && endedAt !== undefined ? [endedAt - beganAt] : [],
    )
    .sort((one, other) => one - other)
  return durations[Math.floor(durations.length / 2)]
}
