import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createNetServer, type Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { runAction, type ActionRun, type RunOptions } from '../../demo/runner.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'
import { COMPILED } from '../compiled.ts'
import { startGitHubApi, type GitHubApi, type GitHubApiOptions } from '../github-api/server.ts'
import type { Place } from './place.ts'

/** Runs the built bundle in a process, with servers on loopback. */
export class SocketPlace implements Place {
  readonly #servers: (Server | NetServer)[] = []
  readonly #connections = new Set<Duplex>()

  async run(options: RunOptions): Promise<ActionRun> {
    return await runAction({ ...options, env: { ...COMPILED, ...options.env } })
  }

  async openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
    return await startSandbox({ speed: 400, ...options })
  }

  async openGitHub(options?: GitHubApiOptions): Promise<GitHubApi> {
    return await startGitHubApi(options)
  }

  async serve(listener: RequestListener): Promise<string> {
    return await this.#listen(createServer(listener))
  }

  async serveBytes(listener: (connection: Duplex) => void): Promise<string> {
    return await this.#listen(
      createNetServer((connection) => connection.on('error', () => undefined).once('data', () => listener(connection))),
    )
  }

  async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    return await fetch(url, init)
  }

  async pause(ms: number): Promise<void> {
    await pause(ms)
  }

  async spend<T>(task: () => Promise<T>): Promise<T> {
    return await task()
  }

  end(address: string): void {
    this.#servers.find((server) => addressOf(server) === address)?.close()
  }

  now(): number {
    return performance.now()
  }

  wallTime(): number {
    return Date.now()
  }

  async close(): Promise<void> {
    for (const server of this.#servers.splice(0)) {
      for (const connection of this.#connections) connection.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  async #listen(server: Server | NetServer): Promise<string> {
    this.#servers.push(server)
    server.on('connection', (connection: Duplex) => {
      this.#connections.add(connection)
      connection.once('close', () => this.#connections.delete(connection))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return addressOf(server)
  }
}

function addressOf(server: Server | NetServer): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
