import * as core from '@actions/core'
import { logLine } from './escape.ts'
import type { Redactor } from './redact.ts'

/** The only way to the log: every text is redacted, and a runner cannot take it for a workflow command. */
export interface Log {
  info: (text: string) => void
  notice: (text: string) => void
  warning: (text: string) => void
  error: (text: string, title: string) => void
  debug: (text: string) => void
  /** Removes the known secrets; needed before a text is cut, as half a secret could no longer be recognised. */
  redact: (text: string) => string
  /** Adds secrets, and makes the runner mask them before anything else is printed. */
  mask: (values: readonly string[]) => void
}

export function createLog(redactor: Redactor): Log {
  const safeLines = (text: string): string => redactor.redact(text).split('\n').map(logLine).join('\n')
  return {
    info: (text) => core.info(safeLines(text)),
    notice: (text) => core.notice(safeLines(text)),
    warning: (text) => core.warning(safeLines(text)),
    error: (text, title) => core.error(safeLines(text), { title: logLine(title) }),
    debug: (text) => core.debug(safeLines(text)),
    redact: redactor.redact,
    mask(values) {
      for (const value of redactor.learn(values)) core.setSecret(value)
    },
  }
}

/** The last resort at an exit of the process: the action waits for something that will never come. */
export function reportUnfinished(log: Log): void {
  log.error(
    'The action stopped before its end: it waits for something that will never come.\nCheck what it did before you rerun the job. Rerun with debug logging, and report what it prints.',
    'Run',
  )
  process.exitCode = core.ExitCode.Failure
}

/** A line of the log, or an annotation of the step. */
export interface LogEntry {
  level: 'debug' | 'info' | 'notice' | 'warning' | 'error'
  text: string
}
