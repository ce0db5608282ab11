import { toError } from '../../clock.ts'
import { withTime, type Dependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import type { EndedRevision } from '../watch/watch.ts'
import { check } from './check.ts'
import { rollBack, type FinishRequest } from './rollback.ts'
import { LOG_READING_MS } from '../timing.ts'

/**
 * Finishes a rollout whose revision has ended: reads the log that explains a failure, verifies a success, and restores
 * the earlier revision where the step asks for it.
 */
export async function finish(
  ended: EndedRevision,
  request: FinishRequest,
  deps: Dependencies,
): Promise<Outcome> {
  await readFailureLog(ended, deps)
  const outcome = await check(ended, request, deps)
  if (request.rollback === 'never' || !isRolledBack(outcome)) return outcome
  return await rollBack({ ...ended, outcome }, request, withTime(deps, request.timeoutMs))
}

const LOG_LINES = 50

/** Best effort: the route is optional, and a failure without a log is still reported. */
async function readFailureLog(ended: EndedRevision, deps: Dependencies): Promise<void> {
  const { outcome, deploymentId, revisionId } = ended
  const isFailure =
    outcome.kind === 'interrupted' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
  const type = failureLogOf(ended)
  if (!isFailure || type === undefined) return
  try {
    const { controlPlane } = withTime(deps, LOG_READING_MS)
    const lines = await controlPlane.readLog(deploymentId, revisionId, { type, lines: LOG_LINES })
    deps.emit({ kind: 'log-read', type, lines })
  } catch (thrown) {
    deps.signal.throwIfAborted()
    deps.emit({ kind: 'log-unreadable', trouble: toError(thrown).message })
  }
}

/** The log of the phase in which the revision ended. */
function failureLogOf({ revision, lastPhase }: EndedRevision): 'build' | 'deploy' | undefined {
  switch (revision?.status) {
    case 'BUILD_FAILED':
      return 'build'
    case 'DEPLOY_FAILED':
      return 'deploy'
    default:
      return lastPhase
  }
}

function isRolledBack(outcome: Outcome): boolean {
  return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
}
