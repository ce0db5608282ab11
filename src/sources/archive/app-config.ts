import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Problem } from '../../problem.ts'
import { codeOf, quote, isOutside } from '../workspace-path.ts'
import type { ArchiveEntry } from './walk.ts'

/** Contract, "app_config_path": the build needs the file, so it must be in the archive. */
export async function checkAppConfig(
  root: string,
  given: string | undefined,
  entries: readonly ArchiveEntry[],
): Promise<Problem[]> {
  if (given === undefined) return []
  const problem = (message: string): Problem[] => [{ input: 'app-config-path', value: given, message }]
  if (isOutside(path.normalize(given))) return problem('must be a path inside source-path, and relative to it')
  const normal = path.posix.normalize(given)
  const place = follow(normal, new Map(entries.map((entry) => [entry.path, entry])))
  if (place.isFile) return []
  const meant = entries.filter((entry) => path.posix.basename(entry.path) === path.posix.basename(normal))
  return problem((await whyNot(path.join(root, normal), root, place)) ?? notThere(meant))
}

/** @param meant files of the same name */
function notThere(meant: readonly ArchiveEntry[]): string {
  const names = meant.slice(0, MAX_NAMED).map((entry) => quote(entry.path))
  const ask = names.length === 0 ? 'is the repository checked out?' : `did you mean ${names.join(' or ')}?`
  return `is not in source-path, to which it is relative: ${ask}`
}

const MAX_NAMED = 3

/** Returns undefined if there is nothing at this place. */
async function whyNot(
  full: string,
  root: string,
  { at, byLink }: ReturnType<typeof follow>,
): Promise<string | undefined> {
  const resolved = `resolves by a symlink to ${quote(at)}, which`
  try {
    const real = await realpath(full)
    if (isOutside(path.relative(await realpath(root), real))) return 'is outside source-path'
    if ((await stat(real)).isDirectory()) return 'is a directory, not a file'
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be resolved (${code})`
    return byLink ? `${resolved} does not exist` : undefined
  }
  return byLink
    ? `${resolved} .gitignore or .dockerignore ignores`
    : 'is in source-path, but .gitignore or .dockerignore ignores it'
}

/** The number of links that Linux follows in one path. */
const MAX_LINKS = 40

/** Resolves a path in the archive, as the build does: where it ends, and whether a link leads there. */
function follow(normal: string, entries: ReadonlyMap<string, ArchiveEntry>) {
  const ahead = normal.split('/')
  let at = ''
  let links = 0
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    const next = path.posix.join(at, part)
    const entry = entries.get(next)
    if (entry?.target === undefined) {
      at = next
      if (entry !== undefined) break
      continue
    }
    links += 1
    if (links > MAX_LINKS) break
    ahead.unshift(...entry.target.split('/').filter((one) => one !== '' && one !== '.'))
  }
  const end = entries.get(at)
  const isFile = ahead.length === 0 && end !== undefined && end.target === undefined
  return { at: path.posix.join(at, ...ahead), isFile, byLink: links > 0 }
}
