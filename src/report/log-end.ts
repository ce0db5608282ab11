import type { LogEnd } from '../rollout/event.ts'
import { MAX_LIVE_LINES } from '../rollout/timing.ts'
import type { LogEntry } from './log.ts'
import { withoutEnd } from '../secrets/text.ts'

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
