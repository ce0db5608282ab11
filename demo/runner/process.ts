import { spawn, type ChildProcess } from 'node:child_process'
import { installedNode } from '../../scripts/node24/find-node.mjs'
import { createKiller, type Kill } from './killer.ts'
import { createLineSplitter } from './line-splitter.ts'
import type { StepLog } from './step-log.ts'

/** The Node version of `using: node24` in action.yml. */
const RUNTIME_MAJOR = '24'

export interface Execution {
  script: string
  cwd: string
  env: Readonly<Record<string, string>>
  nodeArgs: readonly string[]
  limitMs: number
  kill?: Kill | undefined
  /** Who runs it, by numbers. Only root can choose another user. */
  user?: { uid: number; gid: number } | undefined
}

export interface ProcessEnd {
  exitCode: number | null
  signal: NodeJS.Signals | null
  limitReached: boolean
  raw: string
  durationMs: number
}

/** Runs a script until it ends, and passes its lines to the log. */
export type Execute = (execution: Execution, log: StepLog) => Promise<ProcessEnd>

/** Path of the Node that actions run on: this process's own if it has that version, otherwise the one installed by npm. */
export function actionRuntime(version = process.versions.node): string {
  if (version.startsWith(`${RUNTIME_MAJOR}.`)) return process.execPath
  const installed = installedNode()
  if (installed !== undefined) return installed
  throw new Error(`Node ${RUNTIME_MAJOR} is needed to run the action: run npm ci`)
}

/** Runs a script in a process of its own. */
export async function execute(execution: Execution, log: StepLog): Promise<ProcessEnd> {
  const { script, cwd, env, nodeArgs, limitMs, kill, user } = execution
  const startedAt = performance.now()
  const child = spawn(actionRuntime(), [...nodeArgs, script], {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const leaveNoChild = (): void => void child.kill('SIGKILL')
  process.once('exit', leaveNoChild)
  let limitReached = false
  const limit = setTimeout(() => {
    limitReached = true
    child.kill('SIGKILL')
  }, limitMs)
  const killer = createKiller(kill, log, (signal) => void child.kill(signal))
  const output = collectOutput(child, killer.onLine)
  try {
    const end = await ended(child)
    return { ...end, limitReached, raw: output.finish(), durationMs: performance.now() - startedAt }
  } finally {
    clearTimeout(limit)
    killer.stop()
    process.off('exit', leaveNoChild)
  }
}

function collectOutput(child: ChildProcess, onLine: (line: string) => void): { finish: () => string } {
  let raw = ''
  const splitters = [child.stdout, child.stderr].map((stream) => {
    const splitter = createLineSplitter(onLine)
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      raw += chunk
      splitter.push(chunk)
    })
    return splitter
  })
  return {
    finish() {
      for (const splitter of splitters) splitter.end()
      return raw
    },
  }
}

/** How long to wait for the rest of the output, in milliseconds, if another process keeps the pipes open. */
const DRAIN_MS = 1_000

async function ended(child: ChildProcess): Promise<Pick<ProcessEnd, 'exitCode' | 'signal'>> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => {
      const drained = (): void => {
        clearTimeout(timer)
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve({ exitCode, signal })
      }
      const timer = setTimeout(drained, DRAIN_MS)
      child.once('close', drained)
    })
  })
}
