import type { Dirent } from 'node:fs'
import { readdir, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { IgnoreRules } from './ignore-rules.ts'
import { codeOf, quote } from './words.ts'

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
    for (const child of await list(path.join(root, directory), directory, walk)) {
      if (isLeftOut(child, here)) continue
      const at = directory === '' ? child.name : `${directory}/${child.name}`
      if (child.isDirectory()) queue.push({ directory: at, enter: () => here.within(child.name) })
      else await take(child, at, { root, realRoot, walk })
    }
  }
  walk.entries.sort((one, other) => (one.path < other.path ? -1 : 1))
  walk.problems.sort()
  return walk
}

function isLeftOut(child: Dirent, rules: IgnoreRules): boolean {
  if (child.name === '.git') return true
  return child.isDirectory() ? rules.ignoresDirectory(child.name) : rules.ignoresFile(child.name)
}

async function list(folder: string, directory: string, { problems }: Walk): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (thrown) {
    problems.push(`holds the directory ${quote(directory)}, which cannot be read (${codeOf(thrown)})`)
    return []
  }
}

async function take(
  child: Dirent,
  at: string,
  { root, realRoot, walk }: { root: string; realRoot: string; walk: Walk },
): Promise<void> {
  if (child.isFile()) {
    walk.entries.push({ path: at })
    return
  }
  if (!child.isSymbolicLink()) {
    walk.problems.push(`holds ${quote(at)}, which is neither a file nor a directory nor a link`)
    return
  }
  const full = path.join(root, at)
  const target = await readlink(full)
  const problem = await linkProblem(full, target, realRoot)
  if (problem === undefined) walk.entries.push({ path: at, target })
  else walk.problems.push(`holds ${quote(at)}, ${problem}`)
}

/** Where a link leads must be inside, by its words and in truth; a broken one that stays inside may stay broken. */
async function linkProblem(full: string, target: string, realRoot: string): Promise<string | undefined> {
  const leads = `a symlink to ${quote(target)}, which`
  if (path.isAbsolute(target)) return `${leads} is an absolute path and means nothing where it is built`
  // Where the link itself really is: a directory on the way to it may be a link as well.
  const stands = path.join(await realpath(path.dirname(full)), target)
  if (!isInside(stands, realRoot)) return `${leads} leads out of the directory`
  try {
    return isInside(await realpath(full), realRoot) ? undefined : `${leads} leads out of the directory`
  } catch (thrown) {
    return codeOf(thrown) === 'ENOENT' ? undefined : `${leads} cannot be followed (${codeOf(thrown)})`
  }
}

function isInside(target: string, root: string): boolean {
  const relative = path.relative(root, target)
  return (
    relative === '' ||
    !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
  )
}
