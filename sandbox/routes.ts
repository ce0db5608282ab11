import { deploymentRoutes } from './routes/deployments.ts'
import { revisionRoutes } from './routes/revisions.ts'
import type { Plane, Route } from './routes/route.ts'
import { workspaceRoutes } from './routes/workspace.ts'

/** The control plane's routes. */
export function routesOver(plane: Plane): Route[] {
  return [...deploymentRoutes(plane), ...revisionRoutes(plane), ...workspaceRoutes(plane)]
}

/** The methods that a path is known for; none for an unknown path. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  return routes.filter(({ pattern }) => matches(pattern, path)).map(({ method }) => method)
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === given.length && wanted.every((part, n) => part.startsWith('{') || part === given[n])
  )
}
