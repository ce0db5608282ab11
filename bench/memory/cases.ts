import { hash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { LARGE_ANSWERS } from './large-answers.ts'
import { startGitHubApi } from '../../__tests__/github-api/server.ts'
import { BEFORE, DEPLOYMENT, json, list, onPoll, REVISION } from '../../__tests__/e2e/hostile-server.ts'
import { serve } from '../../__tests__/e2e/journey.ts'
import { BLOCK_MS, folderOf, MB, rollout, type Case, type Prepared } from './case.ts'

const LOG_MB = 250

const gitHub = await startGitHubApi()
export const closeGitHub = async (): Promise<void> => await gitHub.close()
const OF_GITHUB = { 'github-token': gitHub.token, 'pull-request': '7' }
const AT_GITHUB = { env: { GITHUB_API_URL: gitHub.url } }

/** The deployments of closed pull requests. */
async function sweep(count: number): Promise<Prepared> {
  const names = ['agent', ...Array.from({ length: count }, (_, n) => `agent-pr-${n + 1}`)]
  const all = new Map(names.map((name, n) => [name, { ...DEPLOYMENT, name, id: idOf(n) }]))
  const byId = new Map([...all.values()].map((one) => [one.id, one]))
  names.forEach((_, n) => gitHub.seedPullRequest(n, { state: 'closed', merged: true }))
  const url = await serve((request, response) => {
    const at = new URL(request.url ?? '', 'http://plane')
    const id = at.pathname.slice('/v2/deployments/'.length)
    const found = byId.get(id)
    const page = at.searchParams
    const asked = page.getAll('deployment_ids').flatMap((ids) => ids.split(','))
    if (request.method === 'DELETE') {
      byId.delete(id)
      response.writeHead(204).end()
    } else if (id !== '') {
      if (found === undefined) response.writeHead(404).end('{"detail":"none"}')
      else json(response, found)
    } else {
      const [offset, limit] = [Number(page.get('offset') ?? 0), Number(page.get('limit') ?? 20)]
      const left = [...byId.values()].filter((one) => asked.length === 0 || asked.includes(one.id))
      const resources = left.slice(offset, offset + limit)
      json(response, { resources, offset: offset + resources.length })
    }
  })
  const given = { 'base-url': url, 'api-key': 'bench-key', name: 'agent', 'closed-pull-requests': true }
  const inputs = { ...given, ...OF_GITHUB, comment: false, timeout: '300s' }
  const options = { action: folderOf('teardown'), inputs, env: AT_GITHUB.env, event: { name: 'schedule' } }
  return { options }
}

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Answers reads of logs, and all else as `rest` does. */
const withLog =
  (logs: readonly { id: string; message: string }[], rest: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url?.includes('/logs?') !== true) rest(request, response)
    else json(response, { logs, next_offset: null })
  }
const ends = (status: string): RequestListener => {
  let polls = 0
  return onPoll((response) => json(response, { id: REVISION, status: polls++ < 5 ? 'BUILDING' : status }))
}
const line = (length: number) => [{ id: '1', message: 'x1 '.repeat(length / 3) }]

const comments = (count: number): RequestListener => {
  const all = Array.from({ length: count }, (_, id) => ({ id, body: '好'.repeat(65_000), user: { login: 'octocat' } }))
  return (request, response) => {
    const at = new URL(request.url ?? '', 'http://github')
    const [page, size] = [Number(at.searchParams.get('page')), Number(at.searchParams.get('per_page'))]
    if (at.pathname === '/user') response.writeHead(403).end('{}')
    else if (at.pathname === '/graphql') json(response, { data: { viewer: { login: 'octocat' } } })
    else json(response, request.method === 'GET' ? all.slice((page - 1) * size, page * size) : { ...all[0], body: '' })
  }
}

export const CASES: readonly Case[] = [
  {
    name: '200 kB of slashes in custom_url',
    mb: MB,
    blockMs: BLOCK_MS,
    prepare: async () => {
      const rest = ends('DEPLOYED')
      return await rollout(
        (request, response) => {
          const source_config = { custom_url: `https://a.example${'/'.repeat(200_000)}a` }
          const reported = { source: 'external_container', source_config }
          const at = request.url ?? ''
          const isRead = request.method === 'GET' && !at.includes('/revisions')
          if (!isRead) rest(request, response)
          else json(response, at.includes('?') ? list({ ...BEFORE, ...reported }) : { ...DEPLOYMENT, ...reported })
        },
        { 'custom-url': 'https://a.example', 'image-uri': 'registry.example/a:1' },
        AT_GITHUB,
      )
    },
  },
  ...(['BUILD_FAILED', 'DEPLOYED'] as const).flatMap((status): Case[] => [
    {
      name: `a line of 9.9 MB in a log, ${status}`,
      mb: LOG_MB,
      blockMs: BLOCK_MS,
      prepare: async () => await rollout(withLog(line(9_900_000), ends(status)), { logs: 'live' }, AT_GITHUB),
    },
  ]),
  {
    name: '10,000 revisions',
    mb: MB,
    blockMs: BLOCK_MS,
    prepare: async () => {
      const rest = ends('DEPLOYED')
      return await rollout(
        (request, response) => {
          const at = new URL(request.url ?? '', 'http://plane')
          if (request.method !== 'GET' || !at.pathname.endsWith('/revisions')) rest(request, response)
          else {
            const offset = Number(at.searchParams.get('offset') ?? 0)
            const of = (n: number) => ({ id: idOf(n), status: 'DEPLOYED', created_at: '2026-01-01T00:00:00Z' })
            json(response, list(...Array.from({ length: 10_000 }, (_, n) => of(offset + n))))
          }
        },
        {},
        AT_GITHUB,
      )
    },
  },
  {
    name: '10,000 secrets and a log',
    mb: MB,
    blockMs: BLOCK_MS,
    prepare: async () => {
      const secrets = Array.from({ length: 10_000 }, (_, n) => ({
        name: `S${n}`,
        value: hash('sha256', `secret ${n}`),
      }))
      const rest = withLog(line(9_000), ends('DEPLOYED'))
      return await rollout(
        (request, response) => {
          const at = request.url ?? ''
          const isRead = request.method === 'GET' && !at.includes('/revisions')
          if (!isRead) rest(request, response)
          else json(response, at.includes('?') ? list({ ...BEFORE, secrets }) : { ...DEPLOYMENT, secrets })
        },
        { logs: 'live' },
        AT_GITHUB,
      )
    },
  },
  {
    name: '200 comments of 65,000 characters',
    mb: MB,
    blockMs: BLOCK_MS,
    prepare: async () => {
      const env = { GITHUB_API_URL: await serve(comments(200)) }
      return await rollout(ends('DEPLOYED'), { comment: true, ...OF_GITHUB }, { ...AT_GITHUB, env })
    },
  },
  { name: 'a sweep of 5,000 previews', mb: MB, blockMs: BLOCK_MS, prepare: async () => await sweep(5_000) },
  ...LARGE_ANSWERS,
]
