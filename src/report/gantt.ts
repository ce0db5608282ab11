import type { TimedStatus } from './outputs.ts'

/**
 * The timeline as a mermaid gantt. Times count from midnight of a fixed day: mermaid reads and shows local times, so the
 * axis starts at 00:00 in every time zone.
 */
export function renderGantt(timeline: readonly TimedStatus[]): string {
  const first = timeline[0]
  if (first === undefined) return ''
  const start = Date.parse(first.at)
  const total = timeline.reduce((end, { at, seconds }) => Math.max(end, Date.parse(at) + seconds * 1000), start) - start
  const lines = [
    'gantt',
    '    dateFormat YYYY-MM-DD HH:mm:ss.SSS',
    `    axisFormat ${total < 3_600_000 ? '%M:%S' : '%H:%M'}`,
    `    tickInterval ${tickInterval(total)}`,
  ]
  let section = ''
  for (const [index, entry] of timeline.entries()) {
    const name = sectionOf(entry)
    if (name !== section) lines.push(`    section ${name}`)
    section = name
    lines.push(`    ${taskOf(entry, Date.parse(entry.at) - start, index === timeline.length - 1)}`)
  }
  return ['```mermaid', ...lines, '```'].join('\n')
}

function sectionOf({ phase }: TimedStatus): string {
  return phase === 'terminal' ? 'end' : phase
}

function taskOf(entry: TimedStatus, offsetMs: number, isLast: boolean): string {
  const { status, phase, seconds } = entry
  const at = clock(offsetMs)
  if (phase === 'terminal') {
    return `${label(status)} :${status === 'DEPLOYED' ? '' : 'crit, '}milestone, ${at}, 0ms`
  }
  return `${label(status)} :${isLast ? 'active' : 'done'}, ${at}, ${clock(offsetMs + Math.max(1, seconds * 1000))}`
}

/** An unknown status may contain any text; a single word contains no sign of mermaid's syntax. */
function label(status: string): string {
  return status.replace(/\W+/g, '_').slice(0, 40) || 'status'
}

function clock(offsetMs: number): string {
  return new Date(Date.UTC(2000, 0, 1) + offsetMs).toISOString().replace('T', ' ').replace('Z', '')
}

const TICKS: readonly [number, string][] = [
  [1_000, '1second'],
  [2_000, '2second'],
  [5_000, '5second'],
  [10_000, '10second'],
  [30_000, '30second'],
  [60_000, '1minute'],
  [120_000, '2minute'],
  [300_000, '5minute'],
  [600_000, '10minute'],
  [1_800_000, '30minute'],
  [3_600_000, '1hour'],
]
const MAX_TICKS = 10

function tickInterval(totalMs: number): string {
  return TICKS.find(([ms]) => totalMs / ms <= MAX_TICKS)?.[1] ?? '6hour'
}
