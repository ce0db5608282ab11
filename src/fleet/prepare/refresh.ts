import { isDeepStrictEqual } from 'node:util'
import type { Dependencies } from '../../rollout/dependencies.ts'
import { prepareRollout, type Prepared } from '../../rollout/prepare.ts'
import { ifThere } from '../../rollout/read/if-there.ts'
import { nameOf } from '../../rollout/rollout-request.ts'
import { FRESH_PLAN_MS } from '../timing.ts'
import { answering } from './find.ts'

/**
 * A wave may begin long after the plans were made. Plans again if the deployment has changed since: another client may
 * have rolled out a newer commit. The creation of a deployment is checked by the control plane itself.
 * @throws as prepareRollout
 */
export async function refreshed(prepared: Prepared, listedAt: number, deps: Dependencies): Promise<Prepared> {
  const { request, next, source } = prepared
  if (next.kind !== 'execute' || next.plan.kind === 'create') return prepared
  if (deps.clock.now() - listedAt < FRESH_PLAN_MS) return prepared
  const { deployment } = next.plan
  const now = await ifThere(async () => await deps.controlPlane.getDeployment(deployment.id))
  if (isDeepStrictEqual(now, deployment)) return prepared
  const controlPlane = answering(deps.controlPlane, nameOf(request.target), now)
  return await prepareRollout(request, now === undefined ? deps : { ...deps, controlPlane }, source)
}
