import { GitHubError } from '../github/errors.ts'
import type { RunRecord } from '../report/record.ts'
import type { Channel } from './channel.ts'

/** What the notifier knows about one channel. */
export interface ChannelState {
  readonly channel: Channel
  /** GitHub refused it: nothing more is sent. */
  disabled: boolean
  /** Monotonic milliseconds of the last request without an answer. */
  unreachableSince: number | undefined
  /** The post step need not deliver the final state. */
  delivered: boolean
  /** A channel warns once in a run. */
  warned: boolean
  /** The newest progress, if its turn has not come yet. */
  due: RunRecord | undefined
  /** Deliveries run one after the other. */
  queue: Promise<void>
}

export function newState(channel: Channel): ChannelState {
  return {
    channel,
    disabled: false,
    unreachableSince: undefined,
    delivered: false,
    warned: false,
    due: undefined,
    queue: Promise.resolve(),
  }
}

/** For so long no progress is sent to a GitHub that did not answer, in milliseconds. The final state is. */
const UNREACHABLE_MS = 60_000

export function isUnreachable({ unreachableSince }: ChannelState, now: number): boolean {
  return unreachableSince !== undefined && now - unreachableSince < UNREACHABLE_MS
}

/** With these statuses GitHub would refuse every other request of the channel too. */
const REFUSALS: readonly (number | undefined)[] = [401, 403, 404, 405, 410]

export type Failure = 'refused' | 'unreachable' | 'other'

/** `unreachable` includes a rate limit. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof GitHubError)) return 'other'
  if (REFUSALS.includes(thrown.status)) return 'refused'
  return thrown.status === undefined || thrown.status === 429 ? 'unreachable' : 'other'
}
