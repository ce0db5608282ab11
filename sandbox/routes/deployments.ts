import { z } from 'zod'
import { checkUploadable } from '../rules.ts'
import * as shape from '../shapes.ts'
import * as take from '../schemas.ts'
import { publicTicket } from '../uploads.ts'
import { filterDeployments, page, showDeployment } from '../views.ts'
import { anything, detail, route, uuids, type Route, type Service } from './route.ts'

const ONE = '/v2/deployments/{deployment_id}'
const id = uuids('deployment_id')

export function deploymentRoutes({ store, workspace, uploads, origin, spelling, habits }: Service): Route[] {
  const isPublic = spelling === 'langsmith'
  const creation: z.ZodType<take.NewDeployment> = isPublic ? take.createPublic : take.createDeployment
  const deletion: z.ZodType<take.DeleteOne> = isPublic ? take.deleteOne : z.object({})
  return [
    route({
      method: 'POST',
      pattern: '/v2/deployments',
      summary: 'Creates a deployment and its first revision',
      group: 'deployments',
      described: 'contract',
      ids: anything,
      query: anything,
      body: creation,
      answers: { 201: shape.deploymentShape, 400: detail, 409: detail },
      answer({ body }) {
        workspace.check(body, habits)
        return { status: 201, body: showDeployment(store, store.create(body, habits), habits) }
      },
    }),
    route({
      method: 'GET',
      pattern: '/v2/deployments',
      summary: 'Lists deployments, newest first',
      group: 'deployments',
      described: 'contract',
      ids: anything,
      query: isPublic ? take.listPublic : take.listDeployments,
      body: anything,
      answers: { 200: shape.pageOf(shape.deploymentShape) },
      answer: ({ query }) => ({ status: 200, body: page(filterDeployments(store, query, habits), query) }),
    }),
    route({
      method: 'GET',
      pattern: ONE,
      summary: 'Reads a deployment',
      group: 'deployments',
      described: 'contract',
      ids: id,
      query: anything,
      body: anything,
      answers: { 200: shape.deploymentShape, 404: detail },
      answer: ({ ids }) => ({ status: 200, body: showDeployment(store, store.get(ids.deployment_id), habits) }),
    }),
    route({
      method: 'PATCH',
      pattern: ONE,
      summary: 'Updates a deployment; a revision-relevant field creates a revision',
      group: 'deployments',
      described: 'contract',
      ids: id,
      query: anything,
      body: isPublic ? take.updateDeployment : take.updateDeployment,
      answers: { 200: shape.deploymentShape, 400: detail, 404: detail },
      answer: ({ ids, body }) => ({
        status: 200,
        body: showDeployment(store, store.update(ids.deployment_id, body, habits), habits),
      }),
    }),
    route({
      method: 'DELETE',
      pattern: ONE,
      summary: 'Deletes a deployment',
      group: 'deployments',
      described: 'notes',
      ids: id,
      query: deletion,
      body: anything,
      answers: { 204: 'nothing', 404: detail },
      answer({ ids, query }) {
        store.delete(ids.deployment_id, query, habits)
        return { status: 204 }
      },
    }),
    // The contract shows it without a version, although it states that every path has one.
    ...[`${ONE}/upload-url`, '/deployments/{deployment_id}/upload-url'].map((pattern) =>
      route({
        method: 'POST',
        pattern,
        summary: 'Returns a signed address for the upload of a source',
        group: 'deployments',
        described: 'contract',
        ids: id,
        query: anything,
        body: isPublic ? take.requestUpload : anything,
        answers: { 200: shape.uploadUrlShape, 400: detail, 404: detail },
        answer({ ids, body }) {
          const deployment = store.get(ids.deployment_id)
          checkUploadable(deployment, habits)
          const ticket = isPublic ? publicTicket(take.requestUpload.parse(body), uploads.newId) : {}
          return { status: 200, body: uploads.issue(deployment.id, origin(), ticket) }
        },
      }),
    ),
  ]
}
