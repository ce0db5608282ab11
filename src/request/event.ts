import type { RequestRetried } from '../control-plane/transport.ts'
import type { AnyOutcome } from '../rollout/outcome.ts'
import type { RouteNotice } from './catalogue/find.ts'

/** The result of a single request. `answered`: its response has an expected status. */
export type RequestOutcome = AnyOutcome | { kind: 'answered' }

/** The events of the action *request*. `report/` listens, and words them. */
export type RequestEvent =
  /** `target`: method and path. */
  | { kind: 'request-began'; target: string; isRead: boolean; timeoutMs: number }
  | { kind: 'route-notice'; notice: RouteNotice }
  | { kind: 'list-incomplete'; because: ListObstacle }
  /** The response has more credentials than the log can mask: only `kept` of them stay in it. */
  | { kind: 'credentials-removed'; kept: number }
  | { kind: 'answered'; answer: Answer }
  | RequestRetried

export type ListObstacle =
  { kind: 'offset-unchanged'; offset: number } | { kind: 'unreadable-cursor' } | { kind: 'repeated-cursor' }

export interface Answer {
  status: number
  /** Size of its body; for HEAD the size in its headers. */
  bytes: number
  /** The file that contains its body; undefined if a list ended early. */
  file: string | undefined
  /** The body, if it is text and small enough for an output. */
  text: string | undefined
  /** The number of entries of a list that was read to its end. */
  entries: number | undefined
}
