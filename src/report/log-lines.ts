import { withFullStop } from '../problem.ts'
import { apiOf } from '../control-plane/api.ts'
import type { Field } from '../control-plane/model.ts'
import type { RequestRetried } from '../control-plane/transport.ts'
import type { FleetEvent } from '../fleet/event.ts'
import type { PreviewEvent } from '../previews/event.ts'
import type { RouteNotice } from '../request/catalogue/find.ts'
import type { ListObstacle, RequestEvent } from '../request/event.ts'
import { changeText } from '../rollout/deployment-change.ts'
import type { LogEnd, MadeTwice, RolloutEvent } from '../rollout/event.ts'
import { phaseOf } from '../rollout/outcome.ts'
import { inputNames } from '../rollout/plan/settings.ts'
import { BAKE_FAILURES, MAX_LIVE_LINES } from '../rollout/timing.ts'
import { withoutLogin } from '../secrets/image.ts'
import type { Redactor } from '../secrets/redact.ts'
import { withoutEnd } from '../secrets/text.ts'
import { shortCommit } from '../secrets/text.ts'
import { oneLine } from './escape.ts'
import type { LogEntry } from './log.ts'
import { describePlan, hostByDefault, planLines } from './plan.ts'
import { noteWarnings } from './plan-words.ts'
import { type EventOf, isRollout, perSomeKinds, type RunEvent, type RunRecord } from './record.ts'
import { describeReason } from './removals.ts'
import { type ByKind, countOf, formatDuration, formatRange, perKind } from './words.ts'

export interface LogContext {
  /** The record before the event. */
  record: RunRecord
  /** When the event happened, in milliseconds since the epoch. */
  at: number
  /** Removes secrets: needed before a text is cut, as half a secret could no longer be recognised. */
  redactor: Redactor
}

export interface LineContext extends LogContext {
  short: typeof oneLine
  /** How long after the begin of the operation, as the first column of a line. */
  time: string
}

/** A text is a plain line of the log. */
export type Words = string | LogEntry[] | undefined

export type Lines<Events extends { kind: string }> = ByKind<Events, [LineContext], Words>
export type FleetLines = Lines<Exclude<FleetEvent, RequestRetried>>

/** The log entries of an event. `lines`: with those of a fleet. */
export function logEntries(event: RunEvent, context: LogContext, lines: Partial<Lines<RunEvent>> = LINES): LogEntry[] {
  const { record, at, redactor } = context
  const short: typeof oneLine = (text, max) => oneLine(redactor.redact(text), max)
  const time = formatDuration(at - record.startedAt).padStart(9)
  const words = perSomeKinds<RunEvent, [LineContext], Words>(lines, event, { ...context, short, time })
  return typeof words === 'string' ? [{ level: 'info', text: words }] : (words ?? [])
}

const silent = (): undefined => undefined

export function warning(text: string): LogEntry[] {
  return [{ level: 'warning', text }]
}

