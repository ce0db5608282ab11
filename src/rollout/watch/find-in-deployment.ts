import { ControlPlaneError, isNotFound } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import type { ConfirmedDeployment } from './confirm.ts'
import type { DeploymentFinding } from './state.ts'
import { supersededBy } from './superseded.ts'

/** A deployment that cannot be read ends nothing: the polls show whether the control plane can be reached. */
export async function findInDeployment(
  newerThan: Revision | undefined,
  { deploymentId, before }: Pick<ConfirmedDeployment, 'deploymentId' | 'before'>,
  deps: ReadDependencies,
): Promise<DeploymentFinding> {
  try {
    const deployment = await deps.controlPlane.getDeployment(deploymentId)
    return newerThan === undefined ? { kind: 'unknown' } : await judgeDeployment(deployment, newerThan, before, deps)
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError)) throw thrown
    return { kind: isNotFound(thrown) ? 'gone' : 'unknown' }
  }
}

/** What an answer about the deployment shows about a revision. */
export async function judgeDeployment(
  deployment: Deployment,
  newerThan: Revision,
  before: ConfirmedDeployment['before'],
  deps: ReadDependencies,
): Promise<DeploymentFinding> {
  const by = await supersededBy(newerThan, deployment, { ...deps, before, unreadable: 'older' })
  return by === undefined ? { kind: 'unknown' } : { kind: 'newer-revision', revisionId: by }
}
