import { afterEach, describe, expect, it } from '@jest/globals'
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

async function send(api: GitHubApi, method: string, path: string, body?: object) {
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: `token ${TOKEN}` },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const told: unknown = await response.json()
  return { status: response.status, body: told }
}

const REPO = '/repos/octo-org/hello-agent'
const GOOD = {
  ref: 'abc',
  environment: 'preview',
  auto_merge: false,
  required_contexts: [],
  payload: { name: 'a' },
}

describe('GitHub on loopback', () => {
  it('has pull requests and pages of comments by several people', async () => {
    const api = await start()
    await api.seedPullRequest(7)
    for (let n = 0; n < 120; n++) await api.comment(7, 'eve', `comment ${n}`)
    const page = await send(api, 'GET', `${REPO}/issues/7/comments?per_page=100&page=2`)
    expect(page.body).toHaveLength(20)
    await send(api, 'POST', `${REPO}/issues/7/comments`, { body: 'ours' })
    const all = await api.comments(7)
    expect(all).toHaveLength(121)
    expect(all.at(-1)).toMatchObject({ author: 'github-actions[bot]', body: 'ours' })
    await api.closePullRequest(7)
    expect((await send(api, 'GET', `${REPO}/pulls/7`)).body).toMatchObject({ state: 'closed' })
    expect(api.violations()).toEqual([])
  })

  it('keeps deployments, and answers as GitHub describes it', async () => {
    const api = await start()
    const description = loadDescription()
    const created = await send(api, 'POST', `${REPO}/deployments`, GOOD)
    const post = { method: 'POST', path: `${REPO}/deployments`, body: GOOD }
    expect(description.checkAnswer(post, created.status, created.body)).toEqual([])
    const id = String(api.deployments()[0]?.id)
    const status = await send(api, 'POST', `${REPO}/deployments/${id}/statuses`, { state: 'in_progress' })
    const report = { method: 'POST', path: `${REPO}/deployments/${id}/statuses`, body: {} }
    expect(description.checkAnswer(report, status.status, status.body)).toEqual([])
    const listed = await send(api, 'GET', `${REPO}/deployments?environment=preview`)
    expect(description.checkAnswer({ ...post, method: 'GET' }, listed.status, listed.body)).toEqual([])
    expect(api.violations()).toEqual([])
  })

  it('finds what GitHub would refuse', async () => {
    const api = await start()
    await send(api, 'POST', `${REPO}/deployments`, { ...GOOD, auto_merge: 'no', colour: 'red' })
    await send(api, 'GET', `${REPO}/deployments?env=preview`)
    await send(api, 'GET', `${REPO}/deploys`)
    expect(api.violations()).toEqual([
      expect.stringContaining('has no field colour'),
      expect.stringContaining('/auto_merge must be boolean'),
      expect.stringContaining('has no query parameter env'),
      expect.stringContaining('GitHub has no such route'),
    ])
  })

  it('stands below /api/v3 on an Enterprise Server, and fails on demand', async () => {
    const api = await start({ ghes: true })
    expect(api.url).toMatch(/\/api\/v3$/)
    api.fail({ path: /deployments/, status: 404, body: { message: 'Not Found' }, times: 1 })
    expect((await send(api, 'GET', `${REPO}/deployments`)).status).toBe(404)
    expect((await send(api, 'GET', `${REPO}/deployments`)).status).toBe(200)
  })

  it("does not tell whose a job's token is", async () => {
    expect((await send(await start(), 'GET', '/user')).status).toBe(403)
    await open?.close()
    expect((await send(await start({ login: 'octocat' }), 'GET', '/user')).body).toMatchObject({
      login: 'octocat',
    })
  })
})
