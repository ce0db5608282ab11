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

/** The rules of one .gitignore, and the path from there to the current directory: `` or `a/b/`. */
interface Layer {
  rules: Ignore
  at: string
}

/**
 * Applies every .gitignore as git does, and the root's .dockerignore as docker does. Either may ignore a file. A
 * .gitignore applies to its own directory and below, a deeper one overrides, and those above the root apply up to the
 * top of the repository.
 */
export async function loadIgnoreRules(root: string): Promise<IgnoreRules> {
  let folder = topOf(root)
  let above = await layersIn(folder, '', [])
  for (const name of path.relative(folder, root).split(path.sep).filter(Boolean)) {
    // An ignored directory that is the source itself, like a build's output, is packed.
    const isNamed = ignoring(above)(`${name}/`)
    const kept = above.filter(({ rules, at }) => !isNamed || !pastParents(rules, at).ignores(`${at}${name}/`))
    above = await layersIn(folder, name, kept)
    folder = path.join(folder, name)
  }
  const docker = await loadDockerRules(root)
  return rulesIn('', above)

  /** @param at the directory relative to the root: `` or `a/b/` */
  function rulesIn(at: string, layers: readonly Layer[]): IgnoreRules {
    const ignores = ignoring(layers)
    return {
      ignoresFile: (name) => ignores(name) || docker?.rules.ignores(at + name) === true,
      ignoresDirectory: (name) =>
        ignores(`${name}/`) || (docker?.hasExceptions === false && docker.rules.ignores(at + name)),
      within: async (name) => rulesIn(`${at}${name}/`, await layersIn(path.join(root, at), name, layers)),
    }
  }
}

/** @param above the layers of the parent directory, the top one first */
async function layersIn(parent: string, name: string, above: readonly Layer[]): Promise<Layer[]> {
  const text = await readRules(path.join(parent, name, '.gitignore'))
  const own = text === undefined ? [] : [{ rules: createRules({ ignorecase: false }).add(text), at: '' }]
  return [...above.map(({ rules, at }) => ({ rules, at: `${at}${name}/` })), ...own]
}

/** Whether layers ignore an entry of their directory; a directory's name ends with `/`. */
function ignoring(layers: readonly Layer[]): (name: string) => boolean {
  // `ignore` caches every path that it tests; copies free that memory with the directory.
  const here = layers.map(({ rules, at }) => ({ rules: pastParents(rules, at), at })).reverse()
  return (name) => {
    const verdicts = here.map(({ rules, at }) => rules.test(at + name))
    return verdicts.find(({ ignored, unignored }) => ignored || unignored)?.ignored === true
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

async function loadDockerRules(root: string) {
  const text = await readRules(path.join(root, '.dockerignore'))
  if (text === undefined) return undefined
  const rules = createDockerRules({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''))
  // A file in an ignored directory may be an exception.
  return { rules, hasExceptions: text.split('\n').some((line) => line.trimStart().startsWith('!')) }
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
