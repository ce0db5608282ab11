import diagnostics from 'node:diagnostics_channel'
import net from 'node:net'
import { pathToFileURL } from 'node:url'
import { setClockSpeed } from '../scaled-time.ts'

/**
 * A process that runs a built action again and again, for `shared-process.ts`. Each run evaluates the file anew, with its
 * own environment, folder and clock. When a run exits and leaves nothing under way, the process stays for the next one. In any
 * other case the process ends as that of the run alone would: an uncaught error, or an exit with a request under way.
 */
interface Run {
  script: string
  cwd: string
  env: Record<string, string>
  clockSpeed: number
  /** Written to both streams, after the exit code, when the run is over. */
  marker: string
}

/** Resources that are of this process itself, or that are closed already. */
const IS_NOT_LEFT = new Set(['PipeWrap', 'CloseReq'])
const IS_SOCKET = new Set(['TCPSocketWrap', 'TLSWrap'])

/** Node's exit code of a program that waits for nothing. */
const UNSETTLED = 13

const exit = process.exit.bind(process)
const timers = new Set<NodeJS.Timeout>()
const sockets = new Set<net.Socket>()
let runs = 0
let isSettled = true

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply(target, _self, given: Parameters<typeof setTimeout>): NodeJS.Timeout {
    const timer = target(...given)
    timers.add(timer)
    return timer
  },
})
diagnostics.subscribe('net.client.socket', (message) => {
  if (typeof message === 'object' && message !== null && 'socket' in message && message.socket instanceof net.Socket)
    sockets.add(message.socket)
})

process.on('beforeExit', () => {
  if (!isSettled) process.exitCode ??= UNSETTLED
})
process.on('disconnect', () => exit())
process.on('message', (run: unknown) => {
  if (isRun(run)) void begin(run)
})

async function begin({ script, cwd, env, clockSpeed, marker }: Run): Promise<void> {
  const own = process.eventNames()
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  const exitRun = (code = process.exitCode): void => {
    process.exitCode = code
    end(marker, own)
  }
  setClockSpeed(clockSpeed)
  Object.assign(process, { exit: exitRun })
  // A run that waits for nothing ends its process. This channel must not prevent that.
  process.channel?.unref()
  runs += 1
  isSettled = false
  await import(`${pathToFileURL(script).href}?run=${runs}`)
  isSettled = true
}

/** What the end of a process would end, ends here, too: timers and connections. */
function end(marker: string, own: (string | symbol)[]): void {
  if (leavesSomething()) exit()
  const code = process.exitCode ?? 0
  process.emit('exit', Number(code))
  for (const timer of timers) clearTimeout(timer)
  timers.clear()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  for (const name of process.eventNames()) if (!own.includes(name)) process.removeAllListeners(name)
  process.channel?.ref()
  for (const stream of [process.stdout, process.stderr]) stream.write(`\0${process.exitCode ?? 0} ${marker}`)
}

function leavesSomething(): boolean {
  const left = process.getActiveResourcesInfo().filter((kind) => !IS_NOT_LEFT.has(kind))
  const open = left.filter((kind) => IS_SOCKET.has(kind))
  // A connection that is being closed is two resources.
  const closing = left.filter((kind) => kind === 'SimpleShutdownWrap')
  return open.length > closing.length || left.length > open.length + closing.length
}

function isRun(message: unknown): message is Run {
  return typeof message === 'object' && message !== null && 'script' in message && 'marker' in message
}
