import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { opendir, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import { toError } from '../../clock.ts'
import { codeOf, quote, quoteBytes, isOutside } from '../workspace-path.ts'
import type { IgnoreRules } from './ignore-rules.ts'

export interface ArchiveEntry {
  /** Relative to the root, with `/` between its parts. */
  path: string
  /** The target of a link; not set for a file. */
  target?: string
}

interface Walk {
  /** Sorted by the code units of their paths, the same on every machine. */
  entries: ArchiveEntry[]
  /** Entries that cannot be packed, as ends of sentences that begin with the source's path. */
  problems: string[]
}

declare module 'node:fs/promises' {
  // The types of Node lack this encoding here.
  function opendir(path: string, options: { encoding: 'buffer'; bufferSize: number }): Promise<Entries>
}
type Entries = AsyncIterable<Dirent<Buffer>>

/** Entries that are read at once, between two turns of the event loop: a signal must not wait for a large directory. */
const BATCH = 500

/** Finds every file and link that is not ignored. Directories are not entries. Throws what `checkEnd` throws. */
export async function walkSource(root: string, rules: IgnoreRules, checkEnd: () => void): Promise<Walk> {
  const walk: Walk = { entries: [], problems: [] }
  const realRoot = await realpath(root)
  const queue = [{ directory: '', enter: () => Promise.resolve(rules) }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    checkEnd()
    const { directory } = next
    const here = await next.enter().catch((thrown: unknown) => {
      walk.problems.push(toError(thrown).message)
      return undefined
    })
    if (here === undefined) continue
    const prefix = directory === '' ? '' : `${directory}/`
    let count = 0
    for await (const child of list(path.join(root, directory), directory, walk)) {
      if (++count % BATCH === 0) checkEnd()
      const name = child.name.toString()
      const at = prefix + name
      if (name === '.git') continue
      if (child.isDirectory() ? here.ignoresDirectory(name) : here.ignoresFile(name)) continue
      // A tar stores names as UTF-8.
      if (!isUtf8(child.name)) walk.problems.push(`contains ${quoteBytes(prefix, child.name)}, whose name is not UTF-8`)
      else if (child.isDirectory()) queue.push({ directory: at, enter: () => here.within(name) })
      else if (child.isFile()) walk.entries.push({ path: at })
      else if (child.isSymbolicLink()) await takeLink(at, root, realRoot, walk)
      else walk.problems.push(`contains ${quote(at)}, which is neither a file nor a directory nor a link`)
    }
  }
  walk.entries.sort((one, other) => (one.path < other.path ? -1 : 1))
  walk.problems.sort()
  return walk
}

async function* list(folder: string, directory: string, { problems }: Walk): AsyncGenerator<Dirent<Buffer>, void> {
  try {
    yield* await opendir(folder, { encoding: 'buffer', bufferSize: BATCH })
  } catch (thrown) {
    problems.push(`contains the directory ${quote(directory)}, which cannot be read (${codeOf(thrown)})`)
  }
}

async function takeLink(at: string, root: string, realRoot: string, walk: Walk): Promise<void> {
  const full = path.join(root, at)
  try {
    const target = await readlink(full, { encoding: 'buffer' })
    const problem = await linkProblem(full, target, realRoot)
    if (problem === undefined) walk.entries.push({ path: at, target: target.toString() })
    else walk.problems.push(`contains ${quote(at)}, a symlink to ${problem}`)
  } catch (thrown) {
    walk.problems.push(`contains ${quote(at)}, which cannot be read (${codeOf(thrown)})`)
  }
}

/** A link's target must be inside the root, as written and as resolved. A broken link to the inside is accepted. */
async function linkProblem(full: string, bytes: Buffer, realRoot: string): Promise<string | undefined> {
  if (!isUtf8(bytes)) return `${quoteBytes('', bytes)}, which is not UTF-8`
  const target = bytes.toString()
  if (path.isAbsolute(target))
    return `${quote(target)}, which is an absolute path and does not exist where the source is built`
  // A directory on the path to the link may be a link as well.
  const written = path.join(await realpath(path.dirname(full)), target)
  const outside = `${quote(target)}, which is outside the directory`
  if (isOutside(path.relative(realRoot, written))) return outside
  try {
    return isOutside(path.relative(realRoot, await realpath(full))) ? outside : undefined
  } catch (thrown) {
    const code = codeOf(thrown)
    return code === 'ENOENT' ? undefined : `${quote(target)}, which cannot be resolved (${code})`
  }
}
