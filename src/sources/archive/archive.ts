import { readdir, rm, stat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { toError } from '../../clock.ts'
import { packEntries } from './pack.ts'
import { Remarks } from './remarks.ts'
import { RuleFiles } from './rule-files.ts'
import { emptySubmodules } from './submodules.ts'
import { loadIgnoreRules, topOf, walkSource, type ArchiveEntry } from './walk.ts'
import { InputError, listNames, MAX_NAMED, NothingToUploadError, type Problem } from '../../problem.ts'
import { comparedName, differInSpelling, inOtherForm, isOutside, pathInside, unicodeForm } from '../disk-path.ts'
import { locate, codeOf, quote } from '../workspace-path.ts'
import type { Files } from '../../world.ts'

export interface ArchiveRequest {
  /** The directory to pack; relative to the workspace, or absolute. */
  sourcePath: string
  workspace: string
  /** The path of the app's configuration. If set, it must be a file of the archive. */
  appConfigPath: string | undefined
  /** Absolute paths without links of files that the archive never contains. */
  secretsFiles?: readonly string[] | undefined
  /** Folder for the archive; the system's temporary folder if `undefined`. */
  tempDir: string | undefined
  files: Files
  /** Called between two pieces of work. Throws when the run has ended: the archive is then given up. */
  checkEnd: () => void
  /** Judges the app's configuration when its file is known to be packed. */
  checkConfig?: ((packed: PackedFiles) => Promise<ConfigVerdict>) | undefined
  onChecked?: () => void
}

/** The files of an archive before they are packed. */
export interface PackedFiles {
  /** Absolute, without links. */
  root: string
  /** The root relative to the workspace, with slashes; undefined if it is outside. */
  inside: string | undefined
  entries: readonly ArchiveEntry[]
  /** The path of the app's configuration, relative to the root. */
  configPath: string
  checkEnd: () => void
}

/** The result of the check of an app's configuration. Sentences have no full stop. */
export interface ConfigVerdict {
  problems: readonly Problem[]
  warnings: readonly string[]
  /** Warnings about files that a build-command may make. */
  unlessBuilt: readonly string[]
  /** The environment that the app expects, as a sentence; undefined if it expects none. */
  environment: string | undefined
}

export interface Archive {
  file: string
  bytes: number
  sha256: string
  files: number
  /** Sentences without a full stop about files that are not packed by default. */
  notes: string[]
  /** Warnings about its size, its files and its ignore files, as sentences without a full stop. */
  warnings: string[]
  /** The verdict on the app's configuration; undefined if it was not checked. */
  config: ConfigVerdict | undefined
  /** Deletes the file. Never throws. */
  remove: () => Promise<void>
}

const MB = 1024 * 1024
/** Bytes above which a warning is issued, and above which the archive is refused. */
const LIMITS = { warnBytes: 50 * MB, maxBytes: 200 * MB }
const SMALLER = 'exclude what the build does not need with .gitignore or .dockerignore'
const MISSING = 'does not exist: is the repository checked out, and is the path relative to the workspace?'
const EMPTY = 'is an empty directory: is the repository checked out?'
const ALL_IGNORED = 'has no files to upload that are not ignored'

/** Packs reproducibly: equal files, equal bytes. Throws InputError with every problem, and what `checkEnd` throws. */
export async function packSource(request: ArchiveRequest, limits = LIMITS): Promise<Archive> {
  const { sourcePath, checkEnd, files } = request
  const refuse = (...messages: string[]): InputError => refusalOf(sourcePath, messages)
  const { root, inside } = await findRoot(request)

  const ruleFiles = new RuleFiles(root)
  const rules = await loadIgnoreRules(root, ruleFiles).catch((thrown: unknown) => {
    throw refuse(toError(thrown).message)
  })
  const { entries, leftOut, emptyFolders, problems } = await walkSource(root, rules, checkEnd, request.secretsFiles)
  if (entries.length + problems.length === 0)
    throw new NothingToUploadError(refuse((await isEmpty(root)) ? EMPTY : ALL_IGNORED).problems)
  const missing = await checkAppConfig(root, request.appConfigPath, entries, leftOut)
  const config = missing.length === 0 ? await judgeConfig(request, { root, inside, entries }) : undefined
  const mistakes = [...refuse(...problems).problems, ...missing, ...(config?.problems ?? [])]
  if (mistakes.length > 0) throw new InputError(mistakes)

  request.onChecked?.()
  const folder = await files.makeFolder('source-', request.tempDir)
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => undefined)
  try {
    const file = path.join(folder, 'source.tar.gz')
    const remarks = new Remarks()
    const packed = await packEntries(root, entries, { file, maxBytes: limits.maxBytes, checkEnd, onFile: remarks.add })
    if (packed === undefined) throw refuse(`is more than ${inMegabytes(limits.maxBytes)} when packed: ${SMALLER}`)
    const { bytes } = packed
    const large = bytes > limits.warnBytes ? [`source-path is ${inMegabytes(bytes)} when packed: ${SMALLER}`] : []
    const ofFiles = remarks.warnings(await emptySubmodules(topOf(root), root, emptyFolders))
    const warnings = [...ruleFiles.warnings(), ...ofFiles, ...large]
    return { file, ...packed, files: entries.length, notes: notesOn(leftOut), warnings, config, remove }
  } catch (thrown) {
    await remove()
    if (thrown instanceof InputError) throw thrown
    checkEnd()
    throw refuse(`could not be packed: ${toError(thrown).message}`)
  }
}

