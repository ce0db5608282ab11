import { UnreachableError } from '../../control-plane/errors.ts'
import { sameId, type Deployment } from '../../control-plane/model.ts'
import type { Dependencies, ReadDependencies } from '../dependencies.ts'
import { EAGER_PAUSE_MS } from '../timing.ts'
import type { ConfirmedDeployment } from './confirm.ts'
import { judgeDeployment } from './find-in-deployment.ts'
import type { Observation, WatchState } from './state.ts'

/** The pauses of a watch. Where many rollouts are watched together, an answer about the deployment may end one. */
export interface Attendance {
  /**
   * Waits for the next moment of the watch, in monotonic milliseconds.
   * @returns what has ended the wait before, if anything
   */
  until: (at: number, state: Pick<WatchState, 'failure' | 'revision'>) => Promise<Observation | undefined>
  /** The answer that has ended the last wait. */
  seen: () => Deployment | undefined
}

interface Attended extends Pick<ConfirmedDeployment, 'deploymentId' | 'before'> {
  revisionId: string
}

/** @param poll reads the revision. `first`: it has ended most likely */
export function attend(
  { revisionId, deploymentId, before }: Attended,
  poll: (order: { first?: true }) => Promise<Observation>,
  deps: ReadDependencies & Pick<Dependencies, 'emit' | 'lookout'>,
): Attendance {
  const { clock, signal, emit, lookout } = deps
  const known = [revisionId, before?.latestRevisionId, before?.activeRevisionId]
  let seen: Deployment | undefined
  /** A service may report a revision as active before it has ended: then such answers end fewer and fewer waits. */
  let eager = { from: 0, pauseMs: EAGER_PAUSE_MS }
  /** The unknown revisions of which an answer has been judged. */
  let judged = ''
  const unknownIn = ({ activeRevisionId, latestRevisionId }: Deployment): string =>
    [activeRevisionId, latestRevisionId].filter((id) => id && !known.some((one) => sameId(one, id))).join()
  const isOfInterest = (deployment: Deployment): boolean => {
    if (sameId(deployment.activeRevisionId, revisionId)) return clock.now() >= eager.from
    const unknown = unknownIn(deployment)
    return unknown !== '' && unknown !== judged
  }
  return {
    async until(at, { failure, revision }) {
      seen = undefined
      const isAskedToWait = failure instanceof UnreachableError && failure.retryAfterMs !== undefined
      if (lookout === undefined || isAskedToWait) {
        for (let left = at - clock.now(); left > 0; left = at - clock.now()) await clock.sleep(left, signal)
        return undefined
      }
      const sighting = await lookout.until(at, deploymentId, isOfInterest)
      if (sighting.kind === 'time') return undefined
      if (sighting.kind === 'blind') return await poll({})
      const { deployment } = sighting
      emit({ kind: 'deployment-read', deployment })
      if (revision === undefined || sameId(deployment.activeRevisionId, revisionId)) {
        seen = deployment
        eager = { from: clock.now() + eager.pauseMs, pauseMs: eager.pauseMs * 2 }
        return await poll({ first: true })
      }
      judged = unknownIn(deployment)
      return { kind: 'deployment-read', found: await judgeDeployment(deployment, revision, before, deps) }
    },
    seen: () => seen,
  }
}
