import { createHash } from 'node:crypto'
import { Stats } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveEntry } from './walk.ts'

export interface PackOptions {
  root: string
  entries: readonly ArchiveEntry[]
  /** The file to write. */
  file: string
  /** Packing stops when the archive has more bytes than this. */
  maxBytes: number
  signal: AbortSignal
}

export type Packed = { kind: 'packed'; bytes: number; sha256: string } | { kind: 'too-large' }

/** A time that no tool stumbles over: some cannot bear one before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15))
/** Small, as it is held in memory. */
const READ_SIZE = 64 * 1024

/**
 * Writes a tar.gz that depends on nothing but names, contents, links and whether a file may be executed. It streams:
 * memory does not grow with the tree.
 */
export async function packEntries({ root, entries, file, maxBytes, signal }: PackOptions): Promise<Packed> {
  const { Pack } = await import('tar')
  const statCache = new Map(entries.map((entry) => [path.join(root, entry.path), normalised(entry.stats)]))
  const pack = new Pack({
    cwd: root,
    statCache,
    gzip: { portable: true },
    portable: true,
    mtime: FIXED_TIME,
    noDirRecurse: true,
    // Whatever tar would merely warn of would be missing from the archive.
    strict: true,
    jobs: 1,
    maxReadSize: READ_SIZE,
  })
  for (const entry of entries) pack.add(entry.path)
  pack.end()

  const hash = createHash('sha256')
  let bytes = 0
  await using target = await open(file, 'wx', 0o600)
  for await (const chunk of pack) {
    signal.throwIfAborted()
    bytes += chunk.length
    if (bytes > maxBytes) return { kind: 'too-large' }
    hash.update(chunk)
    await target.write(chunk)
  }
  await expectUnchanged(root, entries)
  return { kind: 'packed', bytes, sha256: hash.digest('hex') }
}

/** Of a file's modes only its owner's right to execute it counts; and it is a file, however many names it has. */
function normalised(stats: Stats): Stats {
  const mode = stats.isSymbolicLink() ? 0o120777 : (stats.mode & 0o100) === 0 ? 0o100644 : 0o100755
  const copy: unknown = Object.assign(Object.create(Stats.prototype), stats, { mode, nlink: 1 })
  if (!(copy instanceof Stats)) throw new Error('a copy of Stats is one')
  return copy
}

/** A file that somebody writes to meanwhile would go in half old and half new. */
async function expectUnchanged(root: string, entries: readonly ArchiveEntry[]): Promise<void> {
  for (const entry of entries) {
    const now = await lstat(path.join(root, entry.path))
    if (now.size !== entry.stats.size || now.mtimeMs !== entry.stats.mtimeMs)
      throw new Error(`${JSON.stringify(entry.path)} changed while it was packed`)
  }
}
