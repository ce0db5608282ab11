import type { FleetEvent } from '../fleet/event.ts'
import { phaseOf } from '../rollout/outcome.ts'
import { bakeText } from './bake-text.ts'
import { appliedLine, chosenLine } from './revision-lines.ts'
import { oneLine } from './escape.ts'
import { plannedEntries } from './planned-entries.ts'
import { endOfLog, LOG_TITLES } from './log-end.ts'
import type { LogEntry } from './log.ts'
import type { RunEvent, RunRecord } from './record.ts'
import { changeText } from './change-text.ts'
import { madeTwiceText } from './made-twice.ts'
import { choiceLine, describeReason } from './removal-messages.ts'
import { listObstacleText, routeNoticeEntry } from './request-words.ts'
import { failedBeforeText, unconfirmedSentences } from './rollback-messages.ts'
import { formatDuration, formatRange } from './time.ts'
import { countOf } from './words.ts'

/** What an event is put into words with. */
export interface LogContext {
  /** The record before the event. */
  record: RunRecord
  /** When it happened, in milliseconds since the epoch. */
  at: number
  /** Removes secrets: needed before a text is cut, as half a secret could no longer be recognised. */
  redact: (text: string) => string
  /** The same for free text of a server. */
  redactFreeText: (text: string) => string
}

