import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { readdir, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { IgnoreRules } from './ignore-rules.ts'
import { codeOf, quote, quoteBytes } from './words.ts'

/** A file or a link that goes into the archive. */
export interface ArchiveEntry {
  /** Relative to the root, with `/` between its parts. */
  path: string
  /** Where a link leads; a file leads nowhere. */
  target?: string
}

export interface Walk {
  /** Sorted by their paths' code units: the same on every machine. */
  entries: ArchiveEntry[]
  /** What cannot go in, as ends of sentences that begin with the source's path. */
  problems: string[]
}

/** Finds everything below the root that goes in. Directories are implied by what is in them, as git has it. */
export async function walkSource(root: string, rules: IgnoreRules, signal: AbortSignal): Promise<Walk> {
  const walk: Walk = { entries: [], problems: [] }
  const realRoot = await realpath(root)
  const queue = [{ directory: '', enter: () => Promise.resolve(rules) }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    signal.throwIfAborted()
    const { directory } = next
    const here = await next.enter()
    const prefix = directory === '' ? '' : `${directory}/`
    for (const child of await list(path.join(root, directory), directory, walk)) {
      const name = child.name.toString()
      const at = prefix + name
      if (isLeftOut(child, name, here)) continue
      // No archive has words for it, and no other name would be the same file.
      if (!isUtf8(child.name))
        walk.problems.push(`holds ${quoteBytes(prefix, child.name)}, whose name is not UTF-8`)
      else if (child.isDirectory()) queue.push({ directory: at, enter: () => here.within(name) })
      else if (child.isFile()) walk.entries.push({ path: at })
      else if (child.isSymbolicLink()) await takeLink(at, root, realRoot, walk)
      else walk.problems.push(`holds ${quote(at)}, which is neither a file nor a directory nor a link`)
    }
  }
  walk.entries.sort((one, other) => (one.path < other.path ? -1 : 1))
  walk.problems.sort()
  return walk
}

function isLeftOut(child: Dirent<Buffer>, name: string, rules: IgnoreRules): boolean {
  if (name === '.git') return true
  return child.isDirectory() ? rules.ignoresDirectory(name) : rules.ignoresFile(name)
}

async function list(folder: string, directory: string, { problems }: Walk): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch (thrown) {
    problems.push(`holds the directory ${quote(directory)}, which cannot be read (${codeOf(thrown)})`)
    return []
  }
}

async function takeLink(at: string, root: string, realRoot: string, walk: Walk): Promise<void> {
  const full = path.join(root, at)
  try {
    const target = await readlink(full, { encoding: 'buffer' })
    const problem = await linkProblem(full, target, realRoot)
    if (problem === undefined) walk.entries.push({ path: at, target: target.toString() })
    else walk.problems.push(`holds ${quote(at)}, a symlink to ${problem}`)
  } catch (thrown) {
    walk.problems.push(`holds ${quote(at)}, which cannot be read (${codeOf(thrown)})`)
  }
}

/** Where a link leads must be inside, by its words and in truth; a broken one that stays inside may stay broken. */
async function linkProblem(full: string, bytes: Buffer, realRoot: string): Promise<string | undefined> {
  if (!isUtf8(bytes)) return `${quoteBytes('', bytes)}, which is not UTF-8`
  const target = bytes.toString()
  if (path.isAbsolute(target))
    return `${quote(target)}, which is an absolute path and means nothing where it is built`
  // Where the link itself really is: a directory on the way to it may be a link as well.
  const stands = path.join(await realpath(path.dirname(full)), target)
  const outside = `${quote(target)}, which leads out of the directory`
  if (!isInside(stands, realRoot)) return outside
  try {
    return isInside(await realpath(full), realRoot) ? undefined : outside
  } catch (thrown) {
    return codeOf(thrown) === 'ENOENT'
      ? undefined
      : `${quote(target)}, which cannot be followed (${codeOf(thrown)})`
  }
}

function isInside(target: string, root: string): boolean {
  const relative = path.relative(root, target)
  return (
    relative === '' ||
    !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
  )
}
