import { BrokenContractError } from '../control-plane/errors.ts'
import { type Revision, sameId } from '../control-plane/model.ts'
import { InputError } from '../problem.ts'
import { ANY_CHANGE, knownDeployment } from './apply/basis.ts'
import type { Run } from './dependencies.ts'
import type { DeploymentChange } from './deployment-change.ts'
import { drive, type Ended, type Interrupted, type Next, type Steps } from './drive.ts'
import { type NotRedeployed, notRedeployedText } from './event.ts'
import { finish, verifyUnchanged } from './finish.ts'
import type { NeverServed, RolloutOutcome } from './outcome.ts'
import type { RedeployPlan } from './plan/plan.ts'
import { type Beforehand, prepareRollback } from './rollback/prepare.ts'
import { confirmCommit, isAdopted, restoreRevision } from './rollback/restore.ts'
import { isNamed, type RollbackRequest } from './rollout-request.ts'
import { isOlder } from './watch/confirm.ts'
import { watchRevision } from './watch/watch.ts'
import { attachToLatest, isInactive, watchFactsOf, type WatchedRevision } from './watch/watched.ts'

/** Goes back to an earlier revision, watches it and verifies it as a rollout does. */
export async function rollback(
  request: RollbackRequest,
  run: Run,
  beforehand: Beforehand = {},
): Promise<RolloutOutcome> {
  const steps: Steps<Prepared, WatchedRevision, RolloutOutcome> = {
    write: async (prepared) => await write(prepared, request, run),
    watch: async (watched, prepared) => await watch(watched, prepared, request, run),
    // A deployment that has lost its name, or is deleted, has no other one whose revision could be meant.
    mayFollow: ({ isMove }) => !isMove,
    patchOf: () => undefined,
    planAgain: async (prepared, turn) => await planAgain(prepared, turn, request, run),
  }
  return await drive(await plan(request, run, beforehand), steps, run)
}

/** `beforehand`: what the next plan of this run knows, too. */
type Prepared = Exclude<Awaited<ReturnType<typeof prepareRollback>>, NeverServed> & { beforehand: Beforehand }

type Planned = Next<Prepared, RolloutOutcome>

async function plan(request: RollbackRequest, run: Run, beforehand: Beforehand): Promise<Planned> {
  const prepared = await prepareRollback(request, run, beforehand)
  if (prepared.kind === 'never-served') return { kind: 'ended', end: { kind: 'failed', because: prepared } }
  if (request.dryRun) return { kind: 'ended', end: { kind: 'planned' } }
  return { kind: 'planned', plan: { ...prepared, beforehand: { ...beforehand, reading: undefined } } }
}

type WrittenTurn = Ended<RolloutOutcome> | { kind: 'started'; started: WatchedRevision }

async function write(prepared: Prepared, request: RollbackRequest, run: Run): Promise<WrittenTurn> {
  const { plan } = prepared
  const { deployment } = plan
  switch (plan.kind) {
    case 'unchanged':
      run.emit({ kind: 'attached', because: 'unchanged', deployment, revision: plan.active })
      return { kind: 'ended', end: await verifyUnchanged(plan, request, run) }
    case 'resume':
      run.emit({ kind: 'attached', because: 'resumed', deployment, revision: plan.latest })
      return { kind: 'started', started: attachToLatest(deployment, plan.latest) }
    case 'redeploy':
      return await redeploy(plan, prepared, request, run)
  }
}

async function redeploy(
  plan: RedeployPlan,
  { readAt, beforehand }: Prepared,
  { target }: RollbackRequest,
  run: Run,
): Promise<WrittenTurn> {
  const { deployment } = plan
  run.emit({ kind: 'applying' })
  const isListed = target.kind === 'name' && beforehand.id === undefined
  const facts = { readAt, isNamed: isNamed(target), isListed, planEnds: ANY_CHANGE }
  const restored = await restoreRevision(knownDeployment(deployment, run, facts), plan, run)
  switch (restored.kind) {
    case 'not-redeployed':
      throw notRestorable(plan, restored)
    case 'newer-revision':
      return { kind: 'ended', end: { kind: 'superseded', by: restored.revisionId } }
    case 'other-commit': {
      const { kind, revisionId, builds: built, wanted } = restored
      run.emit({ kind: 'written', change: 'redeployed', deployment, revisionId })
      return { kind: 'ended', end: { kind: 'failed', because: { kind, wanted, built } } }
    }
    case 'applied': {
      const { change, revisionId, revision, repeated } = restored
      run.emit({ kind: 'written', change, deployment, revisionId })
      run.emit({ ...restored, deployment })
      const made = { revisionId, revision, repeated, isAdopted: isAdopted(restored, plan.to) }
      return { kind: 'started', started: { ...watchFactsOf(deployment), ...made, before: deployment } }
    }
  }
}

async function watch(
  watched: WatchedRevision,
  { plan, restoration }: Prepared,
  request: RollbackRequest,
  run: Run,
): Promise<Ended<RolloutOutcome> | Extract<Interrupted, { kind: 'not-ours' }>> {
  const end = await watchRevision(watched, request, run)
  if (wasResumedLate(plan) && isInactive(end.outcome)) {
    const { revisionId } = watched
    run.emit({ kind: 'not-activated', revisionId })
    return { kind: 'not-ours', revisionId, lost: [] }
  }
  return { kind: 'ended', end: await finish(confirmCommit(end, restoration), request, run) }
}

/** Whether the run has resumed a revision that is DEPLOYED and not active yet. */
function wasResumedLate(plan: Prepared['plan']): boolean {
  if (plan.kind !== 'resume' || plan.latest.status !== 'DEPLOYED') return false
  return !sameId(plan.latest.id, plan.deployment.activeRevisionId)
}

async function planAgain(
  { plan: ended, restoration, beforehand }: Prepared,
  turn: Interrupted,
  request: RollbackRequest,
  run: Run,
): Promise<Planned> {
  if (turn.kind !== 'changed') {
    const passedOver = turn.kind === 'not-ours' ? turn.revisionId : undefined
    return await plan(request, run, { ...beforehand, passedOver })
  }
  const { to } = restoration
  const { id } = ended.deployment
  const by = await overtakenBy(turn.changed.change, to, id, run)
  // Another client has rolled out meanwhile: there is nothing to go back from.
  if (by !== undefined) return { kind: 'ended', end: { kind: 'superseded', by } }
  return await plan(request, run, { ...beforehand, id, to: to.id })
}

/** The revision by which another client has replaced ours; undefined if that client has just gone back to ours. */
async function overtakenBy(
  change: DeploymentChange,
  to: Revision,
  deploymentId: string,
  run: Run,
): Promise<string | undefined> {
  if (change.kind !== 'revised' && change.kind !== 'active') return undefined
  const { kind, revisionId: by } = change
  if (by === null || sameId(by, to.id)) return undefined
  return kind === 'revised' || (await isOlder(by, to, deploymentId, run.controlPlane)) ? by : undefined
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
