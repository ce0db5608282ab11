import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { GitHub } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import {
  questionAbout,
  readPullRequestFiles,
  readPullRequestStates,
  withoutOurComment,
  compareCommits,
  readPullRequest,
  readRefCommit,
  readRunAge,
} from '../../src/github/read.ts'
import { fakeClock } from '../builders.ts'
import { answerQuestion, checkQuestion, type AskedPullRequest } from '../github-api/graphql.ts'
import { AnsweringServer, type Asked, type Question } from './answering-server.ts'

const REPOSITORY = 'acme/agent'
const BOT = 'github-actions[bot]'

interface Sent {
  status: number
  body: unknown
}

const server = AnsweringServer.forEachTest()
let pulls: Map<number, AskedPullRequest>
let comments: Map<number, { author: string }[]>
/** Replaces the answer to a question. */
let onQuestion: (answer: Sent) => Sent | Promise<Sent>
/** Replaces the answer about one pull request. */
let onPull: (answer: Sent) => Sent | 'hang up'

const isQuestion = ({ path }: Asked): boolean => path.endsWith('/graphql')
const numberIn = ({ path }: Asked): number => Number(path.split('/').at(-1))
/** As `POST /graphql` or `GET 7`. */
const asked = (): string[] => server.asked.map((one) => (isQuestion(one) ? `POST ${one.path}` : `GET ${numberIn(one)}`))

beforeEach(() => {
  pulls = new Map()
  comments = new Map()
  onQuestion = (answer) => answer
  onPull = (answer) => answer
})

server.respond = async (one) => {
  if (isQuestion(one)) {
    const pullRequest = (number: number) => Promise.resolve(pulls.get(number))
    const commentsOf = (number: number) => Promise.resolve(comments.get(number) ?? [])
    const world = { repository: REPOSITORY, login: BOT, pullRequest, comments: commentsOf }
    return await onQuestion(await answerQuestion(JSON.parse(one.body), world))
  }
  const number = numberIn(one)
  const found = pulls.get(number)
  if (found === undefined) return onPull({ status: 404, body: { message: 'Not Found' } })
  const repo = { full_name: REPOSITORY }
  const labels = found.labels.map((name) => ({ name }))
  const { state } = found
  return onPull({ status: 200, body: { number, state, labels, head: { ref: 'x', sha: 'f', repo }, base: { repo } } })
}

afterEach(() => {
  for (const { body } of server.asked.filter(isQuestion)) expect(checkQuestion(JSON.parse(body))).toEqual([])
})

function connect(prefix = ''): { gitHub: GitHub; slept: readonly number[] } {
  const clock = fakeClock()
  return { gitHub: server.connect({ clock }, prefix), slept: clock.slept }
}

const limits = { withinMs: 60_000, permission: 'pull-requests: read' } as const

async function statesOf(gitHub: GitHub, numbers: readonly number[], label?: string) {
  const failures: string[] = []
  const onFailure = ({ message }: GitHubError): void => void failures.push(message)
  return { states: await readPullRequestStates(gitHub, numbers, { options: () => limits, onFailure, label }), failures }
}

const closedPull: AskedPullRequest = { state: 'closed', merged: false, labels: [] }
const openPull: AskedPullRequest = { state: 'open', merged: false, labels: [] }
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const questions = (): string[] => asked().filter((line) => line.startsWith('POST'))

