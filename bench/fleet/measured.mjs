import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Loaded with `node --import` before the built action: it notes the process's peak of memory in megabytes, and its CPU
 * time in milliseconds. The peak that `resourceUsage` reports begins with that of the process that started this one.
 */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  let peakMb = process.resourceUsage().maxRSS / 1024
  try {
    peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
  } catch {
    // Only Linux has this file.
  }
  writeFileSync(process.env.USAGE_FILE ?? '', JSON.stringify({ peakMb, cpuMs: (user + system) / 1000 }))
})
