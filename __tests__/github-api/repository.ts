import { z } from 'zod'
import { KeptDeployments, type Answer, type JobDeployment, type KeptDeployment } from './deployments.ts'
import { filesOfComparison, listFiles, showContent } from './files.ts'
import { answerQuestion } from './graphql.ts'

/** The repository that everything happens in. */
export const REPOSITORY = 'octo-org/hello-agent'
export const JOB_BOT = 'github-actions[bot]'

export interface Pull {
  state: 'open' | 'closed'
  merged: boolean
  labels: string[]
  branch: string
  sha: string
  /** `owner/name`; that of a fork is another one. */
  headRepository: string
  /** The files that it changes. Those with ` -> ` are renamed. */
  files: readonly string[]
}

export interface Comment {
  id: number
  issue: number
  author: string
  body: string
}

export type Comparison = 'ahead' | 'behind' | 'identical' | 'diverged'

export interface Account {
  /** The base of the addresses in the responses. */
  url: string
  /** The login of the action's token: the job's own bot, another app's, or a person. */
  login: string
  /** Milliseconds since the epoch. */
  now: () => number
}

/** A repository on GitHub in memory, as far as the action uses GitHub's API. The responses match GitHub's description. */
export class KeptRepository {
  readonly pulls = new Map<number, Pull>()
  /** The commits of branches and tags, as `heads/main`. */
  readonly refs = new Map<string, string>()
  /** When workflow runs were created, in milliseconds since the epoch, by their ids. */
  readonly runs = new Map<number, number>()
  /** Called after an answer about one of the refs. */
  afterRef = (): void => undefined
  readonly #account: Account
  readonly #deployments: KeptDeployments
  readonly #comparisons = new Map<string, { status: Comparison; files: readonly string[] }>()
  readonly #texts = new Map<string, string>()
  #comments: Comment[] = []
  #lastId = 0

  constructor(account: Account) {
    this.#account = account
    this.#deployments = new KeptDeployments(REPOSITORY, account.url, account.now)
  }

  seedPullRequest(number: number, seeded: Partial<Pull> = {}): Pull {
    const pull: Pull = {
      ...{ state: 'open', merged: false, labels: [], branch: `feature/${number}`, sha: 'f'.repeat(40) },
      ...{ headRepository: REPOSITORY, files: [] },
      ...seeded,
    }
    this.pulls.set(number, pull)
    return pull
  }

  closePullRequest(number: number): void {
    this.#pull(number).state = 'closed'
  }

  /** Replaces the labels of a pull request. */
  labelPullRequest(number: number, labels: string[]): void {
    this.#pull(number).labels = labels
  }

  /** @param files that have changed; those with ` -> ` are renamed */
  seedComparison(base: string, head: string, status: Comparison, files: readonly string[] = []): void {
    this.#comparisons.set(`${base}...${head}`, { status, files })
  }

  /** A file of the repository at a commit. */
  seedFile(commit: string, path: string, text: string): void {
    this.#texts.set(`${commit}:${path}`, text)
  }

  comment(issue: number, author: string, body: string): Comment {
    this.#lastId += 1
    const comment = { id: this.#lastId, issue, author, body }
    this.#comments.push(comment)
    return comment
  }

  /** As they are now, the oldest first. */
  comments(issue: number): readonly Comment[] {
    return this.#comments.filter((one) => one.issue === issue).map((one) => ({ ...one }))
  }

  deleteComment(id: number): void {
    this.#comments = this.#comments.filter((one) => one.id !== id)
  }

  deployments(): readonly KeptDeployment[] {
    return this.#deployments.all
  }

  /** Makes the GitHub Deployment of a job with `environment:`, as GitHub does itself. */
  startJob(deployment: JobDeployment): (state: string) => void {
    return this.#deployments.addOfJob(deployment)
  }

  async answer(method: string, path: string, body: unknown): Promise<Answer> {
    const { login } = this.#account
    if (path === '/graphql') return await answerQuestion(body, this.#asked())
    if (path === '/user') return login.endsWith('[bot]') ? FORBIDDEN : { status: 200, body: userOf(login) }
    const [, basehead] = /\/compare\/([^?]+)/.exec(path) ?? []
    if (basehead !== undefined) return this.#compare(decodeURIComponent(basehead))
    const [, file, commit = ''] = /\/contents\/([^?]+)\?(?:.*&)?ref=([^&]+)/.exec(path) ?? []
    if (file !== undefined) return this.#showFile(decodeURIComponent(file), decodeURIComponent(commit))
    const [, name] = /\/commits\/([^?]+)/.exec(path) ?? []
    if (name !== undefined) return this.#showCommit(decodeURIComponent(name))
    const [, ref] = /\/git\/ref\/(.+)$/.exec(path) ?? []
    if (ref !== undefined) return this.#showRef(decodeURIComponent(ref))
    const [, run] = /\/actions\/runs\/(\d+)$/.exec(path) ?? []
    if (run !== undefined) return this.#showRun(Number(run))
    const [, filesOf] = /\/pulls\/(\d+)\/files/.exec(path) ?? []
    if (filesOf !== undefined) return listFiles(this.pulls.get(Number(filesOf))?.files ?? [], path, this.#account.url)
    const [, number] = /\/pulls\/(\d+)$/.exec(path) ?? []
    if (number !== undefined) return this.#showPull(Number(number))
    const [, issue, query = ''] = /\/issues\/(\d+)\/comments(\?.*)?$/.exec(path) ?? []
    if (issue !== undefined)
      return method === 'POST' ? this.#add(Number(issue), body) : this.#list(Number(issue), query)
    const [, id] = /\/issues\/comments\/(\d+)$/.exec(path) ?? []
    if (id !== undefined) return this.#change(method, Number(id), body)
    return this.#deployments.answer(method, path, body) ?? NOT_FOUND
  }

  #pull(number: number): Pull {
    const pull = this.pulls.get(number)
    if (pull === undefined) throw new Error(`there is no pull request ${number}`)
    return pull
  }

  #asked() {
    return {
      repository: REPOSITORY,
      login: this.#account.login,
      pullRequest: async (number: number) => await Promise.resolve(this.pulls.get(number)),
      comments: async (issue: number) => await Promise.resolve([...this.comments(issue)]),
    }
  }

  #compare(basehead: string): Answer {
    const comparison = this.#comparisons.get(basehead)
    if (comparison === undefined) return NOT_FOUND
    const { status, files: changed } = comparison
    const [base = '', head = ''] = basehead.split('...')
    const merge_base_commit = { sha: status === 'behind' ? head : base }
    const files = filesOfComparison(changed)
    return { status: 200, body: { status, base_commit: { sha: base }, merge_base_commit, commits: [], files } }
  }

