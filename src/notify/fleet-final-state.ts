import { MAX_DESCRIPTION, type DeploymentState } from '../github/deployments.ts'
import { addressLink, codeBlock, codeCell, excerpt, oneLine } from '../report/escape.ts'
import { describeFleet } from '../report/fleet/end.ts'
import { fleetPlanTable } from '../report/fleet/plan.ts'
import type { FleetRecord } from '../report/fleet/record.ts'
import { endingsOf, type Ending } from '../report/fleet/results.ts'
import {
  factsTable,
  fittedTable,
  nameHeader,
  nextStep,
  paragraphs,
  reasonHeader,
  sentence,
} from '../report/markdown.ts'
import type { Final } from '../report/record.ts'
import { formatDuration } from '../report/time.ts'
import type { FinalState } from './open-run-schema.ts'

/** The end of a fleet as its comment and its one GitHub Deployment show it. */
export function fleetFinalState(
  record: Final<FleetRecord>,
  redact: (text: string) => string,
  state: DeploymentState | undefined,
): FinalState {
  const { headline } = describeFleet(record)
  return { comment: renderFleetComment(record, redact), description: oneLine(redact(headline), MAX_DESCRIPTION), state }
}

/** In bytes: GitHub takes 65,536 characters, of which a note of 500 revisions needs 25,100. */
const MAX_TABLE = 36_000
const MAX_NAME = 100

function renderFleetComment(record: Final<FleetRecord>, redact: (text: string) => string): string {
  const { mark, headline, reason, next } = describeFleet(record)
  const { outcome, runUrl, startedAt, endedAt } = record
  return paragraphs(
    `### ${mark} ${sentence(redact(headline))}`,
    reason && codeBlock(excerpt(redact(reason), 30, 3000)),
    nextStep(next, redact),
    outcome.kind === 'planned' ? fleetPlanTable(record, redact) : failuresTable(record, redact),
    factsTable([
      ['Outcome', codeCell(outcome.kind)],
      ['Manifest', codeCell(redact(record.target))],
      ['Duration', formatDuration(endedAt - startedAt)],
      ['Run', addressLink(runUrl ?? '')],
    ]),
  )
}

function failuresTable(record: Final<FleetRecord>, redact: (text: string) => string): string {
  const failed = endingsOf(record, redact).filter(({ standing }) => standing === 'failed')
  if (failed.length === 0) return ''
  const [names, reasons] = [failed.map(({ result }) => result.name), failed.map(({ result }) => result.reason)]
  const cellsOf = ({ result: { name, outcome, reason = '' } }: Ending): string[] => [
    codeCell(name, MAX_NAME),
    outcome,
    codeCell(reason),
  ]
  const header = [nameHeader(names), 'Outcome', reasonHeader(reasons)]
  const others = 'the job summary shows them'
  return fittedTable({ items: failed, headerOf: () => header, cellsOf, maxBytes: MAX_TABLE, others })
}
