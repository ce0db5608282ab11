import type { RequestRetried } from '../rollout/event.ts'

/** What happens while the action *request* sends its request, as values. */
export type RequestEvent =
  | {
      kind: 'request-began'
      /** Method and path. */
      target: string
      /** The request cannot change anything. */
      isRead: boolean
      /** Milliseconds. */
      timeoutMs: number
    }
  | RouteNotice
  | { kind: 'list-incomplete'; because: string }
  | { kind: 'answered'; answer: Answer }
  | RequestRetried

/** A fact about the route that the user should know before the request is sent. */
export interface RouteNotice {
  kind: 'route-notice'
  level: 'notice' | 'warning' | 'error'
  text: string
}

/** The response to the request. */
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
