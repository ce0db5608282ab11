import { isDeepStrictEqual } from 'node:util'
import type { Deployment } from '../../control-plane/model.ts'
import type { Dependencies } from '../../rollout/dependencies.ts'
import { prepareRollout, type ExecutablePlan, type Prepared } from '../../rollout/prepare.ts'
import { findByName } from '../../rollout/read/find-deployment.ts'
import { ifThere } from '../../rollout/read/if-there.ts'
import { nameOf } from '../../rollout/rollout-request.ts'
import { FRESH_READ_MS } from '../../rollout/timing.ts'
import { answering } from './find.ts'

/**
 * A rollout may begin long after its plan was made. Reads the deployment again, and plans again if it has changed:
 * another client may have rolled out a newer commit, or given the name to another deployment.
 * @throws as prepareRollout
 */
export async function refreshed(prepared: Prepared, deps: Dependencies): Promise<Prepared> {
  const { request, next, source } = prepared
  const readAt = deps.clock.now()
  if (next.kind !== 'execute' || readAt - prepared.readAt <= FRESH_READ_MS) return prepared
  const name = nameOf(request.target)
  const planned = next.plan.kind === 'create' ? undefined : next.plan.deployment
  const now = await readPresent(next.plan, name, deps)
  if (isDeepStrictEqual(now, planned)) return { ...prepared, readAt }
  const isNamed = now?.name === name
  const controlPlane = isNamed ? answering(deps.controlPlane, name, now) : deps.controlPlane
  return await prepareRollout(request, { ...deps, controlPlane }, source)
}

async function readPresent(
  plan: ExecutablePlan,
  name: string,
  { controlPlane }: Dependencies,
): Promise<Deployment | undefined> {
  if (plan.kind === 'create') return await findByName(name, controlPlane)
  return await ifThere(async () => await controlPlane.getDeployment(plan.deployment.id))
}
