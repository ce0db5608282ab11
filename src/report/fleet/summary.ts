import { listNames, MAX_NAMED } from '../../problem.ts'
import { codeCell, codeLink, codeSpan, oneLine } from '../escape.ts'
import { renderChart, labelWord, type ChartRow, type Colour } from '../gantt.ts'
import {
  details,
  durationFact,
  factsLine,
  fittedTable,
  logBlock,
  nameHeader,
  opening,
  paragraphs,
  runFacts,
  sentence,
  withReason,
  withSentences,
} from '../markdown.ts'
import { hasLog, type Final, type FleetRecord, type FleetWave } from '../record.ts'
import type { Redact } from '../../secrets/redact.ts'
import { byAttention, type Standing, stateCell, STANDINGS } from '../row.ts'
import { capital, formatDuration, MAX_NAME, type Message, withShortIds } from '../words.ts'
import { eventMarkdown, fleetPlanTable, planBody, planTitle, promotionsMarkdown, RECORD_HAS_THEM } from './plan.ts'
import { previewsTable, untouchedText } from './previews.ts'
import { failuresOf, type Failures } from './failures.ts'
import { notSelectedText } from './selection.ts'
import { countsOf, endingsOf, settled, tallyOf, type Ending } from './results.ts'

/** From this number of deployments on, those that went well are folded. */
const MANY = 20
/** The most reasons that are open. The others are folded. */
const MAX_OPEN = 12

/** In bytes. Three tables and five logs are below GitHub's limit of 1024 KiB whatever they contain. */
const MAX_TABLE = 200_000

export function renderFleetSummary(
  record: Final<FleetRecord>,
  { endings, failures }: { endings: readonly Ending[]; failures: readonly Failures[] },
  message: Message,
  redact: Redact,
): string {
  const head = fleetHead(record, message, redact)
  // The headline of a dry run has the counts already.
  if (record.outcome.kind === 'planned')
    return `${paragraphs(head, eventMarkdown(record, redact), fleetPlanTable(record, redact, MAX_TABLE))}\n`
  const sections = [
    attentionTables(failures),
    logSections(failures, redact),
    ...otherTables(endings),
    details('Timeline', fleetChart(record, endings, redact), endings.length < MANY),
    record.isPlanned ? details(planTitle(record), planBody(record, redact)) : undefined,
  ]
  return `${paragraphs(head, ...sections)}\n`
}

/** In bytes: GitHub takes 65,536 characters, of which a note of 500 revisions needs 25,100. */
const MAX_COMMENT_TABLE = 36_000

export function renderFleetComment(record: Final<FleetRecord>, message: Message, redact: Redact): string {
  const head = fleetHead(record, message, redact, runFacts(record.runUrl, record.endedAt))
  return paragraphs(head, resultsOf(record, redact))
}

function resultsOf(record: Final<FleetRecord>, redact: Redact): string {
  if (record.outcome.kind === 'planned')
    return paragraphs(eventMarkdown(record, redact), fleetPlanTable(record, redact))
  if (record.preview === undefined)
    return attentionTables(
      failuresOf(endingsOf(record, redact), record.endedAt, redact),
      MAX_COMMENT_TABLE,
      'the job summary shows them',
    )
  return previewsTable(settled(record), redact, record.endedAt, 'Outcome')
}

/** `written`: which run has written the comment, and when. */
function fleetHead(record: Final<FleetRecord>, message: Message, redact: Redact, written?: string): string {
  const duration = durationFact(record.endedAt - record.startedAt)
  const lead = factsLine(fleetLead(redact(record.target)), duration, written ?? '')
  return paragraphs(
    opening({ ...message, lead }, redact, written !== undefined),
    promotionsMarkdown(record, redact),
    untouchedText(record.preview?.untouched ?? [], redact, codeSpan),
    isInHeadline(record) ? '' : notSelectedText(record.notSelected),
  )
}

/** Whether the headline counts the entries that are not selected. */
function isInHeadline({ outcome, deployments }: Final<FleetRecord>): boolean {
  return outcome.kind === 'unchanged' && deployments.length === 0
}

