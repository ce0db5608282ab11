import { z } from 'zod'
import { refuse, validate } from './answers.ts'
import * as take from './schemas.ts'
import type { Store } from './store.ts'
import { filterDeployments, page, showDeployment, showRevision } from './views.ts'

export interface RouteRequest {
  /** Path parameters, each a UUID. */
  ids: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: unknown
}

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As the contract writes it. */
  pattern: string
  /** Not in the contract: a service may lack it. */
  optional?: boolean
  answer: (request: RouteRequest) => { status: 200 | 201 | 204; body?: unknown }
}

/** The control plane's routes over a store. */
export function routesOver(store: Store): Route[] {
  return [
    {
      method: 'POST',
      pattern: '/v2/deployments',
      answer: ({ body }) => {
        const deployment = store.create(validate(take.createDeployment, body, 'body'))
        return { status: 201, body: showDeployment(store, deployment) }
      },
    },
    {
      method: 'GET',
      pattern: '/v2/deployments',
      answer: ({ query }) => {
        const wanted = validate(take.listDeployments, query, 'query')
        return { status: 200, body: page(filterDeployments(store, wanted), wanted) }
      },
    },
    {
      method: 'GET',
      pattern: '/v2/deployments/{deployment_id}',
      answer: ({ ids }) => ({
        status: 200,
        body: showDeployment(store, store.get(id(ids, 'deployment_id'))),
      }),
    },
    {
      method: 'PATCH',
      pattern: '/v2/deployments/{deployment_id}',
      answer: ({ ids, body }) => {
        const deploymentId = store.get(id(ids, 'deployment_id')).id
        const deployment = store.update(deploymentId, validate(take.createRevision, body, 'body'))
        return { status: 200, body: showDeployment(store, deployment) }
      },
    },
    {
      method: 'DELETE',
      pattern: '/v2/deployments/{deployment_id}',
      optional: true,
      answer: ({ ids }) => {
        store.delete(id(ids, 'deployment_id'))
        return { status: 204 }
      },
    },
    {
      method: 'POST',
      pattern: '/v2/deployments/{deployment_id}/revisions',
      answer: ({ ids, body }) => {
        const deployment = store.get(id(ids, 'deployment_id'))
        const revision = store.revise(deployment.id, validate(take.createRevision, body, 'body'))
        return { status: 201, body: showRevision(store, deployment, revision) }
      },
    },
    {
      method: 'GET',
      pattern: '/v2/deployments/{deployment_id}/revisions',
      optional: true,
      answer: ({ ids, query }) => {
        const wanted = validate(take.listRevisions, query, 'query')
        const deployment = store.get(id(ids, 'deployment_id'))
        const statuses = wanted.status?.split(',')
        const shown = deployment.revisions
          .map((revision) => showRevision(store, deployment, revision))
          .reverse()
          .filter(({ status }) => statuses === undefined || statuses.some((one) => one === status))
        return { status: 200, body: page(shown, wanted) }
      },
    },
    {
      method: 'GET',
      pattern: '/v2/deployments/{deployment_id}/revisions/{revision_id}',
      answer: ({ ids }) => {
        const found = store.getRevision(id(ids, 'deployment_id'), id(ids, 'revision_id'))
        return { status: 200, body: showRevision(store, found.deployment, found.revision) }
      },
    },
  ]
}

function id(ids: Readonly<Record<string, string>>, name: string): string {
  const parsed = validate(z.object({ [name]: z.guid() }), ids, 'path')[name]
  if (parsed === undefined) throw refuse(404, 'Not Found')
  return parsed
}