  #showFile(path: string, commit: string): Answer {
    const text = this.#texts.get(`${commit}:${path}`)
    return text === undefined ? NOT_FOUND : { status: 200, body: showContent(path, text) }
  }

  /** By a branch, a tag, or a commit that one of them has or that was compared. */
  #showCommit(name: string): Answer {
    const known = [...this.refs.values(), ...[...this.#comparisons.keys()].flatMap((key) => key.split('...'))]
    const sha =
      this.refs.get(`heads/${name}`) ?? this.refs.get(`tags/${name}`) ?? known.find((one) => one.startsWith(name))
    if (sha === undefined) return { status: 422, body: { message: `No commit found for SHA: ${name}` } }
    return { status: 200, body: { sha, commit: { message: 'A commit' }, parents: [], files: [] } }
  }

  #showRef(ref: string): Answer {
    const sha = this.refs.get(ref)
    this.afterRef()
    if (sha === undefined) return NOT_FOUND
    return { status: 200, body: { ref: `refs/${ref}`, object: { type: 'commit', sha } } }
  }

  #showRun(id: number): Answer {
    const createdAt = this.runs.get(id)
    if (createdAt === undefined) return NOT_FOUND
    const created_at = new Date(createdAt).toISOString().replace(/\.\d+Z$/, 'Z')
    return { status: 200, body: { id, created_at, status: 'in_progress' } }
  }

  #showPull(number: number): Answer {
    const pull = this.pulls.get(number)
    if (pull === undefined) return NOT_FOUND
    const { state, merged, labels, branch, sha, headRepository } = pull
    const head = { ref: branch, sha, repo: { full_name: headRepository } }
    const base = { repo: { full_name: REPOSITORY } }
    return { status: 200, body: { number, state, merged, labels: labels.map((name) => ({ name })), head, base } }
  }

  #add(issue: number, body: unknown): Answer {
    const comment = this.comment(issue, this.#account.login, sent.parse(body).body)
    return { status: 201, body: this.#showComment(comment) }
  }

  #list(issue: number, query: string): Answer {
    const parameters = new URLSearchParams(query)
    const [size, page] = [Number(parameters.get('per_page') ?? 30), Number(parameters.get('page') ?? 1)]
    const all = this.comments(issue).map((one) => this.#showComment(one))
    const next = `${this.#account.url}/repos/${REPOSITORY}/issues/${issue}/comments?per_page=${size}&page=${page + 1}`
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
    return { status: 200, body: this.#showComment(comment) }
  }

  #showComment({ id, issue, author, body }: Comment): object {
    const issue_url = `${this.#account.url}/repos/${REPOSITORY}/issues/${issue}`
    return { id, body, user: userOf(author), issue_url, html_url: `https://github.com/${REPOSITORY}/pull/${issue}` }
  }
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } }
export const FORBIDDEN: Answer = {
  status: 403,
  body: { message: 'Resource not accessible by integration', status: '403' },
}
const sent = z.object({ body: z.string() })

function userOf(login: string): object {
  return { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' }
}