function refusalOf(sourcePath: string, messages: readonly string[]): InputError {
  return new InputError(messages.map((message) => ({ input: 'source-path', value: sourcePath, message })))
}

/** Finds the directory to pack, without links. `inside`: its path in the workspace; undefined if it is outside. */
async function findRoot(request: ArchiveRequest): Promise<{ root: string; inside: string | undefined }> {
  const { sourcePath, workspace, files } = request
  const place = await locate(sourcePath, workspace, files)
  if (place.kind === 'missing') {
    const refusal = refusalOf(sourcePath, [(await existsInOtherForm(request)) ?? MISSING])
    throw (await isEmpty(workspace)) ? new NothingToUploadError(refusal.problems) : refusal
  }
  if (place.kind === 'refused') throw refusalOf(sourcePath, [place.message])
  if (!(await stat(place.real)).isDirectory()) throw refusalOf(sourcePath, ['is not a directory'])
  return { root: place.real, inside: place.inside }
}

/** Words that only a path in another form of Unicode exists, which looks the same; undefined if none does. */
async function existsInOtherForm({ sourcePath, workspace, files }: ArchiveRequest): Promise<string | undefined> {
  for (const spelling of [sourcePath.normalize('NFC'), sourcePath.normalize('NFD')])
    if (spelling !== sourcePath && (await locate(spelling, workspace, files)).kind === 'found')
      return `does not exist in this form of Unicode (${unicodeForm(sourcePath)}), only in the other one (${unicodeForm(spelling)}): write its name as it is on the disk`
  return undefined
}

async function judgeConfig(
  { appConfigPath, checkConfig, checkEnd }: ArchiveRequest,
  packed: Pick<PackedFiles, 'root' | 'inside' | 'entries'>,
): Promise<ConfigVerdict | undefined> {
  if (appConfigPath === undefined) return undefined
  return await checkConfig?.({ ...packed, configPath: appConfigPath, checkEnd })
}

function notesOn(leftOut: readonly string[]): string[] {
  if (leftOut.length === 0) return []
  return [
    `source-path: by default, ${listNames(leftOut, MAX_NAMED.warning, quote)} ${leftOut.length === 1 ? 'is' : 'are'} not packed`,
  ]
}

async function isEmpty(directory: string): Promise<boolean> {
  return (await readdir(directory).catch(() => [])).length === 0
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`
}

/** Contract, "app_config_path": the build needs the file, so it must be in the archive. */
async function checkAppConfig(
  root: string,
  configPath: string | undefined,
  entries: readonly ArchiveEntry[],
  leftOut: readonly string[],
): Promise<Problem[]> {
  if (configPath === undefined) return []
  const problem = (message: string): Problem[] => [{ input: 'app-config-path', value: configPath, message }]
  if (isOutside(path.posix.normalize(configPath), path.posix))
    return problem('must be a path inside source-path, and relative to it')
  const normal = path.posix.normalize(configPath)
  const place = follow(normal, new Map(entries.map((entry) => [entry.path, entry])))
  if (place.isFile) return []
  const outside = leftOut.find((name) => name === normal || (name.endsWith('/') && normal.startsWith(name)))
  if (outside !== undefined) return problem(`is not packed: by default, no archive contains ${quote(outside)}`)
  return problem((await whyNot(normal, root, place)) ?? notThere(normal, meantBy(normal, entries)))
}

/** Finds the files of the same path in another spelling, or else those of the same name in another folder. */
function meantBy(normal: string, entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const samePath = entries.filter((entry) => differInSpelling(entry.path, normal))
  if (samePath.length > 0) return samePath
  const nameOf = (file: string): string => comparedName(path.posix.basename(file))
  return entries.filter((entry) => nameOf(entry.path) === nameOf(normal))
}

function notThere(normal: string, meant: readonly ArchiveEntry[]): string {
  const names = meant.slice(0, MAX_NAMED.clause).map(({ path: at }) => quote(at) + inOtherForm(at, normal))
  const ask = names.length === 0 ? 'is the repository checked out?' : `did you mean ${names.join(' or ')}?`
  return `is not in source-path, to which it is relative: ${ask}`
}

/** Words why a path is no file of the archive; undefined if nothing exists there. */
async function whyNot(
  normal: string,
  root: string,
  { at, byLink }: ReturnType<typeof follow>,
): Promise<string | undefined> {
  const resolved = `resolves by a symlink to ${quote(at)}, which`
  try {
    const real = await realpath(path.join(root, normal))
    const inside = pathInside(root, real, path)
    if (inside === undefined) return 'is outside source-path'
    // The disk does not compare the letters, and the build does.
    if (differInSpelling(inside, normal)) return undefined
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
