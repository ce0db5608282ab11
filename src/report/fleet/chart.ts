import type { Final } from '../record.ts'
import { renderChart, rowWord, type ChartRow, type Colour } from '../gantt.ts'
import type { Redact } from '../../secrets/redact.ts'
import { formatDuration } from '../time.ts'
import type { FleetRecord, FleetWave } from './fleet-record.ts'
import type { Standing } from './standing.ts'
import type { Ending } from './results.ts'

/** More rows than this cannot be compared at a glance. */
const MAX_ROWS = 30

/** The least red part of a bar: of the width of the chart. */
const LEAST_PART = 1 / 40

/**
 * The waves one below the other, each with its deployments in the order of their begins. Deployments of a large fleet
 * share rows. A name is redacted before it is cut.
 */
export function fleetChart(record: Final<FleetRecord>, endings: readonly Ending[], redact: Redact): string {
  const begun = endings.filter(({ deployment }) => deployment.beganAt !== undefined)
  const start = Math.min(...begun.map(({ deployment }) => deployment.beganAt ?? Infinity))
  const waves = record.waves
    .map((wave, index) => ({
      wave: { ...wave, name: wave.name && redact(wave.name) },
      own: begun.filter(({ deployment }) => deployment.wave === index),
    }))
    .filter(({ own }) => own.length > 0)
  const shown = waves.slice(0, MAX_ROWS / 2)
  const room = Math.max(0, MAX_ROWS - shown.length)
  const size = shown.reduce((sum, { own }) => sum + own.length, 0)
  return renderChart(
    shown.flatMap(({ wave, own }) => {
      const rows = size <= room ? own.length : Math.max(1, Math.floor((room * own.length) / size))
      return [...waveRows(wave, record, start), ...deploymentRows(own, rows, record.endedAt, start)]
    }),
  )
}

/** Without names of waves, the chart itself is the wave. */
function waveRows(
  { name, beganAt, bakingSince, endedAt, checks }: FleetWave,
  record: Final<FleetRecord>,
  start: number,
): ChartRow[] {
  if (name === undefined || beganAt === undefined) return []
  const end = endedAt ?? record.endedAt
  const rollouts = rowOf(shortName(name), 'grey', beganAt - start, (bakingSince ?? end) - start)
  if (bakingSince === undefined) return [rollouts]
  return [
    rollouts,
    rowOf(`${rowWord(name).slice(0, 10)} ${checks > 0 ? 'check' : 'pause'}`, 'blue', bakingSince - start, end - start),
  ]
}

function deploymentRows(own: readonly Ending[], rows: number, endedAt: number, start: number): ChartRow[] {
  const inOrder = own.toSorted((one, other) => (one.deployment.beganAt ?? 0) - (other.deployment.beganAt ?? 0))
  const perRow = Math.ceil(inOrder.length / rows)
  return Array.from({ length: Math.ceil(inOrder.length / perRow) }, (_, row): ChartRow => {
    const group = inOrder.slice(row * perRow, (row + 1) * perRow)
    const startMs = Math.min(...group.map(({ deployment }) => deployment.beganAt ?? start)) - start
    const endMs = Math.max(...group.map(({ deployment }) => deployment.endedAt ?? endedAt)) - start
    const first = row * perRow + 1
    const others = group.filter(({ standing }) => standing !== 'failed')
    const failed = group.length - others.length
    const name =
      perRow === 1
        ? shortName(group[0]?.result.name ?? '')
        : `no. ${first} to ${first + group.length - 1},${failed > 0 ? ` ${failed} failed,` : ''}`
    const bar = rowOf(name, colourOf(others.length > 0 ? others : group), startMs, endMs)
    if (failed === 0 || others.length === 0) return bar
    // As large a part as that of the failures, and never too small to be seen.
    const redMs = Math.max(((bar.endMs - bar.startMs) * failed) / group.length, (endedAt - start) * LEAST_PART)
    return { ...bar, redFromMs: Math.max(bar.startMs, Math.round(bar.endMs - redMs)) }
  })
}

/** At most 16 characters. The names of a fleet often differ at the end. */
function shortName(name: string): string {
  const word = rowWord(name)
  return word.length <= 16 ? word : `${word.slice(0, 6)}…${word.slice(-9)}`
}

function rowOf(name: string, colour: Colour, startMs: number, endMs: number): ChartRow {
  const begin = Math.max(0, startMs)
  // A bar without length would be drawn as a point in time.
  return { name: `${name} ${formatDuration(endMs - begin)}`, colour, startMs: begin, endMs: Math.max(begin + 1, endMs) }
}

const COLOURS: Record<Standing, Colour> = {
  failed: 'red',
  'under-way': 'blue',
  waiting: 'grey',
  passed: 'grey',
  unchanged: 'grey',
  deployed: 'green',
}

/** That of most deployments of the row. */
function colourOf(group: readonly Ending[]): Colour {
  const colours = group.map(({ standing }) => COLOURS[standing])
  const sizeOf = (colour: Colour): number => colours.filter((one) => one === colour).length
  return (['red', 'blue', 'green', 'grey'] as const).reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most))
}