/** The manifest in code, and what of it the run covers. */
function fleetLead(target: string): string {
  const [manifest = '', ...parts] = target.split(/ (?=\()/)
  return `${codeSpan(manifest, 200)} ${sentence(oneLine(parts.join(' '), 200))}`.trim()
}

function attentionTables(all: readonly Failures[], maxBytes = MAX_TABLE, others = RECORD_HAS_THEM): string {
  const [open, more] = [all.slice(0, MAX_OPEN), all.slice(MAX_OPEN)]
  const grouped = all.flatMap(({ endings }) => (endings.length > 1 ? endings : []))
  const room = { maxBytes: maxBytes / 3, others }
  return paragraphs(
    failuresTable(open, room),
    details(`${markOf(more[0]?.endings)} ${countEndings(more)} more`, failuresTable(more, room)),
    details(
      `${markOf(grouped)} ${countsOf(tallyOf(grouped.map(({ row }) => row)))}, one by one`,
      eachTable(grouped, room),
    ),
  )
}

interface Room {
  maxBytes: number
  /** The place of the rows that have no room, as in `the record shows them`. */
  others: string
}

const WIDE: Room = { maxBytes: MAX_TABLE, others: RECORD_HAS_THEM }

function markOf(endings: readonly Ending[] = []): string {
  return endings[0] === undefined ? '' : STANDINGS[endings[0].standing].mark
}

function countEndings(failures: readonly Failures[]): number {
  return failures.reduce((sum, { endings }) => sum + endings.length, 0)
}

/** A row for each reason. */
function failuresTable(items: readonly Failures[], room: Room): string {
  return fittedTable({
    items,
    headerOf: (shown) => headerOf(shown.flatMap(({ endings }) => endings)),
    cellsOf({ endings, reason, serving, written }) {
      const [first] = endings
      const withFacts = (cell: string): string => withSentences(withReason(cell, reason), serving, written)
      if (endings.length === 1) return [nameCell(first), withFacts(factsOf(first))]
      const names = endings.map(({ result }) => result.name)
      return [
        listNames(names, MAX_NAMED.part, (name) => codeCell(name, MAX_NAME)),
        withFacts(`${endings.length} × ${stateCell(first.row)}`),
      ]
    },
    sizeOf: ({ endings }) => endings.length,
    ...room,
  })
}

function headerOf(endings: readonly Ending[]): string[] {
  return [nameHeader(endings.map(({ result }) => result.name)), 'Outcome']
}

function otherTables(all: readonly Ending[]): string[] {
  const notStarted = all.filter(({ standing }) => standing === 'waiting')
  const wentWell = byAttention(all).filter(({ standing }) => isWell(standing))
  const wells = eachTable(wentWell)
  return [
    details(`${STANDINGS.waiting.mark} ${notStarted.length} not started`, namesTable(notStarted)),
    wentWell.length < MANY ? wells : details(`${STANDINGS.deployed.mark} ${wellCounts(wentWell)}`, wells),
  ]
}

function wellCounts(wentWell: readonly Ending[]): string {
  return countsOf(tallyOf(wentWell.map(({ row }) => row)))
}

function isWell(standing: Standing): boolean {
  return standing === 'deployed' || standing === 'unchanged'
}

/** Two columns: a narrow screen shows no third one. */
function eachTable(items: readonly Ending[], room = WIDE): string {
  return fittedTable({
    items,
    headerOf,
    cellsOf: (one) => [nameCell(one), withSentences(factsOf(one), one.serving)],
    shortOf: (one) => [nameCell(one), factsOf(one)],
    ...room,
  })
}

function namesTable(items: readonly Ending[]): string {
  return fittedTable({
    items,
    headerOf: (shown) => headerOf(shown).slice(0, 1),
    cellsOf: (one) => [nameCell(one)],
    ...WIDE,
  })
}

function nameCell({ result: { name, url = '' } }: Ending): string {
  return codeLink(oneLine(name, MAX_NAME), url)
}

function factsOf({ row, result }: Ending): string {
  const { seconds } = result
  return factsLine(
    stateCell(row),
    seconds === undefined ? '' : durationFact(seconds * 1000),
    // `results` and the record have all of the id.
    codeCell(withShortIds(result['revision-id'] ?? '')),
  )
}

const LOG = { lines: 30, characters: 10_000 }

/** In the order of the tables. */
function logSections(failures: readonly Failures[], redact: Redact): string {
  const sections = failures
    .flatMap(({ endings }) => endings)
    .flatMap(({ result, row }) => {
      if (!hasLog(row)) return []
      const { log } = row
      return [details(`${capital(log.type)} log of <code>${html(result.name)}</code>`, logBlock(log, redact, LOG))]
    })
  return sections.join('\n\n')
}

function html(text: string): string {
  return text.slice(0, MAX_NAME).replace(/[^\w .-]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)
}

/** More rows than this cannot be compared at a glance. */
const MAX_ROWS = 30

/** The least red part of a bar: of the width of the chart. */
const LEAST_PART = 1 / 40

/** The waves and their deployments in the order of their begins. Deployments of a large fleet share rows. */
function fleetChart(record: Final<FleetRecord>, endings: readonly Ending[], redact: Redact): string {
  const begun = endings.filter(({ row }) => row.beganAt !== undefined)
  const start = Math.min(...begun.map(({ row }) => row.beganAt ?? Infinity))
  const waves = record.waves
    .map((wave, index) => ({
      wave: { ...wave, name: wave.name && redact(wave.name) },
      own: begun.filter(({ row }) => row.wave === index),
    }))
    .filter(({ own }) => own.length > 0)
  const shownWaves = waves.slice(0, MAX_ROWS / 2)
  const room = Math.max(0, MAX_ROWS - shownWaves.length)
  const size = shownWaves.reduce((sum, { own }) => sum + own.length, 0)
  return renderChart(
    shownWaves.flatMap(({ wave, own }) => {
      const rows = size <= room ? own.length : Math.max(1, Math.floor((room * own.length) / size))
      return [...waveRows(wave, record, start), ...deploymentRows(own, rows, record.endedAt, start)]
    }),
  )
}

/** Without names of waves, the chart itself is the wave. */
function waveRows(wave: FleetWave, record: Final<FleetRecord>, start: number): ChartRow[] {
  const { name, beganAt, bakingSince, endedAt, checks } = wave
  if (name === undefined || beganAt === undefined) return []
  const end = endedAt ?? record.endedAt
  const rollouts = chartRow(shortName(name), 'grey', beganAt - start, (bakingSince ?? end) - start)
  if (bakingSince === undefined) return [rollouts]
  const bake = `${labelWord(name).slice(0, 10)} ${checks > 0 ? 'check' : 'pause'}`
  return [rollouts, chartRow(bake, 'blue', bakingSince - start, end - start)]
}

function deploymentRows(own: readonly Ending[], rows: number, endedAt: number, start: number): ChartRow[] {
  const inOrder = own.toSorted((one, other) => (one.row.beganAt ?? 0) - (other.row.beganAt ?? 0))
  const perRow = Math.ceil(inOrder.length / rows)
  return Array.from({ length: Math.ceil(inOrder.length / perRow) }, (_, place): ChartRow => {
    const group = inOrder.slice(place * perRow, (place + 1) * perRow)
    const startMs = Math.min(...group.map(({ row }) => row.beganAt ?? start)) - start
    const endMs = Math.max(...group.map(({ row }) => row.endedAt ?? endedAt)) - start
    const first = place * perRow + 1
    const others = group.filter(({ standing }) => standing !== 'failed')
    const failed = group.length - others.length
    const name =
      perRow === 1
        ? shortName(group[0]?.result.name ?? '')
        : `no. ${first} to ${first + group.length - 1},${failed > 0 ? ` ${failed} failed,` : ''}`
    const bar = chartRow(name, colourOf(others.length > 0 ? others : group), startMs, endMs)
    if (failed === 0 || others.length === 0) return bar
    // As large a part as that of the failures, and never too small to be seen.
    const redMs = Math.max(((bar.endMs - bar.startMs) * failed) / group.length, (endedAt - start) * LEAST_PART)
    return { ...bar, redFromMs: Math.max(bar.startMs, Math.round(bar.endMs - redMs)) }
  })
}

/** At most 16 characters. The names of a fleet often differ at the end. */
function shortName(name: string): string {
  const word = labelWord(name)
  return word.length <= 16 ? word : `${word.slice(0, 6)}…${word.slice(-9)}`
}

function chartRow(name: string, colour: Colour, startMs: number, endMs: number): ChartRow {
  const begin = Math.max(0, startMs)
  // A bar without length would be drawn as a point in time.
  return { name: `${name} ${formatDuration(endMs - begin)}`, colour, startMs: begin, endMs: Math.max(begin + 1, endMs) }
}

function colourOf(group: readonly Ending[]): Colour {
  const colours = group.map(({ standing }) => STANDINGS[standing].colour)
  const sizeOf = (colour: Colour): number => colours.filter((one) => one === colour).length
  return (['red', 'blue', 'green', 'grey'] as const).reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most))
}
