import path from 'node:path'
import createDockerRules, { type DockerRules } from '@balena/dockerignore'
import { loadGitRules, type GitRules } from './git-rules.ts'
import { readIfThere } from './read-if-there.ts'

/** The ignore rules of one directory. */
export interface IgnoreRules {
  /** @param name of an entry of the directory */
  ignoresFile: (name: string) => boolean
  /** Whether everything in the directory of that name is ignored, so that it need not be read. */
  ignoresDirectory: (name: string) => boolean
  /** The rules of a directory in it that is not ignored. */
  within: (name: string) => Promise<IgnoreRules>
}

/**
 * Loads the rules of every .gitignore, applied as by git, and of the root's .dockerignore, applied as by docker. A file
 * that either of them ignores is ignored.
 */
export async function loadIgnoreRules(root: string): Promise<IgnoreRules> {
  return combine('', await loadGitRules(root), await loadDockerRules(root))
}

/** @param at the directory relative to the root: `` or `a/b/` */
function combine(at: string, git: GitRules, docker: RootRules | undefined): IgnoreRules {
  return {
    ignoresFile: (name) => git.ignores(name) || docker?.rules.ignores(at + name) === true,
    ignoresDirectory: (name) =>
      git.ignores(`${name}/`) || (docker?.hasExceptions === false && docker.rules.ignores(at + name)),
    within: async (name) => combine(`${at}${name}/`, await git.within(name), docker),
  }
}

interface RootRules {
  rules: DockerRules
  /** A file in an ignored directory may be an exception. */
  hasExceptions: boolean
}

async function loadDockerRules(root: string): Promise<RootRules | undefined> {
  const text = await readIfThere(path.join(root, '.dockerignore'))
  if (text === undefined) return undefined
  const rules = createDockerRules({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''))
  return { rules, hasExceptions: /^\s*!/m.test(text) }
}
