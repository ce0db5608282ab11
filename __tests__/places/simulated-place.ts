import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { runAction, type ActionRun, type RunOptions } from '../../demo/runner.ts'
import type { Execution, ProcessEnd } from '../../demo/runner/process.ts'
import type { StepLog } from '../../demo/runner/step-log.ts'
import { breakOf } from '../../sandbox/connection.ts'
import { idsFrom } from '../../sandbox/ids.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { ActionProcess } from '../../simulation/action-process.ts'
import { chanceFor, type Chance } from '../../simulation/chance.ts'
import { loadAction } from '../../simulation/load.ts'
import { SimulatedNetwork, type Endpoint } from '../../simulation/network.ts'
import { SimulatedTime } from '../../simulation/time.ts'
import { Trace } from '../../simulation/trace.ts'
import { isPostStep, savedOpenRun } from '../../src/notify/saved-run.ts'
import { run } from '../../src/run.ts'
import type { NetworkAnswer, NetworkRequest } from '../../src/world.ts'
import { GitHubApi, type GitHubApiOptions } from '../github-api/server.ts'
import { DiskFiles } from './disk-files.ts'
import { NodeServers } from './node-servers.ts'
import type { Place } from './place.ts'

await loadAction()

/** Of simulated time: no run may take longer. */
const LIMIT_MS = 24 * 3_600_000
/** The moment at which every file of tests begins. */
const BEGINNING = Date.UTC(2026, 2, 3, 9, 30, 12, 345)

/** Runs the action in this process, by a simulated clock, with a network that is simulated, too. */
export class SimulatedPlace implements Place {
  readonly #time: SimulatedTime
  readonly #network: SimulatedNetwork
  readonly #trace: Trace
  readonly #nodeServers: NodeServers
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #seed: string
  #port = 40_000
  #runs = 0
  /** Settles when the task that time passes for is over; undefined while time stands still. */
  #passing: Promise<undefined> | undefined

  constructor(seed: string) {
    this.#seed = seed
    this.#time = new SimulatedTime(BEGINNING, this.#chance('time'))
    this.#nodeServers = new NodeServers(() => this.#time.wallTime())
    this.#trace = new Trace(() => this.#time.now())
    this.#network = new SimulatedNetwork({ time: this.#time, chance: this.#chance('network'), trace: this.#trace })
  }

