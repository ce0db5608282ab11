import { BusyError, RefusedError, tooLate } from '../../control-plane/errors.ts'
import { LAST_ATTEMPT_MS } from '../../control-plane/transport.ts'
import type { Run } from '../dependencies.ts'
import { FRESH_READ_MS } from '../timing.ts'

/** What was there, and when it was read. */
export interface Reading<State> {
  state: State
  /** When it was read, in monotonic milliseconds; just now if not set. */
  readAt?: number | undefined
  /** Reads it again, after what has been `written`. May throw if it has become another one. */
  readAgain: (state: State, written: Written) => Promise<State>
}

/** What has been sent that the control plane may have acted on. After a creation, what is new may be of that. */
export type Written = 'nothing' | 'settings' | 'creation'

/**
 * What writes are based on. Each attempt has its turn first, and then follows a read that is not older than {@link
 * FRESH_READ_MS}: what another client did before that is not ours, and is not overlooked.
 */
export class Basis<State> {
  readonly #deps: Run
  readonly #readAgain: Reading<State>['readAgain']
  #state: State
  #readAt: number
  #written: Written = 'nothing'

  constructor({ state, readAt, readAgain }: Reading<State>, deps: Run) {
    this.#deps = deps
    this.#readAgain = readAgain
    this.#state = state
    this.#readAt = readAt ?? deps.clock.now()
  }

  get readAt(): number {
    return this.#readAt
  }

  get state(): State {
    return this.#state
  }

  /** Reads again what is there, unless it was just read. */
  async renew(): Promise<void> {
    if (this.#deps.clock.now() - this.#readAt > FRESH_READ_MS) await this.read()
  }

  async read(): Promise<State> {
    const now = this.#deps.clock.now()
    this.#state = await this.#readAgain(this.#state, this.#written)
    this.#readAt = now
    return this.#state
  }

  /**
   * Sends one attempt of a write.
   * @throws UnreachableError when its turn comes too late; what the read and the write throw
   */
  async send<Made>(
    attempted: string,
    write: (state: State) => Promise<Made>,
    what: Exclude<Written, 'nothing'> = 'creation',
  ): Promise<Made> {
    const { writeTurn, deadline } = this.#deps
    const isInTime = (await writeTurn?.(deadline + LAST_ATTEMPT_MS)) ?? true
    if (!isInTime) throw tooLate(attempted)
    await this.renew()
    try {
      const made = await write(this.#state)
      this.#note(what)
      return made
    } catch (thrown) {
      if (!(thrown instanceof BusyError || thrown instanceof RefusedError)) this.#note(what)
      if (thrown instanceof BusyError) this.#readAt = -Infinity
      throw thrown
    }
  }

  #note(what: Written): void {
    if (this.#written !== 'creation') this.#written = what
  }
}
