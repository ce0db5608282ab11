import { oneLine } from '../escape.ts'
import { MAX_EARLIER_ERRORS, type Log } from '../log.ts'
import type { Rendered } from '../rendered.ts'
import type { Final } from '../record.ts'
import type { Redactor } from '../../secrets/redact.ts'
import { timelineOf } from '../outputs.ts'
import { describeFleet } from './fleet-messages.ts'
import { fleetOutputs } from './fleet-outputs.ts'
import type { FleetRecord } from './fleet-record.ts'
import { countOf } from '../words.ts'
import { renderFleetSummary } from './fleet-summary.ts'
import { endingsOf, isOfRevision, type Ending } from './results.ts'

/** The end of a fleet in outputs, summary, record and log. */
export function renderFleet(record: Final<FleetRecord>, { redact, redactDeep }: Redactor): Rendered {
  const endings = endingsOf(record, redact)
  const message = describeFleet(record)
  return {
    message,
    outputs: fleetOutputs(record, endings, redact),
    markdown: () => renderFleetSummary(record, endings, message, redact),
    recorded: {
      // Each result has its own.
      timeline: undefined,
      matrix: record.shards.length === 0 ? undefined : { include: redactDeep(record.shards) },
    },
    results: {
      *[Symbol.iterator]() {
        for (const { result, deployment } of endings) {
          const { rollout, endedAt = record.endedAt } = deployment
          yield {
            ...result,
            timeline: timelineOf({ ...rollout, endedAt, outcome: record.outcome }),
            'made-twice': rollout.madeTwice.length > 0 ? rollout.madeTwice : undefined,
            plan: rollout.plan && redactDeep(rollout.plan),
          }
        }
      },
    },
    printBefore: (log) => printFailures(endings, log),
  }
}

const MAX_TITLE = 100

/** The first failures as annotations, all others as lines, and the ends of their logs. */
function printFailures(endings: readonly Ending[], log: Log): void {
  const failed = endings.filter(({ standing }) => standing === 'failed')
  for (const { result, deployment } of failed) {
    const { rollout } = deployment
    if (rollout.log === undefined || rollout.log.lines.length === 0) continue
    log.tail(`The end of the ${rollout.log.type} log of ${oneLine(result.name, MAX_TITLE)}`, rollout.log.lines)
  }
  for (const { result, deployment } of failed.slice(0, MAX_EARLIER_ERRORS)) {
    const name = oneLine(result.name, MAX_TITLE)
    // The status of a revision that is not the failure itself may be DEPLOYED.
    const what = isOfRevision(deployment.outcome) ? result.status : undefined
    log.error(`${name}: ${result.reason ?? result.outcome}`, `${name}: ${what ?? result.outcome}`)
  }
  for (const { result } of failed.slice(MAX_EARLIER_ERRORS))
    log.info(`${result.name}: ${result.reason ?? result.outcome}`)
  if (failed.length > MAX_EARLIER_ERRORS) log.info(`${countOf(failed.length)} failed in all.`)
}
