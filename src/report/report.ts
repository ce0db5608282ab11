import type { Clock } from '../clock.ts'
import { withoutRevealingWords } from '../revealing-words.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { fold, foldEnd } from './fold.ts'
import { logEntries } from './log-lines.ts'
import { withTitle, type Log, type LogEntry } from './log.ts'
import type { FinalRecord, RunEvent, RunRecord } from './record.ts'
import type { Redactor } from './redact.ts'
import { titleDuring } from './title.ts'
import { droppedIn, publicRecord, type DropReason } from './typed-fields.ts'

/** Listens to the events of a run: keeps its record, and logs them as they happen. */
export interface Report {
  /** Logs the event, and returns the record after it, fit to be published. */
  add: (event: RunEvent) => RunRecord
  end: (outcome: Outcome) => FinalRecord
  /** The title of an annotation now. */
  title: () => string | undefined
}

export function openReport(
  opened: RunRecord,
  untitled: Log,
  { clock, redactor }: { clock: Pick<Clock, 'wallTime'>; redactor: Pick<Redactor, 'reveals' | 'redactLines'> },
): Report {
  let record = opened
  const named = new Set<string>()
  const title = (): string | undefined => titleDuring(publicRecord(record, redactor).record)
  const log = withTitle(untitled, title)
  const nameOnce = (field: string, reason: DropReason): void => {
    if (named.has(field)) return
    named.add(field)
    if (reason === 'secret') log.warning(`${NOT_SHOWN} of ${field}: it contains a secret.`)
    else log.notice(`${NOT_SHOWN} of ${field}: it does not have the form of that field.`)
  }
  // Cleaned each time it leaves: a secret may become known after the value that contains it.
  const published = <Of extends RunRecord>(whole: Of): Of => {
    const { record: clean, dropped } = publicRecord(whole, redactor)
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
    add(event) {
      const at = clock.wallTime()
      for (const entry of logEntries(event, { record, at, redact: log.redact })) print(entry)
      for (const field of droppedIn(event)) nameOnce(field, 'malformed')
      record = fold(record, event, at)
      return published(record)
    },
    end(outcome) {
      log.endGroup()
      return published(foldEnd(record, outcome, clock.wallTime()))
    },
    title,
  }
}

const NOT_SHOWN = 'The action does not use or show the reported value'
