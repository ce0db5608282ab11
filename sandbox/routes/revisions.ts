import { validate } from '../answers.ts'
import * as take from '../schemas.ts'
import type { StoredDeployment, StoredRevision } from '../records.ts'
import { page, showDeployment, showRevision } from '../views.ts'
import { idOf, type Plane, type Route, type RouteRequest } from './route.ts'

const ALL = '/v2/deployments/{deployment_id}/revisions'
const ONE = `${ALL}/{revision_id}`

export function revisionRoutes({ store }: Plane): Route[] {
  const find = (request: RouteRequest): { deployment: StoredDeployment; revision: StoredRevision } =>
    store.getRevision(idOf(request, 'deployment_id'), idOf(request, 'revision_id'))

  return [
    {
      method: 'POST',
      pattern: ALL,
      answer: (request) => {
        const deployment = store.get(idOf(request, 'deployment_id'))
        const revision = store.revise(deployment.id, validate(take.createRevision, request.body, 'body'))
        return { status: 201, body: showRevision(store, revision) }
      },
    },
    {
      method: 'GET',
      pattern: ALL,
      optional: true,
      answer: (request) => {
        const wanted = validate(take.listRevisions, request.query, 'query')
        const deployment = store.get(idOf(request, 'deployment_id'))
        const statuses = wanted.status?.split(',')
        const shown = deployment.revisions
          .map((revision) => showRevision(store, revision))
          .reverse()
          .filter(({ status }) => statuses === undefined || statuses.some((one) => one === status))
        return { status: 200, body: page(shown, wanted) }
      },
    },
    {
      method: 'GET',
      pattern: ONE,
      answer: (request) => ({ status: 200, body: showRevision(store, find(request).revision) }),
    },
    {
      method: 'GET',
      pattern: `${ONE}/logs`,
      optional: true,
      answer: (request) => {
        const { type, order, level, limit, offset } = validate(take.listLogs, request.query, 'query')
        const lines = store
          .logOf(find(request).revision, type)
          .filter((line) => level === undefined || line.level === level.toUpperCase())
        const sorted = order === 'desc' ? lines.reverse() : lines
        const { resources: logs, offset: next } = page(sorted, { limit, offset })
        return { status: 200, body: { logs, next_offset: next < sorted.length ? next : null } }
      },
    },
    {
      method: 'POST',
      pattern: `${ONE}/redeploy`,
      optional: true,
      answer: (request) => {
        const { deployment, revision } = find(request)
        store.redeploy(deployment, revision)
        return { status: 200, body: showDeployment(store, deployment) }
      },
    },
  ]
}
