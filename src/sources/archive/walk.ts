import { isUtf8 } from 'node:buffer'
import { existsSync, type Dirent } from 'node:fs'
import { opendir, readlink, realpath } from 'node:fs/promises'
import nodePath, { type PlatformPath } from 'node:path'
import createDockerRules from '@balena/dockerignore'
import createRules, { type Ignore } from 'ignore'
import { toError } from '../../clock.ts'
import { isNormal, linkTarget, pathInside, upwards } from '../disk-path.ts'
import { codeOf, quote, quoteBytes } from '../workspace-path.ts'
import { isLeftOut } from './left-out.ts'
import { RuleFiles } from './rule-files.ts'

export interface ArchiveEntry {
  /** Relative to the root, with `/` between its parts. */
  path: string
  /** The target of a link; not set for a file. */
  target?: string
}

interface Walk {
  /** Sorted by the code units of their paths, the same on every machine. */
  entries: ArchiveEntry[]
  /** Entries that are not packed by default, without .git. The name of a folder ends with `/`. */
  leftOut: string[]
  emptyFolders: string[]
  /** Entries that cannot be packed, as ends of sentences that begin with the source's path. */
  problems: string[]
}

declare module 'node:fs/promises' {
  // The types of Node lack this encoding here.
  function opendir(path: string, options: { encoding: 'buffer'; bufferSize: number }): Promise<Entries>
}
type Entries = AsyncIterable<Dirent<Buffer>>

/** A disk, whose paths follow the rules of its system. */
export interface Disk {
  path: PlatformPath
  list: (folder: string) => Promise<AsyncIterable<Child>>
  readLink: (file: string) => Promise<Buffer>
  /** Returns the path without links. */
  realPath: (file: string) => Promise<string>
}

/** An entry of a directory. */
export type Child = Pick<Dirent<Buffer>, 'name' | 'isDirectory' | 'isFile' | 'isSymbolicLink'>

/** Entries that are read at once, between two turns of the event loop: a signal must not wait for a large directory. */
const BATCH = 500

const DISK: Disk = {
  path: nodePath,
  list: async (folder) => await opendir(folder, { encoding: 'buffer', bufferSize: BATCH }),
  readLink: async (file) => await readlink(file, { encoding: 'buffer' }),
  realPath: realpath,
}

/**
 * Finds every file and link that is not ignored. Throws what `checkEnd` throws.
 * @param root without links
 * @param secretsFiles absolute paths without links of files that are never packed
 */
export async function walkSource(
  root: string,
  rules: IgnoreRules,
  checkEnd: () => void,
  secretsFiles: readonly string[] = [],
  disk = DISK,
): Promise<Walk> {
  const walk: Walk = { entries: [], leftOut: [], emptyFolders: [], problems: [] }
  const queue: Folder[] = [{ directory: '', enter: () => Promise.resolve(rules) }]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    checkEnd()
    const { directory } = next
    const here = await next.enter().catch((thrown: unknown) => {
      walk.problems.push(toError(thrown).message)
      return undefined
    })
    if (here === undefined) continue
    let count = 0
    for await (const child of list(directory, { root, disk }, walk)) {
      if (++count % BATCH === 0) checkEnd()
      const folder = await takeChild(child, { root, directory, here, secretsFiles, disk }, walk)
      if (folder !== undefined) queue.push(folder)
    }
    if (count === 0) walk.emptyFolders.push(directory)
  }
  walk.entries.sort((first, second) => (first.path < second.path ? -1 : 1))
  walk.problems.sort()
  walk.leftOut.sort()
  walk.emptyFolders.sort()
  return walk
}

/** A directory that the walk has still to enter. */
interface Folder {
  directory: string
  enter: () => Promise<IgnoreRules>
}

/** The directory that is walked. */
interface Source {
  root: string
  disk: Disk
}

interface FolderContext extends Source {
  directory: string
  here: IgnoreRules
  secretsFiles: readonly string[]
}

/**
 * Adds an entry of a directory to the walk.
 * @returns the directory to walk, if the entry is one
 */
