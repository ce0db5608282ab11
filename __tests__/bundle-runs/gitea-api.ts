import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export interface GiteaComment {
  id: number
  body: string
  user: { login: string }
}

/** The API of Gitea and Forgejo, as far as a rollout asks for it. Whatever it lacks is HTTP 404, as GraphQL is. */
export class GiteaApi {
  readonly comments: GiteaComment[] = []
  readonly requests: string[] = []
  state: 'open' | 'closed' = 'open'
  /** Of the pull request. */
  labels: string[] = []
  readonly #login: string
  readonly #isLoginTold: boolean

  /** @param login of the token of the job. `isLoginTold`: whether that token may ask for it */
  constructor(login: string, isLoginTold = true) {
    this.#login = login
    this.#isLoginTold = isLoginTold
  }

  readonly listener: RequestListener = (request, response) => void this.#answer(request, response)

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const path = url.replace(/\?.*/, '').replace('/api/v1', '')
    const body = await text(request)
    this.requests.push(`${method} ${path}`)
    const { status, json } = this.#route(`${method} ${path.replace('/repos/octo-org/hello-agent', '')}`, body)
    response.writeHead(status, { 'content-type': json === undefined ? 'text/plain' : 'application/json' })
    response.end(json === undefined ? '404 page not found\n' : JSON.stringify(json))
  }

  #route(route: string, body: string): { status: number; json?: unknown } {
    const [, id] = /^(?:PATCH|GET|DELETE) \/issues\/comments\/(\d+)$/.exec(route) ?? []
    if (id !== undefined) return this.#ofComment(Number(id), route, body)
    switch (route) {
      case 'GET /user':
        return this.#isLoginTold
          ? ok({ id: -2, login: this.#login })
          : refused('token does not have the scope read:user')
      case 'GET /issues/7/comments':
        return ok(this.comments.map(shown))
      case 'POST /issues/7/comments': {
        const comment = { id: this.comments.length + 101, body: bodyIn(body), user: { login: this.#login } }
        this.comments.push(comment)
        return { status: 201, json: shown(comment) }
      }
      case 'GET /pulls/7':
        return ok(this.#pullRequest())
      default:
        return /^GET \/compare\//.test(route) ? ok({ total_commits: 0, commits: [] }) : { status: 404 }
    }
  }

  #ofComment(id: number, route: string, body: string): { status: number; json?: unknown } {
    const comment = this.comments.find((one) => one.id === id)
    if (comment === undefined) return { status: 404, json: { message: 'The target could not be found.' } }
    if (route.startsWith('DELETE')) this.comments.splice(this.comments.indexOf(comment), 1)
    if (route.startsWith('PATCH')) comment.body = bodyIn(body)
    return ok(shown(comment))
  }

  #pullRequest(): object {
    const repo = { full_name: 'octo-org/hello-agent' }
    const sha = '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4'
    return {
      ...{ id: 31, number: 7, state: this.state, labels: this.labels.map((name) => ({ name })), merged: false },
      head: { label: 'feature/greeting', ref: 'feature/greeting', sha, repo },
      base: { label: 'main', ref: 'main', sha, repo },
    }
  }
}

/** Gitea reports the address of a page, and none of an issue for a pull request. */
function shown(comment: GiteaComment): object {
  const page = 'http://gitea.example/octo-org/hello-agent/pulls/7'
  return { ...comment, html_url: `${page}#issuecomment-${comment.id}`, issue_url: '', pull_request_url: page }
}

const withBody = z.object({ body: z.string() })
const bodyIn = (json: string): string => withBody.parse(JSON.parse(json)).body
const ok = (json: unknown) => ({ status: 200, json })
const refused = (message: string) => ({ status: 403, json: { message } })
