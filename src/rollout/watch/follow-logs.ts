import { toError } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { BrokenContractError, isNotFound, UnreachableError } from '../../control-plane/errors.ts'
import type { LogType, Revision } from '../../control-plane/model.ts'
import { takeTurn } from '../../async.ts'
import { withTime, type Dependencies, type ReadDependencies } from '../dependencies.ts'
import { LAST_LOG_REQUESTS, LOG_PAGE_MS, LOG_READING_MS } from '../timing.ts'
import { beginLogs, isReadToEnd, logPhaseOf, logStep, nextLog, type LogAnswer, type LogPhase } from './log-step.ts'

/** Follows the logs of a revision beside its polls. It never throws, and never delays a poll. */
export interface LogFollower {
  /** Sends at most one request. Its lines are emitted when it is answered. */
  afterPoll: (revision: Revision) => void
  /** Reads the rest of the logs. Returns the logs that were emitted from their start to their end. */
  end: () => Promise<readonly LogType[]>
  /** Emits nothing more. */
  close: () => void
}

export const NO_LOGS: LogFollower = {
  afterPoll: () => undefined,
  end: () => Promise.resolve([]),
  close: () => undefined,
}

interface FollowedRevision {
  deploymentId: string
  revisionId: string
}

export function followLogs(
  { deploymentId, revisionId }: FollowedRevision,
  deps: ReadDependencies & Pick<Dependencies, 'emit'>,
): LogFollower {
  const { clock, signal, emit } = deps
  let state = beginLogs()
  let notBefore = 0
  let isClosed = false
  let underWay: Promise<unknown> | undefined
  const isOver = (): boolean => isClosed || signal.aborted
  /** Returns whether there may be more to read. */
  const readOnce = async (phase: LogPhase, controlPlane: ControlPlane, retries: number): Promise<boolean> => {
    const type = nextLog(state, phase)
    if (type === undefined) return false
    const { from, limit } = state.tails[type]
    const { answer, waitMs } = await answerOf(
      async () => await controlPlane.readLogPage(deploymentId, revisionId, { type, limit, offset: from }, { retries }),
    )
    // A cancelled request shows nothing about the service.
    if (isOver()) return false
    notBefore = clock.now() + waitMs
    const { state: after, events } = logStep(state, { type, phase }, answer)
    state = after
    for (const [index, event] of events.entries()) {
      // To redact a long page takes a while: signals and answers are received in between.
      if (index > 0) await takeTurn()
      if (isOver()) return false
      emit(event)
    }
    return answer.kind !== 'failed'
  }
  return {
    afterPoll(revision) {
      const phase = logPhaseOf(revision.status)
      if (phase === undefined || underWay !== undefined || clock.now() < notBefore) return
      underWay = readOnce(phase, withTime(deps, LOG_PAGE_MS).controlPlane, 0).finally(() => (underWay = undefined))
    },
    async end() {
      const { controlPlane } = withTime(deps, LOG_READING_MS)
      await underWay
      for (let request = 0; request < LAST_LOG_REQUESTS; request++) {
        if (!(await readOnce('ended', controlPlane, 1))) break
      }
      const isRead = isReadToEnd(state) || isOver()
      if (state.over === undefined) emit({ kind: 'log-ended', end: { kind: isRead ? 'read' : 'incomplete' } })
      return state.over === undefined ? state.complete : []
    },
    close() {
      isClosed = true
    },
  }
}

/** `waitMs`: how long the server asks to wait. */
async function answerOf(
  read: () => ReturnType<ControlPlane['readLogPage']>,
): Promise<{ answer: LogAnswer; waitMs: number }> {
  try {
    return { answer: { kind: 'page', page: await read() }, waitMs: 0 }
  } catch (thrown) {
    if (isNotFound(thrown)) return { answer: { kind: 'missing' }, waitMs: 0 }
    if (thrown instanceof BrokenContractError) return { answer: { kind: 'unusable' }, waitMs: 0 }
    if (thrown instanceof UnreachableError) return { answer: { kind: 'failed' }, waitMs: thrown.retryAfterMs ?? 0 }
    return { answer: { kind: 'refused', trouble: toError(thrown).message }, waitMs: 0 }
  }
}
