import { readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Api } from '../control-plane/api.ts'
import { readWhole } from '../files.ts'
import type { ConfigVerdict } from '../sources/archive/archive.ts'
import { pathInside } from '../sources/disk-path.ts'
import { checkApp } from './check.ts'
import { expectedEnvironment } from './environment.ts'
import { FileTree, isIn, parentOf } from './file-tree.ts'
import { readGitSettings, readHead, readIndex } from './git-folder.ts'
import { readJson } from './json-text.ts'
import { APP_CONFIG } from './schema.ts'
import { quoted } from './finding.ts'
import { environmentAround, packagesAround, readBytes } from './surroundings.ts'
import { asWarnings, NO_FINDINGS, printableValue } from './verdict.ts'

/** A repository that is checked out as a whole. */
export interface Checkout {
  /** The address of its remote. */
  url: string
  commit: string
  /** Its folder, without links. */
  top: string
  tree: FileTree
  submodules: readonly string[]
}

/** An index of this size has some hundred thousand files. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024

/**
 * Reads the checkout at the top of the workspace. Starts no git, whose settings may run other programs.
 * @returns undefined if there is no checkout, if it is sparse, or if its repository is unknown
 */
export async function readCheckout(workspace: string): Promise<Checkout | undefined> {
  try {
    const top = await realpath(workspace)
    const folder = path.join(top, '.git')
    if (!(await stat(folder)).isDirectory()) return undefined
    const read = async (file: string): Promise<string | undefined> =>
      (await readBytes(path.join(folder, file)))?.toString()
    const { url, isSparse } = readGitSettings((await read('config')) ?? '', (await read('config.worktree')) ?? '')
    const commit = await readHead(read)
    if (url === undefined || isSparse || commit === undefined) return undefined
    const bytes = await readWhole(path.join(folder, 'index'), MAX_INDEX_BYTES)
    const index = readIndex(bytes, commit.length === 40 ? 20 : 32)
    if (index === undefined) return undefined
    const files = index.files.map((file) => ({ path: file }))
    const links = await Promise.all(index.links.map(async (link) => await linkAt(link, top)))
    return { url, commit, top, tree: new FileTree([...files, ...links]), submodules: index.submodules }
  } catch {
    return undefined
  }
}

async function linkAt(link: string, top: string): Promise<{ path: string; target?: string }> {
  const target = await readlink(path.join(top, link)).catch(() => undefined)
  return { path: link, ...(target !== undefined && { target }) }
}

/** Checks the configuration of a checkout. The build may have another commit: no finding is an error. */
export async function checkCheckout(
  checkout: Checkout,
  configPath: string,
  { api, workspace }: { api: Api; workspace: string },
): Promise<ConfigVerdict | undefined> {
  const { commit, top, tree } = checkout
  const begin = `In the checkout at ${commit.slice(0, 7)}:`
  const at = tree.resolve('', configPath)
  if (at.kind === 'missing') return misspelled(configPath, at.at, checkout, begin)
  if (at.kind !== 'file') return undefined
  const file = path.join(top, at.at)
  const bytes = await readInside(file, top)
  if (bytes === undefined) return undefined
  const place = { path: configPath, inWorkspace: at.at }
  const refused = (message: string, line: number): ConfigVerdict =>
    asWarnings([{ level: 'warning', at: [], message }], { ...place, lineOf: () => line }, begin)
  const reading = readJson(bytes)
  if (reading.kind === 'refused') return refused(reading.message, reading.line)
  if (api.name !== 'langsmith') return undefined
  const parsed = APP_CONFIG.safeParse(reading.value)
  if (!parsed.success) return refused('must be a JSON object', 1)
  const folder = parentOf(at.at)
  const packages = await packagesAround(folder, tree, top)
  const findings = checkApp(parsed.data, { tree, folder, origin: 'repository', packages })
  const certainFindings = findings.filter(({ missing }) => missing === undefined || !mayBeThere(missing, checkout))
  const environmentFacts = await environmentAround(parsed.data.env, { folder: path.dirname(file), workspace })
  const environment = expectedEnvironment({ ...environmentFacts, reservedNames: api.reservedNames }, configPath)
  const verdict = asWarnings(certainFindings, { ...place, lineOf: reading.lineOf }, begin)
  return { ...verdict, environment: environment && `${begin} ${environment}` }
}

/** The index does not list the files of a submodule. */
function mayBeThere(missing: string, { submodules }: Checkout): boolean {
  return submodules.some((submodule) => isIn(submodule, missing))
}

/** A path that no file is like may be one of another commit. */
function misspelled(written: string, at: string, checkout: Checkout, begin: string): ConfigVerdict | undefined {
  const meant = mayBeThere(at, checkout) ? [] : checkout.tree.filesLike(at)
  const value = printableValue(written)
  if (meant.length === 0 || value === undefined) return undefined
  const sentence = `app-config-path: ${quoted([value])} is no file of the repository; did you mean ${quoted(meant)}?`
  return { ...NO_FINDINGS, warnings: [`${begin} ${sentence}`] }
}

/** A link in a checkout may lead anywhere on the runner. */
async function readInside(file: string, top: string): Promise<Buffer | undefined> {
  const real = await realpath(file).catch(() => undefined)
  return real === undefined || pathInside(top, real, path) === undefined ? undefined : await readBytes(real)
}
