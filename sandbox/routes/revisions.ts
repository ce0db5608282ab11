import { logPage } from '../log-page.ts'
import * as take from '../schemas.ts'
import * as shape from '../shapes.ts'
import type { Store } from '../store.ts'
import { page, showDeployment, showRevision } from '../views.ts'
import { anything, detail, route, uuids, type Route, type Service } from './route.ts'

const ALL = '/v2/deployments/{deployment_id}/revisions'
const ONE = `${ALL}/{revision_id}`
const ofOne = uuids('deployment_id', 'revision_id')

export function revisionRoutes({ store, spelling, habits }: Service): Route[] {
  return [
    route({
      method: 'POST',
      pattern: ALL,
      summary: 'Creates a revision, even if nothing changes',
      group: 'revisions',
      described: 'contract',
      ids: uuids('deployment_id'),
      query: anything,
      body: take.createRevision,
      answers: { 201: shape.revisionShape, 400: detail, 404: detail },
      answer: ({ ids, body }) => ({
        status: 201,
        body: showRevision(store, store.revise(ids.deployment_id, body, habits), habits),
      }),
    }),
    route({
      method: 'GET',
      pattern: ALL,
      summary: 'Lists revisions, newest first',
      group: 'revisions',
      described: 'notes',
      ids: uuids('deployment_id'),
      query: take.listRevisions,
      body: anything,
      answers: { 200: shape.pageOf(shape.revisionShape), 404: detail },
      answer({ ids, query }) {
        const statuses = query.status?.split(',')
        const shown = store
          .get(ids.deployment_id)
          .revisions.map((revision) => showRevision(store, revision, habits))
          .reverse()
          .filter(({ status }) => statuses === undefined || statuses.some((one) => one === status))
        return { status: 200, body: page(shown, query) }
      },
    }),
    route({
      method: 'GET',
      pattern: ONE,
      summary: 'Reads a revision',
      group: 'revisions',
      described: 'contract',
      ids: ofOne,
      query: anything,
      body: anything,
      answers: { 200: shape.revisionShape, 404: detail },
      answer: ({ ids }) => ({
        status: 200,
        body: showRevision(store, store.getRevision(ids.deployment_id, ids.revision_id).revision, habits),
      }),
    }),
    spelling === 'langsmith' ? cursorLogs(store) : numberedLogs(store),
    route({
      method: 'POST',
      pattern: `${ONE}/redeploy`,
      summary: 'Creates a revision that repeats an older one',
      group: 'revisions',
      described: 'notes',
      ids: ofOne,
      query: anything,
      body: anything,
      answers: { 200: shape.deploymentShape, 404: detail },
      answer({ ids }) {
        const { deployment, revision } = store.getRevision(ids.deployment_id, ids.revision_id)
        store.redeploy(deployment, revision, habits)
        return { status: 200, body: showDeployment(store, deployment, habits) }
      },
    }),
  ]
}

/** The log route, apart from its paging. */
const LOGS = {
  method: 'GET',
  pattern: `${ONE}/logs`,
  summary: 'Reads the build or the deploy log of a revision',
  group: 'revisions',
  described: 'notes',
  ids: ofOne,
  body: anything,
} as const

/** `next_offset` is a number, and null on the last page. */
function numberedLogs(store: Store): Route {
  return route({
    ...LOGS,
    query: take.listLogs,
    answers: { 200: shape.logShape, 404: detail },
    answer({ ids, query: { type, order, level, limit, offset } }) {
      const lines = store
        .logOf(store.getRevision(ids.deployment_id, ids.revision_id).revision, type)
        .filter((line) => level === undefined || line.level === level.toUpperCase())
      const sorted = order === 'desc' ? lines.reverse() : lines
      const { resources: logs, offset: next } = page(sorted, { limit, offset })
      return { status: 200, body: { logs, next_offset: next < sorted.length ? next : null } }
    },
  })
}

/** `next_offset` is a text from which a later request continues, even if there is nothing more yet. */
function cursorLogs(store: Store): Route {
  return route({
    ...LOGS,
    query: take.followLogs,
    answers: { 200: shape.cursorLogShape, 404: detail },
    answer({ ids, query: { type, ...filters } }) {
      const { revision } = store.getRevision(ids.deployment_id, ids.revision_id)
      return { status: 200, body: logPage(store.logOf(revision, type), filters) }
    },
  })
}