/** The log entries of an event; none for an event that a reader of the log does not need. */
export function logEntries(event: RunEvent, context: LogContext): LogEntry[] {
  const { record, at, redact, redactFreeText } = context
  const short = (text: string, max?: number): string => oneLine(redact(text), max)
  const time = formatDuration(at - record.startedAt).padStart(9)
  switch (event.kind) {
    case 'connecting':
      return info(`Control plane: ${event.baseUrl}`)
    case 'planned':
      return plannedEntries(event, context)
    case 'revision-chosen':
      return info(chosenLine(event.to, short))
    case 'newer-commit-deployed':
      return info(`The deployed commit ${event.deployed} is later than ${event.ours}.`)
    case 'name-taken':
      return info('A deployment of this name exists now. Planning again.')
    case 'changed-meanwhile':
      return info(`Deployment ${event.deploymentId} ${changeText(event.change, short)}. Planning again.`)
    case 'applied':
      return info(appliedLine(event))
    case 'attached':
      return event.because === 'resumed' ? info(`Attached to revision ${event.revision.id}.`) : []
    case 'commit-awaited': {
      const limit = formatDuration(event.limitMs)
      return info(`Revision ${event.revisionId} does not report its commit yet. Waiting up to ${limit} for it.`)
    }
    case 'other-commit':
      return info(`Revision ${event.revisionId} builds another commit (${event.commit ?? 'unknown'}). Planning again.`)
    case 'not-activated':
      return info(`Revision ${event.revisionId} is DEPLOYED and does not become the active one. Planning again.`)
    case 'waiting': {
      const { name, id } = event.deployment
      return info(`Waiting for revision ${event.revision.id} of ${name} (${id}).`)
    }
    case 'write-lost':
      return info(`${event.cameBack}. Checking whether it succeeded before repeating anything.`)
    case 'secrets-uncompared': {
      const text = `The response to a write was lost. The ${event.what} ${event.id} is new since then and counts as its result. The control plane does not report the values of its secrets, so they could not be compared.`
      return [{ level: 'warning', text }]
    }
    case 'made-twice':
      return [{ level: 'warning', text: madeTwiceText(event) }]
    case 'patch-unconfirmed':
      return [{ level: 'warning', text: unconfirmedSentences(event.fields) }]
    case 'request-retried': {
      const delay = formatDuration(event.delayMs)
      return info(`Could not ${short(event.attempted)} yet (${short(event.cameBack, 300)}). Retrying in ${delay}.`)
    }
    case 'status': {
      const { status, statusMessage } = event.revision
      const phase = phaseOf(status)
      const isOver = phase === 'terminal'
      const beside = isOver || statusMessage === undefined ? '' : `  ${oneLine(redactFreeText(statusMessage), 160)}`
      const line = `${time}  ${short(status, 60).padEnd(17)}${isOver ? '' : phase.padEnd(8)}${beside}`
      const isNew = 'timeline' in record && record.timeline.every((entry) => entry.phase !== 'unknown')
      const text = `The control plane reports a status that this action does not know: ${status}. It counts as in progress.`
      return [...(phase === 'unknown' && isNew ? [{ level: 'warning', text } as const] : []), ...info(line.trimEnd())]
    }
    case 'heartbeat': {
      const { status, forMs, trouble } = event
      const polls = trouble === undefined ? '' : ` (as last seen; polls fail: ${short(trouble, 160)})`
      const usual = event.usual === undefined ? '' : `; a rollout usually takes ${formatRange(event.usual)}`
      return info(`${time}  still ${short(status ?? 'unknown', 60)} after ${formatDuration(forMs)}${polls}${usual}`)
    }
    case 'poll-failed':
      return event.row === 1 ? info(`${time}  a poll failed; polling continues: ${short(event.trouble)}`) : []
    case 'awaiting':
      return info(`${time}  ${AWAITED[event.until]} for up to ${formatDuration(event.forMs)}`)
    case 'log-unreadable':
      return [{ level: 'debug', text: `No log: ${event.trouble}` }]
    case 'failed-before':
      return [{ level: 'warning', text: failedBeforeText(event) }]
    case 'verifying':
      return info(`Verifying ${event.url}.`)
    case 'not-yet-verified':
    case 'bake-began':
    case 'baking':
    case 'bake-failed':
    case 'bake-recovered':
    case 'bake-passed':
      return info(`${time}  ${bakeText(event, short)}`)
    case 'verification-failed':
      return info(`The check of ${event.url} failed: ${event.trouble}.`)
    case 'rollback-changed':
      return event.rollback.kind === 'under-way' ? info(`Rolling back to revision ${event.rollback.to}.`) : []
    case 'during-rollback':
      return logEntries(event.event, context).map((entry) =>
        'lines' in entry ? { ...entry, title: `${entry.title} of the rollback` } : entry,
      )
    case 'log-lines':
      return [{ level: 'group', title: LOG_TITLES[event.type], lines: event.lines }]
    case 'log-ended':
      return [{ level: 'end-group' }, ...endOfLog(event.end)]
    case 'log-read': {
      if (event.isShown || event.lines.length === 0) return []
      const title = `The end of the ${event.type} log`
      return [{ level: 'tail', title, lines: event.lines }]
    }
    case 'pull-request-closed':
      return info(`Pull request ${event.pullRequest} is closed: its preview is to be deleted.`)
    case 'pull-request-unlabeled':
      return info(
        `Pull request ${event.pullRequest} does not have the label that preview-label names: its preview is to be deleted.`,
      )
    case 'deletions-chosen':
      return event.choices.flatMap((choice) => info(choiceLine(choice, event)))
    case 'deleted':
      return info(`Deleted ${nameOfRemoval(record, event.id)}.`)
    case 'deletion-dropped':
      return info(`Keeping ${nameOfRemoval(record, event.id)}: ${describeReason(event.because)}.`)
    case 'deletion-unseen':
      return info(`${nameOfRemoval(record, event.id)}: ${describeReason({ kind: 'accepted' })}.`)
    case 'deletion-failed': {
      const text = `Could not delete ${nameOfRemoval(record, event.id)}. ${event.trouble}`
      return [{ level: 'warning', text }]
    }
    case 'route-notice':
      return [routeNoticeEntry(event.notice)]
    case 'list-incomplete':
      return [{ level: 'warning', text: `The list may be incomplete: ${listObstacleText(event.because)}.` }]
    case 'credentials-removed': {
      const text = `The response has more than ${event.kept} secrets and credentials. The others are replaced by ***.`
      return [{ level: 'warning', text }]
    }
    case 'answered': {
      const { file, bytes, entries } = event.answer
      if (file === undefined) return []
      const list = entries === undefined ? '' : `${countOf(entries, 'entry', 'entries')}, `
      return info(`${list}${bytes} bytes in ${file}`)
    }
    case 'rollout-began':
    case 'teardown-began':
    case 'request-began':
    case 'head-read':
    case 'current-state-read':
    case 'applying':
    case 'written':
    case 'phases-timed':
    case 'deployment-read':
    case 'polled':
    case 'nothing-to-delete':
      return []
    default:
      return noWords(event)
  }
}

const AWAITED = {
  activation: 'the deployment does not report this revision as active yet: waiting',
  successor: 'the deployment does not report a newer revision yet: waiting for one',
}

/** The part of the report that is loaded with a fleet words these. */
const noWords: (event: FleetEvent) => LogEntry[] = () => []

function info(text: string): LogEntry[] {
  return [{ level: 'info', text }]
}

function nameOfRemoval(record: RunRecord, id: string): string {
  const removal = 'removals' in record ? record.removals.find((one) => one.id === id) : undefined
  return removal === undefined ? id : `${removal.name} (${id})`
}
