import { z } from 'zod'
import type { AgentWorkspace } from '../agentws/workspace.ts'
import { parseJson, validate } from '../answers.ts'
import type { Store } from '../store.ts'
import type { Tracing } from '../tracing.ts'
import type { Uploads } from '../uploads.ts'
import type { Workspace } from '../workspace.ts'

/** What the routes answer from. */
export interface Plane {
  store: Store
  uploads: Uploads
  workspace: Workspace
  tracing: Tracing
  agentWorkspace: AgentWorkspace
  /** Where this server is to be reached, without the path prefix. */
  origin: () => string
}

export type Status = 200 | 201 | 204 | 206 | 400 | 403 | 404 | 409 | 413 | 416

export type Answer =
  | { status: 200 | 201; body: unknown }
  | { status: 204 }
  /** Raw bytes, as of a file. */
  | { status: 200 | 206; bytes: Uint8Array; headers: Record<string, string> }

/** A request as it came. */
export interface RouteRequest {
  /** Path parameters, decoded. */
  ids: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  text: string
  /** Of a multipart body: the file in it. */
  file: Uint8Array | undefined
  header: (name: string) => string | undefined
}

/** Where a route is described: in the contract, in full or by name; in the notes on it; in the contract by a few facts, or without its path. */
export type Described = 'contract' | 'notes' | 'partly' | 'without a path'

export type Group =
  'deployments' | 'revisions' | 'workspace' | 'tracing' | 'feedback' | 'gateway' | 'agent workspace'

/** What comes with a status: JSON of a schema, nothing, or the bytes of a file. */
export type Shape = z.ZodType | 'nothing' | 'bytes'

interface Facts {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the contract writes it; where it writes none, the sandbox's own. */
  pattern: string
  summary: string
  group: Group
  described: Described
  /** The day, as in 2026-08-10, from which on it is no longer there. */
  removedOn?: string
  /** A GET that answers HEAD as well, with the size. */
  hasHead?: true
  /** Its body is a file, as multipart/form-data. */
  takesFile?: true
  /** What comes with each status; 401, 403 for wrong credentials, and 422 are understood. */
  answers: Partial<Record<Status, Shape>>
}

/** One route: what the server matches and answers, and what its document tells. */
export interface Route extends Facts {
  ids: z.ZodType
  query: z.ZodType
  body: z.ZodType
  /** @throws Refusal */
  handle: (request: RouteRequest) => Answer
}

interface Declaration<Ids, Query, Body> extends Facts {
  ids: z.ZodType<Ids>
  query: z.ZodType<Query>
  body: z.ZodType<Body>
  answer: (request: { ids: Ids; query: Query; body: Body } & Pick<RouteRequest, 'file' | 'header'>) => Answer
}

/** A part of the request that a route does not look at. */
export const anything = z.unknown()

/** Everything of a request is checked before anything is looked up: 422 comes before 404. */
export function route<Ids, Query, Body>({ answer, ...declared }: Declaration<Ids, Query, Body>): Route {
  return {
    ...declared,
    handle({ ids, query, text, file, header }) {
      return answer({
        ids: validate(declared.ids, ids, 'path'),
        query: validate(declared.query, query, 'query'),
        body: validate(declared.body, bodyOf(text, declared.body), 'body'),
        file,
        header,
      })
    },
  }
}

function bodyOf(text: string, schema: z.ZodType): unknown {
  return schema === anything || text === '' ? undefined : parseJson(text)
}

/** Path parameters that are all UUIDs. */
export function uuids<const Name extends string>(...names: Name[]): z.ZodType<Record<Name, string>> {
  return z.record(z.enum(names), z.guid())
}

/** `{detail}`, the contract's error body. */
export const detail = z.object({ detail: z.string() }).meta({ id: 'Detail' })
