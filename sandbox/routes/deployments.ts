import { validate } from '../answers.ts'
import * as take from '../schemas.ts'
import { checkEstate } from '../estate.ts'
import { filterDeployments, page, showDeployment } from '../views.ts'
import { idOf, type Plane, type Route } from './route.ts'

const ONE = '/v2/deployments/{deployment_id}'

export function deploymentRoutes({ store, estate, uploads, origin }: Plane): Route[] {
  return [
    {
      method: 'POST',
      pattern: '/v2/deployments',
      answer: ({ body }) => {
        const wanted = validate(take.createDeployment, body, 'body')
        checkEstate(wanted, estate)
        const deployment = store.create(wanted)
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
      pattern: ONE,
      answer: (request) => {
        const deployment = store.get(idOf(request, 'deployment_id'))
        return { status: 200, body: showDeployment(store, deployment) }
      },
    },
    {
      method: 'PATCH',
      pattern: ONE,
      answer: (request) => {
        const { id } = store.get(idOf(request, 'deployment_id'))
        const deployment = store.update(id, validate(take.updateDeployment, request.body, 'body'))
        return { status: 200, body: showDeployment(store, deployment) }
      },
    },
    {
      method: 'DELETE',
      pattern: ONE,
      optional: true,
      answer: (request) => {
        store.delete(idOf(request, 'deployment_id'))
        return { status: 204 }
      },
    },
    // The contract prints it without a version, and says elsewhere that every path has one.
    ...[`${ONE}/upload-url`, '/deployments/{deployment_id}/upload-url'].map((pattern): Route => ({
      method: 'POST',
      pattern,
      answer: (request) => {
        const { id } = store.uploadable(idOf(request, 'deployment_id'))
        return { status: 200, body: uploads.issue(id, origin()) }
      },
    })),
  ]
}
