import type { CreateDeployment } from '../sandbox/schemas.ts'
import { z } from 'zod'
import type { Chance } from './chance.ts'

/** The list of deployments of a crowded control plane, whose pages are short. */

/** The shortest page after which a reader expects another one. */
const PAGE_SIZE = 10
/** Part of each name that the stories look for, so that every filter finds them. */
const NEIGHBOUR = 'hello-agent-pr-7-agent-1-near-'

/** Deployments that no run is about: older ones, these, and newer ones. */
export function withNeighbours(
  seed: readonly CreateDeployment[],
  { olderPart }: { olderPart: number },
  chance: Chance,
): CreateDeployment[] {
  const neighbours = Array.from({ length: 12 + Math.floor(chance() * 18) }, (_, index): CreateDeployment => {
    const name = `${NEIGHBOUR}${index}`
    return { name, source: 'internal_template', source_config: {}, source_revision_config: {}, secrets: [] }
  })
  const older = Math.floor(chance() * olderPart * neighbours.length)
  return [...neighbours.slice(0, older), ...seed, ...neighbours.slice(older)]
}

export function isNeighbour(name: unknown): boolean {
  return String(name).startsWith(NEIGHBOUR)
}

/** The place of a later page of the list of deployments. */
function placeOf({ method, url }: Pick<Request, 'method' | 'url'>): URL | undefined {
  const place = new URL(url)
  const isList = method === 'GET' && /\/v2\/deployments$/.test(place.pathname)
  return isList && !place.searchParams.has('deployment_ids') ? place : undefined
}

/** The request for a page that is not longer than those of the service. */
export function forShortPage(request: Request): Request {
  const place = placeOf(request)
  if (place === undefined || Number(place.searchParams.get('limit') ?? PAGE_SIZE) <= PAGE_SIZE) return request
  place.searchParams.set('limit', String(PAGE_SIZE))
  return new Request(place, request)
}

export function isLaterPage(request: Pick<Request, 'method' | 'url'>): boolean {
  return Number(placeOf(request)?.searchParams.get('offset') ?? 0) > 0
}

const pageSchema = z.looseObject({ resources: z.array(z.unknown()), offset: z.number() })

/** A page whose first entry has moved to a page that was read already: one that was there comes in its place. */
export async function answerShifted(
  request: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const place = placeOf(request)
  if (place === undefined || !isLaterPage(request)) return await answer(request)
  const { searchParams: query } = place
  query.set('limit', String(Number(query.get('limit')) + 1))
  query.set('offset', String(Number(query.get('offset')) - 1))
  const response = await answer(new Request(place, request))
  const read = pageSchema.safeParse(response.ok ? await jsonOf(response.clone()) : undefined)
  if (!read.success) return response
  const { resources } = read.data
  const { headers, status } = response
  return Response.json({ ...read.data, resources: resources.filter((_, index) => index !== 1) }, { status, headers })
}

/** Undefined for what a fault has sent in its place. */
async function jsonOf(response: Response): Promise<unknown> {
  return await response.json().catch(() => undefined)
}
