import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { COMPILED } from '../../__tests__/compiled.ts'
import { startGitHubApi, type GitHubApi } from '../../__tests__/github-api/server.ts'
import { completeEvent, type RunEvent } from '../../demo/runner/job-environment.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'
import { isOurs } from './log.ts'
import { makeRepository, type Files, type Repository } from './repository.ts'
import { runAct, type ActRun } from './run-act.ts'

export const API_KEY = 'the-api-key-of-the-control-plane'
export const MODEL_KEY = 'the-key-of-the-model'
/** How many times faster the clock of the action runs: its first look at a revision is seconds after the creation. */
const CLOCK_SPEED = 4
const SCALED_TIME = new URL(`../../bench/scaled-time.ts?by=${CLOCK_SPEED}`, import.meta.url).href
/** Of every run of a workflow: what GitHub answers about it, a recipe decides. */
export const RUN_ID = 7351
export const INTEGRATION_ID = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'

/** The event, variables and secrets of a workflow run. */
export interface Surroundings {
  event: RunEvent
  vars?: Record<string, string>
  secrets?: Record<string, string>
  env?: Record<string, string>
  /** The workflow's own conditions skip its jobs. */
  isIdle?: boolean
}

/** One workflow in a repository of its own, a control plane and a GitHub on loopback, and act. */
export class Bench {
  readonly sandbox: Sandbox
  readonly gitHub: GitHubApi
  readonly folder: string
  /** The logs of all runs. */
  readonly runs: ActRun[] = []
  readonly #act: string
  readonly #repository: Repository
  readonly #signal: AbortSignal
  readonly #closers: (() => Promise<void>)[] = []

  private constructor(
    { act, folder, signal }: BenchOptions,
    worlds: { repository: Repository; sandbox: Sandbox; gitHub: GitHubApi },
  ) {
    this.sandbox = worlds.sandbox
    this.gitHub = worlds.gitHub
    this.folder = folder
    this.#act = act
    this.#signal = signal
    this.#repository = worlds.repository
    this.#closers.push(this.sandbox.close, this.gitHub.close)
  }

  static async open(options: BenchOptions): Promise<Bench> {
    const folder = path.join(options.folder, 'repository')
    mkdirSync(folder)
    const repository = makeRepository(folder, options.workflow, options.history)
    const sandbox = await startSandbox({ speed: 30, credentials: { apiKey: API_KEY }, ...options.sandbox })
    const gitHub = await startGitHubApi()
    return new Bench(options, { repository, sandbox, gitHub })
  }

  /** The commit that the workflow runs for. */
  get commit(): string {
    return this.commits.at(-1) ?? ''
  }

  /** Those of the repository, oldest first. */
  get commits(): readonly string[] {
    return this.#repository.commits
  }

  /** Registers a server that `close` closes as well. */
  keep<T extends { close: () => Promise<void> }>(server: T): T {
    this.#closers.push(server.close)
    return server
  }

  /** Runs the workflow, and checks what every run must satisfy. */
  async act({ event: started, vars, secrets, env, isIdle = false }: Surroundings): Promise<ActRun> {
    const event = completeEvent({ sha: this.commit, ...started })
    const number = this.runs.length + 1
    const hidden = {
      CONTROL_PLANE_API_KEY: API_KEY,
      MODEL_API_KEY: MODEL_KEY,
      GITHUB_TOKEN: this.gitHub.token,
      ...secrets,
    }
    const run = await runAct({
      act: this.#act,
      repository: this.#repository,
      folder: path.join(this.folder, `act-${number}`),
      // act takes the commit from the event only if `deleted` is set.
      event: { name: event.name, payload: { deleted: false, ...event.payload } },
      vars: { CONTROL_PLANE_URL: this.sandbox.url, INTEGRATION_ID, ...vars },
      secrets: hidden,
      env: {
        ...COMPILED,
        NODE_OPTIONS: `--import=${SCALED_TIME}`,
        GITHUB_REPOSITORY: event.repository,
        GITHUB_API_URL: this.gitHub.url,
        GITHUB_GRAPHQL_URL: `${this.gitHub.url}/graphql`,
        GITHUB_RUN_ID: String(RUN_ID),
        ...env,
      },
      signal: this.#signal,
    })
    this.runs.push(run)
    checkEveryRun(run, Object.values(hidden), isIdle)
    assert.deepEqual(this.gitHub.violations, [], 'GitHub would have refused a request')
    return run
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close()
  }
}

export interface BenchOptions {
  act: string
  /** An empty folder. */
  folder: string
  /** From the root of this repository. */
  workflow: string
  sandbox?: SandboxOptions | undefined
  history?: readonly Files[] | undefined
  signal: AbortSignal
}

function checkEveryRun({ log, stopped }: ActRun, hidden: readonly string[], isIdle: boolean): void {
  assert.ok(!stopped, 'act took too long and was stopped')
  for (const secret of hidden.filter((value) => value !== ''))
    assert.ok(!log.everything.includes(secret), `act's log contains the secret that begins with ${secret.slice(0, 8)}`)
  const ours = log.steps.filter(({ runs }) => isOurs(runs))
  const main = ours.filter(({ stage }) => stage === 'Main')
  const post = ours.filter(({ stage, result }) => stage === 'Post' && result === 'success')
  assert.equal(main.length === 0, isIdle, isIdle ? 'a step of this action has run' : 'no step of this action has run')
  assert.equal(post.length, main.length, 'the post step has not run for each step')
  const summaries = main.filter(({ result }) => result !== 'skipped').length
  assert.ok(log.summaries.length >= summaries, 'not every step has written a job summary')
}