describe('the states of many pull requests', () => {
  it('take one request for each hundred', async () => {
    for (const number of range(250)) pulls.set(number, number % 2 === 0 ? openPull : { ...closedPull, merged: true })
    const { gitHub, slept } = connect()
    const { states } = await statesOf(gitHub, range(250))
    expect(asked()).toEqual(['POST /graphql', 'POST /graphql', 'POST /graphql'])
    expect([...states]).toEqual(range(250).map((number) => [number, number % 2 === 0 ? 'open' : 'closed']))
    // They are no writes, which would have to be a second apart.
    for (let n = 0; n < 25; n++) await statesOf(gitHub, range(4))
    expect([questions().length, slept]).toEqual([28, []])
  })

  it('are asked for one by one if they are few', async () => {
    for (const number of range(3)) pulls.set(number, closedPull)
    await statesOf(connect().gitHub, [...range(3), ...range(3)])
    expect(asked()).toEqual(['GET 1', 'GET 2', 'GET 3'])
  })

  it('are not known after a mistake of this action, which is thrown', async () => {
    const gitHub = { ...connect().gitHub, request: () => Promise.reject(new TypeError('a mistake')) }
    await expect(statesOf(gitHub, range(4))).rejects.toThrow('a mistake')
    expect(asked()).toEqual([])
  })

  it('come beside the REST API of an Enterprise Server', async () => {
    for (const number of range(4)) pulls.set(number, closedPull)
    await statesOf(connect('/api/v3').gitHub, range(4))
    expect(asked()).toEqual(['POST /api/graphql'])
  })

  it('are asked for alone where the answer has no such pull request', async () => {
    for (const number of [1, 2, 4, 5]) pulls.set(number, closedPull)
    const { states } = await statesOf(connect().gitHub, range(5))
    expect(asked()).toEqual(['POST /graphql', 'GET 3'])
    expect(states.get(3)).toBe('missing')
    expect([...states.values()].filter((state) => state === 'closed')).toHaveLength(4)
  })

  it('are asked for alone if the number is none for GraphQL', async () => {
    for (const number of range(4)) pulls.set(number, openPull)
    const { states } = await statesOf(connect().gitHub, [...range(4), 2 ** 31, 9_999_999_999])
    expect(asked()).toEqual(['POST /graphql', `GET ${2 ** 31}`, 'GET 9999999999'])
    expect(states.get(9_999_999_999)).toBe('missing')
  })

  it('include the label', async () => {
    const labels = ['Preview', 'bug']
    for (const number of range(4)) pulls.set(number, openPull)
    pulls.set(2, { ...openPull, labels })
    pulls.set(3, { ...openPull, labels: [...range(100).map((n) => `label ${n}`), 'preview'] })
    pulls.set(4, { ...closedPull, labels })
    const { states } = await statesOf(connect().gitHub, range(4), 'preview')
    expect(Object.fromEntries(states)).toEqual({ 1: 'unlabeled', 2: 'open', 3: 'open', 4: 'closed' })
    // The answer has at most a hundred labels.
    expect(asked()).toEqual(['POST /graphql', 'GET 3'])
  })

  it('are asked for alone where the answer lacks the labels', async () => {
    for (const number of range(4)) pulls.set(number, openPull)
    onQuestion = change(/,"labels":{.*?"pageInfo":{[^}]*}}/g, '')
    const { states } = await statesOf(connect().gitHub, range(4), 'preview')
    expect(new Set(states.values())).toEqual(new Set(['unlabeled']))
    expect(asked()).toEqual(['POST /graphql', 'GET 1', 'GET 2', 'GET 3', 'GET 4'])
  })

  it.each([
    [401, 1],
    [403, 1],
    [500, 3],
  ])('HTTP %d to the first of them: %d are asked for', async (status, count) => {
    for (const number of range(3)) pulls.set(number, closedPull)
    onPull = (answer) => (asked().at(-1) === 'GET 1' ? { status, body: { message: 'no' } } : answer)
    const { gitHub } = connect()
    const states = statesOf(gitHub, range(3))
    if (count === 1) await expect(states).rejects.toThrow(GitHubError)
    else expect([...(await states).states.keys()]).toEqual([2, 3])
    expect(new Set(asked()).size).toBe(count)
  })

  it('are not asked for any more when GitHub does not answer', async () => {
    for (const number of range(3)) pulls.set(number, closedPull)
    onPull = () => 'hang up'
    const { states, failures } = await statesOf(connect().gitHub, range(3))
    expect([states.size, failures.length, new Set(asked())]).toEqual([0, 1, new Set(['GET 1'])])
  })

  const change =
    (from: string | RegExp, to: string) =>
    (answer: Sent): Sent => {
      const body: unknown = JSON.parse(JSON.stringify(answer.body).replaceAll(from, to))
      return { ...answer, body }
    }
  const errors = (type: string, data?: unknown): (() => Sent) => {
    const body = { errors: [{ type, message: 'no' }], ...(data === undefined ? {} : { data }) }
    return () => ({ status: 200, body })
  }

  it.each<[string, (answer: Sent) => Sent]>([
    ['has only errors', errors('RATE_LIMITED')],
    ['has no data', errors('SERVICE_UNAVAILABLE', null)],
    ['has no repository, as without the permission', errors('FORBIDDEN', { repository: null })],
    ['is 401', () => ({ status: 401, body: { message: 'Bad credentials' } })],
    ['is 403', () => ({ status: 403, body: { message: 'Resource not accessible by integration' } })],
    ['is 404, as without the route', () => ({ status: 404, body: { message: 'Not Found' } })],
    ['is 502', () => ({ status: 502, body: {} })],
    ['is no object', () => ({ status: 200, body: [] })],
    ['is about another repository', change('"acme/agent"', '"eve/agent"')],
  ])('are asked for one by one from then on if the answer %s', async (_case, answer) => {
    for (const number of range(5)) pulls.set(number, number === 4 ? openPull : closedPull)
    onQuestion = answer
    const { gitHub } = connect()
    const { states, failures } = await statesOf(gitHub, range(5))
    const found = { 1: 'closed', 2: 'closed', 3: 'closed', 4: 'open', 5: 'closed' }
    expect(Object.fromEntries(states)).toEqual(found)
    expect(failures).toEqual([])
    const before = questions().length
    expect(Object.fromEntries((await statesOf(gitHub, range(5))).states)).toEqual(found)
    expect(questions()).toHaveLength(before)
  })

  it.each<[string, (answer: Sent) => Sent]>([
    ['is about another one', change('"number":4', '"number":40')],
    ['has a state that is not known', change(/"number":4,"state":"OPEN"/g, '"number":4,"state":"LOCKED"')],
    ['is null beside an error', change(/"n3":{[^}]*}/g, '"n3":null')],
  ])('is asked for alone where the entry %s', async (_case, answer) => {
    for (const number of range(5)) pulls.set(number, number === 4 ? openPull : closedPull)
    onQuestion = answer
    const { states } = await statesOf(connect().gitHub, range(5))
    expect(states.get(4)).toBe('open')
    expect(asked()).toEqual(['POST /graphql', 'GET 4'])
  })

  it('are asked for by a text that holds nothing but names and punctuation', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 20 }), (numbers) => {
        const { query, numbers: variables } = questionAbout(numbers, 'state')
        expect(query).toMatch(/^query [\w\s${}():!,]+$/)
        expect(Object.values(variables)).toEqual(numbers)
        expect(checkQuestion({ query, variables: { owner: 'o', repo: 'r', ...variables } })).toEqual([])
      }),
    )
  })
})

