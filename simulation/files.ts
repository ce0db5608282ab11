import { readFile } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import type { Files } from '../src/world.ts'

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

  readonly makeFolder = async (prefix: string, parent = '/simulated/temp'): Promise<string> => {
    this.#folders += 1
    return await Promise.resolve(`${parent}/${prefix}${this.#folders}`)
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
