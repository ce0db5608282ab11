import { z } from 'zod'
import { refuse } from '../answers.ts'
import * as take from '../schemas.ts'
import * as shape from '../shapes.ts'
import { page } from '../views.ts'
import { anything, detail, route, uuids, type Plane, type Route } from './route.ts'

/** Listeners, integrations and their repositories, provider tokens. */
export function workspaceRoutes({ workspace }: Plane): Route[] {
  return [
    route({
      method: 'GET',
      pattern: '/v2/listeners',
      summary: 'Lists listeners',
      group: 'workspace',
      described: 'contract',
      ids: anything,
      query: take.listListeners,
      body: anything,
      answers: { 200: shape.pageOf(shape.listenerShape) },
      answer: ({ query }) => ({ status: 200, body: page(workspace.listeners(), query) }),
    }),
    route({
      method: 'DELETE',
      pattern: '/v2/listeners/{listener_id}',
      summary: 'Deletes a listener; only on a self-hosted enterprise plan',
      group: 'workspace',
      described: 'contract',
      ids: uuids('listener_id'),
      query: anything,
      body: anything,
      answers: { 204: 'nothing', 403: detail, 404: detail },
      answer({ ids }) {
        workspace.deleteListener(ids.listener_id)
        return { status: 204 }
      },
    }),
    route({
      method: 'GET',
      pattern: '/v1/integrations/git_host/install',
      summary: 'Lists the installed git-host integrations',
      group: 'workspace',
      described: 'contract',
      ids: anything,
      query: anything,
      body: anything,
      answers: { 200: z.array(shape.integrationShape) },
      answer: () => ({
        status: 200,
        body: workspace.integrations.map(({ id, installation_id, name }) => ({ id, installation_id, name })),
      }),
    }),
    route({
      method: 'GET',
      pattern: '/v1/integrations/git_host/{integration_id}/repos',
      summary: 'Lists the repositories of an integration',
      group: 'workspace',
      described: 'without a path',
      ids: uuids('integration_id'),
      query: anything,
      body: anything,
      answers: { 200: z.array(shape.repositoryShape), 404: detail },
      answer({ ids: { integration_id: id } }) {
        const integration = workspace.integrations.find((one) => one.id === id)
        if (integration === undefined) throw refuse(404, `Integration ID ${id} not found.`)
        const body = integration.repositories.map((one) => ({ host_integration_id: id, ...one }))
        return { status: 200, body }
      },
    }),
    route({
      method: 'PATCH',
      pattern: '/v2/auth/tokens/{token_id}/metadata',
      summary: "Updates a provider token's label and default flag; only its owner may",
      group: 'workspace',
      described: 'contract',
      ids: uuids('token_id'),
      query: anything,
      body: take.updateTokenLabel,
      answers: { 200: shape.providerTokenShape, 403: detail, 404: detail },
      answer: ({ ids, body }) => ({ status: 200, body: workspace.updateToken(ids.token_id, body) }),
    }),
  ]
}
