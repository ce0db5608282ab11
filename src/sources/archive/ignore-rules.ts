import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { DockerRules } from '@balena/dockerignore'
import type { Ignore as GitRules } from 'ignore'

/** Decides what of a directory goes into an archive. Paths are relative to it, with `/` between their parts. */
export interface IgnoreRules {
  /** Reads the rules that a directory brings along, before anything in it is asked about. */
  enter: (directory: string) => Promise<void>
  ignoresFile: (file: string) => boolean
  /** Whether nothing in the directory can go in, so that it need not be read. */
  ignoresDirectory: (directory: string) => boolean
}

/** Rules of one .gitignore; `prefix` leads from its directory to the root of the archive, for those above it. */
interface Layer {
  directory: string
  prefix: string
  rules: GitRules
}

/**
 * The rules of .gitignore, as git has them: each counts in its own directory and below, the deeper one has the last
 * word, and those above the root count as far up as the repository goes. And the rules of .dockerignore, as docker has
 * them: only the one in the root. A file is left out when either says so.
 */
export async function loadIgnoreRules(root: string): Promise<IgnoreRules> {
  const { default: createGitRules } = await import('ignore')
  const layers = await layersAbove(root, (text) => createGitRules({ ignorecase: false }).add(text))
  const docker = await loadDockerRules(root)
  const gitIgnores = (entry: string): boolean => {
    for (const { directory, prefix, rules } of layers.toReversed()) {
      const below = relativeTo(directory, entry)
      if (below === undefined) continue
      const { ignored, unignored } = rules.test(prefix + below)
      if (ignored || unignored) return ignored
    }
    return false
  }
  return {
    async enter(directory) {
      const text = await readIfThere(path.join(root, directory, '.gitignore'))
      if (text === undefined) return
      layers.push({ directory, prefix: '', rules: createGitRules({ ignorecase: false }).add(text) })
    },
    ignoresFile: (file) => gitIgnores(file) || docker.rules?.ignores(file) === true,
    ignoresDirectory: (directory) =>
      gitIgnores(`${directory}/`) || (!docker.hasExceptions && docker.rules?.ignores(directory) === true),
  }
}

/** The entry as seen from a directory that it is in; nothing when it is not. */
function relativeTo(directory: string, entry: string): string | undefined {
  if (directory === '') return entry
  return entry.startsWith(`${directory}/`) ? entry.slice(directory.length + 1) : undefined
}

/** From the top of the repository down; none when the root is in no repository. */
async function layersAbove(root: string, parse: (text: string) => GitRules): Promise<Layer[]> {
  const layers: Layer[] = []
  for (let folder = root; !(await isThere(path.join(folder, '.git')));) {
    const parent = path.dirname(folder)
    if (parent === folder) return []
    folder = parent
    const text = await readIfThere(path.join(folder, '.gitignore'))
    if (text === undefined) continue
    const rules = parse(text)
    const prefix = `${path.relative(folder, root).split(path.sep).join('/')}/`
    // Whoever names an ignored directory as the source, like one that a build has made, wants what is in it.
    if (!rules.ignores(prefix)) layers.unshift({ directory: '', prefix, rules })
  }
  return layers
}

async function loadDockerRules(
  root: string,
): Promise<{ rules: DockerRules | undefined; hasExceptions: boolean }> {
  const text = await readIfThere(path.join(root, '.dockerignore'))
  if (text === undefined) return { rules: undefined, hasExceptions: false }
  const { default: createDockerRules } = await import('@balena/dockerignore')
  const rules = createDockerRules({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''))
  return { rules, hasExceptions: /^\s*!/m.test(text) }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file)
    return true
  } catch {
    return false
  }
}
