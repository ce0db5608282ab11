import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { pathToFileURL } from 'node:url'
import { createKiller } from '../../demo/runner/killer.ts'
import { createLineSplitter } from '../../demo/runner/line-splitter.ts'
import type { Execute, Execution, ProcessEnd } from '../../demo/runner/process.ts'

/*
 * Facts about Wine 8:
 * - Node 22 runs in it, and Node 24 ends with an error of its memory.
 * - Node cannot write to a pipe (EBADF), so that its output goes to a file.
 * - SIGINT to the process arrives as Ctrl+C.
 * - PATH, HOME, TEMP and TMP of Linux do not arrive: Windows has its own.
 */

/** The root of this machine, as Wine sees it. */
const ROOT_DRIVE = 'Z:'
/** Limit of each program of Wine itself. The first start of a prefix takes about 10 s. */
const SET_UP_LIMIT_MS = 120_000
/** Between two looks at the file of output. */
const LOOK_MS = 25
const PRELOAD = path.join(import.meta.dirname, 'preload.mjs')

/** Returns the path by which a program in Wine finds an absolute path of this machine. */
export function windowsPath(file: string): string {
  return ROOT_DRIVE + file.replaceAll('/', '\\')
}

/** The names of `globalNames` in JSON, from a process that has loaded no other module, which may add globals. */
function namesOfThisNode(): string {
  const module = new URL('global-names.mjs', import.meta.url).href
  const code = `import { globalNames } from '${module}'; console.log(JSON.stringify([...globalNames()]))`
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
}

/** A Windows of its own, in a folder. */
export class WinePrefix {
  readonly #folder: string
  readonly #loader: string
  readonly #node: string
  readonly #env: Readonly<Record<string, string>>
  #outputs = 0

  /** @param folder absolute and empty. `loader`: the program of Wine. `node`: the path of Node for Windows */
  constructor(folder: string, { loader, node }: { loader: string; node: string }) {
    this.#folder = folder
    this.#loader = loader
    this.#node = node
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#within('home'),
      // The sockets of its server are there.
      TMPDIR: this.#within('server'),
      WINEPREFIX: this.#within('prefix'),
      WINEDEBUG: '-all',
      // Without these, it asks for the installation of Mono and Gecko, writes menus, and debugs what has crashed.
      WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=;winedbg.exe=',
      LANG: 'C.UTF-8',
      NODE_SKIP_PLATFORM_CHECK: '1',
      NAMES_OF_NODE_24: windowsPath(this.#within('names.json')),
    }
  }

  /** Makes it, which takes some seconds. */
  open(): void {
    for (const name of ['home', 'server', 'outputs']) mkdirSync(this.#within(name))
    writeFileSync(this.#within('names.json'), namesOfThisNode())
    this.#setUp('wineboot', '--init')
    this.#setUp('winecfg', '-v', 'win10')
  }

  /** Has a folder be a drive. @param letter such as `d` */
  addDrive(letter: string, folder: string): void {
    symlinkSync(folder, this.#within(`prefix/dosdevices/${letter}:`))
  }

  /** Returns where this machine has a file. @param file its absolute path, as a program in Wine writes it */
  hostPath(file: string): string {
    const [drive = '', ...steps] = file.split('\\')
    return path.join(this.#within('prefix/dosdevices'), drive.toLowerCase(), ...steps)
  }

  /** Ends every program of the prefix, and waits for that. */
  close(): void {
    for (const flag of ['--kill', '--wait']) this.#start('wineserver', [flag])
  }

  /** Runs a script of the action on Windows' Node. */
  readonly execute: Execute = async (execution, log) => {
    const { limitMs, kill } = execution
    const file = this.#within(`outputs/${++this.#outputs}.txt`)
    const descriptor = openSync(file, 'wx+')
    const startedAt = performance.now()
    const child = this.#spawn(execution, descriptor)
    const leaveNoChild = (): void => void child.kill('SIGKILL')
    process.once('exit', leaveNoChild)
    const killer = createKiller(kill, log, (signal) => void child.kill(signal))
    const output = new FileOutput(descriptor, killer.onLine)
    const timer = setInterval(() => output.look(), LOOK_MS)
    let limitReached = false
    const limit = setTimeout(() => {
      limitReached = true
      leaveNoChild()
    }, limitMs)
    try {
      const end = await new Promise<Pick<ProcessEnd, 'exitCode' | 'signal'>>((resolve, reject) => {
        child.once('error', reject)
        child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
      })
      return { ...end, limitReached, raw: output.finish(), durationMs: performance.now() - startedAt }
    } finally {
      clearInterval(timer)
      clearTimeout(limit)
      killer.stop()
      closeSync(descriptor)
      process.off('exit', leaveNoChild)
    }
  }

  #spawn({ script, cwd, env, nodeArgs }: Execution, output: number) {
    const preload = `--import=file:///${ROOT_DRIVE}${pathToFileURL(PRELOAD).pathname}`
    return spawn(this.#loader, [this.#node, preload, ...nodeArgs, windowsPath(script)], {
      cwd,
      env: { ...windowsEnvironment(env), ...this.#env },
      stdio: ['ignore', output, output],
    })
  }

  #setUp(program: string, ...args: string[]): void {
    const { status, error, stderr } = this.#start(program, args)
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  }

  #start(program: string, args: readonly string[]) {
    return spawnSync(program, args, { env: this.#env, encoding: 'utf8', timeout: SET_UP_LIMIT_MS })
  }

  #within(name: string): string {
    return path.join(this.#folder, name)
  }
}

/** The variables of a Windows runner. A path of this machine becomes one of Windows. */
function windowsEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const variables = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    /^\/[^/]/.test(value) ? windowsPath(value) : value,
  ])
  return Object.fromEntries(variables)
}

/** The output of a process that writes it to a file. */
class FileOutput {
  readonly #descriptor: number
  readonly #decoder = new StringDecoder()
  readonly #splitter: ReturnType<typeof createLineSplitter>
  #position = 0
  #raw = ''

  constructor(descriptor: number, onLine: (line: string) => void) {
    this.#descriptor = descriptor
    this.#splitter = createLineSplitter(onLine)
  }

  look(): void {
    const piece = Buffer.alloc(64 * 1024)
    for (;;) {
      const bytes = readSync(this.#descriptor, piece, 0, piece.length, this.#position)
      if (bytes === 0) return
      this.#position += bytes
      const text = this.#decoder.write(piece.subarray(0, bytes))
      this.#raw += text
      this.#splitter.push(text)
    }
  }

  finish(): string {
    this.look()
    this.#splitter.end()
    return this.#raw
  }
}
