import { MAX_DESCRIPTION, type DeploymentState } from '../github/deployments.ts'
import { oneLine, webAddress } from '../report/escape.ts'
import { describeOutcome } from '../report/messages.ts'
import { keptDeployment, type Final, type FinalRecord, type SingleRecord } from '../report/record.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { FinalState } from './open-run-schema.ts'
import { revisionFacts } from './record-facts.ts'
import { renderComment } from './render-comment.ts'

/** Words the end of any run for GitHub. The words of a fleet are loaded only for a fleet. */
export async function finalStateOfRun(record: FinalRecord, redact: (text: string) => string): Promise<FinalState> {
  if (record.operation !== 'fleet') return finalStateOf(record, redact)
  const { fleetFinalState } = await import('./fleet-final-state.ts')
  return fleetFinalState(record, redact, deploymentStateOf(record.outcome))
}

export function finalStateOf(record: Final<SingleRecord>, redact: (text: string) => string): FinalState {
  const { url } = revisionFacts(record)
  const state = keptDeployment(record) === undefined ? deploymentStateOf(record.outcome) : undefined
  // GitHub refuses a status whose address is no web address.
  const hasAddress = state === 'success' && webAddress(url ?? '') !== undefined
  return {
    comment: renderComment(record, redact),
    description: oneLine(redact(describeOutcome(record).headline), MAX_DESCRIPTION),
    state,
    environmentUrl: hasAddress ? url : undefined,
  }
}

/** The state of the GitHub Deployment after a run. `undefined` if the rollout continues, or there is none. */
function deploymentStateOf(outcome: Outcome): DeploymentState | undefined {
  switch (outcome.kind) {
    case 'deployed':
    // Another run has rolled out the same since this one started.
    case 'unchanged':
      return 'success'
    case 'failed':
      return outcome.because.kind === 'revision' ? 'failure' : 'error'
    case 'skipped':
      // Otherwise, the run has not started anything.
      return outcome.because === 'revision' ? 'failure' : undefined
    case 'unverified':
    case 'rolled-back':
      return 'failure'
    case 'timed-out':
    case 'interrupted':
    case 'cancelled':
      return 'error'
    case 'superseded':
    case 'torn-down':
    case 'nothing-to-tear-down':
      return 'inactive'
    case 'started':
    case 'planned':
    case 'answered':
      return undefined
  }
}
