import type { TimedStatus } from './outputs.ts'
import { formatDuration } from './time.ts'

/**
 * The timeline as a mermaid gantt: a row for each status, coloured by its phase. Times count from midnight of a fixed day,
 * as mermaid reads local times. The names of the rows contain the durations, so that the chart needs no axis.
 */
export function renderGantt(timeline: readonly TimedStatus[]): string {
  const first = timeline[0]
  if (first === undefined) return ''
  const start = Date.parse(first.at)
  const lines = [
    `%%{init: ${JSON.stringify(lookOf(timeline.length))}}%%`,
    'gantt',
    '    dateFormat YYYY-MM-DD HH:mm:ss.SSS',
    `    axisFormat ${NO_TEXT}`,
    ...timeline.flatMap((entry, index) => {
      // Mermaid would draw rows of the same name as one.
      const earlier = timeline.slice(0, index).filter(({ status }) => status === entry.status).length
      const row = rowOf(entry) + NO_TEXT.repeat(earlier)
      return [`    section ${row}`, `    ${taskOf(entry, Date.parse(entry.at) - start)}`]
    }),
  ]
  return ['```mermaid', ...lines, '```'].join('\n')
}

/** Colours that are seen on a light and on a dark page. The names of the rows have those of the page. */
const [GREY, BLUE, GREEN, RED] = ['#818b98', '#218bff', '#2da44e', '#e5534b']

const [TOP, BAR, GAP] = [4, 17, 3]

/** The width is fixed, and shrinks with the page: inside a fold, mermaid cannot measure the page. */
function lookOf(rows: number): object {
  return {
    gantt: {
      useWidth: 440,
      leftPadding: 180,
      rightPadding: 12,
      topPadding: TOP,
      barHeight: BAR,
      barGap: GAP,
      // So high that the lines of the grid have no length: with the small padding, they would end among the rows.
      gridLineStartPadding: TOP + rows * (BAR + GAP),
      fontSize: 12,
      sectionFontSize: 12,
    },
    themeVariables: COLOURS,
  }
}

const COLOURS = {
  doneTaskBkgColor: GREY,
  doneTaskBorderColor: GREY,
  activeTaskBkgColor: BLUE,
  activeTaskBorderColor: BLUE,
  taskBkgColor: GREEN,
  taskBorderColor: GREEN,
  critBkgColor: RED,
  critBorderColor: RED,
  sectionBkgColor: 'transparent',
  sectionBkgColor2: 'transparent',
  altSectionBkgColor: 'transparent',
}

/** The tag of mermaid whose colour a phase has. */
const TAGS: Record<TimedStatus['phase'], string> = {
  queue: 'done, ',
  unknown: 'done, ',
  build: 'active, ',
  deploy: '',
  terminal: '',
}

/** Not even a blank, which mermaid would skip: none could be read on a bar and beside it, on a light and a dark page. */
const NO_TEXT = '\u200b'

function taskOf({ status, phase, seconds }: TimedStatus, offsetMs: number): string {
  const at = clock(offsetMs)
  if (phase === 'terminal') return `${NO_TEXT} :${status === 'DEPLOYED' ? '' : 'crit, '}milestone, ${at}, 0ms`
  return `${NO_TEXT} :${TAGS[phase]}${at}, ${clock(offsetMs + Math.max(1, seconds * 1000))}`
}

/** An unknown status may contain any text; a single word contains no sign of mermaid's syntax. */
function rowOf({ status, phase, seconds }: TimedStatus): string {
  const word = status.replace(/\W+/g, '_').slice(0, 16) || 'status'
  return phase === 'terminal' ? word : `${word} ${formatDuration(seconds * 1000)}`
}

function clock(offsetMs: number): string {
  return new Date(Date.UTC(2000, 0, 1) + offsetMs).toISOString().replace('T', ' ').replace('Z', '')
}
