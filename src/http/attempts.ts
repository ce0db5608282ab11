/** How one attempt of a request ended. */
export type Ended<Value, Failure> = { kind: 'done'; value: Value } | { kind: 'failed'; failure: Failure }

/** What follows a failed attempt: the error of the request, or another attempt after a pause in milliseconds. */
export type Next = { kind: 'over'; error: Error } | { kind: 'again'; pauseMs: number }

/** How often, when and why a request is sent again. A service has one of its own. */
export interface Policy<Value, Failure> {
  /** Waits until the next attempt may begin. Throws the error of the request if it may not. */
  turn?: () => Promise<void>
  attempt: () => Promise<Ended<Value, Failure>>
  /** @param retries the number of attempts that followed the first */
  judge: (failure: Failure, retries: number) => Next
  /** Waits between two attempts, in milliseconds. */
  pause: (ms: number, failure: Failure) => Promise<void>
}

/**
 * Makes attempts until one succeeds, and returns its value.
 * @throws the error that the policy names; what the policy throws
 */
export async function untilDone<Value, Failure>(policy: Policy<Value, Failure>): Promise<Value> {
  for (let retries = 0; ; retries++) {
    await policy.turn?.()
    const ended = await policy.attempt()
    if (ended.kind === 'done') return ended.value
    const { failure } = ended
    const next = policy.judge(failure, retries)
    if (next.kind === 'over') throw next.error
    await policy.pause(next.pauseMs, failure)
  }
}
