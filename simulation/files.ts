import { readFile } from 'node:fs/promises'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Files } from '../src/world.ts'

/** A folder of the disk. Its name differs from process to process, so no trace shows it. */
export const TEMP = mkdtempSync(path.join(tmpdir(), 'simulation-'))
process.once('exit', () => {
  rmSync(TEMP, { recursive: true, force: true })
})

/** The files of one run of the action, in memory; any other file is read from the disk. Its methods need no `this`. */
export class SimulatedFiles implements Files {
  readonly #files: Map<string, string>
  readonly outputs: Record<string, string> = {}
  summary = ''
  #folders = 0
  /** Set when the process of the run has ended: nothing is written after that. */
  isClosed = false

  /** @param files by their path */
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files))
  }

  read(file: string): string | undefined {
    return this.#files.get(file)
  }

  /** Everything that the run has written. */
  written(): string {
    return [...this.#files.values(), this.summary, JSON.stringify(this.outputs)].join('\n')
  }

  readonly realPath = async (path: string): Promise<string> => {
    return await Promise.resolve(this.#files.has(path) ? path : realpathSync(path))
  }

  readonly readWhole = async (real: string, maxBytes: number): Promise<Buffer> => {
    const text = this.#files.get(real)
    const bytes = text === undefined ? await readFile(real) : Buffer.from(text)
    if (bytes.length > maxBytes) throw new Error(`larger than ${maxBytes} bytes`)
    return bytes
  }

  /** Only the record is kept in memory: what is packed, sent and received is written by its own part of the action. */
  readonly makeFolder = async (prefix: string): Promise<string> => {
    this.#folders += 1
    const isInMemory = prefix.startsWith('rollout-')
    const folder = path.join(isInMemory ? '/simulated/temp' : TEMP, `${prefix}${this.#folders}`)
    if (!isInMemory) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
    }
    return await Promise.resolve(folder)
  }

  readonly write = async (file: string, pieces: Iterable<string>): Promise<void> => {
    if (!this.isClosed) this.#files.set(file, [...pieces].join(''))
    await Promise.resolve()
  }

  readonly addLine = (file: string, line: string): void => {
    const before = this.#files.get(file)
    if (before === undefined) throw new Error(`Missing file at path: ${file}`)
    if (!this.isClosed) this.#files.set(file, `${before}${line}\n`)
  }

  readonly setOutputs = async (outputs: Readonly<Record<string, string>>): Promise<void> => {
    if (!this.isClosed) Object.assign(this.outputs, outputs)
    await Promise.resolve()
  }

  readonly addSummary = async (markdown: string): Promise<void> => {
    if (!this.isClosed) this.summary += markdown
    await Promise.resolve()
  }
}
