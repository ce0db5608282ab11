import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import createDockerRules from '@balena/dockerignore'
import createRules, { type Ignore } from 'ignore'
import { MAX_TEXT_BYTES, readWhole } from '../../files.ts'
import { codeOf, quote } from '../workspace-path.ts'

export interface IgnoreRules {
  /** @param name of an entry of the directory */
  ignoresFile: (name: string) => boolean
  /** Whether everything in the directory of that name is ignored, so that it need not be read. */
  ignoresDirectory: (name: string) => boolean
  within: (name: string) => Promise<IgnoreRules>
}

/** Applies every .gitignore as git does, and the root's .dockerignore as docker does. Either may ignore a file. */
export async function loadIgnoreRules(root: string): Promise<IgnoreRules> {
  return combine('', await loadGitRules(root), await loadDockerRules(root))
}

type RootRules = Awaited<ReturnType<typeof loadDockerRules>>

/** @param at the directory relative to the root: `` or `a/b/` */
function combine(at: string, git: GitRules, docker: RootRules): IgnoreRules {
  return {
    ignoresFile: (name) => git.ignores(name) || docker?.rules.ignores(at + name) === true,
    ignoresDirectory: (name) =>
      git.ignores(`${name}/`) || (docker?.hasExceptions === false && docker.rules.ignores(at + name)),
    within: async (name) => combine(`${at}${name}/`, await git.within(name), docker),
  }
}

async function loadDockerRules(root: string) {
  const text = await readRules(path.join(root, '.dockerignore'))
  if (text === undefined) return undefined
  const rules = createDockerRules({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''))
  // A file in an ignored directory may be an exception.
  return { rules, hasExceptions: text.split('\n').some((line) => line.trimStart().startsWith('!')) }
}

interface GitRules {
  /** @param name of an entry of the directory; a directory's name ends with `/` */
  ignores: (name: string) => boolean
  within: (name: string) => Promise<GitRules>
}

/** The rules of one .gitignore, and the path from there to the current directory: `` or `a/b/`. */
interface Layer {
  rules: Ignore
  at: string
}

/**
 * Loads the rules of every .gitignore, applied as by git: each applies to its own directory and below, a deeper one
 * overrides, and those above the root apply up to the top of the repository.
 */
async function loadGitRules(root: string): Promise<GitRules> {
  const top = topOf(root)
  let rules = await rulesOf(top, [])
  for (const name of path.relative(top, root).split(path.sep).filter(Boolean)) rules = await rules.within(name)
  return rules

  /** @param above the layers of the parent directories, the top one first */
  async function rulesOf(folder: string, above: readonly Layer[]): Promise<GitRules> {
    const text = await readRules(path.join(folder, '.gitignore'))
    const own = text === undefined ? [] : [{ rules: createRules({ ignorecase: false }).add(text), at: '' }]
    const layers = [...above, ...own]
    // `ignore` caches every path that it tests; copies free that memory with the directory.
    const here = layers.map(({ rules, at }) => ({ rules: pastParents(rules, at), at })).reverse()
    const ignores = (name: string): boolean => {
      const verdicts = here.map(({ rules, at }) => rules.test(at + name))
      return verdicts.find(({ ignored, unignored }) => ignored || unignored)?.ignored === true
    }
    return {
      ignores,
      async within(name) {
        // An ignored directory that is the source itself, like a build's output, is packed.
        const isNamed = ignores(`${name}/`)
        const below = layers
          .filter(({ rules, at }) => !isNamed || !pastParents(rules, at).ignores(`${at}${name}/`))
          .map(({ rules, at }) => ({ rules, at: `${at}${name}/` }))
        return await rulesOf(path.join(folder, name), below)
      },
    }
  }

  /**
   * The rules without their verdict on the directories that lead to `at`. The walk has entered `at`, so a deeper
   * .gitignore may have included it again; only the verdict on an entry itself still applies.
   */
  function pastParents(rules: Ignore, at: string): Ignore {
    const depths = at.split('/').slice(1)
    const patterns = depths.map((_, index) => `!/${'*/'.repeat(index + 1)}`)
    return createRules({ ignorecase: false }).add(rules).add(patterns)
  }
}

/** Finds the top of the repository that contains the root; the root itself if none does. */
function topOf(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder
    if (path.dirname(folder) === folder) return root
  }
}

/**
 * Reads the rules of a file; `undefined` if there is no such file.
 * @throws Error with the end of a sentence that begins with the source's path. Without its rules, secrets could be packed.
 */
async function readRules(file: string): Promise<string | undefined> {
  try {
    const bytes = await readWhole(await realpath(file), MAX_TEXT_BYTES)
    return bytes.toString('utf8')
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`has the ignore file ${quote(file)}, which cannot be read (${code})`, { cause: thrown })
  }
}