const ROLLOUT: Lines<RolloutEvent> = {
  'rollout-began': silent,
  'current-state-read': silent,
  'active-revision-read': silent,
  'revision-chosen'({ to: { id, repoCommitSha, settings } }, { short }) {
    const commit = repoCommitSha === undefined ? undefined : `commit ${repoCommitSha}`
    const origin = [commit, settings.repoRef, settings.imageUri && withoutLogin(settings.imageUri)]
      .filter((part) => part !== undefined)
      .join(', ')
    return `Going back to revision ${id}${origin === '' ? '' : ` (${short(origin)})`}.`
  },
  planned: plannedEntries,
  'newer-commit-deployed': ({ deployed, ours }) => `The deployed commit ${deployed} is later than ${ours}.`,
  'name-taken': () => 'A deployment of this name exists now. Planning again.',
  'changed-meanwhile': ({ deploymentId, change }, { short }) =>
    `Deployment ${deploymentId} ${changeText(change, short)}. Planning again.`,
  applying: silent,
  written: silent,
  applied({ change, deployment: { name, id }, revisionId }) {
    if (change === 'created') return `Created ${name} (${id}) with revision ${revisionId}.`
    if (change === 'patched') return `Patched ${name}, and created revision ${revisionId}.`
    return `Created revision ${revisionId} of ${name}${change === 'redeployed' ? ' by a redeploy' : ''}.`
  },
  attached: ({ because, revision }) => (because === 'resumed' ? `Attached to revision ${revision.id}.` : undefined),
  'revision-awaited': ({ commit, limitMs }) =>
    `Looking for the newest revision of ${shortCommit(commit)}, for at most ${formatDuration(limitMs)}.`,
  'commit-awaited': ({ revisionId, limitMs }) =>
    `Revision ${revisionId} does not report its commit yet. Waiting up to ${formatDuration(limitMs)} for it.`,
  'other-commit': ({ revisionId, commit = 'unknown' }) =>
    `Revision ${revisionId} builds another commit (${commit}). Planning again.`,
  'not-activated': ({ revisionId }) =>
    `Revision ${revisionId} is DEPLOYED and does not become the active one. Planning again.`,
  waiting: ({ deployment: { name, id }, revision }) => `Waiting for revision ${revision.id} of ${name} (${id}).`,
  'write-lost': ({ cameBack }) => `${cameBack}. Checking whether it succeeded before repeating anything.`,
  'secrets-uncompared': ({ what: resource, id }) =>
    warning(
      `The response to a write was lost. The ${resource} ${id} is new since then and counts as its result. The control plane does not report the values of its secrets, so they could not be compared.`,
    ),
  'commit-uncompared': ({ id }) =>
    warning(
      `The response to a write was lost. The revision ${id} is new since then and counts as its result. The control plane does not report its commit, so it may be another client's.`,
    ),
  'maybe-own-revision': ({ id }) =>
    warning(
      `The response to a write was lost. This run may have created the active revision ${id}, which is what it asks for now.`,
    ),
  'made-twice': (event) => warning(madeTwiceText(event)),
  'settings-patched': silent,
  'patch-lost': silent,
  'superseded-by-own-run': silent,
  'patch-unconfirmed': ({ fields }) => warning(unconfirmedSentences(fields)),
  'request-retried': ({ attempted, cameBack, delayMs }, { short }) =>
    `Could not ${short(attempted)} yet (${short(cameBack, 300)}). Retrying in ${formatDuration(delayMs)}.`,
  'deployment-not-found': silent,
  'deployment-read': silent,
  polled: silent,
  status: statusEntries,
  heartbeat({ status = 'unknown', forMs, trouble, usual }, { time, short }) {
    const polls = trouble === undefined ? '' : ` (as last seen; polls fail: ${short(trouble, 160)})`
    const often = usual === undefined ? '' : `; a rollout usually takes ${formatRange(usual)}`
    return `${time}  still ${short(status, 60)} after ${formatDuration(forMs)}${polls}${often}`
  },
  'poll-failed': ({ row, trouble }, { time, short }) =>
    row === 1 ? `${time}  a poll failed; polling continues: ${short(trouble)}` : undefined,
  awaiting: ({ until, forMs }, { time }) => `${time}  ${AWAITED[until]} for up to ${formatDuration(forMs)}`,
  'failed-before'({ url, seen, status }) {
    const how = seen === 'refused' ? 'it refuses the connection' : `it answers HTTP ${seen}, not ${status}`
    return warning(
      `The check of ${url} fails already, before this rollout: ${how}. Check verify-url. If the new revision fails in the same way, that is no reason for a rollback.`,
    )
  },
  verifying: ({ url }) => `Verifying ${url}.`,
  'not-yet-verified': ({ forMs, trouble, leftMs }, { time, short }) =>
    `${time}  not yet verified after ${formatDuration(forMs)}: ${short(trouble)}; ${formatDuration(leftMs)} left`,
  'bake-began': ({ url, forMs }, { time }) =>
    `${time}  ${url} answers as expected. It must keep doing so for ${formatDuration(forMs)}.`,
  baking: ({ forMs, leftMs }, { time }) =>
    `${time}  still verified after ${formatDuration(forMs)}; ${formatDuration(leftMs)} left`,
  'bake-failed': ({ row, limit, trouble }, { time, short }) =>
    `${time}  check ${row} of ${limit} in a row failed: ${short(trouble)}`,
  'bake-recovered': ({ row }, { time }) =>
    `${time}  the check succeeds again after ${row} of ${BAKE_FAILURES} failures`,
  'bake-passed'({ forMs, reads, failures }, { time }) {
    const failed = failures === 0 ? '' : `, of which ${failures} failed`
    return `${time}  verified for ${formatDuration(forMs)} (${reads} checks${failed})`
  },
  'verification-failed': ({ url, trouble }) => `The check of ${url} failed: ${trouble}.`,
  'rollback-changed': ({ rollback }) =>
    rollback.kind === 'under-way' ? `Rolling back to revision ${rollback.to}.` : undefined,
  'during-rollback': ({ event }, context) =>
    logEntries(event, context).map((entry) =>
      'lines' in entry ? { ...entry, title: `${entry.title} of the rollback` } : entry,
    ),
  'log-unreadable': ({ trouble }) => [{ level: 'debug', text: `No log: ${trouble}` }],
  'log-lines': ({ type, lines }) => [{ level: 'group', title: type === 'build' ? 'Build log' : 'Deploy log', lines }],
  'log-ended': ({ end }) => [{ level: 'end-group' }, ...endOfLog(end)],
  'log-read': ({ type, lines, isShown }) =>
    isShown || lines.length === 0 ? undefined : [{ level: 'tail', title: `The end of the ${type} log`, lines }],
}

