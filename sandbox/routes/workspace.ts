import { refuse, validate } from '../answers.ts'
import type { Listener } from '../estate.ts'
import * as take from '../schemas.ts'
import { page } from '../views.ts'
import { idOf, type Plane, type Route } from './route.ts'

/** What deployments are made with: listeners, integrations and their repositories. */
export function workspaceRoutes({ estate, startedAt }: Plane): Route[] {
  const at = new Date(startedAt).toISOString()
  const showListener = (listener: Listener): object => ({ ...listener, created_at: at, updated_at: at })

  return [
    {
      method: 'GET',
      pattern: '/v2/listeners',
      answer: ({ query }) => {
        const wanted = validate(take.listListeners, query, 'query')
        return { status: 200, body: page(estate.listeners.map(showListener), wanted) }
      },
    },
    {
      method: 'GET',
      pattern: '/v1/integrations/git_host/install',
      answer: () => ({
        status: 200,
        body: estate.integrations.map(({ id, installation_id, name }) => ({ id, installation_id, name })),
      }),
    },
    {
      method: 'GET',
      pattern: '/v1/integrations/git_host/{integration_id}/repos',
      answer: (request) => {
        const id = idOf(request, 'integration_id')
        const integration = estate.integrations.find((one) => one.id === id)
        if (integration === undefined) throw refuse(404, `Integration ID ${id} not found.`)
        const body = integration.repositories.map((one) => ({ host_integration_id: id, ...one }))
        return { status: 200, body }
      },
    },
  ]
}
