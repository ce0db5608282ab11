import nodePath, { type PlatformPath } from 'node:path'
import { toError } from '../clock.ts'
import type { Environment, Files } from '../world.ts'
import { appended, hasDriveOrStream, pathInside } from './disk-path.ts'

/** A path as an input writes it: with `/` only. `message`: the end of a sentence that begins with the path. */
export type WrittenPath = { kind: 'path'; path: string } | { kind: 'refused'; message: string }

/** Reads a path by the rules of the runner: on Windows, `\` separates folders, and elsewhere it hardly is in a name. */
export function readWrittenPath(written: string, { RUNNER_OS }: Environment): WrittenPath {
  const path = written.replaceAll('\\', '/')
  if (RUNNER_OS === 'Windows' || path === written) return { kind: 'path', path }
  // A shell needs a sign before a blank, and an input has none.
  const meant = written.replaceAll('\\ ', ' ').replace(/\\+/g, '/')
  const message = `has a \\, which separates folders on a Windows runner only; did you mean ${meant}? A file whose name has a \\ needs another name`
  return { kind: 'refused', message }
}

/** The end of a path that an input names. */
export type Place =
  /** `real`: the absolute path without links and `..`. `inside`: relative to the workspace, with slashes, if in it. */
  | { kind: 'found'; real: string; inside: string | undefined }
  | { kind: 'missing' }
  /** `message`: the end of a sentence that begins with the path. */
  | { kind: 'refused'; message: string }

/**
 * Resolves the path that an input names. An absolute path is followed: the author of the workflow writes it. A relative
 * path depends on links in the checkout, which the author of a pull request can change: it must stay inside the
 * workspace and outside .git, which can contain the token of the checkout.
 */
export async function locate(
  written: string,
  workspace: string,
  { realPath }: Pick<Files, 'realPath'>,
  path: PlatformPath = nodePath,
): Promise<Place> {
  const isAbsolute = path.isAbsolute(written)
  if (!isAbsolute && hasDriveOrStream(written, path))
    return { kind: 'refused', message: 'has a :, which is in no name of a file on Windows' }
  try {
    const top = await realPath(workspace)
    const real = await realPath(isAbsolute ? written : appended(top, written, path))
    const inside = pathInside(top, real, path)
    const isSafe = inside !== undefined && !inside.split('/').includes('.git')
    if (isSafe || isAbsolute) return { kind: 'found', real, inside }
    const problem =
      inside === undefined ? `outside the workspace ${quote(top)}` : 'inside .git, which can contain credentials'
    const message = `leads to ${quote(real)}, ${problem}: use another path, or an absolute path if this is intended`
    return { kind: 'refused', message }
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return { kind: 'refused', message: `cannot be resolved (${code})` }
  }
}

export function codeOf(thrown: unknown): string {
  const error = toError(thrown)
  return 'code' in error ? String(error.code) : error.message
}

export function quote(name: string): string {
  return JSON.stringify(name)
}

/** Quotes a name that is not UTF-8: bytes outside ASCII as numbers. */
export function quoteBytes(directory: string, name: Buffer): string {
  const escaped = quote(name.toString('latin1')).replace(
    /[\x80-\xff]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16)}`,
  )
  return `${quote(directory).slice(0, -1)}${escaped.slice(1)}`
}