const NOT_NEEDED = 'it needs no preview.'

const PREVIEW: Lines<Exclude<PreviewEvent, RolloutEvent>> = {
  'head-read': silent,
  'pull-request-closed': ({ pullRequest }) => `Pull request ${pullRequest} is closed: ${NOT_NEEDED}`,
  'pull-request-unlabeled': ({ pullRequest }) =>
    `Pull request ${pullRequest} does not have the label that preview-label names: ${NOT_NEEDED}`,
  'teardown-began': silent,
  'deletions-chosen': ({ choices, dryRun, withTracingProjects }) =>
    choices.map(({ deployment: { name, id }, verdict, because }) => {
      const verb = verdict === 'keep' ? 'Keeping' : dryRun ? 'Would delete' : 'Deleting'
      const more = verdict === 'remove' && withTracingProjects ? ' and its tracing project' : ''
      return { level: 'info', text: `${verb} ${name} (${id})${more}: ${describeReason(because)}.` }
    }),
  'nothing-to-delete': silent,
  deleted: ({ id }, context) => `Deleted ${nameOfRemoval(id, context)}.`,
  'deletion-dropped': ({ id, because }, context) =>
    `Keeping ${nameOfRemoval(id, context)}: ${describeReason(because)}.`,
  'deletion-unseen': ({ id }, context) => `${nameOfRemoval(id, context)}: ${describeReason({ kind: 'accepted' })}.`,
  'deletion-failed': ({ id, trouble }, context) =>
    warning(`Could not delete ${nameOfRemoval(id, context)}. ${trouble}`),
}

const REQUEST: Lines<Exclude<RequestEvent, RequestRetried>> = {
  'request-began': silent,
  'route-notice': ({ notice }) => [routeNoticeEntry(notice)],
  'list-incomplete': ({ because }) => warning(`The list may be incomplete: ${listObstacleText(because)}.`),
  'credentials-removed': ({ kept }) =>
    warning(`The response has more than ${kept} secrets and credentials. The others are replaced by ***.`),
  answered({ answer: { file, bytes, entries } }) {
    if (file === undefined) return undefined
    const list = entries === undefined ? '' : `${countOf(entries, 'entry', 'entries')}, `
    return `${list}${bytes} bytes in ${file}`
  },
}

export const LINES: Lines<Exclude<RunEvent, Exclude<FleetEvent, RequestRetried>>> = {
  connecting: ({ baseUrl }) => `Control plane: ${baseUrl}`,
  ...ROLLOUT,
  ...PREVIEW,
  ...REQUEST,
}

function plannedEntries(event: EventOf<'planned'>, { record, redactor }: LogContext): LogEntry[] {
  const api = apiOf(isRollout(record) ? record.api : 'agent-server')
  const host = isRollout(record) ? hostByDefault(record) : undefined
  const { plan } = event
  // A typo has an annotation of its own.
  const notes = plan.notes.filter(({ kind }) => kind !== 'probable-typo')
  const text = planLines(describePlan({ ...event, plan: { ...plan, notes } }, api, host), redactor.redact).join('\n')
  // A run may plan again: its warnings are one annotation.
  const isFirst = isRollout(record) && record.plan === undefined
  const warnings = isFirst ? [...event.warnings, ...noteWarnings(plan.notes, api)] : []
  const annotation = warnings.map(withFullStop).join('\n')
  return [{ level: 'info', text }, ...(annotation === '' ? [] : warning(annotation))]
}

