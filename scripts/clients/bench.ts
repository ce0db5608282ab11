import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { DEFAULT_API_KEY, startSandbox, type RolloutScript, type Sandbox } from '../../sandbox/server.ts'
import type { Client } from './install.ts'

/** One command that was run. */
export interface Row {
  client: string
  command: string
  exitCode: number | null
  requests: number
  seconds: number
  wrong: string | undefined
}

/** Who has made the revisions of one deployment, oldest first. */
export interface Turns {
  client: string
  name: string
  makers: readonly string[]
}

export interface Ran {
  /** What it printed, errors included. */
  output: string
  stdout: string
  /** The requests of this command, as `METHOD route`. */
  requests: string[]
}

/** For one command. */
const LIMIT_MS = 30_000
/** Every revision without a script of its own ends at once. */
const SPEED = 5000

const deploymentSchema = z.object({
  id: z.string(),
  name: z.string(),
  source: z.string(),
  active_revision_id: z.string().nullable(),
  source_config: z.looseObject({}),
  source_revision_config: z.looseObject({}),
  secrets: z.array(z.object({ name: z.string(), value: z.string() })),
})
const revisionSchema = z.looseObject({ id: z.string(), status: z.string() })

/** One client with a project to deploy and a sandbox of its own. */
export class Bench {
  readonly client: Client
  readonly rows: Row[] = []
  readonly turns: Turns[] = []
  readonly sandbox: Sandbox
  readonly #command: readonly string[]
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>
  readonly #signal: AbortSignal
  #habitual: Sandbox | undefined

  private constructor(
    client: Client,
    { command, folder, sandbox, proxy, signal }: BenchOptions & { sandbox: Sandbox },
  ) {
    this.client = client
    this.sandbox = sandbox
    this.#command = command
    this.#folder = folder
    this.#env = environment(folder, proxy)
    this.#signal = signal
  }

  static async open(client: Client, options: BenchOptions): Promise<Bench> {
    const { folder } = options
    mkdirSync(path.join(folder, 'project'), { recursive: true })
    for (const [name, content] of Object.entries(PROJECT)) writeFileSync(path.join(folder, 'project', name), content)
    mkdirSync(path.join(folder, 'bin'))
    const standIn = path.join(import.meta.dirname, 'docker-stand-in.ts')
    const script = `#!/bin/sh\nexec '${process.execPath}' '${standIn}' "$@"\n`
    writeFileSync(path.join(folder, 'bin/docker'), script, { mode: 0o755 })
    const chosen = ({ name }: { name: string }): RolloutScript | undefined => SCRIPTS.get(name)
    const sandbox = await startSandbox({ speed: SPEED, script: chosen })
    return new Bench(client, { ...options, sandbox })
  }

  /** The folder of the app. */
  get project(): string {
    return path.join(this.#folder, 'project')
  }

  /** Another sandbox, in which a create needs a listener. */
  async demanding(): Promise<Sandbox> {
    return (this.#habitual ??= await startSandbox({ speed: SPEED, habits: { listenerRequired: true } }))
  }

  /**
   * Runs a command, and checks its exit code.
   * @param until ends the command with SIGINT as soon as it is true of the output and the requests
   */
  async run(args: readonly string[], { exit = 0, sandbox = this.sandbox, until }: RunOptions = {}): Promise<Ran> {
    const from = sandbox.requests.length
    const startedAt = performance.now()
    const [program = '', ...prefix] = this.#command
    const child = spawn(program, [...prefix, ...args, '--host-url', sandbox.publicUrl], {
      cwd: this.project,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: this.#signal,
    })
    let output = ''
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
      stdout += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString('utf8')))
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    const closed = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    const requests = (): string[] => sandbox.requests.slice(from).map(({ method, route }) => `${method} ${route}`)
    try {
      while (until !== undefined && isRunning(child) && !until(output, requests())) await pause(50)
      if (until !== undefined) child.kill('SIGINT')
      const exitCode = await closed
      const seconds = (performance.now() - startedAt) / 1000
      const wrong = exitCode === exit ? undefined : `expected exit code ${exit}. Its output:\n${output}`
      const { name: client } = this.client
      this.rows.push({ client, command: shortened(args), exitCode, requests: requests().length, seconds, wrong })
      if (wrong !== undefined) throw new WrongExit(`${args.join(' ')}: ${wrong}`)
      return { output, stdout, requests: requests() }
    } finally {
      clearTimeout(timer)
      child.kill('SIGKILL')
    }
  }

  /** A deployment in the store, and its revisions, oldest first. */
  stored(name: string, sandbox: Sandbox = this.sandbox): Stored {
    const deployments = z.array(deploymentSchema).parse(sandbox.deployments())
    const found = deployments.find((one) => one.name === name)
    assert.ok(found, `the store has no deployment named ${name}`)
    return { ...found, revisions: z.array(revisionSchema).parse(sandbox.revisions(found.id)) }
  }

  /** Every command that the stand-in for docker was given. */
  docker(): string[] {
    const log = path.join(this.#folder, 'docker.log')
    return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  }

  async close(): Promise<void> {
    await this.sandbox.close()
    await this.#habitual?.close()
  }
}

export interface BenchOptions {
  command: readonly string[]
  /** An empty folder. */
  folder: string
  /** A proxy that refuses and records every host. */
  proxy: string
  /** Ends the running command, and all that would follow. */
  signal: AbortSignal
}

interface RunOptions {
  exit?: number
  sandbox?: Sandbox
  until?: (output: string, requests: readonly string[]) => boolean
}

export type Stored = z.infer<typeof deploymentSchema> & { revisions: z.infer<typeof revisionSchema>[] }

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** IDs are shown by their first digits. */
function shortened(args: readonly string[]): string {
  return args.join(' ').replace(/\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '$1…')
}

/** A command ended with another exit code; its row says so. */
export class WrongExit extends Error {}

/** The lines of a log that grows while a client follows it. */
export const LINES = Array.from({ length: 25 }, (_, n) => `line ${String(n + 1).padStart(2, '0')} of 25`)
const GROWS_MS = 5000

const SCRIPTS: ReadonlyMap<string, RolloutScript> = new Map([
  ['slow-build', { statuses: [slow('BUILDING'), { status: 'DEPLOYED', ms: Infinity }], logs: LINES }],
  ['slow-deploy', { statuses: [slow('DEPLOYING'), { status: 'DEPLOYED', ms: Infinity }], logs: LINES }],
])

function slow(status: string): { status: string; ms: number } {
  return { status, ms: GROWS_MS }
}

const PROJECT: Readonly<Record<string, string>> = {
  'langgraph.json': JSON.stringify({
    node_version: '20',
    dependencies: ['.'],
    graphs: { agent: './agent.ts:graph' },
    env: { MODEL_API_KEY: 'a-model-key' },
  }),
  'agent.ts': 'export const graph = {}\n',
  'package.json': JSON.stringify({ name: 'project', version: '1.0.0' }),
}

/** A minimal environment. The clients send usage data unless it says otherwise; a proxy stops what they send even so. */
export function environment(folder: string, proxy: string): Record<string, string> {
  return {
    PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    NO_COLOR: '1',
    PYTHONUNBUFFERED: '1',
    LANGGRAPH_HOST_API_KEY: DEFAULT_API_KEY,
    LANGGRAPH_CLI_NO_ANALYTICS: '1',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: '127.0.0.1',
    NODE_USE_ENV_PROXY: '1',
    DOCKER_STAND_IN_LOG: path.join(folder, 'docker.log'),
  }
}
