import type { Log } from '../report/log.ts'

/** Raises warnings as one annotation, and only once: a run may plan again. */
export function warnOnce(log: Log): (warnings: readonly string[]) => void {
  let hasWarned = false
  return (warnings) => {
    if (hasWarned || warnings.length === 0) return
    hasWarned = true
    log.warning(warnings.map((warning) => `${warning}.`).join('\n'))
  }
}
