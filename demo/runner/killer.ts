import type { StepLog } from './step-log.ts'

/** A signal to the action, such as that of the runner when a job is cancelled. */
export type Kill = { signal: NodeJS.Signals } & (
  { afterMs: number } | { whenLine: RegExp } | { when: Promise<unknown> }
)

/** Passes lines to the log, and sends the signal once, at its time. */
export function createKiller(
  kill: Kill | undefined,
  log: StepLog,
  sendSignal: (signal: NodeJS.Signals) => void,
): { onLine: (line: string) => void; stop: () => void } {
  let pending = kill
  const send = (): void => {
    if (pending !== undefined) sendSignal(pending.signal)
    pending = undefined
  }
  if (kill !== undefined && 'when' in kill) void kill.when.then(send)
  const timer = kill !== undefined && 'afterMs' in kill ? setTimeout(send, kill.afterMs) : undefined
  return {
    onLine(line) {
      const before = log.shown.length
      log.readLine(line)
      if (pending === undefined || !('whenLine' in pending)) return
      const { whenLine } = pending
      if (log.shown.slice(before).some((shown) => whenLine.test(shown))) send()
    },
    stop: () => clearTimeout(timer),
  }
}
