import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Ignore } from 'ignore'
import { readIfThere } from './read-if-there.ts'

/** What git ignores of the entries of one directory. */
export interface GitRules {
  /** @param name of an entry of the directory; of a directory with `/` at its end */
  ignores: (name: string) => boolean
  /** The rules of a directory in it, its own .gitignore included. */
  within: (name: string) => Promise<GitRules>
}

/** Rules of one .gitignore, and where the directory that is asked about is as seen from there: `` or `a/b/`. */
interface Layer {
  rules: Ignore
  at: string
}

/**
 * The rules of .gitignore, as git has them: each counts in its own directory and below, the deeper one has the last
 * word, and those above the root count as far up as the repository goes.
 */
export async function loadGitRules(root: string): Promise<GitRules> {
  const { default: createRules } = await import('ignore')
  const top = await topOf(root)
  let rules = await rulesOf(top, [])
  for (const name of path.relative(top, root).split(path.sep).filter(Boolean))
    rules = await rules.within(name)
  return rules

  /** @param above the layers of the directories above, the top one first */
  async function rulesOf(folder: string, above: readonly Layer[]): Promise<GitRules> {
    const text = await readIfThere(path.join(folder, '.gitignore'))
    const own = text === undefined ? [] : [{ rules: createRules({ ignorecase: false }).add(text), at: '' }]
    const layers = [...above, ...own]
    // Their memory of what they were asked goes with the directory.
    const here = layers.map(({ rules, at }) => ({ rules: pastParents(rules, at), at })).reverse()
    const ignores = (name: string): boolean => {
      const verdicts = here.map(({ rules, at }) => rules.test(at + name))
      return verdicts.find(({ ignored, unignored }) => ignored || unignored)?.ignored === true
    }
    return {
      ignores,
      async within(name) {
        // Whoever names an ignored directory as the source, like one that a build has made, wants what is in it.
        const isNamed = ignores(`${name}/`)
        const kept = layers.filter(
          ({ rules, at }) => !isNamed || !pastParents(rules, at).ignores(`${at}${name}/`),
        )
        const below = kept.map(({ rules, at }) => ({ rules, at: `${at}${name}/` }))
        return await rulesOf(path.join(folder, name), below)
      },
    }
  }

  /**
   * The rules without their verdict on the directories that lead to `at`. That one is walked, so a deeper .gitignore may
   * have taken it back in, and only what the rules say of an entry itself still counts.
   */
  function pastParents(rules: Ignore, at: string): Ignore {
    const depths = at.split('/').slice(1)
    const patterns = depths.map((_, index) => `!/${'*/'.repeat(index + 1)}`)
    return createRules({ ignorecase: false }).add(rules).add(patterns)
  }
}

/** The top of the repository that the root is in; the root itself when it is in none. */
async function topOf(root: string): Promise<string> {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (await isThere(path.join(folder, '.git'))) return folder
    if (path.dirname(folder) === folder) return root
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
