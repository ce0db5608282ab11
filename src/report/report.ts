import type { Clock } from '../clock.ts'
import { withoutRevealingWords, type Redactor } from '../secrets/redact.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { fold, foldEnd } from './fold.ts'
import { logEntries, type LogContext } from './log-lines.ts'
import { withTitle, type Log, type LogEntry } from './log.ts'
import { type FinalRecord, type RunEvent, type RunRecord, nameOf } from './record.ts'
import { droppedIn, openPublicRecord, type DropReason, type PublicRecord } from './typed-fields.ts'
import { oneLine } from './escape.ts'
import { hasNeverServed } from './serving.ts'

/** How the events of an operation are kept, cleaned and put into words. */
export interface ReportPart {
  fold: (record: RunRecord, event: RunEvent, at: number) => RunRecord
  logEntries: (event: RunEvent, context: LogContext) => LogEntry[]
  publicRecord: <Of extends RunRecord>(record: Of, redactor: Redactor) => PublicRecord<Of>
}

/** Listens to the events of a run: keeps its record, and logs them as they happen. */
export interface Report {
  /** Logs the event, and returns the record after it, fit to be published. */
  add: (event: RunEvent) => RunRecord
  end: (outcome: Outcome) => FinalRecord
  /** The title of an annotation now. */
  title: () => string | undefined
  /** Takes over what an operation brings along that most runs do not need. */
  use: (part: ReportPart) => void
}

export function openReport(
  opened: RunRecord,
  untitled: Log,
  { clock, redactor }: { clock: Pick<Clock, 'wallTime'>; redactor: Redactor },
): Report {
  let record = opened
  let part: ReportPart = { fold, logEntries, publicRecord: openPublicRecord() }
  const named = new Set<string>()
  const title = (): string | undefined => titleDuring(published(record))
  const log = withTitle(untitled, title)
  const nameOnce = (field: string, reason: DropReason): void => {
    if (named.has(field)) return
    named.add(field)
    if (reason === 'secret') log.warning(`${NOT_SHOWN} of ${field}: it contains a secret.`)
    else log.notice(`${NOT_SHOWN} of ${field}: it does not have the form of that field.`)
  }
  // Cleaned each time it leaves: a secret may become known after the value that contains it.
  const published = <Of extends RunRecord>(whole: Of): Of => {
    const { record: clean, dropped } = part.publicRecord(whole, redactor)
    dropped.forEach((reason, field) => nameOnce(field, reason))
    return clean
  }
  // What it names as the control plane reports it may have a secret in another form.
  const clean = (text: string): string => withoutRevealingWords(text, redactor.reveals)
  const print = (entry: LogEntry): void => {
    switch (entry.level) {
      case 'group':
        log.group(entry.title, entry.lines)
        break
      case 'tail':
        log.tail(entry.title, entry.lines)
        break
      case 'line':
        log.line(entry.title, clean(entry.text))
        break
      case 'end-group':
        log.endGroup()
        break
      case 'error':
        log.error(clean(entry.text), 'Request')
        break
      case 'warning':
      case 'notice':
      case 'info':
      case 'debug':
        log[entry.level](clean(entry.text))
    }
  }
  return {
    add(reported) {
      const event = withShortLog(reported, redactor.keepTail)
      const at = clock.wallTime()
      for (const entry of part.logEntries(event, {
        record,
        at,
        redact: log.redact,
        redactFreeText: log.redactFreeText,
      }))
        print(entry)
      for (const field of droppedIn(event)) nameOnce(field, 'malformed')
      record = part.fold(record, event, at)
      return published(record)
    },
    end(outcome) {
      log.endGroup()
      return published(foldEnd(record, outcome, clock.wallTime()))
    },
    title,
    use(other) {
      part = other
    },
  }
}

const NOT_SHOWN = 'The action does not use or show the reported value'

/** The record holds the end of a log until the run ends: without what is never shown. */
function withShortLog(event: RunEvent, keepTail: Redactor['keepTail']): RunEvent {
  switch (event.kind) {
    case 'log-read':
      return { ...event, lines: keepTail(event.lines) }
    case 'of-deployment':
      return event.event.kind === 'log-read'
        ? { ...event, event: { ...event.event, lines: keepTail(event.event.lines) } }
        : event
    default:
      return event
  }
}

const OPERATIONS: Record<RunRecord['operation'], string> = {
  rollout: 'Rollout',
  wait: 'Wait',
  rollback: 'Rollback',
  teardown: 'Teardown',
  request: 'Request',
  fleet: 'Fleet',
}

/** In characters: GitHub shows a title in one line. */
const MAX_NAME = 100

/** The title of the run's annotation, like `hello-agent: BUILD_FAILED`; the operation if it is about no deployment. */
export function titleOf(record: FinalRecord): string {
  const name = shownName(record)
  if (name === '') return OPERATIONS[record.operation]
  const status = 'revision' in record && hasNeverServed(record.outcome) ? record.revision?.status : undefined
  return `${name}: ${status ?? record.outcome.kind}`
}

/** Before the inputs are read, the name is that of the input. */
function shownName(record: RunRecord): string {
  return record.operation === 'request' ? '' : oneLine(nameOf(record) || (record.asked ?? ''), MAX_NAME)
}

/** The title of a warning or a notice during the run: the deployment, as far as it is known, and its status. */
export function titleDuring(record: RunRecord): string | undefined {
  const name = shownName(record)
  if (name === '') return undefined
  const status = 'revision' in record ? record.revision?.status : undefined
  return status === undefined ? name : `${name}: ${status}`
}