it('the files of a pull request count with their names before and after it', async () => {
  const body = [{ filename: 'new.py', previous_filename: 'old.py' }, { filename: 'other.py' }]
  onPull = () => ({ status: 200, body })
  const paths = ['new.py', 'old.py', 'other.py']
  expect(await readPullRequestFiles(connect().gitHub, 7, limits)).toEqual({ paths, isWhole: true })
})

it('the files of a pull request are not whole where GitHub lists as many as it can', async () => {
  const body = range(100).map((index) => ({ filename: `${index}.py` }))
  const link = '</repos/acme/agent/pulls/7/files>; rel="next"'
  let pages = 0
  onPull = () => ({ status: 200, body, ...(++pages < 30 && { headers: { link } }) })
  const { paths, isWhole } = await readPullRequestFiles(connect().gitHub, 7, limits)
  expect([paths.length, isWhole]).toEqual([3_000, false])
})

describe('pull requests without a comment of a run', () => {
  it('are those whose comments are all known, and all by people', async () => {
    const by = (...authors: string[]) => authors.map((author) => ({ author }))
    comments.set(2, by('octocat', 'eve'))
    comments.set(3, by('octocat', BOT))
    comments.set(4, by('other-app[bot]'))
    comments.set(5, by(...range(21).map(() => 'octocat')))
    for (const number of range(5)) pulls.set(number, closedPull)
    const silent = await withoutOurComment(connect().gitHub, [...range(5), 6], limits)
    expect([...silent]).toEqual([1, 2])
    expect(asked()).toEqual(['POST /graphql'])
  })

  it('are not those of a person whose token the run has', async () => {
    for (const number of range(4)) pulls.set(number, closedPull)
    onQuestion = (answer) => {
      const nodes = [{ viewerDidAuthor: true, author: { __typename: 'User' } }]
      const found = (number: number) => ({ number, comments: { totalCount: 1, nodes } })
      return { ...answer, body: { data: { repository: { nameWithOwner: REPOSITORY, n0: found(1), n1: found(2) } } } }
    }
    expect([...(await withoutOurComment(connect().gitHub, range(4), limits))]).toEqual([])
  })

  it('are not known without an answer', async () => {
    onQuestion = () => ({ status: 403, body: { message: 'no' } })
    expect([...(await withoutOurComment(connect().gitHub, range(4), limits))]).toEqual([])
  })
})

const answering = AnsweringServer.forEachTest()

const BASE = 'a'.repeat(40)
const HEAD = 'b'.repeat(40)
const OTHER = 'c'.repeat(40)
const LIMITS = { withinMs: 10_000, permission: 'pull-requests: read' } as const
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
const pull = async (gitHub: GitHub) => await readPullRequest(gitHub, 7, LIMITS)
const compare = async (gitHub: GitHub) => await compareCommits(gitHub, BASE, HEAD, 10_000)

