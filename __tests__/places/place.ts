import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ActionRun, RunOptions } from '../../demo/runner.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import type { GitHubApi, GitHubApiOptions } from '../github-api/server.ts'

/** Where the end-to-end tests run the action, with servers that it reaches. */
export interface Place {
  run(options: RunOptions): Promise<ActionRun>
  openSandbox(options?: SandboxOptions): Promise<Sandbox>
  openGitHub(options?: GitHubApiOptions): Promise<GitHubApi>
  /** Starts a server that answers as it likes. Returns its address. */
  serve(listener: RequestListener): Promise<string>
  /** Starts a server that answers each connection by bytes, once the first have arrived. Returns its address. */
  serveBytes(listener: (connection: Duplex) => void): Promise<string>
  /** Sends a request of a test. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** In milliseconds of the place. Simulated time passes while the action runs, or within `spend`. */
  pause(ms: number): Promise<void>
  /** Lets time pass for a task of a test. */
  spend<T>(task: () => Promise<T>): Promise<T>
  /** Ends a server of `serve`: from now on it refuses connections. */
  end(address: string): void
  now(): number
  /** Milliseconds since the epoch. */
  wallTime(): number
  /** Ends the servers. */
  close(): Promise<void>
}
