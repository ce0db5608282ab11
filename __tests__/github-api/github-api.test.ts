import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { loadDescription } from './openapi.ts'
import { startGitHubApi, TOKEN, type GitHubApi, type GitHubApiOptions } from './server.ts'

let open: GitHubApi | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

async function start(options: GitHubApiOptions = {}): Promise<GitHubApi> {
  open = await startGitHubApi(options)
  return open
}

interface Sent {
  body?: object | undefined
  token?: string
}

async function send(api: { url: string }, method: string, path: string, { body, token = TOKEN }: Sent = {}) {
  const response = await fetch(api.url + path, {
    method,
    headers: token === '' ? {} : { authorization: `token ${token}` },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const parsed: unknown = await response.json()
  return { status: response.status, body: parsed, link: response.headers.get('link') ?? '' }
}

const REPO = '/repos/octo-org/hello-agent'
const GOOD = { ref: 'abc', environment: 'preview', auto_merge: false, required_contexts: [], payload: { name: 'a' } }

describe('GitHub on loopback', () => {
  it('has pull requests and pages of comments by several people', async () => {
    const api = await start()
    api.seedPullRequest(7)
    for (let n = 0; n < 120; n++) api.comment(7, 'eve', `comment ${n}`)
    const page = await send(api, 'GET', `${REPO}/issues/7/comments?per_page=100&page=2`)
    expect(page.body).toHaveLength(20)
    expect((await send(api, 'GET', `${REPO}/issues/7/comments`)).link).toContain(`<${api.url}${REPO}/issues/7`)
    await send(api, 'POST', `${REPO}/issues/7/comments`, { body: { body: 'ours' } })
    const all = api.comments(7)
    expect(all).toHaveLength(121)
    expect(all.at(-1)).toMatchObject({ author: 'github-actions[bot]', body: 'ours' })
    api.closePullRequest(7)
    expect((await send(api, 'GET', `${REPO}/pulls/7`)).body).toMatchObject({ state: 'closed' })
    expect(api.violations).toEqual([])
  })

  it.each([
    ['github-actions[bot]', 'Bot'],
    ['octocat', 'User'],
  ])('shows a comment of the token as one by %s', async (login, type) => {
    const api = await start({ login })
    api.seedPullRequest(1)
    const path = `${REPO}/issues/1/comments`
    const made = await send(api, 'POST', path, { body: { body: 'ours' } })
    expect(made.body).toMatchObject({ user: { login, type } })
    expect((await send(api, 'GET', path)).body).toMatchObject([{ user: { login, type } }])
  })

  it('returns what the action reads of comments and pull requests, of forks too, as GitHub describes it', async () => {
    const api = await start()
    api.seedPullRequest(7, { headRepository: 'eve/hello-agent' })
    const pull = await send(api, 'GET', `${REPO}/pulls/7`)
    expect(pull.body).toMatchObject({ head: { repo: { full_name: 'eve/hello-agent' } } })
    const comment = await send(api, 'POST', `${REPO}/issues/7/comments`, { body: { body: 'ours' } })
    const description = loadDescription()
    for (const [method, path, { status, body }] of [
      ['GET', '/pulls/7', pull],
      ['POST', '/issues/7/comments', comment],
    ] as const) {
      const wrong = description.checkAnswer({ method, path: REPO + path, body: {} }, status, body)
      expect(wrong.filter((one) => !one.includes('must have required property'))).toEqual([])
    }
  })

  it('returns the comparison of a test, and no other', async () => {
    const api = await start()
    api.seedComparison('main', 'feature/7', 'diverged')
    const compare = async (basehead: string) => await send(api, 'GET', `${REPO}/compare/${basehead}`)
    expect((await compare('main...feature%2F7')).body).toMatchObject({ status: 'diverged' })
    expect((await compare('feature%2F7...main')).status).toBe(404)
  })

  it('returns when a workflow run was created, as GitHub describes it, and no other', async () => {
    const api = await start()
    api.runs.set(7351, Date.UTC(2026, 0, 2, 3, 4, 5, 678))
    const path = `${REPO}/actions/runs/7351`
    const { status, body } = await send(api, 'GET', path)
    expect(body).toMatchObject({ id: 7351, created_at: '2026-01-02T03:04:05Z' })
    const wrong = loadDescription().checkAnswer({ method: 'GET', path, body: {} }, status, body)
    expect(wrong.filter((one) => !one.includes('must have required property'))).toEqual([])
    expect((await send(api, 'GET', `${REPO}/actions/runs/7352`)).status).toBe(404)
    expect(api.violations).toEqual([])
  })

  it.each(['', 'another-token'])('refuses the token "%s", everywhere', async (token) => {
    const api = await start()
    api.seedPullRequest(7)
    for (const path of ['/user', `${REPO}/pulls/7`, `${REPO}/issues/7/comments`, `${REPO}/deployments`])
      expect((await send(api, 'GET', path, { token })).status).toBe(401)
    expect((await send(api, 'POST', '/graphql', { body: { query: '{ viewer { login } }' }, token })).status).toBe(401)
  })

  it('keeps deployments, and returns them as GitHub describes them', async () => {
    const api = await start()
    const description = loadDescription()
    const created = await send(api, 'POST', `${REPO}/deployments`, { body: GOOD })
    const post = { method: 'POST', path: `${REPO}/deployments`, body: GOOD }
    expect(description.checkAnswer(post, created.status, created.body)).toEqual([])
    const id = String(api.deployments()[0]?.id)
    const status = await send(api, 'POST', `${REPO}/deployments/${id}/statuses`, { body: { state: 'in_progress' } })
    const report = { method: 'POST', path: `${REPO}/deployments/${id}/statuses`, body: {} }
    expect(description.checkAnswer(report, status.status, status.body)).toEqual([])
    const listed = await send(api, 'GET', `${REPO}/deployments?environment=preview`)
    expect(description.checkAnswer({ ...post, method: 'GET' }, listed.status, listed.body)).toEqual([])
    expect(api.violations).toEqual([])
  })

  it('filters the list of deployments, in pages', async () => {
    const api = await start()
    for (const ref of ['a', 'b', 'c']) await send(api, 'POST', `${REPO}/deployments`, { body: { ...GOOD, ref } })
    const refs = async (query: string) => {
      const { body, link } = await send(api, 'GET', `${REPO}/deployments?${query}`)
      return {
        refs: z
          .array(z.object({ ref: z.string() }))
          .parse(body)
          .map(({ ref }) => ref),
        link,
      }
    }
    expect((await refs('ref=b')).refs).toEqual(['b'])
    expect((await refs('environment=another')).refs).toEqual([])
    const first = await refs('per_page=2')
    expect(first.refs).toEqual(['c', 'b'])
    expect(first.link).toBe(`<${api.url}${REPO}/deployments?per_page=2&page=2>; rel="next"`)
    expect(await refs('per_page=2&page=2')).toEqual({ refs: ['a'], link: '' })
  })

  it.each([
    ['earlier successes, and no others', {}, {}, ['failure', 'inactive', 'success', 'in_progress']],
    ['nothing that is transient', { transient_environment: true }, {}, null],
    ['nothing that is production', { production_environment: true }, {}, null],
    ['nothing with auto_inactive: false', {}, { auto_inactive: false }, null],
  ])('makes %s inactive by a success', async (_what, deployment, status, expected) => {
    const api = await start()
    const states = ['failure', 'success', undefined, 'in_progress']
    for (const [index, state] of states.entries()) {
      await send(api, 'POST', `${REPO}/deployments`, { body: { ...GOOD, ...deployment } })
      const path = `${REPO}/deployments/${api.deployments()[index]?.id}/statuses`
      if (state !== undefined) await send(api, 'POST', path, { body: { state } })
    }
    const path = `${REPO}/deployments/${api.deployments()[2]?.id}/statuses`
    await send(api, 'POST', path, { body: { state: 'success', ...status } })
    expect(api.deployments().map(({ statuses }) => statuses.at(-1)?.state)).toEqual(
      expected ?? ['failure', 'success', 'success', 'in_progress'],
    )
    expect(api.violations).toEqual([])
  })

  it('reports requests that GitHub would refuse', async () => {
    const api = await start()
    await send(api, 'POST', `${REPO}/deployments`, { body: { ...GOOD, auto_merge: 'no', colour: 'red' } })
    await send(api, 'GET', `${REPO}/deployments?env=preview`)
    await send(api, 'GET', `${REPO}/deploys`)
    expect(api.violations).toEqual([
      expect.stringContaining('has no field colour'),
      expect.stringContaining('/auto_merge must be boolean'),
      expect.stringContaining('has no query parameter env'),
      expect.stringContaining('GitHub has no such route'),
    ])
  })

  it.each([
    ['deployments?per_page=many', 'GET', undefined, 'per_page must be a whole number'],
    ['issues/seven/comments', 'GET', undefined, 'issue_number must be a whole number'],
    ['issues/7/comments', 'POST', {}, "body must have required property 'body'"],
    ['issues/7/comments', 'POST', undefined, 'needs a body'],
    ['issues/7/comments', 'POST', { body: 'x'.repeat(65_537) }, 'not have more than 65536 characters'],
    ['issues/comments/1', 'PATCH', { body: 7 }, '/body must be string'],
    ['deployments/1/statuses', 'POST', { state: 'done' }, '/state must be equal to one of'],
    [
      'deployments/1/statuses',
      'POST',
      { state: 'error', description: 'x'.repeat(141) },
      'not have more than 140 characters',
    ],
  ])('reports a violation by %s, case %#', async (path, method, body, trouble) => {
    const api = await start()
    expect((await send(api, method, `${REPO}/${path}`, { body })).status).toBe(422)
    expect(api.violations).toEqual([expect.stringContaining(trouble)])
  })

  it('survives a body that is not JSON, and reports it even for a request that fails on demand', async () => {
    const api = await start()
    api.fail({ path: /deployments/, status: 502, body: {}, times: 1 })
    const headers = { authorization: `token ${TOKEN}` }
    for (const status of [502, 422]) {
      const response = await fetch(`${api.url}${REPO}/deployments`, { method: 'POST', headers, body: '{no' })
      expect(response.status).toBe(status)
    }
    expect(api.violations.filter((text) => text.endsWith('the body is not JSON'))).toHaveLength(2)
  })

  it('reports a route of GitHub that it lacks', async () => {
    const api = await start()
    await send(api, 'POST', `${REPO}/deployments`, { body: GOOD })
    expect((await send(api, 'DELETE', `${REPO}/deployments/${api.deployments()[0]?.id}`)).status).toBe(500)
    expect(api.violations).toEqual([expect.stringContaining('this server lacks')])
  })

  it('drops connections and limits rates, as often as asked', async () => {
    const api = await start()
    const headers = { 'retry-after': '3', 'x-ratelimit-remaining': '0' }
    api.fail({ method: 'GET', path: /deployments/, status: 'hang up', times: 1 })
    api.fail({ path: /deployments/, status: 429, headers, body: { message: 'slow down' }, times: 1 })
    await expect(send(api, 'GET', `${REPO}/deployments`)).rejects.toThrow()
    const limited = await fetch(`${api.url}${REPO}/deployments`)
    expect(limited.status).toBe(429)
    expect(Object.fromEntries(limited.headers)).toMatchObject(headers)
    expect((await send(api, 'GET', `${REPO}/deployments`)).status).toBe(200)
    expect(api.requests.map(({ status }) => status)).toEqual([0, 429, 200])
  })

  it('accepts beside /api/v3 on an Enterprise Server only GraphQL', async () => {
    const api = await start({ ghes: true })
    const root = { url: api.url.replace('/api/v3', '') }
    expect((await send(root, 'GET', `${REPO}/deployments`)).status).toBe(422)
    expect(api.violations).toEqual([expect.stringContaining("this server's API is below /api/v3")])
    const asked = await send(root, 'POST', '/api/graphql', { body: { query: '{ viewer { login } }' } })
    expect(asked.body).toEqual({ data: { viewer: { login: 'github-actions[bot]' } } })
  })

  it('is below /api/v3 on an Enterprise Server, and fails on demand', async () => {
    const api = await start({ ghes: true })
    expect(api.url).toMatch(/\/api\/v3$/)
    api.fail({ path: /deployments/, status: 404, body: { message: 'Not Found' }, times: 1 })
    expect((await send(api, 'GET', `${REPO}/deployments`)).status).toBe(404)
    expect((await send(api, 'GET', `${REPO}/deployments`)).status).toBe(200)
  })

  it("does not return the login of a job's token", async () => {
    expect((await send(await start(), 'GET', '/user')).status).toBe(403)
    await open?.close()
    expect((await send(await start({ login: 'octocat' }), 'GET', '/user')).body).toMatchObject({ login: 'octocat' })
  })
})
