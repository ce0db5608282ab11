import type { Server } from 'node:http'
import { beforeEach, expect } from '@jest/globals'
import { GitHubClient, type GitHub, type GitHubClientOptions } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { aServer } from '../a-server.ts'
import { fakeClock } from '../builders.ts'
import { overSockets } from '../networks.ts'

export interface Asked {
  method: string
  path: string
  body: string
  authorization: string | undefined
}

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up' | 'silence'

export type Question = (gitHub: GitHub) => Promise<unknown>

export const API = 'https://api.github.example'

/** A GitHub whose answers a test sets. It has what it was asked. */
export class AnsweringServer {
  asked: Asked[] = []
  /** The body of each answer that succeeds. */
  answer: (asked: Asked) => unknown = () => undefined
  /** Replaces whole answers. */
  respond: (asked: Asked) => Answer | Promise<Answer> = (one) => ({
    status: 200,
    body: one.path === '/user' ? { login: 'octocat' } : this.answer(one),
  })
  #server: { url: string; server: Server } | undefined

  /** Starts one before each test. */
  static forEachTest(): AnsweringServer {
    const server = new AnsweringServer()
    beforeEach(async () => await server.#start())
    return server
  }

  async #start(): Promise<void> {
    this.asked = []
    this.#server = await aServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request
        const one = { method, path, body, authorization: headers.authorization }
        this.asked.push(one)
        void Promise.resolve(this.respond(one)).then((answer) => {
          if (answer === 'hang up') request.socket.destroy()
          if (typeof answer === 'string') return
          response
            .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
            .end(JSON.stringify(answer.body ?? {}))
        })
      })
    })
  }

  get http(): Server {
    if (this.#server === undefined) throw new Error('no test has begun')
    return this.#server.server
  }

  connect(over: Partial<GitHubClientOptions> = {}, prefix = ''): GitHub {
    return new GitHubClient({
      token: 'ghs_hunter2',
      apiUrl: `${this.#server?.url}${prefix}`,
      owner: 'acme',
      repo: 'agent',
      signal: new AbortController().signal,
      clock: fakeClock(),
      network: overSockets(),
      deadline: () => Number.POSITIVE_INFINITY,
      onNotice: () => undefined,
      ...over,
    })
  }

  /** An answer about something else is requested again, and then an error. */
  async expectRefused(question: Question, body: unknown): Promise<void> {
    this.answer = () => body
    const error: unknown = await question(this.connect()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GitHubError)
    expect(String(error)).toMatch(/^GitHubError: could not .*: GitHub's response is about /)
    expect(this.#questions()).toHaveLength(3)
  }

  /** The first answer is about something else. */
  async readPast(question: Question, wrong: unknown, right: unknown): Promise<unknown> {
    this.answer = () => (this.#questions().length === 1 ? wrong : right)
    return await question(this.connect())
  }

  #questions(): Asked[] {
    return this.asked.filter(({ path }) => path !== '/user')
  }
}
