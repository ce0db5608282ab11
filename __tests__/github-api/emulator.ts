import { Agent, request, type RequestOptions } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createEmulator, type Emulator, type EmulatorOptions } from 'emulate'
import { z } from 'zod'
import type { Clock } from '../../src/clock.ts'
import type { AskedPullRequest } from './graphql.ts'

/** The repository that everything happens in. */
export const REPOSITORY = 'octo-org/hello-agent'
/** What the action uses as github-token. */
export const TOKEN = 'ghs_the-token-of-the-job'
export const JOB_BOT = 'github-actions[bot]'

const OWNER = 'octo-org'
const PEOPLE = ['octocat', 'eve']

export interface EmulatorAnswer {
  status: number
  body: unknown
  /** The Link header with the next pages. */
  link: string | undefined
}

export interface SeededPullRequest {
  branch?: string
  /** `owner/name` of a fork. */
  headRepository?: string
}

/** Comments, issues, pull requests and commits: the part of GitHub that the package `emulate` has. */
export interface GitHubEmulator {
  /** Its own address, which its responses contain. */
  url: string
  ask: (method: string, path: string, body: unknown, authorization: string) => Promise<EmulatorAnswer>
  seedPullRequest: (number: number, options?: SeededPullRequest) => Promise<void>
  closePullRequest: (number: number) => Promise<void>
  /** `undefined` if there is none of this number. */
  pullRequest: (number: number) => Promise<AskedPullRequest | undefined>
  /** Replaces the labels of a pull request. */
  labelPullRequest: (number: number, labels: readonly string[]) => Promise<void>
  comment: (issue: number, author: string, body: string) => Promise<number>
  comments: (issue: number) => Promise<{ id: number; author: string; body: string }[]>
  deleteComment: (id: number) => Promise<void>
  close: () => Promise<void>
}

const numbered = z.object({ number: z.number() })
const commented = z.object({ id: z.number() })
const gitRef = z.object({ object: z.object({ sha: z.string() }) })
const shownPullRequest = z.object({
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  labels: z.array(z.object({ name: z.string() })).transform((labels) => labels.map(({ name }) => name)),
})
const listedComments = z.array(z.object({ id: z.number(), body: z.string(), user: z.object({ login: z.string() }) }))

/**
 * @param login the login of the action's token
 * @param clock waits for the emulator's own server
 */
