import { ControlPlaneError } from '../../control-plane/errors.ts'
import { sameId, type Deployment, type Field, type Settings } from '../../control-plane/model.ts'
import { differenceOf } from '../plan/diff.ts'
import { inputName } from '../plan/field-rules.ts'
import { omit, pick, setFields } from '../plan/settings.ts'

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
  const { before, fields, shown } = earlier
  const own = fields.filter((field) => differenceOf(field, deployment.settings, shown) !== 'changed')
  return { ...deployment, settings: { ...omit(deployment.settings, own), ...pick(before.settings, own) } }
}

/** @throws ControlPlaneError when another plan would be for another deployment than the one that the run has patched */
export function requirePatched(earlier: EarlierPatch | undefined, current: Deployment | undefined): void {
  if (earlier === undefined || sameId(current?.id, earlier.before.id)) return
  const { id, name } = earlier.before
  const now = current === undefined ? 'no deployment has its name' : `its name has gone to the deployment ${current.id}`
  const kept = [...new Set(earlier.fields)].map(inputName).join(', ')
  throw new ControlPlaneError({
    attempted: `plan the rollout of the deployment "${name}" (${id}) again`,
    cameBack: `since the first write of this run, ${now}`,
    hint: `The deployment ${id} keeps the settings that this run has patched (${kept}): set them back if they are wrong there, then rerun the job.`,
  })
}
