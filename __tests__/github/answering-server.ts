import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect } from '@jest/globals'
import { GitHubClient, type GitHub } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { fakeClock } from '../builders.ts'
import { overSockets } from '../networks.ts'

export interface Asked {
  method: string
  path: string
  body: string
}

export type Question = (gitHub: GitHub) => Promise<unknown>

export const API = 'https://api.github.example'

/** A GitHub whose answers a test sets. It has what it was asked. */
export class AnsweringServer {
  asked: Asked[] = []
  answer: (asked: Asked) => unknown = () => undefined
  #server: Server | undefined

  /** Starts one before each test, and ends it after. */
  static forEachTest(): AnsweringServer {
    const server = new AnsweringServer()
    beforeEach(async () => await server.#start())
    afterEach(async () => await server.#close())
    return server
  }

  async #start(): Promise<void> {
    this.asked = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        const one = { method: request.method ?? '', path: request.url ?? '', body }
        this.asked.push(one)
        const found = one.path === '/user' ? { login: 'octocat' } : this.answer(one)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.#server = server
  }

  async #close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  connect(): GitHub {
    const address = this.#server?.address()
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
