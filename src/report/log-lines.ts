import type { FleetEvent } from '../fleet/event.ts'
import { phaseOf } from '../rollout/outcome.ts'
import { oneLine } from './escape.ts'
import type { LogEntry } from './log.ts'
import type { RunEvent, RunRecord } from './record.ts'
import { choiceLine, describeReason } from './removals.ts'
import { failedBeforeText, unconfirmedSentences } from './rollback-messages.ts'
import { formatDuration, formatRange, countOf } from './words.ts'
import { apiOf } from '../control-plane/api.ts'
import type { RolloutEvent, Applied, DeploymentChange, MadeTwice, BakeEvent, LogEnd } from '../rollout/event.ts'
import { describePlan, planLines } from './plan.ts'
import { noteWarnings } from './plan-words.ts'
import type { Redact } from '../secrets/redact.ts'
import type { Revision } from '../control-plane/model.ts'
import { inputName } from '../rollout/plan/field-rules.ts'
import { BAKE_FAILURES, MAX_LIVE_LINES } from '../rollout/timing.ts'
import { withoutEnd } from '../secrets/text.ts'
import type { ListObstacle, RouteNotice } from '../request/event.ts'

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

/** The plan, and one annotation with its warnings. */
export function plannedEntries(
  event: Extract<RolloutEvent, { kind: 'planned' }>,
  { record, redact }: { record: RunRecord; redact: Redact },
): LogEntry[] {
  const api = apiOf('plan' in record ? record.api : 'agent-server')
  const { plan } = event
  // The annotation of a typo is enough.
  const notes = plan.notes.filter(({ kind }) => kind !== 'probable-typo')
  const text = planLines(describePlan({ ...event, plan: { ...plan, notes } }, api), redact).join('\n')
  const lines: LogEntry[] = [{ level: 'info', text }]
  // A run may plan again: its warnings are one annotation.
  const isFirst = 'plan' in record && record.plan === undefined
  // A step that always skips its rollout passes.
  const warnings = [...event.warnings, ...noteWarnings(plan.notes, api)]
  if (!isFirst || warnings.length === 0) return lines
  return [...lines, { level: 'warning', text: warnings.map((one) => `${one}.`).join('\n') }]
}

/** Says what a run has created. */
export function appliedLine({ change, deployment: { name, id }, revisionId }: Applied): string {
  if (change === 'created') return `Created ${name} (${id}) with revision ${revisionId}.`
  return change === 'patched'
    ? `Patched ${name}, and created revision ${revisionId}.`
    : change === 'redeployed'
      ? `Created revision ${revisionId} of ${name} by a redeploy.`
      : `Created revision ${revisionId} of ${name}.`
}

/** Names the revision that a rollback goes back to. `short`: makes a text of the server fit into a line. */
export function chosenLine({ id, repoCommitSha, settings }: Revision, short: (text: string) => string): string {
  const commit = repoCommitSha === undefined ? undefined : `commit ${repoCommitSha}`
  const origin = [commit, settings.repoRef, settings.imageUri].filter((part) => part !== undefined).join(', ')
  return `Going back to revision ${id}${origin === '' ? '' : ` (${short(origin)})`}.`
}

/** What has become of a deployment since the plan was made: a sentence without its subject. */
export function changeText(change: DeploymentChange, short: (text: string) => string): string {
  switch (change.kind) {
    case 'renamed':
      return `is named ${short(change.now)} now`
    case 'deleted':
      return 'was deleted'
    case 'revised':
      return `has another latest revision now (${change.revisionId})`
    case 'active':
      return change.revisionId === null
        ? 'has no active revision any more'
        : `has another active revision now (${change.revisionId})`
    case 'set':
      return `has other settings now (${change.fields.map(inputName).join(', ')})`
  }
}