async function takeChild(
  child: Child,
  { root, directory, here, secretsFiles, disk }: FolderContext,
  walk: Walk,
): Promise<Folder | undefined> {
  const name = child.name.toString()
  const prefix = directory === '' ? '' : `${directory}/`
  const at = prefix + name
  if (name === '.git') return undefined
  if (here.leavesOut(name) || secretsFiles.includes(disk.path.join(root, at))) {
    walk.leftOut.push(child.isDirectory() ? `${at}/` : at)
    return undefined
  }
  if (child.isDirectory() ? here.ignoresDirectory(name) : here.ignoresFile(name)) return undefined
  // A tar stores names as UTF-8.
  if (!isUtf8(child.name)) walk.problems.push(`contains ${quoteBytes(prefix, child.name)}, whose name is not UTF-8`)
  else if (child.isDirectory()) return { directory: at, enter: () => here.within(name) }
  else if (child.isFile()) walk.entries.push({ path: at })
  else if (child.isSymbolicLink()) await takeLink(at, { root, disk }, walk)
  else walk.problems.push(`contains ${quote(at)}, which is neither a file nor a directory nor a link`)
  return undefined
}

async function* list(directory: string, { root, disk }: Source, { problems }: Walk): AsyncGenerator<Child, void> {
  try {
    yield* await disk.list(disk.path.join(root, directory))
  } catch (thrown) {
    problems.push(`contains the directory ${quote(directory)}, which cannot be read (${codeOf(thrown)})`)
  }
}

async function takeLink(at: string, source: Source, walk: Walk): Promise<void> {
  try {
    const link = await readLink(source.disk.path.join(source.root, at), source)
    if (link.kind === 'inside') walk.entries.push({ path: at, target: link.target })
    else walk.problems.push(`contains ${quote(at)}, a symlink to ${link.problem}`)
  } catch (thrown) {
    walk.problems.push(`contains ${quote(at)}, which cannot be read (${codeOf(thrown)})`)
  }
}

type Link = { kind: 'inside'; target: string } | { kind: 'refused'; problem: string }

/** A link's target must be inside the root, as written and as resolved. A broken link to the inside is accepted. */
async function readLink(full: string, { root, disk }: Source): Promise<Link> {
  const { path, realPath } = disk
  const bytes = await disk.readLink(full)
  const refused = (problem: string): Link => ({ kind: 'refused', problem })
  if (!isUtf8(bytes)) return refused(`${quoteBytes('', bytes)}, which is not UTF-8`)
  const target = bytes.toString()
  // A directory on the path to the link may be a link as well.
  const link = linkTarget(target, { folder: await realPath(path.dirname(full)), root }, path)
  if (link.kind === 'absolute')
    return refused(`${quote(target)}, which is an absolute path and does not exist where the source is built`)
  const outside = refused(`${quote(target)}, which is outside the directory`)
  if (link.kind === 'outside') return outside
  try {
    return pathInside(root, await realPath(full), path) === undefined ? outside : link
  } catch (thrown) {
    const code = codeOf(thrown)
    return code === 'ENOENT' ? link : refused(`${quote(target)}, which cannot be resolved (${code})`)
  }
}

interface IgnoreRules {
  /** Whether no archive contains an entry of this name by default. */
  leavesOut: (name: string) => boolean
  /** @param name of an entry of the directory */
  ignoresFile: (name: string) => boolean
  /** Whether everything in the directory of that name is ignored, so that it need not be read. */
  ignoresDirectory: (name: string) => boolean
  within: (name: string) => Promise<IgnoreRules>
}

/** The rules of one .gitignore, and the path from there to the current directory: `` or `a/b/`. */
interface Layer {
  rules: Forms<Ignore>
  at: string
}

/** Rules as written, and in the normal form of Unicode: one object if both are the same. */
interface Forms<Rules> {
  written: Rules
  normal: Rules
}

function formsOf<Rules>(text: string, create: (text: string) => Rules): Forms<Rules> {
  const written = create(text)
  return { written, normal: isNormal(text) ? written : create(text.normalize()) }
}

/**
 * Applies every .gitignore as git does, and the root's .dockerignore as docker does. Either may ignore a file. A
 * .gitignore applies to its own directory and below, a deeper one overrides, and those above the root apply up to the
 * top of the repository.
 */
export async function loadIgnoreRules(root: string, files: RuleReader = new RuleFiles(root)): Promise<IgnoreRules> {
  return await ignoreRulesOf(root, topOf(root), files, nodePath)
}

/** Where rules are read from. */
export type RuleReader = Pick<RuleFiles, 'read' | 'broughtBack'>

