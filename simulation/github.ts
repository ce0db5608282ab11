import { z } from 'zod'
import { KeptDeployments, type Answer, type KeptDeployment } from '../__tests__/github-api/deployments.ts'
import { listFiles } from '../__tests__/github-api/files.ts'
import { answerQuestion, checkQuestion } from '../__tests__/github-api/graphql.ts'
import { loadDescription } from '../__tests__/github-api/openapi.ts'
import type { Scene } from './scene.ts'

export const GITHUB = 'https://api.github.com'
export const REPOSITORY = 'octo-org/hello-agent'
export const TOKEN = 'ghs_the-token-of-the-job'
const BOT = 'github-actions[bot]'

export interface Pull {
  state: 'open' | 'closed'
  merged: boolean
  labels: string[]
  branch: string
  sha: string
  /** The files that it changes. */
  files: readonly string[]
}

export interface Comment {
  id: number
  issue: number
  author: string
  body: string
}

/** GitHub's API as far as the action uses it, in memory, for the token of a job. */
export class SimulatedGitHub {
  readonly pulls = new Map<number, Pull>()
  /** The commits of branches and tags, as `heads/main`. */
  readonly refs = new Map<string, string>()
  /** Called after an answer about one of them. */
  afterRef = (): void => undefined
  readonly #deployments: KeptDeployments
  readonly #description = loadDescription()
  readonly #now: () => number
  #comments: Comment[] = []
  #lastId = 0
  /** Requests that violate GitHub's own description, as sentences. */
  readonly violations: string[] = []

  constructor(scene: Scene) {
    this.#now = () => scene.time.wallTime()
    this.#deployments = new KeptDeployments(REPOSITORY, GITHUB, this.#now)
    scene.network.serve(GITHUB, async (request) => await this.#serve(request))
  }

  open(number: number, { branch = `feature/${number}`, labels = [], files = [] }: Partial<Pull> = {}): Pull {
    const pull: Pull = { state: 'open', merged: false, labels: [...labels], branch, sha: 'f'.repeat(40), files }
    this.pulls.set(number, pull)
    return pull
  }

  comment(issue: number, author: string, body: string): void {
    this.#comments.push({ id: this.#newId(), issue, author, body })
  }

  /** Oldest first. */
  comments(issue: number): readonly Comment[] {
    return this.#comments.filter((one) => one.issue === issue)
  }

  deleteComment(id: number): void {
    this.#comments = this.#comments.filter((one) => one.id !== id)
  }

  deployments(): readonly KeptDeployment[] {
    return this.#deployments.all
  }

  #newId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const { method } = request
    const path = pathname + search
    const text = await request.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const isQuestion = method === 'POST' && path === '/graphql'
    const wrong = isQuestion ? checkQuestion(body) : this.#description.check({ method, path, body })
    this.violations.push(...wrong)
    const isOurs = new RegExp(`^(token|bearer) ${TOKEN}$`, 'i').test(request.headers.get('authorization') ?? '')
    const answer = isOurs
      ? await this.#answer(method, path, body)
      : { status: 401, body: { message: 'Bad credentials' } }
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      date: new Date(this.#now()).toUTCString(),
      ...(answer.link !== undefined && { link: answer.link }),
    }
    return new Response(answer.status === 204 ? null : JSON.stringify(answer.body), { status: answer.status, headers })
  }

  async #answer(method: string, path: string, body: unknown): Promise<Answer> {
    if (path === '/graphql') return await answerQuestion(body, this.#asked())
    if (path === '/user') return { status: 403, body: { message: 'Resource not accessible by integration' } }
    const [, ref] = /\/git\/ref\/(.+)$/.exec(path) ?? []
    if (ref !== undefined) return this.#showRef(decodeURIComponent(ref))
    const [, filesOf] = /\/pulls\/(\d+)\/files/.exec(path) ?? []
    if (filesOf !== undefined) return listFiles(this.pulls.get(Number(filesOf))?.files ?? [], path)
    const [, number] = /\/pulls\/(\d+)$/.exec(path) ?? []
    if (number !== undefined) return this.#showPull(Number(number))
    const [, issue, query = ''] = /\/issues\/(\d+)\/comments(\?.*)?$/.exec(path) ?? []
    if (issue !== undefined)
      return method === 'POST' ? this.#add(Number(issue), body) : this.#list(Number(issue), query)
    const [, id] = /\/issues\/comments\/(\d+)$/.exec(path) ?? []
    if (id !== undefined) return this.#change(method, Number(id), body)
    return this.#deployments.answer(method, path, body) ?? NOT_FOUND
  }

  #asked() {
    return {
      repository: REPOSITORY,
      login: BOT,
      pullRequest: async (number: number) => await Promise.resolve(this.pulls.get(number)),
      comments: async (issue: number) => await Promise.resolve([...this.comments(issue)]),
    }
  }

  #showRef(ref: string): Answer {
    const sha = this.refs.get(ref)
    this.afterRef()
    return sha === undefined
      ? NOT_FOUND
      : { status: 200, body: { ref: `refs/${ref}`, object: { type: 'commit', sha } } }
  }

  #showPull(number: number): Answer {
    const pull = this.pulls.get(number)
    if (pull === undefined) return NOT_FOUND
    const { state, labels, branch, sha } = pull
    const repo = { full_name: REPOSITORY }
    const head = { ref: branch, sha, repo }
    return { status: 200, body: { number, state, labels: labels.map((name) => ({ name })), head, base: { repo } } }
  }

  #add(issue: number, body: unknown): Answer {
    const comment = { id: this.#newId(), issue, author: BOT, body: sent.parse(body).body }
    this.#comments.push(comment)
    return { status: 201, body: shownComment(comment) }
  }

  #list(issue: number, query: string): Answer {
    const parameters = new URLSearchParams(query)
    const [size, page] = [Number(parameters.get('per_page') ?? 30), Number(parameters.get('page') ?? 1)]
    const all = this.comments(issue).map(shownComment)
    const next = `${GITHUB}/repos/${REPOSITORY}/issues/${issue}/comments?per_page=${size}&page=${page + 1}`
    const link = page * size < all.length ? `<${next}>; rel="next"` : undefined
    return { status: 200, body: all.slice((page - 1) * size, page * size), link }
  }

  #change(method: string, id: number, body: unknown): Answer {
    const comment = this.#comments.find((one) => one.id === id)
    if (comment === undefined) return NOT_FOUND
    if (method === 'DELETE') {
      this.deleteComment(id)
      return { status: 204, body: undefined }
    }
    if (method === 'PATCH') comment.body = sent.parse(body).body
    return { status: 200, body: shownComment(comment) }
  }
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } }
const sent = z.object({ body: z.string() })

function shownComment({ id, issue, author, body }: Comment): object {
  const type = author.endsWith('[bot]') ? 'Bot' : 'User'
  const issue_url = `${GITHUB}/repos/${REPOSITORY}/issues/${issue}`
  return {
    id,
    body,
    user: { login: author, type },
    issue_url,
    html_url: `https://github.com/${REPOSITORY}/pull/${issue}`,
  }
}
