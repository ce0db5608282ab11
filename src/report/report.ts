import type { Clock } from '../clock.ts'
import { cleanerOf, type Redactor } from '../secrets/redact.ts'
import type { FLEET_PART } from './fleet/fold.ts'
import { fold, foldEnd } from './fold.ts'
import { logEntries } from './log-lines.ts'
import type { Log, LogEntry } from './log.ts'
import { endWord, isRollout, type Ended, type FinalRecord, type RunEvent, type RunRecord, nameOf } from './record.ts'
import { droppedIn, Cleaner, type DropReason } from './typed-fields.ts'
import { oneLine } from './escape.ts'
import { capital, MAX_NAME } from './words.ts'

/** Listens to the events of a run: keeps its record, and logs them as they happen. */
export class Report {
  /** Its notices and warnings have the title of the moment. */
  readonly log: Log
  readonly #clock: Pick<Clock, 'wallTime'>
  readonly #redactor: Redactor
  readonly #cleaner: Cleaner
  readonly #named = new Set<string>()
  #record: RunRecord
  #fleet: typeof FLEET_PART | undefined

  constructor(opened: RunRecord, log: Log, redactor: Redactor, clock: Pick<Clock, 'wallTime'>) {
    this.#record = opened
    this.log = {
      ...log,
      notice: (text, title = this.title()) => log.notice(text, title),
      warning: (text, title = this.title()) => log.warning(text, title),
    }
    this.#clock = clock
    this.#redactor = redactor
    this.#cleaner = new Cleaner(redactor)
  }

  use(fleet: typeof FLEET_PART): void {
    this.#fleet = fleet
  }

  /** Logs the event, and returns the record after it, fit to be published. */
  add(reported: RunEvent): RunRecord {
    const event = withShortLog(reported, this.#redactor.keepTail)
    const at = this.#clock.wallTime()
    const context = { record: this.#record, at, redactor: this.#redactor }
    for (const entry of logEntries(event, context, this.#fleet?.lines)) this.#print(entry)
    for (const field of droppedIn(event)) this.#nameOnce(field, 'malformed')
    this.#record = (this.#fleet?.fold ?? fold)(this.#record, event, at)
    return this.#published(this.#record)
  }

  end(ended: Ended): FinalRecord {
    this.log.endGroup()
    return this.#published(foldEnd(this.#record, ended, this.#clock.wallTime()))
  }

  /** The title of an annotation now: the deployment, as far as it is known, and its status. */
  title(): string | undefined {
    const record = this.#published(this.#record)
    const name = shownName(record)
    if (name === '') return undefined
    const status = 'revision' in record ? record.revision?.status : undefined
    return status === undefined ? name : `${name}: ${status}`
  }

  /** Returns the record fit to be published. A secret may become known after the value that contains it. */
  #published<Of extends RunRecord>(whole: Of): Of {
    const { record, dropped } = this.#cleaner.clean(whole)
    dropped.forEach((reason, field) => this.#nameOnce(field, reason))
    return record
  }

  #nameOnce(field: string, reason: DropReason): void {
    if (this.#named.has(field)) return
    this.#named.add(field)
    if (reason === 'secret') this.log.warning(`${NOT_SHOWN} of ${field}: it contains a secret.`)
    else this.log.notice(`${NOT_SHOWN} of ${field}: it does not have the form of that field.`)
  }

  #print(entry: LogEntry): void {
    // A text of the control plane may contain a secret in another form.
    const clean = cleanerOf(this.#redactor.reveals)
    if ('lines' in entry) this.log[entry.level](entry.title, entry.lines)
    else if (entry.level === 'line') this.log.line(entry.title, clean(entry.text))
    else if (entry.level === 'error') this.log.error(clean(entry.text), 'Request')
    else if (entry.level === 'end-group') this.log.endGroup()
    else this.log[entry.level](clean(entry.text))
  }
}

const NOT_SHOWN = 'The action does not use or show the reported value'

/** The record holds the end of a log until the run ends: without what is never shown. */
function withShortLog(event: RunEvent, keepTail: Redactor['keepTail']): RunEvent {
  if (event.kind === 'log-read') return { ...event, lines: keepTail(event.lines) }
  if (event.kind !== 'of-deployment' || event.event.kind !== 'log-read') return event
  return { ...event, event: { ...event.event, lines: keepTail(event.event.lines) } }
}

/** The title of the run's annotation, like `hello-agent: BUILD_FAILED`; the operation if it is about no deployment. */
export function titleOf(record: FinalRecord): string {
  const name = shownName(record)
  if (name === '') return capital(record.operation)
  return `${name}: ${isRollout(record) ? endWord(record.outcome, record) : record.outcome.kind}`
}

/** Before the inputs are read, the name is that of the input. */
function shownName(record: RunRecord): string {
  return record.operation === 'request' ? '' : oneLine(nameOf(record) || (record.askedDeployment ?? ''), MAX_NAME)
}