/** @param top the directory of the repository, which contains the root or is the root itself */
export async function ignoreRulesOf(
  root: string,
  top: string,
  files: RuleReader,
  path: PlatformPath,
): Promise<IgnoreRules> {
  const layersAt: LayersAt = async (parent, name, above) =>
    withRules(await files.read(path.join(parent, name, '.gitignore')), name, above)
  let folder = top
  let above = await layersAt(folder, '', [])
  for (const name of (pathInside(folder, root, path) ?? '').split('/').filter(Boolean)) {
    // An ignored directory that is the source itself, like a build's output, is packed.
    const isNamed = ignoring(above)(`${name}/`)
    const kept = above.filter((layer) => !isNamed || !ignoring([layer])(`${name}/`))
    above = await layersAt(folder, name, kept)
    folder = path.join(folder, name)
  }
  const docker = dockerRulesOf(await files.read(path.join(root, '.dockerignore')))
  return rulesIn('', above)

  /** @param at the directory relative to the root: `` or `a/b/` */
  function rulesIn(at: string, layers: readonly Layer[]): IgnoreRules {
    const ignores = ignoring(layers)
    return {
      leavesOut: (name) => isLeftOut(name, files.broughtBack),
      ignoresFile: (name) => ignores(name) || docker?.ignores(at + name) === true,
      ignoresDirectory: (name) => ignores(`${name}/`) || (docker?.hasExceptions === false && docker.ignores(at + name)),
      within: async (name) => rulesIn(`${at}${name}/`, await layersAt(path.join(root, at), name, layers)),
    }
  }
}

/** Reads the layers of a directory. @param above the layers of its parent, the top one first */
type LayersAt = (parent: string, name: string, above: readonly Layer[]) => Promise<Layer[]>

function withRules(text: string | undefined, name: string, above: readonly Layer[]): Layer[] {
  const rulesOf = (written: string): Ignore => createRules({ ignorecase: false }).add(written)
  const own = text === undefined ? [] : [{ rules: formsOf(text, rulesOf), at: '' }]
  return [...above.map(({ rules, at }) => ({ rules, at: `${at}${name}/` })), ...own]
}

/**
 * Whether layers ignore an entry of their directory; a directory's name ends with `/`. Git compares the exact form only,
 * and macOS may have stored another one than the rule has: without an exact rule, both are compared in the normal form.
 */
function ignoring(layers: readonly Layer[]): (name: string) => boolean {
  const inExactForm = verdictBy(layers.map(({ rules, at }) => ({ rules: rules.written, at })))
  const areNormal = layers.every(({ rules, at }) => rules.written === rules.normal && isNormal(at))
  let inNormalForm: Verdict | undefined
  return (name) => {
    const verdict = inExactForm(name)
    if (verdict !== undefined || (areNormal && isNormal(name))) return verdict === true
    inNormalForm ??= verdictBy(layers.map(({ rules, at }) => ({ rules: rules.normal, at: at.normalize() })))
    return inNormalForm(name.normalize()) === true
  }
}

/** Whether rules ignore an entry of a directory; undefined if none is about it. */
type Verdict = (name: string) => boolean | undefined

function verdictBy(layers: readonly { rules: Ignore; at: string }[]): Verdict {
  // `ignore` caches every path that it tests; copies free that memory with the directory.
  const here = layers.map(({ rules, at }) => ({ rules: pastParents(rules, at), at })).reverse()
  return (name) => {
    const verdicts = here.map(({ rules, at }) => rules.test(at + name))
    return verdicts.find(({ ignored, unignored }) => ignored || unignored)?.ignored
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

function dockerRulesOf(text: string | undefined) {
  if (text === undefined) return undefined
  const rulesOf = (written: string) => createDockerRules({ ignorecase: false }).add(written)
  const { written, normal } = formsOf(text, rulesOf)
  // Without a rule about a path, these ignore it, and those do not.
  const withDefault = rulesOf(`**\n${text}`)
  const isUnknown = (path: string): boolean => withDefault.ignores(path)
  const isOtherForm = (path: string): boolean => written !== normal || !isNormal(path)
  // As for .gitignore.
  const ignores = (path: string): boolean =>
    written.ignores(path) || (isOtherForm(path) && isUnknown(path) && normal.ignores(path.normalize()))
  // A file in an ignored directory may be an exception.
  const hasExceptions = text.split('\n').some((line) => line.trimStart().startsWith('!'))
  return { ignores, hasExceptions }
}

/** Finds the top of the repository that contains the root; the root itself if none does. */
export function topOf(
  root: string,
  path: PlatformPath = nodePath,
  exists: (file: string) => boolean = existsSync,
): string {
  for (const folder of upwards(root, path)) if (exists(path.join(folder, '.git'))) return folder
  return root
}
