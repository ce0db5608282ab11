import { BrokenContractError } from '../../control-plane/errors.ts'
import { type Revision, sameId } from '../../control-plane/model.ts'
import { InputError } from '../../problem.ts'
import { ChangedError, unlessChanged, ANY_CHANGE, knownDeployment, type KnownOfDeployment } from '../apply/basis.ts'
import { confirmCommit, isAdopted, restoreRevision } from './restore.ts'
import type { Run } from '../dependencies.ts'
import type { DeploymentChange } from '../deployment-change.ts'
import { type NotRedeployed, notRedeployedText } from '../event.ts'
import { finish, verifyUnchanged } from './finish.ts'
import type { RolloutOutcome } from '../outcome.ts'
import type { RedeployPlan, ResumePlan } from '../plan/plan.ts'
import { type Beforehand, prepareRollback } from './prepare.ts'
import { isNamed, type RollbackRequest } from '../rollout-request.ts'
import { isOlder } from '../watch/confirm.ts'
import { watchRevision } from '../watch/watch.ts'
import { attachToLatest, isInactive, knownOf, type WatchedRevision } from '../watch/watched.ts'

/** Goes back to an earlier revision, watches it and verifies it as a rollout does. */
export async function rollback(
  request: RollbackRequest,
  deps: Run,
  { found, ...again }: Beforehand = {},
): Promise<RolloutOutcome> {
  const { count = 1 } = again
  const prepared = await prepareRollback(request, deps, { found, ...again })
  if (prepared.kind === 'never-served') return { kind: 'failed', because: prepared }
  const { plan, restoration, readAt } = prepared
  if (request.dryRun) return { kind: 'planned' }
  if (plan.kind === 'unchanged') {
    deps.emit({ kind: 'attached', because: 'unchanged', deployment: plan.deployment, revision: plan.active })
    return await verifyUnchanged(plan, request, deps)
  }
  const isListed = request.target.kind === 'name' && again.id === undefined
  const known = { readAt, isNamed: isNamed(request.target), isListed }
  const write = async (): Promise<Begun> => await begin(plan, known, deps)
  // A deployment that has lost its name, or is deleted, has no other one whose revision could be meant.
  const begun = await unlessChanged(write, count, deps, ({ isMove }) => !isMove)
  if (begun instanceof ChangedError) {
    const { to } = restoration
    const by = await overtakenBy(begun.change, to, plan.deployment.id, deps)
    if (by !== undefined) return { kind: 'superseded', by }
    return await rollback(request, deps, { ...again, id: plan.deployment.id, to: to.id, count: count + 1 })
  }
  if ('outcome' in begun) return begun.outcome
  const end = await watchRevision(begun.watched, request, deps)
  const resumed = plan.kind === 'resume' && plan.latest.status === 'DEPLOYED' ? plan.latest.id : undefined
  const isLate = resumed !== undefined && !sameId(resumed, plan.deployment.activeRevisionId)
  if (isLate && isInactive(end.outcome)) {
    deps.emit({ kind: 'not-activated', revisionId: resumed })
    return await rollback(request, deps, { ...again, passedOver: resumed })
  }
  return await finish(confirmCommit(end, restoration), request, deps)
}

/** The revision by which somebody has gone on meanwhile, or further back; not if they have just gone back to ours. */
async function overtakenBy(
  change: DeploymentChange,
  to: Revision,
  deploymentId: string,
  deps: Run,
): Promise<string | undefined> {
  if (change.kind !== 'revised' && change.kind !== 'active') return undefined
  const { kind, revisionId: by } = change
  if (by === null || sameId(by, to.id)) return undefined
  return kind === 'revised' || (await isOlder(by, to, deploymentId, deps.controlPlane)) ? by : undefined
}

type Begun = { watched: WatchedRevision } | { outcome: RolloutOutcome }

async function begin(plan: RedeployPlan | ResumePlan, known: KnownOfDeployment, deps: Run): Promise<Begun> {
  const { deployment } = plan
  if (plan.kind === 'resume') {
    const { latest: revision } = plan
    deps.emit({ kind: 'attached', because: 'resumed', deployment, revision })
    return { watched: attachToLatest(deployment, revision) }
  }
  deps.emit({ kind: 'applying' })
  const basis = knownDeployment(deployment, deps, { ...known, planEnds: ANY_CHANGE })
  const restored = await restoreRevision(basis, plan, deps)
  switch (restored.kind) {
    case 'not-redeployed':
      throw notRestorable(plan, restored)
    case 'newer-revision':
      return { outcome: { kind: 'superseded', by: restored.revisionId } }
    case 'other-commit': {
      const { kind, revisionId, builds: built, wanted } = restored
      deps.emit({ kind: 'written', change: 'redeployed', deployment, revisionId })
      return { outcome: { kind: 'failed', because: { kind, wanted, built } } }
    }
    case 'applied': {
      const { change, revisionId, revision, repeated } = restored
      deps.emit({ kind: 'written', change, deployment, revisionId })
      deps.emit({ ...restored, deployment })
      const made = { revisionId, revision, repeated, isAdopted: isAdopted(restored, plan.to) }
      return { watched: { ...knownOf(deployment), ...made, before: deployment } }
    }
  }
}

function notRestorable({ to, commit }: RedeployPlan, obstacle: NotRedeployed): Error {
  if (obstacle.because === 'no-revision') {
    // The control plane has accepted a write, and may act on it later.
    const hint = 'It may begin later. Check the deployment in the control plane before you rerun the job.'
    const { cameBack } = obstacle
    return new BrokenContractError({ attempted: `deploy the revision ${to.id} again`, cameBack, hint })
  }
  const message = notRedeployedText({ ...obstacle, commit })
  return new InputError([{ input: 'revision-id', value: to.id, message }])
}
