import { AgentWorkspace } from './agentws/workspace.ts'
import { CONTRACT, LANGSMITH } from './habits.ts'
import { DEFAULT_RESOURCES } from './workspace-resources.ts'
import { routesOver } from './routes.ts'
import { Store } from './store.ts'
import { Tracing } from './tracing.ts'
import { UPLOAD_PATTERN, Uploads } from './uploads.ts'
import { Workspace } from './workspace.ts'

/** The methods of every path, in the contract's words. */
export const KNOWN_ROUTES: ReadonlyMap<string, ReadonlySet<string>> = collect()

/** Collects them from the routes of a control plane that receives no requests. */
function collect(): Map<string, Set<string>> {
  const newId = (): string => ''
  const uploads = new Uploads(Date.now, newId)
  const plane = {
    store: new Store({ speed: 1, now: Date.now, newId, uploads, script: () => undefined }),
    uploads,
    workspace: new Workspace(DEFAULT_RESOURCES, Date.now),
    tracing: new Tracing(newId),
    agentWorkspace: new AgentWorkspace(Date.now, newId),
    origin: () => '',
  }
  const routes = [
    ...routesOver({ ...plane, spelling: 'contract', habits: CONTRACT }),
    ...routesOver({ ...plane, spelling: 'langsmith', habits: LANGSMITH }),
  ]
  const known = new Map([[UPLOAD_PATTERN, new Set(['PUT'])]])
  for (const { pattern, method } of routes) {
    const methods = known.get(pattern) ?? new Set<string>()
    methods.add(method)
    // Every GET route answers HEAD as well.
    if (method === 'GET') methods.add('HEAD')
    known.set(pattern, methods)
  }
  return known
}
