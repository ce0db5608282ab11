import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { GitHubClient, type GitHub } from '../../src/github/client.ts'
import { markerOf, findOwnComments, StickyComment, readComment } from '../../src/github/comment.ts'
import { DeploymentCreation, listDeployments, reportState, retireDeployments } from '../../src/github/deployments.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { compareCommits, readPullRequest, readPullRequestStates, readRefCommit } from '../../src/github/read.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'
import { overSockets } from '../networks.ts'

interface Asked {
  method: string
  path: string
  body: string
}

let server: Server
let asked: Asked[] = []
let answer: (asked: Asked) => unknown

beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const one = { method: request.method ?? '', path: request.url ?? '', body }
      asked.push(one)
      const found = one.path === '/user' ? { login: 'octocat' } : answer(one)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function connect(): GitHub {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return new GitHubClient({
    token: 'x',
    apiUrl: `http://127.0.0.1:${port}`,
    owner: 'acme',
    repo: 'agent',
    signal: new AbortController().signal,
    clock: fakeClock(),
    network: overSockets(),
    deadline: () => Number.POSITIVE_INFINITY,
    onNotice: () => undefined,
  })
}

const API = 'https://api.github.example'
const BASE = 'a'.repeat(40)
const HEAD = 'b'.repeat(40)
const OTHER = 'c'.repeat(40)
const limits = { withinMs: 10_000, permission: 'pull-requests: read' } as const
const aPull = (number: number, repository: string | null = 'acme/agent'): object => ({
  number,
  state: 'closed',
  head: { ref: 'x', sha: HEAD, repo: { full_name: 'acme/agent' } },
  base: { repo: repository === null ? null : { full_name: repository } },
})
const comparison = (status: string, base: string, common: string): object => ({
  status,
  base_commit: { sha: base },
  merge_base_commit: { sha: common },
})
const MARKER = markerOf('agent-pr-7')
const aComment = (issueUrl: string, id = 1): object => ({
  id,
  body: `${MARKER}\nold`,
  user: { login: 'octocat' },
  issue_url: API + issueUrl,
})
const aDeployment = (over: object): object => ({
  id: 9,
  payload: { name: 'agent', key: 'of another run' },
  environment: 'preview',
  repository_url: `${API}/repos/acme/agent`,
  ...over,
})
const deploymentUrl = (path: string): object => ({ id: 1, state: 'success', deployment_url: API + path })
const allOf = async <T>(entries: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const entry of entries) all.push(entry)
  return all
}

const pull = async (gitHub: GitHub) => await readPullRequest(gitHub, 7, limits)
const compare = async (gitHub: GitHub) => await compareCommits(gitHub, BASE, HEAD, 10_000)
const search = async (gitHub: GitHub) => (await findOwnComments(gitHub, 7, MARKER))[0]
const comment = async (gitHub: GitHub) => await readComment(gitHub, 7, 1)
const list = async (gitHub: GitHub) => await allOf(listDeployments(gitHub, { environment: 'preview' }, 'list'))
const report = async (gitHub: GitHub) => {
  await reportState(gitHub, 9, 'success', { description: 'd' })
  return 'done'
}

type Question = (gitHub: GitHub) => Promise<unknown>

