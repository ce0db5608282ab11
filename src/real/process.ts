import type https from 'node:https'
import { EOL } from 'node:os'
import type { Environment } from '../world.ts'

/** The environment of this process. On Windows, its names have no case: a copy would lose that. */
export const environment: Environment = process.env

/**
 * Loads `node:https` at the first call. An import would load it in each run: it takes half the time of an empty Node
 * process, and a plain http address does without it. As soon as it is loaded, Node reads its certificates in another thread.
 */
export function loadTls(): typeof https {
  return process.getBuiltinModule('node:https')
}

/** Keeps the run alive when nothing reads its log any more: the outcome does not depend on it. */
export function outliveOutputs(): void {
  for (const output of [process.stdout, process.stderr])
    if (output.listenerCount('error') === 0) output.on('error', () => undefined)
}

export function printLine(line: string): void {
  process.stdout.write(line + EOL)
}

/** GitHub cancels a job with SIGINT, and a little later with SIGTERM. */
export function cancellation(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error(`The runner sent ${signal}`)))
  }
  return controller.signal
}

/** Ends the process with an exit code. If it ends before, as it waits for nothing any more, it fails. */
export function openExit(onUnfinished: () => void): (exitCode: number) => void {
  let isOver = false
  process.once('exit', () => {
    if (isOver) return
    onUnfinished()
    process.exitCode = 1
  })
  return (exitCode) => {
    isOver = true
    process.exitCode = exitCode
    // A timer that is still running, as for a rate limit, must not delay the job.
    process.stdout.write('', () => process.exit())
  }
}
