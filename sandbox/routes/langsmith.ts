import { logPage } from '../log-page.ts'
import { checkPushable } from '../rules.ts'
import * as take from '../schemas.ts'
import * as shape from '../shapes.ts'
import { showDeployment, showRevision } from '../views.ts'
import { anything, detail, route, uuids, type Answer, type Route, type Service } from './route.ts'

const DEPLOYMENTS = '/v2/deployments'
const PROJECT = '/v1/projects/{project_id}'

/** Routes of the public service that the contract does not have. Its clients call them. */
export function langsmithRoutes(service: Service): Route[] {
  return [...deploymentRoutes(service), ...logRoutes(service)]
}

function deploymentRoutes({ store, workspace, habits }: Service): Route[] {
  return [
    route({
      method: 'PATCH',
      pattern: `${DEPLOYMENTS}/{deployment_id}/deployment-tier`,
      summary: 'Changes the size of a deployment, and creates a revision',
      group: 'deployments',
      described: 'langsmith',
      ids: uuids('deployment_id'),
      query: anything,
      body: take.changeTier,
      answers: { 200: shape.deploymentShape, 404: detail, 500: detail },
      answer: ({ ids, body }) => ({
        status: 200,
        body: showDeployment(store, store.resize(ids.deployment_id, body.deployment_tier), habits),
      }),
    }),
    route({
      method: 'POST',
      pattern: `${DEPLOYMENTS}/{deployment_id}/push-token`,
      summary: 'Returns credentials for the push of an image',
      group: 'deployments',
      described: 'langsmith',
      ids: uuids('deployment_id'),
      query: anything,
      body: take.requestPush,
      answers: { 200: shape.pushTokenShape, 400: detail, 404: detail },
      answer({ ids, body }) {
        const deployment = store.get(ids.deployment_id)
        checkPushable(deployment)
        const registry = `images.example/${deployment.id.slice(0, 8)}`
        const named = { username: 'sandbox', repository_url: `https://${registry}/agent` }
        const basic = { token: `push-${deployment.id}`, registry_url: `https://${registry}` }
        return { status: 200, body: body?.supports_registry_username === true ? { ...basic, ...named } : basic }
      },
    }),
    route({
      method: 'POST',
      pattern: `${DEPLOYMENTS}/{deployment_id}/revisions/{revision_id}/interrupt`,
      summary: 'Interrupts a revision that has not ended',
      group: 'revisions',
      described: 'langsmith',
      ids: uuids('deployment_id', 'revision_id'),
      query: anything,
      body: anything,
      answers: { 200: shape.revisionShape, 400: detail, 404: detail },
      answer({ ids }) {
        const found = store.getRevision(ids.deployment_id, ids.revision_id)
        store.interrupt(found)
        return { status: 200, body: showRevision(store, found.revision, habits) }
      },
    }),
    route({
      method: 'GET',
      pattern: '/v2/listeners/{listener_id}',
      summary: 'Reads a listener',
      group: 'workspace',
      described: 'langsmith',
      ids: uuids('listener_id'),
      query: anything,
      body: anything,
      answers: { 200: shape.listenerShape, 404: detail },
      answer: ({ ids }) => ({ status: 200, body: workspace.listener(ids.listener_id) }),
    }),
  ]
}

/** A project has the ID of its deployment. */
function logRoutes({ store }: Service): Route[] {
  const ofRevision = (type: 'build' | 'deploy') =>
    route({
      ...LOGS,
      pattern: `${PROJECT}/revisions/{revision_id}/${type}_logs`,
      summary: `Reads the ${type} log of a revision`,
      ids: uuids('project_id', 'revision_id'),
      answer({ ids, body }): Answer {
        const { revision } = store.getRevision(ids.project_id, ids.revision_id)
        return { status: 200, body: logPage(store.logOf(revision, type), body) }
      },
    })
  return [
    ofRevision('build'),
    ofRevision('deploy'),
    route({
      ...LOGS,
      pattern: `${PROJECT}/deploy_logs`,
      summary: 'Reads the deploy log of the active revision, otherwise of the latest one',
      ids: uuids('project_id'),
      answer({ ids, body }): Answer {
        const deployment = store.get(ids.project_id)
        const revision = store.activeRevision(deployment) ?? deployment.revisions.at(-1)
        const log = revision === undefined ? [] : store.logOf(revision, 'deploy')
        return { status: 200, body: logPage(log, body) }
      },
    }),
  ]
}

const LOGS = {
  method: 'POST',
  group: 'revisions',
  described: 'langsmith',
  query: anything,
  body: take.readLogs,
  answers: { 200: shape.cursorLogShape, 404: detail },
} as const
