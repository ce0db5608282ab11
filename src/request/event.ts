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
  | { kind: 'route-notice'; level: 'notice' | 'warning' | 'error'; text: string }
  | { kind: 'list-incomplete'; because: string }
  | { kind: 'answered'; answer: Answer }
  | RequestRetried

/** The answer to the request. */
export interface Answer {
  status: number
  /** Of its body; of a HEAD the size that it announces. */
  bytes: number
  /** The file that holds its body; undefined where a list ended early. */
  file: string | undefined
  /** The body, where it is text and small enough for an output. */
  text: string | undefined
  /** The number of entries of a list that was read to its end. */
  entries: number | undefined
}
