import { existsSync, realpathSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { toError } from '../clock.ts'
import type { Api } from '../control-plane/api.ts'
import { MAX_TEXT_BYTES, readWhole } from '../files.ts'
import type { ConfigVerdict, PackedFiles } from '../sources/archive/archive.ts'
import { isLeftOut } from '../sources/archive/left-out.ts'
import { loadIgnoreRules, walkSource } from '../sources/archive/walk.ts'
import { differInSpelling, isOutside, pathInside } from '../sources/disk-path.ts'
import { checkApp } from './check.ts'
import { expectedEnvironment } from './environment.ts'
import { FileTree, isIn, parentOf } from './file-tree.ts'
import { type AppFacts, type Finding } from './finding.ts'
import { readJson } from './json-text.ts'
import { APP_CONFIG, type AppConfig } from './schema.ts'
import { environmentAround, packagesAround } from './surroundings.ts'
import { NO_FINDINGS, unreadable, verdictOf } from './verdict.ts'

/** Checks the configuration of an app that is about to be packed. This shell reads the files that `checkApp` needs. */
export async function checkUploaded(
  { root, inside, entries, configPath, checkEnd }: PackedFiles,
  { api, workspace }: { api: Api; workspace: string },
): Promise<ConfigVerdict> {
  const tree = new FileTree(entries)
  const at = tree.resolve('', configPath)
  if (at.kind !== 'file') return NO_FINDINGS
  const inWorkspace = inside === undefined ? undefined : path.posix.join(inside, at.at)
  const place = { path: configPath, inWorkspace }
  const file = path.join(root, at.at)
  const bytes = await readWhole(await realpath(file), MAX_TEXT_BYTES).catch(toError)
  if (bytes instanceof Error) return unreadable(`cannot be read: ${bytes.message}`, 1, place)
  const reading = readJson(bytes)
  if (reading.kind === 'refused') return unreadable(reading.message, reading.line, place)
  if (api.name !== 'langsmith') return NO_FINDINGS
  const parsed = APP_CONFIG.safeParse(reading.value)
  if (!parsed.success) return unreadable('must be a JSON object', 1, place)
  const config = parsed.data
  const folder = parentOf(at.at)
  const packages = await packagesAround(folder, tree, root)
  const facts: AppFacts = { tree, folder, origin: 'archive', packages }
  const wider =
    inside === undefined ? undefined : await widerSource(config, facts, { root, inside, at: at.at, checkEnd })
  const findings = checkApp(config, { ...facts, wider }).map((finding) => asIgnored(finding, root))
  const environmentFacts = await environmentAround(config.env, { folder: path.dirname(file), workspace })
  const environment = expectedEnvironment(
    { ...environmentFacts, reservedNames: api.reservedNames },
    inWorkspace ?? configPath,
  )
  return { ...verdictOf(findings, { ...place, lineOf: reading.lineOf }), environment }
}

/** Rewords a finding about a missing file that exists on the disk: a rule ignores it. */
function asIgnored(finding: Finding, root: string): Finding {
  const { missing } = finding
  if (missing === undefined || !isSpelledOnDisk(missing, root)) return finding
  const name = missing.split('/').find((part) => isLeftOut(part, new Set()))
  const because =
    name === undefined ? '.gitignore or .dockerignore ignores it' : `no archive contains ${name} if no rule names it`
  return { ...finding, message: `is in source-path, but ${because}` }
}

/** Whether a file exists by exactly this name: some disks compare no case of letters, and the build does. */
function isSpelledOnDisk(name: string, root: string): boolean {
  const file = path.join(root, name)
  if (!existsSync(file)) return false
  return !differInSpelling(pathInside(root, realpathSync.native(file), path) ?? name, name)
}

interface PackedRoot {
  root: string
  inside: string
  at: string
  checkEnd: () => void
}

/** Words, for each path outside the source, a source-path that contains all of them, and how much more it packs. */
async function widerSource(
  config: AppConfig,
  facts: AppFacts,
  { root, inside, at, checkEnd }: PackedRoot,
): Promise<ReadonlyMap<string, string>> {
  const outside = namedOutside(config, facts)
  const isInWorkspace = (one: string): boolean => !isOutside(path.posix.join(inside, one), path.posix)
  const unreachable = outside
    .filter((one) => !isInWorkspace(one))
    .map((one) => [one, 'no source-path can contain it, as it is outside the workspace'] as const)
  const existing = outside.filter((one) => isInWorkspace(one) && existsSync(path.join(root, one)))
  if (existing.length === 0) return new Map(unreachable)
  // A path may lead up and down again, as ../../svc/shared does: all folders on it must be inside.
  const levels = Math.max(...existing.map((one) => one.split('/').filter((part) => part === '..').length))
  const up = '../'.repeat(levels)
  const common = path.posix.join(inside, up).replace(/\/$/, '')
  const bytes = await bytesIn(path.join(root, up), path.posix.relative(common, inside), checkEnd)
  const more = bytes < MB / 2 ? 'less than 1 MB' : `${Math.round(bytes / MB)} MB`
  const configPath = path.posix.relative(common, path.posix.join(inside, at))
  const words = `set source-path: ${common} and app-config-path: ${configPath}, which packs ${more} more`
  return new Map([...unreachable, ...existing.map((one) => [one, words] as const)])
}

const MB = 1024 * 1024

function namedOutside({ dependencies, source, ...config }: AppConfig, { tree, folder }: AppFacts): string[] {
  const { graphs, http, auth, encryption, checkpointer } = config
  const texts = [
    ...dependencies.flatMap(({ text }) => (text.startsWith('.') ? [text] : [])),
    ...(source.kind === 'uv' && source.root !== undefined ? [source.root] : []),
    ...[...graphs, http, auth, encryption, checkpointer].flatMap((part) =>
      part?.import.kind === 'file' ? [part.import.path] : [],
    ),
  ]
  return texts.flatMap((text) => {
    const place = tree.resolve(folder, text)
    return place.kind === 'outside' ? [place.at] : []
  })
}

/** Sums the bytes that a folder would pack beside those of the folder `besides` in it. */
async function bytesIn(folder: string, besides: string, checkEnd: () => void): Promise<number> {
  const { entries } = await walkSource(folder, await loadIgnoreRules(folder), checkEnd)
  let bytes = 0
  for (const entry of entries) {
    checkEnd()
    if (entry.target !== undefined || isIn(besides, entry.path)) continue
    bytes += (await stat(path.join(folder, entry.path))).size
  }
  return bytes
}
