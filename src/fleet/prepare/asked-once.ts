import type { ControlPlane, PageQuery } from '../../control-plane/control-plane.ts'
import { oncePerKey } from '../../async.ts'

/** The same control plane, which is asked only once for what is the same for all deployments. */
export function askedOnce(controlPlane: ControlPlane): ControlPlane {
  const listListeners = oncePerKey(
    async (query: PageQuery) => await controlPlane.listListeners(query),
    ({ limit, offset }) => `${limit} ${offset}`,
  )
  const listIntegrations = oncePerKey(
    async () => await controlPlane.listIntegrations(),
    () => '',
  )
  const listRepositories = oncePerKey(
    async (id: string) => await controlPlane.listRepositories(id),
    (id) => id,
  )
  const shared = { listListeners, listIntegrations, listRepositories }
  const decorate = (one: ControlPlane): ControlPlane => ({
    ...one,
    ...shared,
    within: (deadline) => decorate(one.within(deadline)),
  })
  return decorate(controlPlane)
}
