import { z } from 'zod'
import { listFiles, partOf } from '../agentws/files.ts'
import type { StoredSandbox } from '../agentws/workspace.ts'
import { refuse } from '../answers.ts'
import { queryInteger, text } from '../fields.ts'
import { cursorPageOf } from '../shapes.ts'
import { anything, detail, route, type Plane, type Route } from './route.ts'

const ONE = '/v1/agentws/sandboxes/{id}'
const ofOne = z.object({ id: z.string() })
const aPath = z.string().min(1)

const newSandbox = z.looseObject({
  snapshot_id: text,
  /** A `name:tag` reference. */
  snapshot: text,
  /** If not set, the platform's retention; zero is kept. */
  delete_after_stop_seconds: z.int().min(0).nullish(),
})

const sandboxShape = z.object({
  id: z.string(),
  state: z.enum(['ready', 'deleting']),
  snapshot_id: z.string(),
  delete_after_stop_seconds: z.int(),
})
const fileShape = z.object({ path: z.string(), size: z.int() })

/** Sandboxes of the agent workspace, and their files. */
export function sandboxRoutes({ agentWorkspace }: Plane): Route[] {
  const show = (sandbox: StoredSandbox): z.infer<typeof sandboxShape> => ({
    id: sandbox.id,
    state: agentWorkspace.stateOf(sandbox),
    snapshot_id: sandbox.snapshotId,
    delete_after_stop_seconds: sandbox.deleteAfterStopSeconds,
  })
  return [
    route({
      method: 'POST',
      pattern: '/v1/agentws/sandboxes',
      summary: 'Creates a ready sandbox from a snapshot, by default from that of the workspace',
      group: 'agent workspace',
      described: 'partly',
      ids: anything,
      query: anything,
      body: newSandbox.nullish(),
      answers: { 201: sandboxShape, 404: detail },
      answer({ body }) {
        const wanted = body?.snapshot_id ?? body?.snapshot ?? undefined
        const seconds = body?.delete_after_stop_seconds ?? undefined
        return { status: 201, body: show(agentWorkspace.createSandbox(wanted, seconds)) }
      },
    }),
    route({
      method: 'GET',
      pattern: ONE,
      summary: 'Reads a sandbox, also one that is being deleted',
      group: 'agent workspace',
      described: 'without a path',
      ids: ofOne,
      query: anything,
      body: anything,
      answers: { 200: sandboxShape, 404: detail },
      answer: ({ ids }) => ({ status: 200, body: show(agentWorkspace.sandbox(ids.id)) }),
    }),
    route({
      method: 'DELETE',
      pattern: ONE,
      summary: 'Deletes a sandbox, in the background',
      group: 'agent workspace',
      described: 'partly',
      ids: ofOne,
      query: anything,
      body: anything,
      answers: { 204: 'nothing' },
      answer({ ids }) {
        agentWorkspace.deleteSandbox(ids.id)
        return { status: 204 }
      },
    }),
    route({
      method: 'POST',
      pattern: `${ONE}/files`,
      summary: 'Uploads a file, of at most 100 megabytes',
      group: 'agent workspace',
      described: 'partly',
      takesFile: true,
      ids: ofOne,
      query: z.object({ path: aPath }),
      body: anything,
      answers: { 201: fileShape, 404: detail, 413: detail },
      answer({ ids, query, file }) {
        const { files } = agentWorkspace.sandbox(ids.id)
        const bytes = file ?? new Uint8Array()
        files.set(query.path, bytes)
        return { status: 201, body: { path: query.path, size: bytes.byteLength } }
      },
    }),
    route({
      method: 'GET',
      pattern: `${ONE}/files`,
      summary: 'Lists files under a path by a glob pattern',
      group: 'agent workspace',
      described: 'partly',
      ids: ofOne,
      query: z.object({
        path: z.string().default('/'),
        pattern: z.string().min(1).default('**'),
        page_size: queryInteger(100, 1, 1000),
        cursor: z.string().optional(),
      }),
      body: anything,
      answers: { 200: cursorPageOf(fileShape), 404: detail },
      answer({ ids, query: { path, pattern, page_size: pageSize, cursor } }) {
        const { files } = agentWorkspace.sandbox(ids.id)
        return { status: 200, body: listFiles(files, { path, pattern, pageSize, cursor }) }
      },
    }),
    route({
      method: 'GET',
      pattern: `${ONE}/files/content`,
      summary: "A file's raw bytes, or a range of them",
      group: 'agent workspace',
      described: 'partly',
      hasHead: true,
      ids: ofOne,
      query: z.object({ path: aPath }),
      body: anything,
      answers: { 200: 'bytes', 206: 'bytes', 404: detail, 416: detail },
      answer({ ids, query, header }) {
        const bytes = agentWorkspace.sandbox(ids.id).files.get(query.path)
        if (bytes === undefined) throw refuse(404, `File ${query.path} not found.`)
        const range = partOf(bytes, header('range'))
        const headers = { 'accept-ranges': 'bytes' }
        if (range === undefined) return { status: 200, bytes, headers }
        const { part, from, to } = range
        const contentRange = { 'content-range': `bytes ${from}-${to}/${bytes.byteLength}` }
        return { status: 206, bytes: part, headers: { ...headers, ...contentRange } }
      },
    }),
  ]
}
