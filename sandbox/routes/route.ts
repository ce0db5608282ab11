import { z } from 'zod'
import type { AgentWorkspace } from '../agentws/workspace.ts'
import { parseJson, validate } from '../answers.ts'
import type { Habits } from '../habits.ts'
import type { Store } from '../store.ts'
import type { Tracing } from '../tracing.ts'
import type { Uploads } from '../uploads.ts'
import type { Workspace } from '../workspace.ts'

/** The state that the routes read and write. */
export interface Plane {
  store: Store
  uploads: Uploads
  workspace: Workspace
  tracing: Tracing
  agentWorkspace: AgentWorkspace
  /** The address of this server, without the path prefix. */
  origin: () => string
}

/** How one spelling of the API behaves over that state. */
export interface Service extends Plane {
  spelling: 'contract' | 'langsmith'
  habits: Habits
}

type Status = 200 | 201 | 204 | 206 | 207 | 400 | 403 | 404 | 409 | 413 | 416 | 500

export type Answer =
  | { status: 200 | 201 | 207; body: unknown }
  | { status: 204 }
  /** Raw bytes, such as those of a file. */
  | { status: 200 | 206; bytes: Uint8Array; headers: Record<string, string> }

/** A request as received. */
interface RouteRequest {
  /** Path parameters, decoded. */
  ids: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  text: string
  /** The file of a multipart body. */
  file: Uint8Array | undefined
  header: (name: string) => string | undefined
}

/**
 * Where a route is described: in the contract; in the notes on it; in the contract by a few facts only; without a path; or
 * by the public service only, whose other names /langsmith serves.
 */
type Described = 'contract' | 'notes' | 'partly' | 'without a path' | 'langsmith'

type Group = 'deployments' | 'revisions' | 'workspace' | 'tracing' | 'feedback' | 'gateway' | 'agent workspace'

/** The body of a response: JSON of a schema, no body, or the bytes of a file. */
export type Shape = z.ZodType | 'nothing' | 'bytes'

interface Facts {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The pattern in the contract; if it has none, an assumption of the sandbox. */
  pattern: string
  summary: string
  group: Group
  described: Described
  /** The day of its removal, such as 2026-08-10. */
  removedOn?: string
  /** The route answers HEAD as well, with the size. */
  hasHead?: true
  /** Its body is a file, as multipart/form-data. */
  takesFile?: true
  /** The body for each status. 401, 403 for wrong credentials, and 422 are implied. */
  answers: Partial<Record<Status, Shape>>
}

/** One route: the data for the server and for its document. */
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

/** A part of the request that a route ignores. */
export const anything = z.unknown()

/** Checks the whole request before it reads any state: 422 comes before 404. */
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
