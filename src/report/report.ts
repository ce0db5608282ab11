import type { Clock } from '../clock.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { fold } from './fold.ts'
import { logEntries } from './log-lines.ts'
import type { Log } from './log.ts'
import type { FinalRecord, RunEvent, RunRecord } from './record.ts'

/** Listens to the events of a run: keeps its record, and logs them as they happen. */
export interface Report {
  /** Logs the event, and returns the record after it. */
  add: (event: RunEvent) => RunRecord
  end: (outcome: Outcome) => FinalRecord
}

export function openReport(opened: RunRecord, log: Log, clock: Pick<Clock, 'wallTime'>): Report {
  let record = opened
  return {
    add(event) {
      const at = clock.wallTime()
      for (const { level, text } of logEntries(event, { record, at, redact: log.redact })) {
        if (level === 'error') log.error(text, 'Request')
        else log[level](text)
      }
      record = fold(record, event, at)
      return record
    },
    end: (outcome) => ({ ...record, endedAt: clock.wallTime(), outcome }),
  }
}
