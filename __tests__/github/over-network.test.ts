import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import nock from 'nock'
import { z } from 'zod'
import { GitHubClient } from '../../src/github/client.ts'
import { fakeClock } from '../builders.ts'
import { overSockets } from '../networks.ts'

// GitHub's own address over the real network: its servers are replaced below the sockets.

const API = 'https://api.github.com'
const ROUTE = '/repos/octo-org/agents/deployments'
const TOKEN = 'ghs_the-token-of-the-job'

beforeAll(() => nock.disableNetConnect())
afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.cleanAll()
  nock.enableNetConnect()
  nock.restore()
})

const gitHub = () =>
  new GitHubClient({
    network: overSockets(),
    token: TOKEN,
    apiUrl: API,
    owner: 'octo-org',
    repo: 'agents',
    clock: fakeClock(),
    signal: new AbortController().signal,
    deadline: () => Number.POSITIVE_INFINITY,
    onNotice: () => undefined,
  })

const list = {
  route: 'GET /repos/{owner}/{repo}/deployments',
  attempted: 'list the deployments',
  permission: 'deployments: write',
  pageSize: 1,
} as const
const entries = z.array(z.object({ id: z.number() }))
const onPage = (page: string) => ({ per_page: '1', ...(page !== '1' && { page }) })

async function readAll(): Promise<number[]> {
  const found = await Array.fromAsync(gitHub().pages(list, entries))
  return found.map(({ id }) => id)
}

describe('a request to GitHub', () => {
  it('has the token, and the body of its parameters', async () => {
    nock(API, { reqheaders: { authorization: `token ${TOKEN}` } })
      .post(ROUTE, { ref: 'main', environment: 'production' })
      .reply(201, { id: 1 })
    const request = {
      route: 'POST /repos/{owner}/{repo}/deployments',
      parameters: { ref: 'main', environment: 'production' },
      attempted: 'create a deployment',
      permission: 'deployments: write',
    } as const
    expect(await gitHub().request(request, z.object({ id: z.number() }))).toEqual({ id: 1 })
    expect(nock.isDone()).toBe(true)
  })

  it('follows a list to its end', async () => {
    const next = { link: `<${API}${ROUTE}?per_page=1&page=2>; rel="next"` }
    nock(API)
      .get(ROUTE)
      .query(onPage('1'))
      .reply(200, [{ id: 1 }], next)
    nock(API)
      .get(ROUTE)
      .query(onPage('2'))
      .reply(200, [{ id: 2 }])
    expect(await readAll()).toEqual([1, 2])
    expect(nock.isDone()).toBe(true)
  })

  it.each([`http://api.github.com${ROUTE}?page=2`, `https://api.github.com.example${ROUTE}?page=2`])(
    'sends no token to another origin that a list names as its next page: %s',
    async (address) => {
      const other = nock(new URL(address).origin)
        .get(ROUTE)
        .query(true)
        .reply(200, [{ id: 2 }])
      const next = { link: `<${address}>; rel="next"` }
      nock(API)
        .get(ROUTE)
        .query(onPage('1'))
        .reply(200, [{ id: 1 }], next)
      await expect(readAll()).rejects.toThrow('could not list the deployments')
      expect(other.isDone()).toBe(false)
    },
  )
})
