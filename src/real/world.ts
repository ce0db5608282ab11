import { appendFileSync, existsSync, realpathSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { EOL, tmpdir } from 'node:os'
import path from 'node:path'
import timers from 'node:timers/promises'
import { toError, type Clock } from '../clock.ts'
import { readWhole } from '../files.ts'
import { PARTS } from '../parts.ts'
import type { Files, World } from '../world.ts'
import { RealNetwork } from './network.ts'
import { environment, printLine } from './process.ts'

/** The world of a run on a runner. */
export function openWorld(signal: AbortSignal): World {
  return {
    env: environment,
    clock: systemClock,
    random: Math.random,
    network: new RealNetwork(() => void PARTS.loadRest().catch(() => undefined)),
    files: systemFiles,
    print: printLine,
    signal,
  }
}

// A moment may pass while its distance is calculated: Node warns about a negative time.
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  sleep: async (ms, signal) =>
    await timers.setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => {
      throw toError(signal.reason)
    }),
  after(ms, act) {
    const timer = setTimeout(act, Math.max(0, ms)).unref()
    return () => clearTimeout(timer)
  },
  during: async (work) => await work,
}

export const systemFiles: Files = {
  // Each asynchronous step would let other work begin, and the run needs its event before anything else.
  realPath: async (given) => await Promise.resolve(given).then((one) => realpathSync.native(one)),
  readWhole,
  makeFolder: async (prefix, parent = tmpdir()) => await mkdtemp(path.join(parent, prefix)),
  write: async (file, pieces) => await writeFile(file, pieces, { mode: 0o600 }),
  addLine(file, line) {
    if (!existsSync(file)) throw new Error(`Missing file at path: ${file}`)
    appendFileSync(file, line + EOL)
  },
  async setOutputs(outputs) {
    const { setOutput } = await PARTS.loadRest()
    // Without the file, the toolkit prints an older command for each output, which runners refuse.
    if (!environment['GITHUB_OUTPUT']) throw new Error('GITHUB_OUTPUT is not set')
    for (const [name, value] of Object.entries(outputs)) setOutput(name, value)
  },
  async addSummary(markdown) {
    const { summary } = await PARTS.loadRest()
    await summary.addRaw(markdown, true).write()
  },
}