export async function startEmulator(login: string, clock: Pick<Clock, 'during'>): Promise<GitHubEmulator> {
  const tokenOf = new Map([...PEOPLE, OWNER, JOB_BOT].map((name) => [name, `token-of-${name}`]))
  tokenOf.set(login, TOKEN)
  const tokens: Record<string, { login: string; scopes: string[] }> = {}
  for (const [name, token] of tokenOf) tokens[token] = { login: name, scopes: ['repo'] }
  const emulator = await create({
    service: 'github',
    port: 0,
    seed: {
      tokens,
      github: {
        users: [...tokenOf.keys()].map((name) => ({ login: name })),
        repos: [{ owner: OWNER, name: 'hello-agent', auto_init: true }],
      },
    },
  })

  const forks = new Map<number, string>()
  const agent = new Agent({ keepAlive: true })
  const ask: GitHubEmulator['ask'] = async (method, path, body, authorization) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const sent = body === undefined ? '' : JSON.stringify(body)
    const { status, text, link } = await clock.during(exchange(emulator.url + path, { method, headers, agent }, sent))
    const hasBot = text.includes('[bot]"')
    const parsed: unknown = text === '' ? undefined : JSON.parse(text, hasBot ? asBot : undefined)
    return { status, body: forks.size === 0 ? parsed : withFork(parsed, forks), link }
  }
  const askAs = async (name: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const token = tokenOf.get(name)
    if (token === undefined) throw new Error(`there is no user ${name}: ${[...tokenOf.keys()].join(', ')}`)
    const answer = await ask(method, `/repos/${REPOSITORY}${path}`, body, `token ${token}`)
    if (answer.status >= 300)
      throw new Error(`could not ${method} ${path}: HTTP ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  let lastNumber = 0
  return {
    url: emulator.url,
    ask,
    async seedPullRequest(number, { branch = `feature/${number}`, headRepository } = {}) {
      // Issues and pull requests share their numbers, which only grow.
      if (number <= lastNumber) throw new Error(`pull request ${number} must be seeded before ${lastNumber}`)
      const main = gitRef.parse(await askAs(OWNER, 'GET', '/git/ref/heads/main'))
      await askAs(OWNER, 'POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: main.object.sha })
      await askAs(OWNER, 'PUT', `/contents/${number}.txt`, { message: 'x', content: 'eA==', branch })
      while (lastNumber < number - 1) {
        const issue = await askAs(OWNER, 'POST', '/issues', { title: 'before the pull request' })
        lastNumber = numbered.parse(issue).number
      }
      const pull = { title: 'A change', head: branch, base: 'main' }
      lastNumber = numbered.parse(await askAs(OWNER, 'POST', '/pulls', pull)).number
      if (headRepository !== undefined) forks.set(number, headRepository)
    },
    async closePullRequest(number) {
      await askAs(OWNER, 'PATCH', `/pulls/${number}`, { state: 'closed' })
    },
    async pullRequest(number) {
      const { status, body } = await ask('GET', `/repos/${REPOSITORY}/pulls/${number}`, undefined, `token ${TOKEN}`)
      return status === 200 ? shownPullRequest.parse(body) : undefined
    },
    async labelPullRequest(number, labels) {
      await askAs(OWNER, 'PUT', `/issues/${number}/labels`, { labels })
    },
    async comment(issue, author, body) {
      return commented.parse(await askAs(author, 'POST', `/issues/${issue}/comments`, { body })).id
    },
    async comments(issue) {
      const all = []
      for (let page = 1; ; page++) {
        const path = `/issues/${issue}/comments?per_page=100&page=${page}`
        const some = listedComments.parse(await askAs(OWNER, 'GET', path))
        all.push(...some.map(({ id, body, user }) => ({ id, body, author: user.login })))
        if (some.length < 100) return all
      }
    },
    async deleteComment(id) {
      await askAs(OWNER, 'DELETE', `/issues/comments/${id}`)
    },
    async close() {
      agent.destroy()
      await emulator.close()
    },
  }
}

// It imports a part of itself at its first start. Jest would refuse that in a test that runs beside others.
await (await createEmulator({ service: 'github', port: 0 })).close()

/** Each start asks for that part again, which Jest refuses between two tests only. */
async function create(options: EmulatorOptions): Promise<Emulator> {
  for (;;) {
    try {
      return await createEmulator(options)
    } catch (thrown) {
      if (!/outside of the scope of the test code/.test(String(thrown))) throw thrown
      await pause(5)
    }
  }
}

interface Exchanged {
  status: number
  text: string
  link: string | undefined
}

/** Half the work of `fetch`: the emulator gets ten requests for each pull request. */
async function exchange(url: string, options: RequestOptions, body: string): Promise<Exchanged> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('error', reject).once('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, text, link: typeof headers['link'] === 'string' ? headers['link'] : undefined })
      })
    })
    const fail = (thrown: NodeJS.ErrnoException): void => {
      // The emulator closes a connection that was idle for five seconds, which a busy machine takes now and then.
      if (sent.reusedSocket && thrown.code === 'ECONNRESET') resolve(exchange(url, options, body))
      else reject(thrown)
    }
    sent.once('error', fail).end(body)
  })
}

const bot = z.looseObject({ login: z.string().endsWith('[bot]'), type: z.string() })

/** The emulator calls every login a person. */
function asBot(_key: string, value: unknown): unknown {
  const user = bot.safeParse(value).data
  return user === undefined ? value : { ...user, type: 'Bot' }
}

const head = z.looseObject({ repo: z.looseObject({}) })
const pullRequest = z.looseObject({ number: z.number(), head })

/** Makes the head of a pull request that of a fork. */
function withFork(body: unknown, forks: ReadonlyMap<number, string>): unknown {
  const pull = pullRequest.safeParse(body).data
  const fork = pull === undefined ? undefined : forks.get(pull.number)
  if (pull === undefined || fork === undefined) return body
  return { ...pull, head: { ...pull.head, repo: { ...pull.head.repo, full_name: fork, fork: true } } }
}
