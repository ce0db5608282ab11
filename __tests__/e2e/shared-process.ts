import childProcess, { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { runAction, type ActionRun, type RunOptions } from '../../demo/runner.ts'
import { createLineSplitter } from '../../demo/runner/line-splitter.ts'
import { actionRuntime, type Execution, type ProcessEnd } from '../../demo/runner/process.ts'
import type { StepLog } from '../../demo/runner/step-log.ts'
import { COMPILED } from '../compiled.ts'

/**
 * Where the tests run the bundle. A process for each run takes 0.2 s of CPU, most of it to start and to compile; a run in
 * a process that has run the bundle before takes a third. So runs share processes, unless they need their own.
 */

const HOST = fileURLToPath(new URL('shared-process-host.ts', import.meta.url))
const SCALED_TIME = new URL('../scaled-time.ts', import.meta.url).href

/** Each run leaves 2 to 5 MB in its process. */
export const MOST_RUNS = 50
/** Longer than the time between two tests, also of two files, in milliseconds. */
const IDLE_MS = 10_000

export interface TestRunOptions extends RunOptions {
  /** How many times faster the clock of the action runs. */
  clockSpeed?: number | undefined
  /** Not in a process that has run the bundle before. */
  ownProcess?: boolean | undefined
}

/** Runs the built bundle, as a runner does. */
export async function runBundle({ clockSpeed = 1, ownProcess, ...options }: TestRunOptions): Promise<ActionRun> {
  if (ownProcess !== true && !needsOwnProcess(options))
    return await runAction({ ...options, execute: async (...run) => await executeShared(clockSpeed, ...run) })
  const faster = clockSpeed === 1 ? [] : ['--import', `${SCALED_TIME}?by=${clockSpeed}`]
  const nodeArgs = [...faster, ...(options.nodeArgs ?? [])]
  return await runAction({ ...options, nodeArgs, env: { ...COMPILED, ...options.env } })
}

/** Signals, options of Node and the step after the job are of a process as a whole. */
function needsOwnProcess({ kill, phase, nodeArgs = [], env = {} }: RunOptions): boolean {
  const isNodes = Object.keys(env).some((name) => name.startsWith('NODE_'))
  return kill !== undefined || phase === 'post' || nodeArgs.length > 0 || isNodes
}

interface Host {
  child: ChildProcess
  runs: number
  idle?: NodeJS.Timeout
}

/** Jest evaluates this file for each file of tests, while Node's own modules are one in a worker: they keep the processes. */
const KEY = Symbol.for('deployment-rollout.idle-hosts')
const kept: unknown = Reflect.get(childProcess, KEY)
const idle: Host[] = areHosts(kept) ? kept : []
Reflect.set(childProcess, KEY, idle)

function areHosts(value: unknown): value is Host[] {
  return Array.isArray(value)
}

async function executeShared(clockSpeed: number, execution: Execution, log: StepLog): Promise<ProcessEnd> {
  const { limitMs, script, cwd, env } = execution
  const startedAt = performance.now()
  const host = hostOf()
  const { child } = host
  let limitReached = false
  const limit = setTimeout(() => {
    limitReached = true
    child.kill('SIGKILL')
  }, limitMs)
  const marker = randomUUID()
  const output = readOutput(child, marker, log)
  const ended = Promise.withResolvers<Pick<ProcessEnd, 'exitCode' | 'signal'>>()
  const onClose = (exitCode: number | null, signal: NodeJS.Signals | null): void => ended.resolve({ exitCode, signal })
  child.once('close', onClose)
  void output.end.then((exitCode) => {
    child.off('close', onClose)
    release(host)
    ended.resolve({ exitCode, signal: null })
  })
  child.send({ script, cwd, env, clockSpeed, marker })
  const end = await ended.promise
  clearTimeout(limit)
  return { ...end, limitReached, raw: output.finish(), durationMs: performance.now() - startedAt }
}

/** The one that ran last is warmest. */
function hostOf(): Host {
  const at = idle.findLastIndex(({ child }) => child.connected)
  const [host = { child: startHost(), runs: 0 }] = at === -1 ? [] : idle.splice(at, 1)
  clearTimeout(host.idle)
  host.runs += 1
  return host
}

function startHost(): ChildProcess {
  const child = spawn(actionRuntime(), [HOST], {
    env: { LANG: 'C.UTF-8', ...COMPILED },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // An idle process does not keep this one alive, and it ends with this one.
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    if (stream instanceof Socket) stream.unref()
  }
  return child
}

function release(host: Host): void {
  const { child } = host
  // It may end by itself at any time.
  const disconnect = (): void => {
    if (child.connected) child.disconnect()
  }
  if (host.runs >= MOST_RUNS) {
    disconnect()
    return
  }
  idle.push(host)
  host.idle = setTimeout(() => {
    idle.splice(idle.indexOf(host), 1)
    disconnect()
  }, IDLE_MS).unref()
}

/** Passes the lines of one run to the log. `end`: the exit code, when the run ended and its process did not. */
function readOutput(child: ChildProcess, marker: string, log: StepLog): { end: Promise<number>; finish: () => string } {
  let raw = ''
  const finishers: (() => void)[] = []
  const ends = [child.stdout, child.stderr].map(async (stream) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const splitter = createLineSplitter((line) => log.readLine(line))
    let held = ''
    const give = (text: string): void => {
      raw += text
      splitter.push(text)
    }
    const onData = (chunk: string): void => {
      const text = held + chunk
      const at = text.lastIndexOf('\0')
      held = at === -1 ? '' : text.slice(at)
      give(at === -1 ? text : text.slice(0, at))
      const [code, name] = held.slice(1).split(' ')
      if (name !== marker) return
      held = ''
      resolve(Number(code))
    }
    stream?.on('data', onData)
    finishers.push(() => {
      stream?.off('data', onData)
      give(held)
      splitter.end()
    })
    return await promise
  })
  const finish = (): string => {
    for (const each of finishers) each()
    return raw
  }
  return { end: Promise.all(ends).then(([code]) => code ?? 0), finish }
}
