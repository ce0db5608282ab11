import { z } from 'zod'
import { freeObject, cursorPageOf } from '../shapes.ts'
import { anything, detail, route, type Plane, type Route } from './route.ts'

const member = z.object({ user_id: z.string(), email: z.string(), name: z.string() })
const rating = z.looseObject({ thread_id: z.string().min(1), run_id: z.string().min(1) })
const someRating = z.object({ thread_id: z.string().optional(), run_id: z.string().optional() })
const ofRef = z.object({ ref: z.string().min(1) })
const snapshotShape = z.object({ id: z.string(), name: z.string(), tag: z.string() })

/** Members, ratings, threads and snapshots of the agent workspace. */
export function agentWorkspaceRoutes({ agentWorkspace }: Plane): Route[] {
  return [
    route({
      method: 'GET',
      pattern: '/v1/agentws/users',
      summary: 'Lists and searches members by email or name',
      group: 'agent workspace',
      described: 'partly',
      ids: anything,
      query: z.object({ search: z.string().optional() }),
      body: anything,
      answers: { 200: z.object({ items: z.array(member) }) },
      answer({ query: { search = '' } }) {
        const word = search.toLowerCase()
        const items = agentWorkspace.members.filter(({ email, name }) =>
          [email, name].some((text) => text.toLowerCase().includes(word)),
        )
        return { status: 200, body: { items } }
      },
    }),
    route({
      method: 'GET',
      pattern: '/v1/agentws/threads',
      summary: 'Lists threads',
      group: 'agent workspace',
      described: 'without a path',
      ids: anything,
      query: anything,
      body: anything,
      answers: { 200: cursorPageOf(freeObject) },
      answer: () => ({ status: 200, body: { items: [], next_cursor: null } }),
    }),
    route({
      method: 'GET',
      pattern: '/v1/agentws/sandbox-snapshots/{ref}',
      summary: 'Reads a snapshot by its id or a Docker-style reference; a slash in it is written %2F',
      group: 'agent workspace',
      described: 'partly',
      ids: ofRef,
      query: anything,
      body: anything,
      answers: { 200: snapshotShape, 404: detail },
      answer: ({ ids }) => ({ status: 200, body: agentWorkspace.snapshot(ids.ref) }),
    }),
    route({
      method: 'DELETE',
      pattern: '/v1/agentws/sandbox-snapshots/{ref}',
      summary: 'Deletes a snapshot, unless a sandbox was created from it',
      group: 'agent workspace',
      described: 'partly',
      ids: ofRef,
      query: anything,
      body: anything,
      answers: { 204: 'nothing', 409: detail },
      answer({ ids }) {
        agentWorkspace.deleteSnapshot(ids.ref)
        return { status: 204 }
      },
    }),
    route({
      method: 'POST',
      pattern: '/v1/agentws/feedback',
      summary: 'Sets a rating',
      group: 'agent workspace',
      described: 'partly',
      ids: anything,
      query: anything,
      body: rating,
      answers: { 200: rating },
      answer: ({ body }) => ({ status: 200, body: agentWorkspace.rate(body) }),
    }),
    route({
      method: 'DELETE',
      pattern: '/v1/agentws/feedback',
      summary: 'Clears a rating',
      group: 'agent workspace',
      described: 'partly',
      ids: anything,
      query: someRating,
      body: someRating.nullish(),
      answers: { 204: 'nothing' },
      answer({ query, body }) {
        agentWorkspace.clearRating({ ...query, ...body })
        return { status: 204 }
      },
    }),
    route({
      method: 'GET',
      pattern: '/v1/agentws/feedback',
      summary: 'Lists up to 100 recent ratings, the newest first',
      group: 'agent workspace',
      described: 'partly',
      ids: anything,
      query: anything,
      body: anything,
      answers: { 200: z.object({ items: z.array(rating), is_truncated: z.boolean() }) },
      answer: () => ({ status: 200, body: agentWorkspace.ratings() }),
    }),
  ]
}
