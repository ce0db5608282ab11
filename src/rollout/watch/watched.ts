import { type ControlPlane, decorated } from '../../control-plane/client.ts'
import {
  addressOf,
  type Deployment,
  type Field,
  type LogType,
  type Revision,
  sameId,
  type Settings,
} from '../../control-plane/model.ts'
import { isNotFound } from '../../control-plane/errors.ts'
import type { Repeated } from '../event.ts'
import { type FailedBefore, type RolloutOutcome, phaseOf } from '../outcome.ts'

export interface WatchedRevision {
  deploymentId: string
  revisionId: string
  /** From the response that created it; undefined: the first poll reads it. */
  revision: Revision | undefined
  before: Deployment | undefined
  url: string | undefined
  /** Whether the control plane has reported this deployment's active revision, if only as null. */
  reportsActive: boolean
  /** The settings that the run has patched, as the service has shown them since. */
  patched?: Settings | undefined
  /** Settings patched for an earlier plan that then showed what may be ours or another client's. */
  unproved?: readonly Field[]
  /** The run's writes that may have made more than this revision. */
  repeated: readonly Repeated[]
  failedBefore?: FailedBefore | undefined
  /** Found after a lost response, and built from a commit: only that shows whether it is the run's own. */
  isAdopted?: boolean
}

export interface EndedRevision extends WatchedRevision {
  outcome: RolloutOutcome
  /** The last phase in which the watch saw it build or deploy. */
  lastPhase: LogType | undefined
  /** The logs that were emitted as they grew, from their start to their end. */
  shownLogs: readonly LogType[]
  /** Whether the run has found it active, and has written nothing. */
  isUnchanged?: boolean
}

/** A revision of an earlier run. Until it ends, the active revision is from before it; afterwards, that may be newer. */
export function attachTo(deployment: Deployment, revision: Revision): WatchedRevision {
  const hasEnded = phaseOf(revision.status) === 'terminal'
  const before = hasEnded ? undefined : { ...deployment, latestRevisionId: undefined, settings: {} }
  return { ...watchFactsOf(deployment), revisionId: revision.id, revision, before, repeated: [] }
}

/** The latest revision: what is active is from before it, also if it has ended. */
export function attachToLatest(deployment: Deployment, revision: Revision): WatchedRevision {
  return { ...attachTo(deployment, revision), before: { ...deployment, latestRevisionId: undefined, settings: {} } }
}

/** Whether another revision is active in place of one that is DEPLOYED, or none is. */
export function isInactive(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'superseded' || (outcome.kind === 'failed' && outcome.because.kind === 'nothing-active')
}

export function watchFactsOf(deployment: Deployment) {
  const { id, activeRevisionId } = deployment
  return { deploymentId: id, url: addressOf(deployment), reportsActive: activeRevisionId !== undefined }
}

/** `see`: given what each answer shows of the deployment; undefined if there is none any more. */
export function seeing(
  deploymentId: string,
  controlPlane: ControlPlane,
  see: (deployment: Deployment | undefined) => void,
): ControlPlane {
  const seeIn = (deployments: readonly Deployment[]): void => {
    const deployment = deployments.find(({ id }) => sameId(id, deploymentId))
    if (deployment !== undefined) see(deployment)
  }
  return decorated(controlPlane, (inner) => ({
    async getDeployment(id, options) {
      try {
        const deployment = await inner.getDeployment(id, options)
        seeIn([deployment])
        return deployment
      } catch (thrown) {
        if (isNotFound(thrown)) see(undefined)
        throw thrown
      }
    },
    async listDeployments(query) {
      const page = await inner.listDeployments(query)
      seeIn(page.resources)
      return page
    },
  }))
}

/** The active revision by the last answer that shows it; null if there is no deployment any more. */
export class LastSeen {
  readonly controlPlane: ControlPlane
  #activeId: Deployment['activeRevisionId']

  constructor({ deploymentId }: WatchedRevision, controlPlane: ControlPlane) {
    this.controlPlane = seeing(deploymentId, controlPlane, (deployment) => {
      const { activeRevisionId } = deployment ?? { activeRevisionId: null }
      if (activeRevisionId !== undefined) this.#activeId = activeRevisionId
    })
  }

  contradictsActive({ id }: Revision): boolean {
    return this.#activeId !== undefined && !sameId(this.#activeId, id)
  }
}
