import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isOutside } from '../../src/sources/disk-path.ts'
import type { Surroundings } from '../../src/trace/format.ts'
import { SimulatedFiles } from '../files.ts'
import { errorOf } from './traced-network.ts'

/**
 * The files that a run has read, as it has found them, and no other one of this machine. A source is no part of a trace:
 * a folder of the disk stands in for the workspace, with a file in each of its folders that the run has resolved.
 */
export class TracedFiles extends SimulatedFiles {
  readonly #surroundings: Surroundings
  readonly #workspace: string
  readonly #folder: string

  constructor(surroundings: Surroundings) {
    const { GITHUB_STATE: state } = surroundings.env
    super(state === undefined ? {} : { [state]: '' })
    this.#surroundings = surroundings
    this.#workspace = surroundings.env['GITHUB_WORKSPACE'] ?? '.'
    this.#folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'replay-')))
    this.#fill()
  }

  override dispose(): void {
    super.dispose()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  override readonly realPath = async (given: string): Promise<string> => {
    const known = this.#surroundings.paths.find((one) => one.path === this.#recorded(given))
    if (known === undefined) throw missing(given)
    if ('failure' in known) throw errorOf(known.failure)
    return await Promise.resolve(this.#own(known.real))
  }

  override readonly readWhole = async (real: string, maxBytes: number): Promise<Buffer> => {
    const known = this.#surroundings.files.find((one) => one.path === this.#recorded(real))
    if (known === undefined) throw missing(real)
    if ('failure' in known) throw errorOf(known.failure)
    const bytes = Buffer.from(known.text)
    if (bytes.length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    return await Promise.resolve(bytes)
  }

  /** The path on the disk of one in the workspace. */
  #own(recorded: string): string {
    const relative = path.relative(this.#workspace, recorded)
    return isOutside(relative, path) ? recorded : path.join(this.#folder, relative)
  }

  /** The recorded path of one on the disk. */
  #recorded(own: string): string {
    return own.startsWith(this.#folder) ? this.#workspace + own.slice(this.#folder.length) : own
  }

  #fill(): void {
    const { paths, files, env } = this.#surroundings
    const manifests = files.flatMap((one) => ('text' in one ? [...one.text.matchAll(APP_CONFIG)] : []))
    const names = [env['INPUT_APP-CONFIG-PATH'] ?? '', ...manifests.map(([, name = '']) => name)]
    for (const one of paths) {
      if (!('real' in one) || files.some((file) => file.path === one.real)) continue
      const folder = this.#own(one.real)
      if (folder === one.real) continue
      this.#write(path.join(folder, 'stand-in.txt'), '')
      for (const name of names) this.#write(path.join(folder, name), APP_CONFIG_TEXT)
    }
  }

  /** Nothing outside of the folder, whatever the trace says. */
  #write(file: string, text: string): void {
    if (isOutside(path.relative(this.#folder, file), path) || file.includes('\0')) return
    try {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text, { flag: 'wx' })
    } catch {
      // Another path of the trace is there, as a file or a folder: one of both is enough to pack something.
    }
  }
}

/** The configuration of an app whose graph is a module, so that nothing is missing in the stand-in. */
const APP_CONFIG_TEXT = '{ "dependencies": ["."], "graphs": { "agent": "agent:graph" } }\n'

const APP_CONFIG = /app-config-path["']?\s*:\s*["']?([\w./-]{1,200})/g

function missing(file: string): Error {
  return Object.assign(new Error(`ENOENT: not in the trace: ${file}`), { code: 'ENOENT' })
}
