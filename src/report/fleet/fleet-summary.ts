import { codeBlock, codeCell, codeLink, codeSpan, excerpt, oneLine } from '../escape.ts'
import { details, nextStep, paragraphs, sentence, table } from '../markdown.ts'
import type { Message } from '../messages.ts'
import type { Final } from '../record.ts'
import type { Redact } from '../../secrets/redact.ts'
import { formatDuration } from '../time.ts'
import { fleetChart } from './chart.ts'
import type { FleetRecord } from './fleet-record.ts'
import { countOf } from '../words.ts'
import type { Standing } from './standing.ts'
import { fit } from './fit.ts'
import { nameHeader, reasonHeader } from './column-header.ts'
import { fleetPlanMarkdown, fleetPlanTable } from './fleet-plan-markdown.ts'
import { byAttention, type Ending } from './results.ts'

/** Of more deployments than this, those that went well or were not started are folded. */
const MAX_OPEN = 200

/** In bytes. Three tables and five logs are below GitHub's limit of 1024 KiB whatever they contain. */
const MAX_TABLE = 200_000

/** The job summary of a fleet in markdown. Text of the server or the user is put into code. */
export function renderFleetSummary(
  record: Final<FleetRecord>,
  endings: readonly Ending[],
  { mark, headline, reason, next }: Message,
  redact: Redact,
): string {
  const duration = formatDuration(record.endedAt - record.startedAt)
  const isPlan = record.outcome.kind === 'planned'
  const markdown = paragraphs(
    `## ${mark} ${sentence(redact(headline))}`,
    // The manifest is not known if the inputs have a problem.
    [codeSpan(redact(record.target), 200), duration].filter((one) => one !== '').join(' · '),
    reason && codeBlock(excerpt(redact(reason))),
    nextStep(next, redact),
    ...(isPlan
      ? []
      : [...resultTables(endings), logSections(endings, redact), chartSection(fleetChart(record, endings, redact))]),
    planSection(record, isPlan, redact),
  )
  return `${markdown}\n`
}

/** The headline of a dry run has the counts already. */
function planSection(record: FleetRecord, isPlan: boolean, redact: Redact): string {
  if (!record.isPlanned) return ''
  return details('Plan', isPlan ? fleetPlanTable(record, redact) : fleetPlanMarkdown(record, redact), isPlan)
}

function chartSection(chart: string): string {
  return chart === '' ? '' : details('Timeline', chart, true)
}

function resultTables(all: readonly Ending[]): string[] {
  const endings = byAttention(all)
  if (endings.length <= MAX_OPEN) return [resultTable(endings)]
  const wentWell = endings.filter(({ standing }) => isWell(standing))
  const notStarted = endings.filter(({ standing }) => standing === 'waiting')
  const others = endings.filter(({ standing }) => !isWell(standing) && standing !== 'waiting')
  return [
    resultTable(others),
    details(`${countOf(notStarted.length)} not started`, resultTable(notStarted)),
    details(`${countOf(wentWell.length)} deployed or unchanged`, resultTable(wentWell)),
  ]
}

function isWell(standing: Standing): boolean {
  return standing === 'deployed' || standing === 'unchanged'
}

function resultTable(endings: readonly Ending[]): string {
  if (endings.length === 0) return ''
  const hasReasons = endings.some(({ result }) => result.reason !== undefined)
  const { rows, more } = fit(endings, (one) => cellsOf(one, hasReasons), MAX_TABLE)
  // On a narrow screen, the first columns are those that are seen.
  const [names, reasons] = [endings.map(({ result }) => result.name), endings.map(({ result }) => result.reason)]
  const header = [nameHeader(names), 'Outcome', 'Duration', ...(hasReasons ? [reasonHeader(reasons)] : []), 'Revision']
  return paragraphs(
    table(header, rows),
    more > 0 ? `And ${more} more: the file of \`record-path\` has all of them.` : undefined,
  )
}

const MAX_NAME = 100

function cellsOf({ result, standing }: Ending, hasReasons: boolean): string[] {
  const { name, url, outcome, status, seconds, reason = '' } = result
  const hasStatus = standing === 'failed' && status !== undefined && status !== 'DEPLOYED'
  return [
    // The address of a deployment that failed may lead nowhere.
    url === undefined || !isWell(standing) ? codeCell(name, MAX_NAME) : codeLink(oneLine(name, MAX_NAME), url),
    `${outcome}${hasStatus ? ` ${codeCell(status)}` : ''}`,
    seconds === undefined ? '' : formatDuration(seconds * 1000),
    ...(hasReasons ? [codeCell(reason)] : []),
    codeCell(shortId(result['revision-id'] ?? '')),
  ]
}

/** The first part of a UUID, which a narrow table has room for. `results` and the record have all of it. */
function shortId(id: string): string {
  return /^[0-9a-f]{8}(?=-)/i.exec(id)?.[0] ?? id
}

const MAX_LOG_LINES = 30
const MAX_LOG_CHARACTERS = 10_000

/** The ends of the logs of the first failures. A whole log is redacted before it is cut. */
function logSections(endings: readonly Ending[], redact: Redact): string {
  const sections = endings.flatMap(({ result, deployment: { rollout } }) => {
    if (rollout.log === undefined || rollout.log.lines.length === 0) return []
    const lines = redact(rollout.log.lines.join('\n')).split('\n')
    const text = lines.slice(-MAX_LOG_LINES).join('\n').slice(-MAX_LOG_CHARACTERS)
    return [details(`The end of the ${rollout.log.type} log of <code>${html(result.name)}</code>`, codeBlock(text))]
  })
  return sections.join('\n\n')
}

function html(text: string): string {
  return text.slice(0, MAX_NAME).replace(/[^\w .-]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)
}
