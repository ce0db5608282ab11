import { z } from 'zod'
import { queryFlag } from '../fields.ts'
import { freeObject, pageOf } from '../shapes.ts'
import { anything, route, type Plane, type Route } from './route.ts'

/** The contract states a few facts about these routes. Only those are checked. */

const MAX_ITEMS = 200
const queueItem = z.discriminatedUnion('item_type', [
  // The contract requires the type only for a thread.
  z.looseObject({ item_type: z.literal('RUN').nullish() }),
  z.looseObject({ item_type: z.literal('THREAD'), thread_id: z.string(), session_id: z.string() }),
])
/** A list, or a list in the field `items`: the contract does not define which. */
const queueItems = z.union([z.array(queueItem).max(MAX_ITEMS), z.object({ items: z.array(queueItem).max(MAX_ITEMS) })])

export function tracingRoutes({ origin, tracing }: Plane): Route[] {
  return [
    route({
      method: 'POST',
      pattern: '/v2/datasets/{dataset_id}/experiment-runs',
      summary: 'Compares experiments, in pages',
      group: 'tracing',
      described: 'partly',
      ids: anything,
      query: anything,
      body: freeObject,
      answers: { 200: pageOf(freeObject) },
      answer: () => ({ status: 200, body: { resources: [], offset: 0 } }),
    }),
    route({
      method: 'POST',
      pattern: '/annotation-queues/{queue_id}/items',
      summary: 'Adds items to an annotation queue, at most 200 at once',
      group: 'tracing',
      described: 'partly',
      ids: anything,
      query: z.object({ extend_trace_retention: queryFlag.optional() }),
      body: queueItems,
      answers: { 200: freeObject },
      answer: () => ({ status: 200, body: {} }),
    }),
    route({
      method: 'GET',
      pattern: '/v2/runs/{run_id}/url',
      summary: 'Gives the address of a run in the user interface',
      group: 'tracing',
      described: 'partly',
      ids: z.object({ run_id: z.string() }),
      query: anything,
      body: anything,
      answers: { 200: z.object({ url: z.string() }) },
      answer: ({ ids }) => ({ status: 200, body: { url: `${origin()}/runs/${encodeURIComponent(ids.run_id)}` } }),
    }),
    route({
      method: 'GET',
      pattern: '/api/v1/workspaces/{workspace_id}',
      summary: 'Reads a workspace',
      group: 'tracing',
      described: 'partly',
      ids: z.object({ workspace_id: z.string() }),
      query: anything,
      body: anything,
      answers: { 200: z.looseObject({ id: z.string() }) },
      answer: ({ ids }) => ({ status: 200, body: { id: ids.workspace_id } }),
    }),
    route({
      method: 'POST',
      pattern: '/runs/rules/validate',
      summary: 'Tests a thread evaluator',
      group: 'tracing',
      described: 'partly',
      ids: anything,
      query: anything,
      body: z.looseObject({ test_thread_id: z.string().nullish(), session_id: z.string().nullish() }),
      answers: { 200: freeObject },
      answer: () => ({ status: 200, body: {} }),
    }),
    route({
      method: 'GET',
      pattern: '/threads/stats',
      summary: 'Thread statistics',
      group: 'tracing',
      described: 'without a path',
      ids: anything,
      query: z.object({ filter: z.string().optional() }),
      body: anything,
      answers: { 200: freeObject },
      answer: () => ({ status: 200, body: {} }),
    }),
    ...['/openai/v1/responses/compact', '/responses/compact'].map((pattern) =>
      route({
        method: 'POST',
        pattern,
        summary: 'Handled like the responses route of the gateway',
        group: 'gateway',
        described: 'partly',
        ids: anything,
        query: anything,
        body: freeObject,
        answers: { 200: freeObject },
        answer: () => ({ status: 200, body: {} }),
      }),
    ),
    route({
      method: 'POST',
      pattern: '/identity/guest',
      summary: 'Creates a guest token; a real service uses a separate host',
      group: 'gateway',
      described: 'partly',
      ids: anything,
      query: anything,
      body: anything,
      answers: { 200: z.object({ token: z.string() }) },
      answer: () => ({ status: 200, body: { token: `guest-${tracing.newId()}` } }),
    }),
  ]
}
