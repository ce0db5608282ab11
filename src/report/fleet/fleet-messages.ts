import { describeFailure } from '../failure-messages.ts'
import type { Message } from '../messages.ts'
import type { Final } from '../record.ts'
import { sentences } from '../rollback-messages.ts'
import { describeSkip } from '../skip-messages.ts'
import { formatDuration } from '../time.ts'
import { shortLimitSentence } from '../unfinished-messages.ts'
import { capital, countOf } from '../words.ts'
import { planCounts, planRows } from './fleet-plan.ts'
import type { FleetRecord } from './fleet-record.ts'
import { countsOf, tallyOf, type Tally } from './standing.ts'

/** Words the outcome of a fleet: the same in the log, in the error, in the summary and in the comment. */
export function describeFleet(record: Final<FleetRecord>): Message {
  const { outcome } = record
  const tally = tallyOf(record.deployments)
  const size = record.deployments.length
  switch (outcome.kind) {
    case 'deployed':
      return { mark: '✅', headline: deployedSentence(tally, size) }
    case 'unchanged':
      return {
        mark: '✅',
        headline:
          size === 0
            ? 'This shard of the fleet has no deployments.'
            : `The fleet is unchanged: the active revision of each of the ${countOf(size)} is already what was requested.`,
      }
    case 'planned':
      return { mark: '📋', headline: `${planCounts(planRows(record))}. Nothing was written (dry-run: true).` }
    case 'timed-out': {
      // Their revisions continue.
      const late = [...record.deployments].filter((one) => one.outcome?.kind === 'timed-out').length
      const counts = countsOf({ ...tally, failed: tally.failed - late, 'under-way': tally['under-way'] + late })
      return {
        mark: '⏱️',
        headline: `Timed out after ${formatDuration(record.timeoutMs ?? 0)}: ${counts}.`,
        reason: outcome.lastTrouble,
        next: sentences(
          leftSentences({ ...tally, 'under-way': tally['under-way'] + late }),
          LATE,
          RERUN,
          shortLimitSentence(outcome, record),
        ),
      }
    }
    case 'cancelled':
      return {
        mark: '⚠️',
        headline: `The run was cancelled${after(tally)}.`,
        next: sentences(leftSentences(tally), RERUN),
      }
    case 'skipped':
      return describeSkip(outcome, 'the fleet', undefined)
    case 'failed': {
      const message = describeFailure(outcome.because, record, 'the fleet')
      const isError = outcome.because.kind === 'error'
      // An error before the first write says itself that nothing was written.
      const left =
        isError && hasBegun(tally) ? sentences(`${capital(countsOf(tally))}.`, leftSentences(tally), RERUN) : undefined
      return { mark: '❌', ...message, next: sentences(message.next, left) }
    }
    // No outcome of a fleet.
    case 'superseded':
    case 'interrupted':
    case 'unverified':
    case 'rolled-back':
    case 'started':
    case 'torn-down':
    case 'nothing-to-tear-down':
    case 'answered':
      return { mark: '⚠️', headline: `The fleet ended as ${outcome.kind}: ${countsOf(tally)}.` }
  }
}

const LATE = 'Rerun the job, or set a longer timeout.'
const RERUN = 'A rerun skips what is unchanged, resumes what is under way, and starts the rest.'

function deployedSentence({ deployed, unchanged, passed }: Tally, size: number): string {
  const others = [
    ...(unchanged > 0 ? [`${unchanged} ${unchanged === 1 ? 'is' : 'are'} unchanged`] : []),
    ...(passed > 0 ? [`${passed} ended otherwise`] : []),
  ]
  if (others.length === 0)
    return `${size === 1 ? 'The deployment of the fleet is' : `All ${size} deployments of the fleet are`} deployed.`
  return `${deployed} of ${countOf(size)} ${deployed === 1 ? 'is' : 'are'} deployed; ${others.join(', ')}.`
}

function after(tally: Tally): string {
  return hasBegun(tally) ? `: ${countsOf(tally)}` : ''
}

/** Something of the fleet may have been written. */
function hasBegun(tally: Tally): boolean {
  return Object.entries(tally).some(([standing, count]) => standing !== 'waiting' && count > 0)
}

function leftSentences(tally: Tally): string | undefined {
  if (!hasBegun(tally)) return 'No deployment was started.'
  if (tally['under-way'] === 0) return undefined
  return 'Revisions that are under way continue on the control plane; they cannot be cancelled.'
}
