/**
 * An expression for a process's own peak of memory in megabytes. The value of `resourceUsage` begins with the peak of the
 * process that started it.
 */
export const PEAK_MB = `(() => {
  try {
    const status = process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8')
    return Number(/VmHWM:\\s+(\\d+)/.exec(status)[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
})()`
