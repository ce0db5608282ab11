import { ControlPlaneError } from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import { pauseWithin, type ReadDependencies } from '../dependencies.ts'
import { differenceOf, isOther } from '../plan/diff.ts'
import { inputName, omit, pick, setFields } from '../plan/settings.ts'
import { findDeployment, hasName } from '../read/find-deployment.ts'
import { ifThere, pastReplicaLag } from '../read/read-again.ts'
import type { Target } from '../rollout-request.ts'
import { STALE_READ_MS } from '../timing.ts'

/** What a run has patched before it planned again. */
export interface EarlierPatch {
  /** The deployment as it was before the first patch. */
  before: Deployment
  /** The new values. */
  sent: Settings
  /** The same in the form of the service, as far as it has shown them to be ours. */
  shown: Settings
  /** The fields that another plan found as `unprovedFields` says. */
  unproved: readonly Field[]
}

/** Adds the patch of a plan for that deployment. */
export function withPatch(
  earlier: EarlierPatch | undefined,
  deployment: Deployment,
  patch: Settings,
  shown: Settings = {},
): EarlierPatch {
  return {
    before: beforePatch(deployment, earlier),
    sent: { ...earlier?.sent, ...patch },
    shown: { ...earlier?.shown, ...shown },
    unproved: unprovedFields(earlier, deployment),
  }
}

/**
 * The deployment without what the run has patched. Any other value there may be somebody else's, and stays.
 * @param now as it showed itself before the plan; `deployment` may show less
 */
export function beforePatch(
  deployment: Deployment,
  earlier: EarlierPatch | undefined,
  now: Deployment = deployment,
): Deployment {
  if (earlier === undefined || !sameId(deployment.id, earlier.before.id)) return deployment
  const { before } = earlier
  const own = ownFields(earlier, now)
  return { ...deployment, settings: { ...omit(deployment.settings, own), ...pick(before.settings, own) } }
}

/**
 * The fields that the run has patched and that have shown, to this plan or an earlier one, neither what was there before
 * nor what is known to be of the run: it may be another client's, or ours in a form that no answer has shown to be ours.
 */
export function unprovedFields(earlier: EarlierPatch | undefined, deployment: Deployment): Field[] {
  if (earlier === undefined) return []
  const { before, sent, unproved } = earlier
  const own = ownFields(earlier, deployment)
  const isUnproved = (field: Field): boolean =>
    !own.includes(field) && differenceOf(field, deployment.settings, before.settings) !== 'same'
  return setFields(sent).filter((field) => unproved.includes(field) || isUnproved(field))
}

/** The fields that show nothing else than what the run has patched. */
function ownFields({ before, sent, shown }: EarlierPatch, { settings }: Deployment): Field[] {
  const isOf = (own: Settings, field: Field): boolean => !isOther(field, settings, own, before.settings)
  return setFields(sent).filter((field) => isOf(sent, field) || isOf(shown, field))
}

/**
 * Reads the deployment that the run has patched, by its id: a list may lag, or be cut.
 * @throws ControlPlaneError when it is not any more the one that the user means
 */
export async function readPatched(
  earlier: EarlierPatch,
  target: Target,
  deps: ReadDependencies,
): Promise<Deployment | undefined> {
  if (target.kind === 'id') return await findDeployment(target, deps)
  const { id } = earlier.before
  const read = async (): Promise<Deployment> => await deps.controlPlane.getDeployment(id)
  const readPresent = async (): Promise<Deployment | undefined> =>
    await ifThere(async () => await pastReplicaLag(read, deps))
  const now = await readPresent()
  if (now === undefined || hasName(now, target.name)) return now ?? gone(earlier, undefined)
  // A replica that lags may show an earlier name.
  await pauseWithin(STALE_READ_MS, deps)
  const later = await readPresent()
  return later !== undefined && hasName(later, target.name) ? later : gone(earlier, later)
}

function gone(earlier: EarlierPatch, now: Deployment | undefined): never {
  const { id, name } = earlier.before
  const kept = now === undefined ? [] : ownFields(earlier, now).map(inputName)
  const keeps = `The deployment ${id} keeps settings that this run has patched (${kept.join(', ')}): set them back if they are wrong there`
  throw new ControlPlaneError({
    attempted: `plan the rollout of the deployment "${name}" (${id}) again`,
    cameBack: `since the first write of this run, it was ${now === undefined ? 'deleted' : `renamed to "${now.name}"`}`,
    hint: kept.length === 0 ? 'Rerun the job.' : `${keeps}, then rerun the job.`,
  })
}
