import type { Store } from './store.ts'
import { showDeployment, showRevision } from './views.ts'

/**
 * What a service shows that mistakes the request for another one: another deployment, or another revision of the
 * deployment. Undefined if there is none, and for other routes.
 */
export function showAnother(store: Store, method: string, path: string): object | undefined {
  const [, id, revisions, revisionId, last] =
    /^\/v2\/deployments(?:\/([^/]+)(?:\/(revisions)(?:\/([^/]+)(\/redeploy)?)?)?)?$/.exec(path) ?? []
  if (id === undefined && method !== 'POST') return undefined
  if (revisions === undefined || last !== undefined) {
    const other = store.all().find((one) => one.id !== id)
    return other && showDeployment(store, other)
  }
  if (revisionId === undefined && method !== 'POST') return undefined
  const other = store
    .all()
    .find((one) => one.id === id)
    ?.revisions.findLast((one) => one.id !== revisionId)
  return other && showRevision(store, other)
}