/** Says what may come of a lost write and its repetition. `show`: puts an id, which is text of the server, into its form. */
export function madeTwiceText(twice: Omit<MadeTwice, 'kind'>, show: (id: string) => string = String): string {
  const { what: resource, ours, other: otherId, isDoubtful, isSentOnce } = twice
  const sent = isSentOnce
    ? 'The response to a request of this run was lost.'
    : 'This run sent a request again whose response was lost.'
  const next = `It continues with ${show(ours)}.`
  if (isDoubtful) {
    const origin = 'Another client may have created it, or the control plane from that request'
    return `${sent} The ${resource} ${show(otherId)} is new as well, with another configuration or another commit. ${origin}. ${next}`
  }
  const made = `The ${resource}s ${show(ours)} and ${show(otherId)} are new, and neither has reported anything that contradicts the request.`
  const acted = isSentOnce ? 'acted twice on that request' : 'acted on both requests'
  const origin = `The control plane ${acted}, or another client created one of them.`
  const rest = resource === 'deployment' ? ` Delete ${show(otherId)} if it is not in use.` : ''
  return `${sent} ${made} ${origin} ${next}${rest}`
}

function statusEntries(event: EventOf<'status'>, { record, time, short, redactor }: LineContext): LogEntry[] {
  const { status, statusMessage } = event.revision
  const phase = phaseOf(status)
  const isOver = phase === 'terminal'
  const beside =
    isOver || statusMessage === undefined ? '' : `  ${oneLine(redactor.redactFreeText(statusMessage), 160)}`
  const line = `${time}  ${short(status, 60).padEnd(17)}${isOver ? '' : phase.padEnd(8)}${beside}`
  const isNew = 'timeline' in record && record.timeline.every((entry) => entry.phase !== 'unknown')
  const text = `The control plane reports a status that this action does not know: ${status}. It counts as in progress.`
  return [...(phase === 'unknown' && isNew ? warning(text) : []), { level: 'info', text: line.trimEnd() }]
}

export function unconfirmedSentences(fields: readonly Field[]): string {
  return `${unconfirmedFact(fields)} Check them in the control plane.`
}

export function unconfirmedFact(fields: readonly Field[]): string {
  return `Not confirmed: ${inputNames(fields)}. The control plane accepted the PATCH, and does not show these settings as they were sent.`
}

const AWAITED = {
  activation: 'the deployment does not report this revision as active yet: waiting',
  successor: 'the deployment does not report a newer revision yet: waiting for one',
}

const THE_REST = 'The rest is in the control plane.'

export const endOfLog = perKind<LogEnd, [], LogEntry[]>({
  read: () => [],
  limit: () => [{ level: 'info', text: `The log is longer than ${MAX_LIVE_LINES} lines. ${THE_REST}` }],
  incomplete: () => [{ level: 'info', text: `The end of the log could not be read. ${THE_REST}` }],
  unavailable({ trouble }) {
    const text = `logs: the action shows no live log, because it could not be read: ${withoutEnd(trouble, '.')}.`
    return [{ level: 'notice', text }]
  },
})

function nameOfRemoval(id: string, { record }: LogContext): string {
  const removal = 'removals' in record ? record.removals.find((one) => one.id === id) : undefined
  return removal === undefined ? id : `${removal.name} (${id})`
}

export const routeNoticeEntry = perKind<RouteNotice, [], LogEntry>({
  unknown: ({ path }) => unchanged(`${path} is not a known route of the API.`),
  'other-methods': ({ path, method, methods }) =>
    unchanged(`${path} is known with ${methods.join(', ')}, not with ${method}.`),
  'separate-host'({ method, path }) {
    const text = `A separate host serves ${method} ${path}: base-url must be the address of that host.`
    return { level: 'notice', text }
  },
  // An error from the day of its removal on.
  deprecated({ method, path, isOver, removedOn, instead }) {
    const removal = `${isOver ? 'was to' : 'will'} be removed on ${removedOn}`
    const replacement = instead === undefined ? 'no replacement is stated' : `use ${instead} instead`
    const text = `${method} ${path} is deprecated and ${removal}: ${replacement}.`
    return { level: isOver ? 'error' : 'warning', text }
  },
})

function unchanged(why: string): LogEntry {
  return { level: 'notice', text: `${why} The request is sent unchanged.` }
}

/** Words the obstacle, as the end of a sentence. */
export const listObstacleText = perKind<ListObstacle>({
  'offset-unchanged': ({ offset }) => `the offset stays at ${offset}`,
  'unreadable-cursor': () => 'its cursor is neither a text nor a number',
  'repeated-cursor': () => 'a cursor was returned for the second time',
})
