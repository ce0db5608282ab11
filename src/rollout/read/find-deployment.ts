import type { ControlPlane } from '../../control-plane/control-plane.ts'
import type { Deployment } from '../../control-plane/model.ts'
import { InputError } from '../../problem.ts'
import { withoutRevealingWords, type Reveals } from '../../secrets/redact.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { nameOf, type Target } from '../rollout-request.ts'
import { readAll } from '../../control-plane/paginate.ts'
import { pastBrokenAnswers } from './replica-lag.ts'

/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
export async function findDeployment(target: Target, deps: ReadDependencies): Promise<Deployment | undefined> {
  const { controlPlane } = deps
  if (target.kind === 'name') return await findByName(target.name, controlPlane)
  return await pastBrokenAnswers(async () => await controlPlane.getDeployment(target.id), deps)
}

/**
 * Finds the deployment that a step requires to exist.
 * @throws InputError when none has that name; else as {@link findDeployment}
 */
export async function findExisting(target: Target, deps: ReadDependencies): Promise<Deployment> {
  const deployment = await findDeployment(target, deps)
  if (deployment !== undefined) return deployment
  const message = 'names no deployment that these credentials can see'
  throw new InputError([{ input: 'name', value: nameOf(target), message }])
}

/**
 * Compares the name of the deployment with the one that the step confirms. A name is compared when the inputs are read.
 * @throws InputError when they differ
 */
export function checkConfirmed(target: Target, { id, name }: Deployment, reveals: Reveals): void {
  if (target.kind === 'name' || target.confirm === undefined || target.confirm === name) return
  const shown = withoutRevealingWords(name, reveals)
  const message = `must be the exact name of the deployment ${id}, which is ${shown}: if that is the one you mean, set confirm: ${shown}; else correct deployment-id`
  throw new InputError([{ input: 'confirm', value: target.confirm, message }])
}

/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
export async function findByName(
  name: string,
  controlPlane: Pick<ControlPlane, 'listDeployments'>,
): Promise<Deployment | undefined> {
  const all = readAll(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }))
  for await (const deployment of all) if (hasName(deployment, name)) return deployment
  return undefined
}

/** Whether it is our deployment of this exact name. */
export function hasName(deployment: Deployment, name: string): boolean {
  return deployment.name === name && deployment.isPreviewBuild !== true
}
