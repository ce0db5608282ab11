import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { MAX_TEXT_BYTES, readWhole } from '../files.ts'
import { pathInside } from '../sources/disk-path.ts'
import { type EnvironmentFacts, namesInDotenv } from './environment.ts'
import type { FileTree } from './file-tree.ts'
import { parentOf } from './file-tree.ts'
import type { PackageFacts } from './finding.ts'
import { readJsonText } from './json-text.ts'
import { PACKAGE, type ConfiguredEnvironment } from './schema.ts'

/** Reads what lies around a configuration. Whatever cannot be read counts as missing: it is only for a warning. */

/** @param folder the absolute path of the configuration's folder */
export async function environmentAround(
  env: ConfiguredEnvironment,
  { folder, workspace }: { folder: string; workspace: string },
): Promise<Omit<EnvironmentFacts, 'reservedNames'>> {
  const named = env.kind === 'file' ? env.path : '.env'
  const file = named === '' ? undefined : await fileInWorkspace(path.resolve(folder, named), workspace)
  const example = await readText(path.join(folder, '.env.example'))
  return { env, file, exampleNames: namesInDotenv(example ?? '') }
}

async function fileInWorkspace(file: string, workspace: string): Promise<string | undefined> {
  try {
    const top = await realpath(workspace)
    const real = await realpath(file)
    if (!(await stat(real)).isFile()) return undefined
    return pathInside(top, real, path)
  } catch {
    return undefined
  }
}

/** The package of a folder, and whether one above it is the root of a workspace. @param root the top of the tree */
export async function packagesAround(folder: string, tree: FileTree, root: string): Promise<PackageFacts | undefined> {
  const own = await readPackage(folder, tree, root)
  if (own === undefined) return undefined
  const lists = [own.dependencies, own.devDependencies, own.optionalDependencies]
  const references = lists.flatMap((list) =>
    Object.entries(list).flatMap(([name, version]) => (typeof version === 'string' ? [{ name, version }] : [])),
  )
  let hasWorkspaceRoot = false
  for (let at = folder; ; at = parentOf(at)) {
    const above = at === folder ? own : await readPackage(at, tree, root)
    hasWorkspaceRoot ||= above?.workspaces === true || tree.hasFile(at, 'pnpm-workspace.yaml')
    if (at === '') return { references, hasWorkspaceRoot }
  }
}

async function readPackage(folder: string, tree: FileTree, root: string) {
  const place = tree.resolve(folder, 'package.json')
  if (place.kind !== 'file') return undefined
  const text = await readText(path.join(root, place.at))
  const reading = text === undefined ? undefined : readJsonText(text)
  return reading?.kind === 'json' ? PACKAGE.safeParse(reading.value).data : undefined
}

/** Without a byte order mark. */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readBytes(file)
  return bytes && new TextDecoder().decode(bytes)
}

export async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    return await readWhole(await realpath(file), MAX_TEXT_BYTES)
  } catch {
    return undefined
  }
}
