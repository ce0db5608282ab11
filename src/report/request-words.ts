import type { ListObstacle, RouteNotice } from '../request/event.ts'
import type { LogEntry } from './log.ts'

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