/** Says what may come of a lost write and its repetition. `shown`: puts an id, which is text of the server, into its form. */
export function madeTwiceText(
  { what, ours, other, isDoubtful, isSentOnce }: Omit<MadeTwice, 'kind'>,
  shown: (id: string) => string = (id) => id,
): string {
  const sent = isSentOnce
    ? 'The response to a request of this run was lost.'
    : 'This run sent a request again whose response was lost.'
  const next = `It continues with ${shown(ours)}.`
  if (isDoubtful) {
    const origin = 'Another client may have created it, or the control plane from that request'
    return `${sent} The ${what} ${shown(other)} is new as well, with another configuration or another commit. ${origin}. ${next}`
  }
  const made = `The ${what}s ${shown(ours)} and ${shown(other)} are new, and neither contradicts the request.`
  const acted = isSentOnce ? 'acted twice on that request' : 'acted on both requests'
  const origin = `The control plane ${acted}, or another client created one of them.`
  const rest = what === 'deployment' ? ` Delete ${shown(other)} if it is not in use.` : ''
  return `${sent} ${made} ${origin} ${next}${rest}`
}

/** Says what happened while `verify-url` was read. `short`: makes a text of the server fit into a line. */
export function bakeText(event: BakeEvent, short: (text: string) => string): string {
  switch (event.kind) {
    case 'not-yet-verified':
      return `not yet verified after ${formatDuration(event.forMs)}: ${short(event.trouble)}; ${formatDuration(event.leftMs)} left`
    case 'bake-began':
      return `${event.url} answers as expected. It must keep doing so for ${formatDuration(event.forMs)}.`
    case 'baking':
      return `still verified after ${formatDuration(event.forMs)}; ${formatDuration(event.leftMs)} left`
    case 'bake-failed':
      return `check ${event.row} of ${event.of} in a row failed: ${short(event.trouble)}`
    case 'bake-recovered':
      return `the check succeeds again after ${event.row} of ${BAKE_FAILURES} failures`
    case 'bake-passed': {
      const failures = event.failures === 0 ? '' : `, of which ${event.failures} failed`
      return `verified for ${formatDuration(event.forMs)} (${event.reads} checks${failures})`
    }
  }
}

/** The titles of the groups that contain the logs of a revision. */
export const LOG_TITLES = { build: 'Build log', deploy: 'Deploy log' }

/** Says that the log has ended before its last line, and why. */
export function endOfLog(end: LogEnd): LogEntry[] {
  switch (end.kind) {
    case 'read':
      return []
    case 'limit':
      return [
        { level: 'info', text: `The log is longer than ${MAX_LIVE_LINES} lines. The rest is in the control plane.` },
      ]
    case 'incomplete':
      return [{ level: 'info', text: 'The end of the log could not be read. The rest is in the control plane.' }]
    case 'unavailable': {
      const trouble = withoutEnd(end.trouble, '.')
      return [
        { level: 'notice', text: `logs: the action shows no live log, because it could not be read: ${trouble}.` },
      ]
    }
  }
}

/** A deprecated route is a warning, and an error from the day of its removal on. */
export function routeNoticeEntry(notice: RouteNotice): LogEntry {
  switch (notice.kind) {
    case 'unknown':
      return entry(`${notice.path} is not a known route of the API. The request is sent unchanged.`)
    case 'other-methods': {
      const { path, method, methods } = notice
      return entry(`${path} is known with ${methods.join(', ')}, not with ${method}. The request is sent unchanged.`)
    }
    case 'separate-host': {
      const { method, path } = notice
      return entry(`A separate host serves ${method} ${path}: base-url must be the address of that host.`)
    }
    case 'deprecated': {
      const { method, path, isOver, removedOn, instead } = notice
      const removal = `${isOver ? 'was to' : 'will'} be removed on ${removedOn}`
      const replacement = instead === undefined ? 'no replacement is stated' : `use ${instead} instead`
      return entry(`${method} ${path} is deprecated and ${removal}: ${replacement}.`, isOver ? 'error' : 'warning')
    }
  }
}

/** As the end of a sentence. */
export function listObstacleText(obstacle: ListObstacle): string {
  switch (obstacle.kind) {
    case 'offset-unchanged':
      return `the offset stays at ${obstacle.offset}`
    case 'unreadable-cursor':
      return 'its cursor is neither a text nor a number'
    case 'repeated-cursor':
      return 'a cursor was returned for the second time'
  }
}

function entry(text: string, level: 'notice' | 'warning' | 'error' = 'notice'): LogEntry {
  return { level, text }
}