describe('an answer of GitHub about something else', () => {
  it.each<[string, Question, unknown]>([
    ['another pull request', pull, aPull(8)],
    ['a pull request of another repository', pull, aPull(7, 'acme/other')],
    ['a pull request of an unknown repository', pull, aPull(7, null)],
    ['a comparison with another base', compare, comparison('behind', OTHER, HEAD)],
    ['a comparison with another head', compare, comparison('behind', BASE, OTHER)],
    ['a comparison of which the parts differ', compare, comparison('ahead', BASE, OTHER)],
  ])('is requested again, and then an error: %s', async (_case, question, body) => {
    await answering.expectRefused(question, body)
  })

  it.each<[string, Question, unknown, unknown, object]>([
    ['the pull request', pull, aPull(8), aPull(7, 'Acme/Agent'), [{ number: 7, state: 'closed' }]],
    ['the comparison', compare, comparison('behind', OTHER, HEAD), comparison('behind', BASE, HEAD), ['behind']],
    [
      'the comparison with a branch, whose commit is not known',
      async (gitHub) => await compareCommits(gitHub, 'main', HEAD, 10_000),
      comparison('behind', BASE, OTHER),
      comparison('behind', BASE, HEAD),
      ['behind'],
    ],
  ])('is read past, to the right one: %s', async (_case, question, wrong, right, found) => {
    expect([await answering.readPast(question, wrong, right)]).toMatchObject(found)
  })

  it('leaves the state of that pull request unknown, and those of the others known', async () => {
    answering.answer = ({ path }) => aPull(path.endsWith('/8') ? 9 : Number(path.split('/').at(-1)))
    const failures: string[] = []
    const gitHub = answering.connect()
    const onFailure = ({ message }: Error): void => void failures.push(message)
    const states = await readPullRequestStates(gitHub, [7, 8, 10], {
      options: () => LIMITS,
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
})

describe('the commit of a ref', () => {
  const [TAG, OBJECT, OUTER] = ['refs/tags/v1', 'd'.repeat(40), 'e'.repeat(40)]
  const readRef = async (ref: string): Promise<string> =>
    await readRefCommit(answering.connect(), { repository: 'acme/lib', ref }, 10_000)
  const refAt = (ref: string, type: string, sha: string) => ({ ref, object: { type, sha } })

  it.each([
    ['release/2', 'refs/heads/release/2', '/repos/acme/lib/git/ref/heads%2Frelease%2F2'],
    [TAG, TAG, '/repos/acme/lib/git/ref/tags%2Fv1'],
  ])('%s is that of its ref', async (ref, full, path) => {
    answering.answer = () => refAt(full, 'commit', BASE)
    expect(await readRef(ref)).toBe(BASE)
    expect(answering.asked.map((one) => one.path)).toEqual([path])
  })

  it('is that of a tag with a message, and of a tag of a tag', async () => {
    answering.answer = ({ path }) => {
      if (path.endsWith(`/git/tags/${OUTER}`)) return { sha: OUTER, object: { type: 'tag', sha: OBJECT } }
      if (path.endsWith(`/git/tags/${OBJECT}`)) return { sha: OBJECT, object: { type: 'commit', sha: BASE } }
      return refAt(TAG, 'tag', OUTER)
    }
    expect(await readRef(TAG)).toBe(BASE)
    expect(answering.asked).toHaveLength(3)
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
    answering.answer = answers
    await expect(readRef(TAG)).rejects.toThrow(message)
  })
})

describe('the age of a workflow run', () => {
  const clock = fakeClock()
  const [HOUR, now] = [3_600_000, clock.wallTime()]
  const readAge = async (): Promise<number> => await readRunAge(answering.connect({ clock }), '7351', 10_000)
  const createdAnHourAgo = { id: 7351, created_at: new Date(now - HOUR).toISOString() }
  const at = (wallTime: number) => ({ date: new Date(wallTime).toUTCString() })

  it('is not that of another run', async () => {
    await answering.expectRefused(async (gitHub) => await readRunAge(gitHub, '7351', 10_000), {
      ...createdAnHourAgo,
      id: 7352,
    })
  })

  it.each<[string, Record<string, string>, number]>([
    ['the one of the runner', at(now), HOUR],
    ['a day ahead of it', at(now + 24 * HOUR), 25 * HOUR],
    ['not known', { date: '' }, HOUR],
  ])('is by the clock of GitHub, which is %s', async (_clock, headers, age) => {
    answering.respond = () => ({ status: 200, body: createdAnHourAgo, headers })
    expect(await readAge()).toBe(age)
    expect(answering.asked.map(({ path }) => path)).toEqual(['/repos/acme/agent/actions/runs/7351'])
  })

  it('is unknown without a usable time, and needs a permission', async () => {
    answering.respond = () => ({ status: 200, body: { id: 7351, created_at: 'yesterday' } })
    await expect(readAge()).rejects.toThrow('does not match its documentation')
    answering.respond = () => ({ status: 403, body: { message: 'Resource not accessible by integration' } })
    await expect(readAge()).rejects.toThrow(
      'could not read the workflow run 7351: GitHub refused it (Resource not accessible by integration). Grant the job the permission "actions: read".',
    )
  })
})
