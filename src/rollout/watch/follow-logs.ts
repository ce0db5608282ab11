import { takeTurn } from '../../async.ts'
import { toError } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/client.ts'
import { askedWaitMs, UnreachableError } from '../../control-plane/errors.ts'
import type { LogType, Revision } from '../../control-plane/model.ts'
import { withTime, type Run } from '../dependencies.ts'
import { LOG_READING_MS } from '../timing.ts'
import { beginLogs, isReadToEnd, logPhaseOf, logStep, nextLog, type LogPhase } from './next-log.ts'
import type { WatchedRevision } from './watched.ts'

/** How long a request for a log may take while polls continue: the end of the watch waits for it. */
const LOG_PAGE_MS = 10_000
/** Requests that read the rest of the logs at the end. */
const LAST_LOG_REQUESTS = 30

/** Follows the logs of a revision beside its polls. It never throws, and never delays a poll. */
export class LogFollower {
  readonly #watched: WatchedRevision
  readonly #deps: Run
  #state = beginLogs()
  #notBefore = 0
  #isClosed = false
  #underWay: Promise<unknown> | undefined

  constructor(watched: WatchedRevision, deps: Run) {
    this.#watched = watched
    this.#deps = deps
  }

  /** Sends at most one request. Its lines are emitted when it is answered. */
  afterPoll(revision: Revision): void {
    const phase = logPhaseOf(revision.status)
    if (phase === undefined || this.#underWay !== undefined || this.#deps.clock.now() < this.#notBefore) return
    const { controlPlane } = withTime(this.#deps, LOG_PAGE_MS)
    this.#underWay = this.#readOnce(phase, controlPlane, 0).finally(() => (this.#underWay = undefined))
  }

  /** Reads the rest. Returns the logs that were emitted from their start to their end. */
  async end(): Promise<readonly LogType[]> {
    const { controlPlane } = withTime(this.#deps, LOG_READING_MS)
    await this.#underWay
    for (let request = 0; request < LAST_LOG_REQUESTS; request++) {
      if (!(await this.#readOnce('ended', controlPlane, 1))) break
    }
    if (this.#state.over !== undefined) return []
    const isRead = isReadToEnd(this.#state) || this.#isOver()
    this.#deps.emit({ kind: 'log-ended', end: { kind: isRead ? 'read' : 'incomplete' } })
    return this.#state.complete
  }

  close(): void {
    this.#isClosed = true
  }

  /** Returns whether there may be more to read. */
  async #readOnce(phase: LogPhase, controlPlane: ControlPlane, retries: number): Promise<boolean> {
    const type = nextLog(this.#state, phase)
    if (type === undefined) return false
    const { deploymentId, revisionId } = this.#watched
    const { from: offset, limit } = this.#state.tails[type]
    const reading = controlPlane.readLogPage(deploymentId, revisionId, { type, limit, offset }, { retries })
    const answer = await reading.catch(toError)
    // A cancelled request shows nothing about the service.
    if (this.#isOver()) return false
    this.#notBefore = this.#deps.clock.now() + askedWaitMs(answer)
    const { state, events } = logStep(this.#state, type, phase, answer)
    this.#state = state
    for (const [index, event] of events.entries()) {
      // To redact a long page takes a while: signals and answers are received in between.
      if (index > 0) await takeTurn()
      if (this.#isOver()) return false
      this.#deps.emit(event)
    }
    return !(answer instanceof UnreachableError)
  }

  #isOver(): boolean {
    return this.#isClosed || this.#deps.signal.aborted
  }
}
