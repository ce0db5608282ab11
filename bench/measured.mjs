import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Loaded with `node --import` before the built action: it notes the process's peak of memory in megabytes, its CPU time
 * in milliseconds, and for how long the event loop was blocked at most: before the first request, when the inputs are
 * read, and after it. The peak that `resourceUsage` reports begins with that of the process that started this one.
 */

const TICK_MS = 5
/** In milliseconds of the main thread's CPU time: on a busy machine, real time says more about other processes. */
const longest = { readingMs: 0, blockMs: 0 }
/** @type {keyof typeof longest} */
let phase = 'readingMs'
let before = threadMs()
const look = () => {
  const now = threadMs()
  longest[phase] = Math.max(longest[phase], now - before)
  before = now
}
setInterval(look, TICK_MS).unref()
subscribe('http.client.request.start', () => {
  look()
  phase = 'blockMs'
})

process.on('exit', () => {
  look()
  const { user, system } = process.cpuUsage()
  let peakMb = process.resourceUsage().maxRSS / 1024
  try {
    peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
  } catch {
    // Only Linux has this file.
  }
  const usage = { peakMb, cpuMs: (user + system) / 1000, ...longest }
  writeFileSync(process.env.USAGE_FILE ?? '', JSON.stringify(usage))
})

function threadMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
