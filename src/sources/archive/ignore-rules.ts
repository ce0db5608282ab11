import path from 'node:path'
import createDockerRules from '@balena/dockerignore'
import { loadGitRules, readRules, type GitRules } from './git-rules.ts'

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
