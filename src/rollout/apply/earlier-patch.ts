import { ControlPlaneError } from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import { pauseWithin, type ReadDependencies } from '../dependencies.ts'
import { isOther } from '../plan/diff.ts'
import { inputName, omit, pick, setFields } from '../plan/settings.ts'
import { findDeployment, hasName } from '../read/find-deployment.ts'
import { ifThere, pastReplicaLag } from '../read/read-again.ts'
import type { Target } from '../rollout-request.ts'
import { STALE_READ_MS } from '../timing.ts'

/** What a run has patched before it planned again. */
export interface EarlierPatch {
  /** The deployment as it was before the first patch. */
  before: Deployment
  fields: readonly Field[]
  /** The new values, in the form of the service as far as it shows them. */
  shown: Settings
}

/** Adds the patch of a plan for that deployment. */
export function withPatch(
  earlier: EarlierPatch | undefined,
  deployment: Deployment,
  patch: Settings,
  shown: Settings = patch,
): EarlierPatch {
  return {
    before: beforePatch(deployment, earlier),
    fields: [...(earlier?.fields ?? []), ...setFields(patch)],
    shown: { ...earlier?.shown, ...shown },
  }
}

/** The deployment without what the run has patched. Any other value there is somebody else's, and stays. */
export function beforePatch(deployment: Deployment, earlier: EarlierPatch | undefined): Deployment {
  if (earlier === undefined || !sameId(deployment.id, earlier.before.id)) return deployment
  const { before } = earlier
  const own = ownFields(earlier, deployment)
  return { ...deployment, settings: { ...omit(deployment.settings, own), ...pick(before.settings, own) } }
}

/** The fields that show nothing else than what the run has patched. */
function ownFields({ before, fields, shown }: EarlierPatch, { settings }: Deployment): Field[] {
  return [...new Set(fields)].filter((field) => !isOther(field, settings, shown, before.settings))
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
