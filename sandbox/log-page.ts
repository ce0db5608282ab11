import type { LogLine } from './logs.ts'
import type { ReadLogs } from './schemas.ts'

/**
 * One page of a log that grows. The cursor is a place in the log: with order asc, the next page begins there; with order
 * desc, it ends there.
 */
export function logPage(log: readonly LogLine[], wanted: ReadLogs): { logs: LogLine[]; next_offset: string } {
  const { order, limit, offset } = wanted
  const isUpward = order === 'asc'
  const from = offset ? Number(offset) : isUpward ? 0 : log.length
  const reachable = isUpward ? log.slice(from) : log.slice(0, from).reverse()
  const found = reachable.filter((line) => fits(line, wanted))
  const logs = found.slice(0, limit)
  const last = logs.at(-1)
  const passed = found.length > limit && last !== undefined ? reachable.indexOf(last) + 1 : reachable.length
  return { logs, next_offset: String(isUpward ? from + passed : from - passed) }
}

/** Both ends of the time are included: a client that follows a log begins at the last line that it has. */
function fits({ level, message, timestamp }: LogLine, wanted: ReadLogs): boolean {
  const at = Date.parse(timestamp)
  return (
    (!wanted.level || level === wanted.level.toUpperCase()) &&
    (!wanted.query || message.toLowerCase().includes(wanted.query.toLowerCase())) &&
    (!wanted.start_time || at >= Date.parse(wanted.start_time)) &&
    (!wanted.end_time || at <= Date.parse(wanted.end_time))
  )
}
