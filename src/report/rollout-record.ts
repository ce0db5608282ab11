import type { Api } from '../control-plane/api.ts'
import type { Deployment, Field, LogType, Revision } from '../control-plane/model.ts'
import type { AccessInput } from '../inputs/names.ts'
import type { MadeTwice } from '../rollout/event.ts'
import type { Change, Phase, PhaseTimes } from '../rollout/outcome.ts'
import type { Rollback } from '../rollout/rollback-result.ts'
import type { PlanDocument } from './plan-document.ts'

/** Known of a run whatever it does. */
export interface RunFacts {
  /** Milliseconds since the epoch. */
  startedAt: number
  runUrl: string | undefined
  /** This action as the workflow names it, `owner/name@ref`; undefined if it is a local one. */
  action?: string | undefined
  /** Address of the workflow's repository, as in `https://github.com/owner/name`. */
  repositoryUrl?: string | undefined
  /** The commit that the run is about: the one that triggered it, unless something else is built. */
  commit: string | undefined
  /** The deployment that the inputs name, before they are checked. */
  asked?: string | undefined
  /** Its name, where they set it. A preview has one of its own. */
  askedName?: string | undefined
  /** The inputs that give the step access to the control plane: their names only. */
  access?: readonly AccessInput[] | undefined
}

/** Known of an operation, whatever it is. */
export interface OperationFacts extends RunFacts {
  /** What the step names: the deployment's name or id, or a method and a path. */
  target: string
  /** Milliseconds; undefined as long as the inputs are not read. */
  timeoutMs: number | undefined
}

/** `name`: undefined if it may not be shown. */
export type NamedDeployment = Pick<Deployment, 'id'> & { name: string | undefined }

export interface RolloutRecord extends OperationFacts {
  operation: 'rollout' | 'wait' | 'rollback'
  onSuperseded: 'fail' | 'succeed'
  /** In whose words the run is reported. */
  api: Api['name']
  change: Change
  plan: PlanDocument | undefined
  deployment: NamedDeployment | undefined
  /** The deployment's own address, as the control plane reports it. */
  url: string | undefined
  /** No revision of the deployment is active, or was when the control plane last reported it. */
  servesNothing: boolean
  /** The revision that was active before, or the latest one where the active one is not reported. */
  previousRevisionId: string | undefined
  /** The revision that was active before, where it is reported. */
  activeBefore: string | undefined
  revisionId: string | undefined
  /** The revision, or deployment, that the run has found, and that nothing proves to be its own. */
  adopted?: string
  /** As last seen. */
  revision: Pick<Revision, 'status' | 'statusMessage' | 'repoCommitSha'> | undefined
  timeline: readonly TimelineEntry[]
  /** How long the phases took, if the rollout was seen whole. */
  phaseTimes?: PhaseTimes
  polls: number
  /** The end of the log that explains a failure, where the control plane has it. */
  log: { type: LogType; lines: string[] } | undefined
  rollback: Rollback | undefined
  /** What the action *rollback* goes back to, and the settings of the deployment that this does not restore. */
  goesBackTo: { id: string; notRestored: readonly Field[] } | undefined
  /** What a lost write and its repetition made, both. */
  madeTwice: readonly Omit<MadeTwice, 'kind'>[]
  /** Patched settings that no response of the control plane shows. */
  unconfirmed: readonly Field[]
  /** The branch or tag of this repository that is built. */
  ref: string | undefined
  /** The repository that is built, when it is another than the workflow's. */
  otherRepository: string | undefined
}

export interface TimelineEntry {
  status: string
  phase: Phase
  /** Milliseconds since the epoch when the run first saw it. */
  at: number
}

export function openRollout(operation: RolloutRecord['operation'], facts: RunFacts): RolloutRecord {
  return {
    ...commonFacts(facts),
    operation,
    onSuperseded: 'fail',
    api: 'agent-server',
    change: 'none',
    plan: undefined,
    deployment: undefined,
    url: undefined,
    servesNothing: false,
    previousRevisionId: undefined,
    activeBefore: undefined,
    revisionId: undefined,
    revision: undefined,
    timeline: [],
    polls: 0,
    log: undefined,
    rollback: undefined,
    goesBackTo: undefined,
    madeTwice: [],
    unconfirmed: [],
    ref: undefined,
    otherRepository: undefined,
  }
}

/** What a record begins with. */
export function commonFacts({
  startedAt,
  runUrl,
  repositoryUrl,
  commit,
  action,
  asked,
  askedName,
  access,
}: RunFacts): OperationFacts {
  const known = {
    startedAt,
    runUrl,
    repositoryUrl,
    commit,
    ...(action !== undefined && { action }),
    ...(asked !== undefined && { asked }),
    ...(askedName !== undefined && { askedName }),
    ...(access !== undefined && { access }),
  }
  return { ...known, target: '', timeoutMs: undefined }
}
