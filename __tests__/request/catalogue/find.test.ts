import { describe, expect, it } from '@jest/globals'
import { findRoute, knownHint, routeNotices } from '../../../src/request/catalogue/find.ts'
import { routeNoticeEntry } from '../../../src/report/log-lines.ts'
import { type CatalogueRoute, ROUTES } from '../../../src/request/catalogue/routes.ts'
import type { Method } from '../../../src/control-plane/api-request.ts'
import { CONTRACT_ROUTES } from '../../fixtures/contract.ts'

const lineOf = ({ method, path }: Pick<CatalogueRoute, 'method' | 'path'>): string => `${method} ${path}`

function known(method: Method, path: string): CatalogueRoute {
  const found = findRoute(method, path)
  if (found.kind !== 'known') throw new Error(`${method} ${path} is ${found.kind}`)
  return found.route
}

const requestTo = (method: Method, path: string) => ({ method, path, match: findRoute(method, path) })

function entriesFor(...request: Parameters<typeof routeNotices>) {
  return routeNotices(...request).map(routeNoticeEntry)
}

describe('the catalogue of routes', () => {
  it('has each route once', () => {
    const lines = ROUTES.map(lineOf)
    expect(lines.filter((line, place) => lines.indexOf(line) !== place)).toEqual([])
  })

  it.each<[Method, string, string]>([
    ['GET', '/v2/deployments', '/v2/deployments'],
    ['POST', '/v2/deployments/123/upload-url', '/deployments/{deployment_id}/upload-url'],
    ['POST', '/deployments/123/upload-url', '/deployments/{deployment_id}/upload-url'],
    ['GET', '/v1/integrations/git_host/install', '/v1/integrations/git_host/install'],
    ['GET', '/feedback/formulas', '/feedback/formulas'],
    ['GET', '/api/v1/feedback/formulas/7', '/feedback/formulas/{feedback_formula_id}'],
    ['HEAD', '/v1/agentws/sandboxes/s/files/content', '/v1/agentws/sandboxes/{id}/files/content'],
    ['GET', '/v1/agentws/sandbox-snapshots/a%2Fb:c', '/v1/agentws/sandbox-snapshots/{ref}'],
  ])('finds %s %s', (method, path, pattern) => {
    expect(known(method, path).path).toBe(pattern)
  })

  it.each<[Method, string, string]>([
    ['PUT', '/v2/deployments', 'other-methods'],
    ['GET', '/v3/deployments', 'unknown'],
    ['GET', '/v2/deployments/', 'unknown'],
    ['GET', '/v2/feedback/x/y/z', 'unknown'],
    ['GET', '/', 'unknown'],
  ])('does not match %s %s with another route', (method, path, kind) => {
    expect(findRoute(method, path).kind).toBe(kind)
  })

  it.each<[Method, string, string]>([
    ['GET', '/v1/integrations/git_host/install', 'known'],
    ['GET', '/v1/integrations/github/install', 'unknown'],
    ['GET', '/v1/integrations/github/7/repos', 'unknown'],
    ['DELETE', '/v2/deployments', 'other-methods'],
    ['GET', '/v1/integrations/gitlab/install', 'unknown'],
  ])('finds %s %s in both spellings on LangSmith only: else it is %s', (method, path, kind) => {
    expect(findRoute(method, path).kind).toBe(kind)
    expect(findRoute(method, path, 'langsmith').kind).toBe(path.includes('gitlab') ? 'unknown' : 'known')
  })

  it('takes a literal path before one with a placeholder', () => {
    const path = '/v2/deployments/free-count'
    expect(findRoute('GET', path, 'langsmith')).toMatchObject({ kind: 'known', route: { path } })
  })

  it('takes a text as the offset of logs on LangSmith only', () => {
    const offsetOf = (api: 'agent-server' | 'langsmith') => {
      const found = findRoute('GET', '/v2/deployments/1/revisions/2/logs', api)
      return found.kind === 'known' ? found.route.query?.['offset']?.kind : undefined
    }
    expect(offsetOf('langsmith')).toBe('text')
    expect(offsetOf('agent-server')).toBe('integer')
  })

  it('warns of a deprecation, and reports an error from the day of the removal on', () => {
    const eager = requestTo('POST', '/feedback/eager')
    expect(entriesFor(eager, Date.UTC(2026, 7, 9, 23, 59))).toEqual([
      {
        level: 'warning',
        text: 'POST /feedback/eager is deprecated and will be removed on 2026-08-10: use POST /feedback instead.',
      },
    ])
    expect(entriesFor(eager, Date.UTC(2026, 7, 10))).toEqual([
      {
        level: 'error',
        text: 'POST /feedback/eager is deprecated and was to be removed on 2026-08-10: use POST /feedback instead.',
      },
    ])
  })

  it('says that no replacement is stated if none is', () => {
    const formulas = ROUTES.filter(({ path }) => path.startsWith('/feedback/formulas'))
    expect(formulas.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'PUT', 'DELETE'])
    for (const { method, path } of formulas)
      expect(entriesFor(requestTo(method, path), 0)).toMatchObject([
        { text: expect.stringContaining('2026-08-20: no replacement') },
      ])
  })

  it.each<[string, Method, string, string]>([
    ['is not known', 'GET', '/v2/moons', '/v2/moons is not a known route of the API. The request is sent unchanged.'],
    [
      'is known with other methods',
      'PUT',
      '/v2/deployments',
      '/v2/deployments is known with POST, GET, not with PUT. The request is sent unchanged.',
    ],
    [
      'is served by another host',
      'POST',
      '/identity/guest',
      'A separate host serves POST /identity/guest: base-url must be the address of that host.',
    ],
  ])('notes that a route %s', (_case, method, path, text) => {
    expect(entriesFor(requestTo(method, path), 0)).toEqual([{ level: 'notice', text }])
  })

  it('has no notice for a route without such facts', () => {
    expect(entriesFor(requestTo('GET', '/v2/deployments'), 0)).toEqual([])
  })

  it("has a hint for each of a listener's two errors, for any status", () => {
    const route = known('DELETE', '/v2/listeners/1')
    for (const status of [400, 403, 404, 422]) {
      expect(
        knownHint(
          route,
          status,
          'Listeners can only be created for workspaces of organizations on a self-hosted enterprise plan.',
        ),
      ).toMatch(/^Listeners exist only/)
      expect(knownHint(route, status, 'Listener ID 7 not found.')).toMatch(/^There is no such listener/)
      expect(knownHint(route, status, 'Something else')).toBeUndefined()
    }
  })
})

describe('the contract', () => {
  it('names as many routes as a person counts', () => {
    const lines = new Set(CONTRACT_ROUTES.map(lineOf))
    expect(lines.size).toBe(38)
    expect(lines).toContain('PUT /feedback/formulas/{feedback_formula_id}')
    expect(lines).toContain('DELETE /v1/agentws/feedback')
    expect(lines).toContain('POST /responses/compact')
  })

  it.each(CONTRACT_ROUTES.map((route) => [lineOf(route), route] as const))(
    'names %s, and so does the catalogue',
    (_line, { method, path }) => {
      expect(findRoute(method, path).kind).toBe('known')
    },
  )

  it('deprecates the routes that the catalogue deprecates, until the same day', () => {
    const dayOf = ({ method, path }: (typeof CONTRACT_ROUTES)[number]): string | undefined =>
      known(method, path).deprecated?.removedOn
    expect(CONTRACT_ROUTES.map(dayOf)).toEqual(CONTRACT_ROUTES.map(({ removedOn }) => removedOn))
    expect(ROUTES.filter(({ deprecated }) => deprecated !== undefined)).toHaveLength(
      CONTRACT_ROUTES.filter(({ removedOn }) => removedOn !== undefined).length,
    )
  })
})
