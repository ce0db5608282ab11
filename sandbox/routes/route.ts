import { z } from 'zod'
import { validate } from '../answers.ts'
import type { Estate } from '../estate.ts'
import type { Store } from '../store.ts'
import type { Uploads } from '../uploads.ts'

export interface RouteRequest {
  /** Path parameters, each a UUID. */
  ids: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: unknown
}

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As the contract writes it. */
  pattern: string
  /** Not in the contract: a service may lack it. */
  optional?: boolean
  answer: (request: RouteRequest) => { status: 200 | 201 | 204; body?: unknown }
}

/** What the routes answer from. */
export interface Plane {
  store: Store
  uploads: Uploads
  estate: Estate
  /** Where this server is to be reached, without the path prefix. */
  origin: () => string
  startedAt: number
}

/** The UUID that stands in the path under this name. */
export function idOf({ ids }: RouteRequest, name: string): string {
  return validate(z.object({ [name]: z.guid() }), ids, 'path')[name] ?? ''
}
