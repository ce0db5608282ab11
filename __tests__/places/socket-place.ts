import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ActionRun } from '../../demo/runner.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'
import { runBundle } from '../e2e/shared-process.ts'
import { startGitHubApi, type GitHubApi, type GitHubApiOptions } from '../github-api/server.ts'
import type { Place, PlaceRunOptions } from './place.ts'

/** Runs the built bundle in a process, with servers on loopback. */
export class SocketPlace implements Place {
  readonly #servers: Server[] = []

  async run(options: PlaceRunOptions): Promise<ActionRun> {
    return await runBundle(options)
  }

  async openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
    return await startSandbox({ speed: 400, ...options })
  }

  async openGitHub(options?: GitHubApiOptions): Promise<GitHubApi> {
    return await startGitHubApi(options)
  }

  async serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return addressOf(server)
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
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

function addressOf(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
