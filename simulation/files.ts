import { readFile } from 'node:fs/promises'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Files } from '../src/world.ts'

/** The beginning of each folder on the disk. */
const folderStart = (): string => path.join(tmpdir(), 'simulation-')

/** The text with the same folder for every run: those of the disk have random names. */
export function withoutFolder(text: string): string {
  return text.includes(folderStart()) ? text.replaceAll(/simulation-\w{6}/g, 'simulation') : text
}

/** The files of one run of the action, in memory; any other file is read from the disk. Its methods need no `this`. */
export class SimulatedFiles implements Files {
  readonly #files: Map<string, string>
  readonly outputs: Record<string, string> = {}
  summary = ''
  #folders = 0
  /** On the disk. */
  #folder: string | undefined
  /** Set when the process of the run has ended: nothing is written after that. */
  isClosed = false

  /** @param files by their path */
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files))
  }

  /** Removes what is on the disk. */
  dispose(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
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
    if (prefix.startsWith('rollout-')) return await Promise.resolve(`/simulated/temp/${prefix}${this.#folders}`)
    this.#folder ??= mkdtempSync(folderStart())
    const folder = path.join(this.#folder, `${prefix}${this.#folders}`)
    mkdirSync(folder)
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
