import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { actionRuntime } from '../../demo/runner/process.ts'
import { ActLog } from './log.ts'
import type { Repository } from './repository.ts'

/*
 * Facts about act v0.2.89 without containers (-P ubuntu-latest=-self-hosted):
 * - It accepts `using: node24`, but always runs the `node` that is first on PATH.
 * - Steps get act's own environment, so it gets a minimal one.
 * - Jobs start in an empty folder; actions/checkout is not fetched, but copies the repository there.
 * - It fetches third-party actions before it evaluates any `if`: --local-repository gives it a stub of each.
 * - It ignores permissions, concurrency and timeout-minutes of a job, and fail-fast of a matrix.
 * - A .yml file of variables and secrets may be JSON, with values of several lines.
 * - Steps run in sessions of their own: a signal to act's process group does not reach them, SIGINT to act does.
 */

export interface ActOptions {
  act: string
  repository: Repository
  /** An empty folder for act. */
  folder: string
  event: { name: string; payload: object }
  vars: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, string>>
  /** Environment of every step. */
  env: Readonly<Record<string, string>>
  signal: AbortSignal
}

export interface ActRun {
  exitCode: number | null
  /** It took too long and was stopped. */
  stopped: boolean
  log: ActLog
}

const LIMIT_MS = 120_000
const GRACE_MS = 5_000

/** Runs a workflow with act, and waits for its end. */
export async function runAct(options: ActOptions): Promise<ActRun> {
  const { act, repository, folder, event } = options
  options.signal.throwIfAborted()
  mkdirSync(folder, { recursive: true })
  const file = (name: string, content: object): string => {
    const full = path.join(folder, name)
    writeFileSync(full, JSON.stringify(content))
    return full
  }
  const args = [
    event.name,
    ...['--workflows', repository.workflow, '--eventpath', file('event.json', event.payload)],
    ...['--var-file', file('vars.yml', options.vars), '--secret-file', file('secrets.yml', options.secrets)],
    ...['--env-file', file('env.yml', options.env)],
    ...['--platform', 'ubuntu-latest=-self-hosted', '--action-cache-path', path.join(folder, 'cache')],
    ...['--container-daemon-socket', '-', '--no-cache-server', '--action-offline-mode', '--rm', '--json'],
    ...[...repository.stubs].flatMap(([action, stub]) => ['--local-repository', `${action}=${stub}`]),
  ]
  const child = spawn(act, args, {
    cwd: repository.folder,
    env: { PATH: [path.dirname(actionRuntime()), process.env['PATH']].join(path.delimiter), HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
    })
  const stop = (): void => {
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  const leaveNoChild = (): void => void child.kill('SIGINT')
  process.once('exit', leaveNoChild)
  const limit = AbortSignal.any([options.signal, AbortSignal.timeout(LIMIT_MS)])
  limit.addEventListener('abort', stop, { once: true })
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    return { exitCode, stopped: limit.aborted, log: new ActLog(Buffer.concat(chunks).toString('utf8')) }
  } finally {
    limit.removeEventListener('abort', stop)
    process.removeListener('exit', leaveNoChild)
    // They contain the secrets.
    for (const name of ['secrets.yml', 'env.yml']) rmSync(path.join(folder, name), { force: true })
  }
}
