import type { Deployment } from '../control-plane/model.ts'
import type { ConfigVerdict } from '../sources/archive/archive.ts'
import type { BeforePlan } from './before-plan.ts'
import type { Run } from './dependencies.ts'
import { builtFrom, sameRepository } from './plan/repository.ts'
import type { CurrentState } from './read/current-state.ts'
import type { RolloutRequest } from './rollout-request.ts'

/** Checks the app's configuration in a checkout of the repository that is built; undefined if the workspace has none. */
export async function checkInCheckout(
  { request, source }: Pick<BeforePlan, 'request' | 'source'>,
  { current }: Pick<CurrentState, 'current'>,
  { controlPlane: { api }, clock, workspace, loadRest }: Run,
): Promise<ConfigVerdict | undefined> {
  const { settings, promotion, checkAppConfig } = request
  const path = settings.appConfigPath ?? current?.settings.appConfigPath
  const repository = current?.settings.repoUrl ?? builtFrom(request)
  if (!checkAppConfig || promotion !== undefined || path === undefined || repository === undefined) return undefined
  const checkout = await source.checkout()
  if (checkout === undefined || !sameRepository(checkout.url, repository)) return undefined
  const { checkCheckout } = await loadRest()
  return await clock.during(checkCheckout(checkout, path, { api, workspace }))
}

/** Words the warnings of a plan about an app's configuration, as sentences without a full stop. */
export function configWarnings(
  { warnings, unlessBuilt, environment }: ConfigVerdict,
  request: RolloutRequest,
  current: Deployment | undefined,
): string[] {
  const buildCommand = request.settings.buildCommand ?? current?.settings.buildCommand ?? ''
  const isMissed = environment !== undefined && !setsEnvironment(request) && hasNoEnvironment(current)
  return [...warnings, ...(buildCommand === '' ? unlessBuilt : []), ...(isMissed ? [environment] : [])]
}

/** Whether the step sets the environment of the deployment. */
function setsEnvironment({ settings }: RolloutRequest): boolean {
  return settings.secrets !== undefined
}

/** A deployment that does not report its list may have one. */
function hasNoEnvironment(current: Deployment | undefined): boolean {
  return current === undefined || current.settings.secrets?.length === 0
}
