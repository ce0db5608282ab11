import type { TimedStatus } from './outputs.ts'
import { formatDuration } from './words.ts'

/** Times are in milliseconds from the begin of the chart. A bar without length is a point in time. */
export interface ChartRow {
  name: string
  colour: Colour
  startMs: number
  endMs: number
  /** From here on, the bar is red: a bar of several, of which some have failed. */
  redFromMs?: number
}

export function renderGantt(timeline: readonly TimedStatus[]): string {
  const start = Date.parse(timeline[0]?.at ?? '')
  return renderChart(
    timeline.map((entry) => {
      const { status, phase, at, seconds } = entry
      const startMs = Date.parse(at) - start
      const isPoint = phase === 'terminal'
      const colour = isPoint && status !== 'DEPLOYED' ? 'red' : COLOUR_OF[phase]
      return { name: labelOf(entry), colour, startMs, endMs: isPoint ? startMs : startMs + Math.max(1, seconds * 1000) }
    }),
  )
}

/** A mermaid gantt. Times count from midnight of a fixed day. The names contain the durations: no axis is needed. */
export function renderChart(rows: readonly ChartRow[]): string {
  if (rows.length === 0) return ''
  const lines = [
    `%%{init: ${JSON.stringify(lookOf(rows))}}%%`,
    'gantt',
    '    dateFormat YYYY-MM-DD HH:mm:ss.SSS',
    `    axisFormat ${NO_TEXT}`,
    ...rows.flatMap((row, index) => {
      // Mermaid would draw rows of the same name as one.
      const namesakes = rows.slice(0, index).filter((other) => other.name === row.name).length
      return [
        `    section ${row.name}${NO_TEXT.repeat(namesakes)}`,
        ...splitAtRed(row).map((part) => `    ${taskOf(part)}`),
      ]
    }),
  ]
  return ['```mermaid', ...lines, '```'].join('\n')
}

const [TOP, BAR, GAP] = [4, 17, 3]

/** Returns the look of a chart. Its width is fixed, as mermaid cannot measure a page inside a fold; a page shrinks it. */
function lookOf(rows: readonly ChartRow[]): object {
  return {
    gantt: {
      useWidth: 440,
      leftPadding: 180,
      rightPadding: 12,
      topPadding: TOP,
      barHeight: BAR,
      barGap: GAP,
      // So high that the lines of the grid have no length: with the small padding, they would end among the rows.
      gridLineStartPadding: TOP + rows.length * (BAR + GAP),
      // The parts of a bar share its row.
      ...(rows.some(({ redFromMs }) => redFromMs !== undefined) && { displayMode: 'compact' }),
      fontSize: 12,
      sectionFontSize: 12,
    },
    themeVariables: THEME,
  }
}

/** Mermaid's words for a task, and colours that are seen on a light and on a dark page. */
const COLOURS = {
  grey: { tag: 'done, ', task: 'doneTask', code: '#818b98' },
  blue: { tag: 'active, ', task: 'activeTask', code: '#218bff' },
  green: { tag: '', task: 'task', code: '#2da44e' },
  red: { tag: 'crit, ', task: 'crit', code: '#e5534b' },
}
export type Colour = keyof typeof COLOURS

/** The names of the rows have the colours of the page. */
const THEME: Record<string, string> = {
  ...Object.fromEntries(
    Object.values(COLOURS).flatMap(({ task, code }) => ['Bkg', 'Border'].map((part) => [`${task}${part}Color`, code])),
  ),
  sectionBkgColor: 'transparent',
  sectionBkgColor2: 'transparent',
  altSectionBkgColor: 'transparent',
}

const COLOUR_OF: Record<TimedStatus['phase'], Colour> = {
  queue: 'grey',
  unknown: 'grey',
  build: 'blue',
  deploy: 'green',
  terminal: 'green',
}

/** The text on a bar: no colour can be read both on it and beside it, on light and dark pages. Mermaid skips a blank. */
const NO_TEXT = '\u200b'

function splitAtRed({ redFromMs, ...row }: ChartRow): ChartRow[] {
  if (redFromMs === undefined) return [row]
  const red: ChartRow = { ...row, colour: 'red', startMs: redFromMs }
  return redFromMs > row.startMs ? [{ ...row, endMs: redFromMs }, red] : [red]
}

function taskOf({ colour, startMs, endMs }: ChartRow): string {
  const isPoint = endMs === startMs
  const end = isPoint ? '0ms' : clock(endMs)
  return `${NO_TEXT} :${COLOURS[colour].tag}${isPoint ? 'milestone, ' : ''}${clock(startMs)}, ${end}`
}

/** An unknown status may contain any text. */
function labelOf({ status, phase, seconds }: TimedStatus): string {
  const word = labelWord(status).slice(0, 16) || 'status'
  return phase === 'terminal' ? word : `${word} ${formatDuration(seconds * 1000)}`
}

export function labelWord(text: string): string {
  return text.replace(/[^\w-]+/g, '_')
}

function clock(offsetMs: number): string {
  return new Date(Date.UTC(2000, 0, 1) + offsetMs).toISOString().replace('T', ' ').replace('Z', '')
}
