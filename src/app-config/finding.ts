import type { FileTree } from './file-tree.ts'
import type { JsonPath } from './json-text.ts'

/** What is wrong with an app's configuration. */
export interface Finding {
  level: 'error' | 'warning'
  at: JsonPath
  /** The text of the configuration that is wrong; undefined if none is. */
  value?: string | undefined
  /** The end of a sentence that begins with the place and the value. */
  message: string
  /** The path below the top of the files that is not among them. */
  missing?: string
  /** It is in the package.json beside the configuration. */
  isOfPackage?: true
  /** A build-command may make the missing file. */
  unlessBuilt?: true
}

/** What the checks know beside the configuration. */
export interface AppFacts {
  tree: FileTree
  /** The folder of the configuration in the tree; '' for the top. */
  folder: string
  /** `archive`: what is uploaded. `repository`: what a checkout of it has. */
  origin: 'archive' | 'repository'
  /** What contains all that lies outside the archive, as the end of a sentence. */
  wider?: string | undefined
  /** What the packages of the folder and above refer to, for a JavaScript app. */
  packages?: PackageFacts | undefined
}

export interface PackageFacts {
  /** The references of the package of the configuration's folder: names, and versions such as `file:../shared`. */
  references: readonly { name: string; version: string }[]
  /** Whether a package above in the same files is the root of a workspace. */
  hasWorkspaceRoot: boolean
}

export const TOPS = { archive: 'source-path', repository: 'the repository' } as const
const KINDS = { archive: 'the archive', repository: 'the repository' } as const

export function isNoFile(kind: 'file' | 'folder', { origin }: AppFacts): string {
  return `is no ${kind} of ${KINDS[origin]}`
}

export function liesOutside({ origin, wider }: AppFacts): string {
  return `lies outside ${TOPS[origin]}${origin === 'archive' && wider !== undefined ? `: ${wider}` : ''}`
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(' or ')
}
