/** Phases of a revision's way (contract notes, "Statuses"); `unknown` goes on like any phase that is not terminal. */
export type Phase = 'queue' | 'build' | 'deploy' | 'terminal' | 'unknown'

const PHASES: ReadonlyMap<string, Phase> = new Map<string, Phase>([
  ['CREATING', 'queue'],
  ['QUEUED', 'queue'],
  ['AWAITING_BUILD', 'build'],
  ['BUILDING', 'build'],
  ['AWAITING_DEPLOY', 'deploy'],
  ['DEPLOYING', 'deploy'],
  ['DEPLOYED', 'terminal'],
  ['CREATE_FAILED', 'terminal'],
  ['BUILD_FAILED', 'terminal'],
  ['DEPLOY_FAILED', 'terminal'],
  ['SKIPPED', 'terminal'],
  ['INTERRUPTED', 'terminal'],
])

export function phaseOf(status: string): Phase {
  return PHASES.get(status) ?? 'unknown'
}

/** What became of a run, as far as it can be said truthfully. */
export type Outcome =
  /** `confirmed`: the deployment names our revision as its active one; else it names none at all, ever. */
  | { kind: 'deployed'; confirmed: boolean }
  | { kind: 'failed'; because: FailureCause }
  /** The wait was over before the rollout was; it goes on remotely. */
  | { kind: 'timed-out'; lastTrouble: string | undefined; phase?: OverduePhase }
  /** Another revision took our place: a newer one, or the one that is active instead. */
  | { kind: 'superseded'; by: string }
  /** The revision ended SKIPPED though no newer one is known; or there are no credentials, and that was foreseen. */
  | { kind: 'skipped'; because: 'revision' | 'no-credentials' }
  | { kind: 'interrupted' }
  /** The run was told to stop; the rollout, if it had begun, goes on remotely. */
  | { kind: 'cancelled' }
  /** Our revision is the active one, but the address that was to be verified does not answer as it should. */
  | { kind: 'unverified'; url: string; trouble: string }
  /** The rollout went wrong, and the revision before serves again. */
  | { kind: 'rolled-back'; to: string; from: Outcome }
  /** The revision exists and nobody asked to wait for it. */
  | { kind: 'started' }
  /** A dry run: the plan is told, and nothing was written. */
  | { kind: 'planned' }
  /** Nothing differs from the active revision, and nothing was written. */
  | { kind: 'unchanged' }
  /** Whatever was to be deleted is gone. */
  | { kind: 'torn-down' }
  | { kind: 'nothing-to-tear-down' }
  /** A single request was answered with a status that was expected. */
  | { kind: 'answered' }

/** A phase that lasted longer than it may. */
export interface OverduePhase {
  name: 'queue' | 'build' | 'deploy'
  limitMs: number
  /** How long the revision had been in it, as far as we saw. */
  forMs: number
}

export type FailureCause =
  /** The revision ended in a failure status. */
  | { kind: 'revision' }
  /** The revision is DEPLOYED, but the deployment names no active revision. */
  | { kind: 'nothing-active' }
  /** The revision is DEPLOYED, but the deployment could not be read to see whether it is the active one. */
  | { kind: 'active-unknown'; trouble: string }
  /** So many of the deployments could not be deleted. */
  | { kind: 'teardown'; failed: number }
  /** Of so many previews GitHub did not tell whether their pull request is closed. */
  | { kind: 'teardown-blind'; unknown: number }
  /** The run could not go on. */
  | { kind: 'error'; error: Error }

/** What a run wrote (interface, output `change`). */
export type Change = 'created' | 'patched' | 'revised' | 'resumed' | 'none'

/** Whether the workflow step fails (interface, "Exit"). */
export function failsStep(outcome: Outcome, onSuperseded: 'fail' | 'succeed'): boolean {
  switch (outcome.kind) {
    case 'deployed':
    case 'started':
    case 'planned':
    case 'unchanged':
    case 'torn-down':
    case 'nothing-to-tear-down':
    case 'answered':
      return false
    case 'skipped':
      return outcome.because === 'revision'
    case 'superseded':
      return onSuperseded === 'fail'
    case 'failed':
    case 'timed-out':
    case 'interrupted':
    case 'cancelled':
    case 'unverified':
    case 'rolled-back':
      return true
  }
}
