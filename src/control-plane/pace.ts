import type { ApiRequest } from './api-request.ts'

/** Decides when each attempt of a request is sent, retries included. */
export interface Pace {
  /**
   * Resolves when the attempt may be sent; rejects with the signal's reason.
   * @param latest monotonic milliseconds; no attempt is sent later
   * @returns false if its turn would come later
   */
  turn(request: Pick<ApiRequest, 'method' | 'first'>, latest: number): Promise<boolean>
  /**
   * Learns the status of an answer.
   * @param retryAfterMs how long the server asks to wait
   */
  answered(status: number, retryAfterMs: number | undefined): void
}