describe('an answer of GitHub about something else', () => {
  it.each<[string, Question, unknown]>([
    ['another pull request', pull, aPull(8)],
    ['a pull request of another repository', pull, aPull(7, 'acme/other')],
    ['a pull request of an unknown repository', pull, aPull(7, null)],
    ['a comparison with another base', compare, comparison('behind', OTHER, HEAD)],
    ['a comparison with another head', compare, comparison('behind', BASE, OTHER)],
    ['a comparison of which the parts differ', compare, comparison('ahead', BASE, OTHER)],
    ['comments on another pull request', search, [aComment('/repos/acme/agent/issues/77')]],
    ['comments of another repository', search, [aComment('/repos/acme/other/issues/7')]],
    ['another comment', comment, aComment('/repos/acme/agent/issues/7', 2)],
    ['a comment on another pull request', comment, aComment('/repos/acme/agent/issues/17')],
    ['GitHub Deployments of another environment', list, [aDeployment({ environment: 'production' })]],
    ['GitHub Deployments of another repository', list, [aDeployment({ repository_url: `${API}/repos/acme/x` })]],
    ['the state of another GitHub Deployment', report, deploymentUrl('/repos/acme/agent/deployments/8')],
  ])('is requested again, and then an error: %s', async (_case, question, body) => {
    answer = () => body
    const gitHub = connect()
    const error: unknown = await question(gitHub).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GitHubError)
    expect(String(error)).toMatch(/^GitHubError: could not .*: GitHub's response is about /)
    expect(asked.filter(({ path }) => path !== '/user')).toHaveLength(3)
  })

  it.each<[string, Question, unknown, unknown, object]>([
    ['the pull request', pull, aPull(8), aPull(7, 'Acme/Agent'), [{ number: 7, state: 'closed' }]],
    ['the comparison', compare, comparison('behind', OTHER, HEAD), comparison('behind', BASE, HEAD), ['behind']],
    [
      'the comment',
      search,
      [aComment('/repos/acme/agent/issues/8')],
      [aComment('/repos/Acme/agent/issues/7')],
      [{ id: 1 }],
    ],
    [
      'the comparison with a branch, whose commit is not known',
      async (gitHub) => await compareCommits(gitHub, 'main', HEAD, 10_000),
      comparison('behind', BASE, OTHER),
      comparison('behind', BASE, HEAD),
      ['behind'],
    ],
    ['the list', list, [aDeployment({ environment: 'x' })], [aDeployment({ environment: 'Preview' })], [[{ id: 9 }]]],
  ])('is read past, to the right one: %s', async (_case, question, wrong, right, found) => {
    answer = () => (asked.filter(({ path }) => path !== '/user').length === 1 ? wrong : right)
    const result = await question(connect())
    expect([result]).toMatchObject(found)
  })

  it('leaves the state of that pull request unknown, and those of the others known', async () => {
    answer = ({ path }) => aPull(path.endsWith('/8') ? 9 : Number(path.split('/').at(-1)))
    const failures: string[] = []
    const gitHub = connect()
    const onFailure = ({ message }: Error): void => void failures.push(message)
    const states = await readPullRequestStates(gitHub, [7, 8, 10], {
      options: () => limits,
      onFailure,
      label: undefined,
    })
    expect([...states]).toEqual([
      [7, 'closed'],
      [10, 'closed'],
    ])
    expect(failures).toEqual([
      "could not read pull request 8: GitHub's response is about another pull request or repository.",
    ])
  })

  it('to the creation of a comment is looked up, and the other comment is left alone', async () => {
    const made: object[] = []
    answer = ({ method, path }) => {
      if (method === 'GET') return path.includes('/issues/comments/') ? made[0] : made
      if (method === 'POST') made.push(aComment('/repos/acme/agent/issues/7', 5))
      return method === 'POST' ? aComment('/repos/acme/agent/issues/8', 4) : aComment('/repos/acme/agent/issues/7', 5)
    }
    const options = { issue: 7, deploymentName: 'agent-pr-7', startedAt: 1, clock: fakeClock() }
    await new StickyComment(connect(), options).finish('new')
    const writes = asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
    expect(writes).toEqual(['POST /repos/acme/agent/issues/7/comments', 'PATCH /repos/acme/agent/issues/comments/5'])
  })

  it('to the update of a comment is an error', async () => {
    answer = ({ method }) =>
      method === 'GET' ? [aComment('/repos/acme/agent/issues/7')] : aComment('/repos/acme/agent/issues/7', 2)
    const options = { issue: 7, deploymentName: 'agent-pr-7', startedAt: 1, clock: fakeClock() }
    await expect(new StickyComment(connect(), options).finish('new')).rejects.toThrow('is about another comment')
  })

  it('to the creation of a GitHub Deployment is looked up by the key of the run', async () => {
    const made: object[] = []
    answer = ({ method, body }) => {
      if (method === 'GET') return made
      const sent = z.looseObject({}).parse(JSON.parse(body))
      made.push(aDeployment({ ...sent, id: 10 }))
      return aDeployment({ id: 3 })
    }
    const options = { ref: BASE, environment: 'preview', transient: true, description: 'd', name: 'agent' }
    expect(await new DeploymentCreation(options, NO_LUCK).create(connect())).toBe(10)
    expect(made).toHaveLength(1)
  })

  it('retires nothing', async () => {
    answer = ({ method, path }) => {
      if (method === 'GET' && path.includes('/statuses')) return [deploymentUrl('/repos/acme/agent/deployments/8')]
      return [aDeployment({})]
    }
    await expect(retireDeployments(connect(), 'preview', ['agent'], { now: 0 })).rejects.toThrow(
      'another GitHub Deployment',
    )
    expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('the commit of a ref', () => {
  const [TAG, OBJECT, OUTER] = ['refs/tags/v1', 'd'.repeat(40), 'e'.repeat(40)]
  const readRef = async (ref: string): Promise<string> =>
    await readRefCommit(connect(), { repository: 'acme/lib', ref }, 10_000)
  const refAt = (ref: string, type: string, sha: string) => ({ ref, object: { type, sha } })

  it.each([
    ['release/2', 'refs/heads/release/2', '/repos/acme/lib/git/ref/heads%2Frelease%2F2'],
    [TAG, TAG, '/repos/acme/lib/git/ref/tags%2Fv1'],
  ])('%s is that of its ref', async (ref, full, path) => {
    answer = () => refAt(full, 'commit', BASE)
    expect(await readRef(ref)).toBe(BASE)
    expect(asked.map((one) => one.path)).toEqual([path])
  })

  it('is that of a tag with a message, and of a tag of a tag', async () => {
    answer = ({ path }) => {
      if (path.endsWith(`/git/tags/${OUTER}`)) return { sha: OUTER, object: { type: 'tag', sha: OBJECT } }
      if (path.endsWith(`/git/tags/${OBJECT}`)) return { sha: OBJECT, object: { type: 'commit', sha: BASE } }
      return refAt(TAG, 'tag', OUTER)
    }
    expect(await readRef(TAG)).toBe(BASE)
    expect(asked).toHaveLength(3)
  })

  it.each<[string, (asked: Asked) => unknown, RegExp]>([
    ['another ref', () => refAt('refs/tags/v10', 'commit', BASE), /is about another ref/],
    [
      'another tag',
      ({ path }) =>
        path.includes('/git/tags/') ? { sha: OUTER, object: { type: 'commit', sha: BASE } } : refAt(TAG, 'tag', OBJECT),
      /is about another tag/,
    ],
    [
      'a folder',
      () => refAt(TAG, 'tree', BASE),
      /could not read the commit of refs\/tags\/v1 in acme\/lib: it is a tree/,
    ],
    [
      'a circle of tags',
      ({ path }) =>
        path.includes('/git/tags/') ? { sha: OBJECT, object: { type: 'tag', sha: OBJECT } } : refAt(TAG, 'tag', OBJECT),
      /it is a tag/,
    ],
    ['no commit', () => refAt(TAG, 'commit', '../../user'), /does not match its documentation/],
  ])('is unknown for %s', async (_case, answers, message) => {
    answer = answers
    await expect(readRef(TAG)).rejects.toThrow(message)
  })
})
