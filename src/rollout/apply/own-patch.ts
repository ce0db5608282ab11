import { ControlPlaneError, ifReadable, isNotFound } from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import type { Reader } from '../dependencies.ts'
import { changeText } from '../deployment-change.ts'
import { compareSetting, showsOtherValue } from '../fields/compare.ts'
import { inputName, omit, pick, setFields } from '../plan/settings.ts'
import { findDeployment, hasName } from '../read/find-deployment.ts'
import { readDeployment, readPastStale } from '../read/read-again.ts'
import type { Target } from '../rollout-request.ts'

/** The settings that a run has patched for its earlier plans. `before`: the deployment before the first of these. */
export interface PatchedSoFar {
  before: Deployment
  sent: Settings
  /** The sent settings in the form of the service, as far as answers have shown them to be ours. */
  serviceForm: Settings
  unproved: readonly Field[]
}

export function addOwnPatch(
  patchedSoFar: PatchedSoFar | undefined,
  deployment: Deployment,
  patch: Settings,
  serviceForm: Settings = {},
): PatchedSoFar {
  if (patchedSoFar === undefined) return { before: deployment, sent: patch, serviceForm, unproved: [] }
  return {
    before: withoutOwnPatch(deployment, patchedSoFar),
    sent: { ...patchedSoFar.sent, ...patch },
    serviceForm: { ...patchedSoFar.serviceForm, ...serviceForm },
    unproved: unprovedFields(patchedSoFar, deployment),
  }
}

/** The state before the run is the one before its first patch. `deployment`: as it was before this plan. */
export function ownPatchSinceFirstPlan(
  { before, patched }: { before: Deployment | undefined; patched?: Settings | undefined },
  deployment: Deployment,
  patchedSoFar: PatchedSoFar,
) {
  if (before === undefined) return undefined
  return {
    before: withoutOwnPatch(before, patchedSoFar, deployment),
    patched: { ...patchedSoFar.serviceForm, ...patched },
    unproved: unprovedFields(patchedSoFar, deployment),
  }
}

/**
 * The deployment without the settings that the run has patched. Any other value may be another client's, and is kept.
 * @param now the deployment as it was read before the plan; `deployment` may show less
 */
export function withoutOwnPatch(deployment: Deployment, patchedSoFar: PatchedSoFar, now = deployment): Deployment {
  const own = ownFields(patchedSoFar, now)
  return { ...deployment, settings: { ...omit(deployment.settings, own), ...pick(patchedSoFar.before.settings, own) } }
}

/**
 * The fields that the run has patched and whose value is neither the one before nor one that is known to be ours. It may be
 * another client's, or ours in a form that no answer has shown.
 */
export function unprovedFields(patchedSoFar: PatchedSoFar, deployment: Deployment): Field[] {
  const { before, sent, unproved } = patchedSoFar
  const own = ownFields(patchedSoFar, deployment)
  const isUnproved = (field: Field): boolean =>
    !own.includes(field) && compareSetting(field, deployment.settings, before.settings) !== 'same'
  return setFields(sent).filter((field) => unproved.includes(field) || isUnproved(field))
}

function ownFields({ before, sent, serviceForm }: PatchedSoFar, { settings }: Deployment): Field[] {
  const isOf = (own: Settings, field: Field): boolean =>
    own[field] !== undefined && !showsOtherValue(field, settings, own, before.settings)
  return setFields(sent).filter((field) => isOf(sent, field) || isOf(serviceForm, field))
}

/** Reads the deployment that the run has patched, by its id: a list may lag, or be cut. */
export async function readPatched(
  patchedSoFar: PatchedSoFar,
  target: Target,
  deps: Reader,
): Promise<Deployment | undefined> {
  if (target.kind === 'id') return await findDeployment(target, deps)
  const read = async () => await ifReadable(async () => await readDeployment(patchedSoFar.before.id, deps), isNotFound)
  const isRenamed = (now: Deployment | undefined): boolean => now !== undefined && !hasName(now, target.name)
  const now = await readPastStale(read, isRenamed, deps)
  return now === undefined || isRenamed(now) ? gone(patchedSoFar, now) : now
}

function gone(patchedSoFar: PatchedSoFar, now: Deployment | undefined): never {
  const { id, name } = patchedSoFar.before
  const change = now === undefined ? ({ kind: 'deleted' } as const) : ({ kind: 'renamed', now: now.name } as const)
  const kept = now === undefined ? [] : ownFields(patchedSoFar, now).map(inputName)
  const keeps = `The deployment ${id} keeps settings that this run has patched (${kept.join(', ')}): set them back if they are wrong there`
  throw new ControlPlaneError({
    attempted: `plan the rollout of the deployment "${name}" (${id}) again`,
    cameBack: `since the first write of this run, it ${changeText(change)}`,
    hint: kept.length === 0 ? 'Rerun the job.' : `${keeps}, then rerun the job.`,
  })
}
