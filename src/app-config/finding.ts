import type { FileTree } from './file-tree.ts'
import type { JsonPath } from './json-text.ts'

/** A mistake in an app's configuration, or a probable one. */
export interface Finding {
  level: 'error' | 'warning'
  at: JsonPath
  /** The text of the configuration that is wrong; undefined if none is. */
  value?: string | undefined
  /** The end of a sentence that begins with the place and the value. */
  message: string
  /** The path of a file that does not exist, relative to the top of the files. */
  missing?: string
  /** The mistake is in the package.json beside the configuration. */
  isOfPackage?: true
  /** A build-command may make the missing file. */
  unlessBuilt?: true
}

/** The facts that the checks need beside the configuration. */
export interface AppFacts {
  tree: FileTree
  /** The folder of the configuration in the tree; '' for the top. */
  folder: string
  /** The origin of the files: `archive` if they are uploaded, `repository` if they are a checkout of it. */
  origin: 'archive' | 'repository'
  /** For a path outside the archive, the source-path that contains all such paths, as the end of a sentence. */
  wider?: ReadonlyMap<string, string> | undefined
  /** The references of the packages of the folder and above it, for a JavaScript app. */
  packages?: PackageFacts | undefined
}

export interface PackageFacts {
  /** The references of the package of the configuration's folder: names, and versions such as `file:../shared`. */
  references: readonly { name: string; version: string }[]
  /** Whether a package above in the same files is the root of a workspace. */
  hasWorkspaceRoot: boolean
}

const TOPS = { archive: 'source-path', repository: 'the repository' } as const
const KINDS = { archive: 'the archive', repository: 'the repository' } as const

export function isNoFile(kind: 'file' | 'folder', { origin }: AppFacts): string {
  return `is no ${kind} of ${KINDS[origin]}`
}

/** @param at the path, relative to the top of the files; undefined if it is unknown */
export function liesOutside(at: string | undefined, { origin, wider }: AppFacts): string {
  const remedy = at === undefined ? undefined : wider?.get(at)
  return `lies outside ${TOPS[origin]}${remedy === undefined ? '' : `: ${remedy}`}`
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(' or ')
}
