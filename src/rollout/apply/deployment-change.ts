import { ControlPlaneError } from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId } from '../../control-plane/model.ts'
import type { DeploymentChange, Emit, RolloutEvent } from '../event.ts'
import { contradicts, isCleared, isOther } from '../plan/diff.ts'
import { inputName, setFields } from '../plan/settings.ts'
import type { Written } from './basis.ts'
import { PLANS } from '../timing.ts'

/** The deployment is not any more what the plan was made for. */
export class ChangedError extends ControlPlaneError {
  readonly deploymentId: string
  readonly change: DeploymentChange
  /** By the plan that has ended. */
  readonly written: Written
  readonly isWritten: boolean

  constructor({ id, name }: Deployment, change: DeploymentChange, written: Written, wasWritten: boolean) {
    const isWritten = wasWritten || written !== 'nothing'
    const since = isWritten ? 'the first write of this run' : 'the plan was made'
    const check = isMove(change) ? 'Check both deployments' : 'Check the deployment'
    const hint = isWritten ? `${check}, then rerun the job.` : 'Rerun the job.'
    const cameBack = `since ${since}, ${wordsOf(change)}`
    super({ attempted: `write to the deployment "${name}" (${id})`, cameBack, hint })
    this.deploymentId = id
    this.change = change
    this.written = written
    this.isWritten = isWritten
  }

  get isMove(): boolean {
    return isMove(this.change)
  }
}

function isMove({ kind }: DeploymentChange): boolean {
  return kind === 'renamed' || kind === 'deleted'
}

/**
 * What the earlier one does not report makes no difference. Nor does what a list may lack (`isListed`) of the secrets,
 * their references or a resource spec: nothing changes these without a revision.
 */
export function changesSince(
  { latestRevisionId: latestBefore, activeRevisionId: activeBefore, settings: before }: Deployment,
  { latestRevisionId: latest, activeRevisionId: active, settings }: Deployment,
  isListed = false,
): DeploymentChange[] {
  const changes: DeploymentChange[] = []
  if (latestBefore !== undefined && latest !== undefined && !sameId(latest, latestBefore))
    changes.push({ kind: 'revised', revisionId: latest })
  const isOtherActive = active === null ? activeBefore !== null : !sameId(active, activeBefore)
  if (activeBefore !== undefined && active !== undefined && isOtherActive)
    changes.push({ kind: 'active', revisionId: active })
  const isLess = (field: Field): boolean =>
    isListed && (field === 'secrets' || !(contradicts(field, before, settings) || isCleared(field, settings, before)))
  const fields = setFields(before).filter((field) => isOther(field, settings, before) && !isLess(field))
  if (fields.length > 0) changes.push({ kind: 'set', fields })
  return changes
}

function wordsOf(change: DeploymentChange): string {
  switch (change.kind) {
    case 'renamed':
      return `it was renamed to "${change.now}"`
    case 'deleted':
      return 'it was deleted'
    case 'revised':
      return `another client made the revision ${change.revisionId}`
    case 'active':
      return change.revisionId === null
        ? 'no revision is active any more'
        : `the revision ${change.revisionId} became active`
    case 'set':
      return `other values were set (${change.fields.map(inputName).join(', ')})`
  }
}

/**
 * Begins to apply a plan, the `plans`th of this run.
 * @returns the change, which it emits, if the run is to plan again
 * @throws what `begin` throws
 */
export async function unlessChanged<T>(
  begin: () => Promise<T>,
  plans: number,
  { emit }: { emit: Emit<RolloutEvent> },
  mayPlanAgain: (changed: ChangedError) => boolean = () => true,
): Promise<T | ChangedError> {
  try {
    return await begin()
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || plans >= PLANS || !mayPlanAgain(thrown)) throw thrown
    const { deploymentId, change } = thrown
    emit({ kind: 'changed-meanwhile', deploymentId, change })
    return thrown
  }
}
