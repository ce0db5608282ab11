import { toError } from '../../clock.ts'
import type { Outcome } from '../outcome.ts'
import type { RolloutRecord } from '../../report/record.ts'
import type { Doors } from '../dependencies.ts'
import type { Ended } from '../watch/follow.ts'
import { rollBack, type AftercareRequest } from './rollback.ts'
import { LOG_READING_MS } from '../timing.ts'
import { verified } from './check.ts'

/**
 * Looks after a rollout whose revision has ended: explains a failure, verifies a success, and puts the revision before
 * back where that was asked for and helps.
 */
export async function lookAfter(
  ended: Ended,
  request: AftercareRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  await explainFailure(ended, doors, record)
  const outcome = await verified(ended, request, doors, record.url)
  if (request.rollback === 'never' || !wentWrong(outcome)) return outcome
  return await rollBack({ ...ended, outcome }, request, doors.extended(request.timeoutMs), record)
}

const LOG_LINES = 50

/** Best effort: a service need not have the log, and a failure is one without it, too. */
async function explainFailure(
  { outcome, deploymentId }: Ended,
  doors: Doors,
  record: RolloutRecord,
): Promise<void> {
  const isFailure =
    outcome.kind === 'interrupted' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
  const type = logThatTells(record)
  const { revisionId } = record
  if (!isFailure || revisionId === undefined || type === undefined) return
  try {
    const { controlPlane } = doors.extended(LOG_READING_MS)
    const lines = await controlPlane.readLog(deploymentId, revisionId, { type, lines: LOG_LINES })
    record.log = { type, lines }
  } catch (thrown) {
    doors.signal.throwIfAborted()
    doors.log.debug(`No log: ${toError(thrown).message}`)
  }
}

/** The log of the phase in which it ended: its status tells, or what was seen before. */
function logThatTells({ revision, timeline }: RolloutRecord): 'build' | 'deploy' | undefined {
  if (revision?.status === 'BUILD_FAILED') return 'build'
  if (revision?.status === 'DEPLOY_FAILED') return 'deploy'
  const phases = timeline.map(({ phase }) => phase).toReversed()
  return phases.find((phase) => phase === 'build' || phase === 'deploy')
}

function wentWrong(outcome: Outcome): boolean {
  return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
}
