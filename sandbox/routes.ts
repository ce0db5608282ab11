import { agentWorkspaceRoutes } from './routes/agent-workspace.ts'
import { deploymentRoutes } from './routes/deployments.ts'
import { feedbackRoutes } from './routes/feedback.ts'
import { revisionRoutes } from './routes/revisions.ts'
import { langsmithRoutes } from './routes/langsmith.ts'
import type { Route, Service } from './routes/route.ts'
import { sandboxRoutes } from './routes/sandboxes.ts'
import { tracingRoutes } from './routes/tracing.ts'
import { workspaceRoutes } from './routes/workspace.ts'

/** The control plane's routes. With the spelling `langsmith`: what the public service has on its control plane's host. */
export function routesOver(service: Service): Route[] {
  const common = [...deploymentRoutes(service), ...revisionRoutes(service), ...workspaceRoutes(service)]
  if (service.spelling === 'langsmith') return [...langsmithRoutes(service), ...common.filter(hasVersion)]
  return [
    ...common,
    ...tracingRoutes(service),
    ...feedbackRoutes(service),
    ...agentWorkspaceRoutes(service),
    ...sandboxRoutes(service),
  ]
}

function hasVersion({ pattern }: Route): boolean {
  return /^\/v\d\//.test(pattern)
}

/** The known methods of a path; empty for an unknown path. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  return routes.filter(({ pattern }) => matches(pattern, path)).map(({ method }) => method)
}

/** Whether the route has been removed on its removal day. */
export function isGone({ removedOn }: Route, now: number): boolean {
  return removedOn !== undefined && now >= Date.parse(`${removedOn}T00:00:00Z`)
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, n) => part.startsWith('{') || part === given[n])
}
