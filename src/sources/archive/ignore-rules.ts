import path from 'node:path'
import type { DockerRules } from '@balena/dockerignore'
import { loadGitRules, type GitRules } from './git-rules.ts'
import { readIfThere } from './read-if-there.ts'

/** Decides what of one directory goes into an archive. */
export interface IgnoreRules {
  /** @param name of an entry of the directory */
  ignoresFile: (name: string) => boolean
  /** Whether nothing in the directory of that name can go in, so that it need not be read. */
  ignoresDirectory: (name: string) => boolean
  /** The rules of a directory in it that is not ignored. */
  within: (name: string) => Promise<IgnoreRules>
}

/**
 * The rules of .gitignore, as git has them, and the rules of .dockerignore, as docker has them: only the one in the
 * root. A file is left out when either says so.
 */
export async function loadIgnoreRules(root: string): Promise<IgnoreRules> {
  return combine('', await loadGitRules(root), await loadDockerRules(root))
}

/** @param at the directory as seen from the root: `` or `a/b/` */
function combine(at: string, git: GitRules, docker: RootRules): IgnoreRules {
  return {
    ignoresFile: (name) => git.ignores(name) || docker.rules?.ignores(at + name) === true,
    ignoresDirectory: (name) =>
      git.ignores(`${name}/`) || (!docker.hasExceptions && docker.rules?.ignores(at + name) === true),
    within: async (name) => combine(`${at}${name}/`, await git.within(name), docker),
  }
}

interface RootRules {
  rules: DockerRules | undefined
  hasExceptions: boolean
}

async function loadDockerRules(root: string): Promise<RootRules> {
  const text = await readIfThere(path.join(root, '.dockerignore'))
  if (text === undefined) return { rules: undefined, hasExceptions: false }
  const { default: createDockerRules } = await import('@balena/dockerignore')
  const rules = createDockerRules({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''))
  return { rules, hasExceptions: /^\s*!/m.test(text) }
}