  async run(options: RunOptions): Promise<ActionRun> {
    if ((options.nodeArgs ?? []).length > 0) throw new Error('options of Node need a process')
    return await runAction({
      ...options,
      execute: async (execution, log) =>
        await this.spend(async () => await this.#execute(execution, log, options.limitMs ?? LIMIT_MS)),
    })
  }

  async openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
    const origin = this.#nextOrigin()
    const sandbox = openSandbox(
      {
        now: () => this.#time.wallTime(),
        newId: idsFrom(this.#chance('ids', origin)),
        pause: async (ms, signal) => await this.#time.pause(ms, signal),
        speed: 130,
        ...options,
      },
      origin,
    )
    this.#serve(origin, async (request) => await sandbox.fetch(request))
    return await Promise.resolve({
      ...sandbox,
      close: async () => {
        sandbox.close()
        await Promise.resolve()
      },
    })
  }

  async openGitHub(options: GitHubApiOptions = {}): Promise<GitHubApi> {
    const origin = this.#nextOrigin()
    const gitHub = new GitHubApi(options, origin, this.#time)
    this.#serve(origin, async (request) => await gitHub.fetch(request))
    return await Promise.resolve(gitHub)
  }

  async serve(listener: RequestListener): Promise<string> {
    const origin = this.#nextOrigin()
    this.#nodeServers.serve(origin, listener)
    return await Promise.resolve(origin)
  }

  async serveBytes(listener: (connection: Duplex) => void): Promise<string> {
    const origin = this.#nextOrigin()
    this.#nodeServers.serveBytes(origin, listener)
    return await Promise.resolve(origin)
  }

  async fetch(address: string | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(address, init)
    const endpoint = this.#endpoints.get(new URL(request.url).origin)
    if (endpoint === undefined) throw new TypeError(`no endpoint is at ${request.url}`)
    const response = await this.spend(async () => await endpoint(request))
    if (breakOf(response) !== undefined) throw new TypeError('fetch failed')
    return response
  }

  async pause(ms: number): Promise<void> {
    await this.#time.pause(ms)
  }

  async spend<T>(task: () => Promise<T>): Promise<T> {
    const state = { isOver: false }
    const running = task().finally(() => {
      state.isOver = true
    })
    running.catch(() => undefined)
    // Two loops would each count the turns of the other as idle.
    while (this.#passing !== undefined && !state.isOver)
      await Promise.race([running.catch(() => undefined), this.#passing])
    return state.isOver ? await running : await this.#passFor(running)
  }

  async #passFor<T>(running: Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#passing = promise
    try {
      return await this.#time.run(async () => await running)
    } finally {
      this.#passing = undefined
      resolve(undefined)
    }
  }

  end(address: string): void {
    this.#nodeServers.end(address)
  }

  now(): number {
    return this.#time.now()
  }

  wallTime(): number {
    return this.#time.wallTime()
  }

  async close(): Promise<void> {
    const [broken] = this.#network.brokenServers()
    await (broken === undefined ? Promise.resolve() : Promise.reject(broken))
  }

  #chance(...purpose: string[]): Chance {
    return chanceFor(this.#seed, ...purpose)
  }

  /** The action accepts plain http for loopback only. No such port is in use: nothing listens. */
  #nextOrigin(): string {
    this.#port += 1
    return `http://127.0.0.1:${this.#port}`
  }

  #serve(origin: string, endpoint: Endpoint): void {
    this.#endpoints.set(origin, endpoint)
    this.#network.serve(origin, endpoint)
  }

  async #send(who: string, request: NetworkRequest): Promise<NetworkAnswer> {
    if (!this.#nodeServers.has(request.url.origin)) return await this.#network.send(who, request)
    await this.#time.sleep(1, request.signal)
    return await this.#nodeServers.send(request)
  }

  async #execute({ env, kill }: Execution, log: StepLog, limitMs: number): Promise<ProcessEnd> {
    const startedAt = this.#time.now()
    const who = `run ${(this.#runs += 1)}`
    let pending = kill
    let signal: NodeJS.Signals | null = null
    const strike = (): void => {
      if (pending === undefined) return
      signal = pending.signal
      pending = undefined
      if (signal === 'SIGKILL') action.kill()
      else action.interrupt()
    }
    const onLine = (line: string): void => {
      const before = log.shown.length
      log.readLine(line)
      if (pending === undefined || !('whenLine' in pending)) return
      const { whenLine } = pending
      if (log.shown.slice(before).some((shown) => whenLine.test(shown))) strike()
    }
    const action = new ActionProcess({
      ...{ who, env, onLine, time: this.#time, trace: this.#trace },
      files: new DiskFiles(env, this.#time),
      network: { send: async (...sent) => await this.#send(...sent) },
      random: this.#chance(who),
    })
    if (kill !== undefined && 'when' in kill) void kill.when.then(strike)
    if (kill !== undefined && 'afterMs' in kill) this.#time.at(startedAt + kill.afterMs, strike)
    let limitReached = false
    const cancelLimit = this.#time.at(startedAt + limitMs, () => {
      limitReached = true
      action.kill()
    })
    const hasWork = !isPostStep(env) || savedOpenRun(env) !== ''
    const exitCode = hasWork ? await action.run(run) : 0
    cancelLimit()
    const raw = action.lines.map((line) => `${line}\n`).join('')
    const durationMs = this.#time.now() - startedAt
    return {
      exitCode: exitCode ?? null,
      signal: exitCode === undefined ? 'SIGKILL' : null,
      limitReached,
      raw,
      durationMs,
    }
  }
}
