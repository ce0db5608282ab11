import type { PlatformPath } from 'node:path'

/*
 * Paths on a disk, by the rules of its system: `path` is `win32` or `posix` of node:path. A path with `/` between its
 * parts is one of an input, an archive or an annotation.
 */

/** @param relative a normal path, relative to a directory */
export function isOutside(relative: string, path: PlatformPath): boolean {
  return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative)
}

/** Returns a path of the disk with `/`. On Windows no name has a `\`, and elsewhere it is no separator. */
export function withSlashes(written: string, path: PlatformPath): string {
  return written.replaceAll(path.sep, '/')
}

/**
 * Returns the path from a directory to a file in it, with `/`; undefined if the file is outside. Windows compares the
 * letters of both without their case.
 * @param directory absolute and without links, as is `file`
 */
export function pathInside(directory: string, file: string, path: PlatformPath): string | undefined {
  const relative = path.relative(directory, file)
  return isOutside(relative, path) ? undefined : withSlashes(relative, path)
}

/** Returns the absolute path of one that is relative to `top`, with its `..`: `link/..` is the parent of the target. */
export function appended(top: string, relative: string, path: PlatformPath): string {
  return `${top}${path.sep}${relative}`
}

/** Whether a relative path has a sign that leads Windows to another drive, or to a second name of a folder. */
export function hasDriveOrStream(relative: string, path: PlatformPath): boolean {
  return path.sep === '\\' && relative.includes(':')
}

/** The target of a link, as an archive has it, or where it leads instead. */
export type LinkTarget = { kind: 'inside'; target: string } | { kind: 'absolute' } | { kind: 'outside' }

/**
 * Reads where a link leads by its text.
 * @param target as the system returns it: with `\` on Windows
 * @param folder of the link, absolute and without links, as is `root`
 */
export function linkTarget(
  target: string,
  { folder, root }: { folder: string; root: string },
  path: PlatformPath,
): LinkTarget {
  if (path.isAbsolute(target)) return { kind: 'absolute' }
  const isInside = pathInside(root, path.join(folder, target), path) !== undefined
  return isInside ? { kind: 'inside', target: withSlashes(target, path) } : { kind: 'outside' }
}

/** Lists a directory and those above it, up to the root of its drive. */
export function* upwards(directory: string, path: PlatformPath): Generator<string, void> {
  for (let at = directory; ; at = path.dirname(at)) {
    yield at
    if (path.dirname(at) === at) return
  }
}

/** Returns the form by which Windows and macOS compare names: in one case of letters, and one form of Unicode. */
export function comparedName(name: string): string {
  return name.normalize().toLowerCase()
}

/** Whether two paths are one file for Windows and macOS, and two for the build. */
export function differInSpelling(name: string, otherName: string): boolean {
  return name !== otherName && comparedName(name) === comparedName(otherName)
}

/** Whether a text is in the normal form of Unicode: macOS may store `é` as two characters. */
export function isNormal(text: string): boolean {
  return text === text.normalize()
}

/** Words the form of Unicode of a name that a text may mean: in another form than the text, both look the same. */
export function inOtherForm(name: string, text: string): string {
  const [form, otherForm] = [unicodeForm(name), unicodeForm(text)]
  if (form === undefined || otherForm === undefined || form === otherForm) return ''
  return ` in the other form of Unicode (${form})`
}

/** Returns the form in which a text is; undefined if it is the same text in all forms. */
export function unicodeForm(text: string): string | undefined {
  const isDecomposed = text === text.normalize('NFD')
  if (isNormal(text)) return isDecomposed ? undefined : 'NFC'
  return isDecomposed ? 'NFD' : 'NFC and NFD'
}
