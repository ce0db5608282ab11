import path from 'node:path'
import { comparedName } from '../sources/disk-path.ts'
import { editDistance } from '../sources/findings.ts'

/** A file of a tree, by its path with `/`. `target` is set for a link. */
export interface TreeEntry {
  path: string
  target?: string
}

/** The end of a path: `at` is relative to the top of the tree, without links and `..`. */
export type Resolved =
  /** `at`: '' for the top itself. */
  | { kind: 'file' | 'folder'; at: string }
  | { kind: 'missing'; at: string }
  /** Begins with `..`. `isAbove`: it contains the whole tree. */
  | { kind: 'outside'; at: string; isAbove: boolean }
  | { kind: 'absolute' }

/** The number of links that Linux follows in one path. */
const MAX_LINKS = 40
/** The largest number of suggestions: a reader compares no more. */
const MAX_MEANT = 3

/** The files that the build has, compared letter by letter, with their links followed. */
export class FileTree {
  readonly #entries: ReadonlyMap<string, TreeEntry>
  readonly #folders = new Set([''])

  constructor(entries: readonly TreeEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.path, entry]))
    for (const entry of entries)
      for (let at = parentOf(entry.path); !this.#folders.has(at); at = parentOf(at)) this.#folders.add(at)
  }

  /** @param folder where the path begins; '' for the top */
  resolve(folder: string, written: string): Resolved {
    if (written.startsWith('/')) return { kind: 'absolute' }
    const ahead = [...pathNames(folder), ...pathNames(written)]
    let at: string[] = []
    let links = 0
    for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
      if (part === '..') at = at.length === 0 || at.at(-1) === '..' ? [...at, part] : at.slice(0, -1)
      else {
        const target = this.#entries.get([...at, part].join('/'))?.target
        if (target === undefined) at = [...at, part]
        else if (++links > MAX_LINKS) return { kind: 'missing', at: [...at, part].join('/') }
        else ahead.unshift(...pathNames(target))
      }
    }
    return this.#kindOf(path.posix.normalize(at.join('/')))
  }

  #kindOf(normal: string): Resolved {
    const at = normal === '.' ? '' : normal
    if (at === '..' || at.startsWith('../')) return { kind: 'outside', at, isAbove: /^[./]*$/.test(at) }
    if (this.#entries.has(at)) return { kind: 'file', at }
    return { kind: this.#folders.has(at) ? 'folder' : 'missing', at }
  }

  hasFile(folder: string, name: string): boolean {
    return this.resolve(folder, name).kind === 'file'
  }

  /** Whether a file with the ending is directly in the folder. */
  hasFileIn(folder: string, ending: string): boolean {
    for (const at of this.#entries.keys()) if (parentOf(at) === folder && at.endsWith(ending)) return true
    return false
  }

  /** Lists files that a missing path may mean: the same path in other letters, else files of a similar name. */
  filesLike(missing: string): string[] {
    const wanted = comparedName(missing)
    const all = [...this.#entries.keys()]
    const sameLetters = all.filter((at) => comparedName(at) === wanted)
    if (sameLetters.length > 0) return sameLetters
    const name = path.posix.basename(wanted)
    const isAlike = (at: string): boolean => path.posix.extname(at).toLowerCase() === path.posix.extname(name)
    return mostLike(name, all.filter(isAlike))
  }

  foldersLike(missing: string): string[] {
    return mostLike(path.posix.basename(missing), [...this.#folders])
  }
}

export function parentOf(at: string): string {
  const end = at.lastIndexOf('/')
  return end < 0 ? '' : at.slice(0, end)
}

/** Whether a path is the folder itself or below it. Both are relative to the top of a tree. */
export function isIn(folder: string, at: string): boolean {
  return folder === '' || at === folder || at.startsWith(`${folder}/`)
}

/** Returns a path from a folder, as a configuration writes it: `./app/graph.py`. */
export function writtenFrom(folder: string, at: string): string {
  const relative = path.posix.relative(folder, at)
  if (relative === '') return '.'
  return relative.startsWith('..') ? relative : `./${relative}`
}

function pathNames(written: string): string[] {
  return written.split('/').filter((part) => part !== '' && part !== '.')
}

function mostLike(name: string, paths: readonly string[]): string[] {
  const wanted = name.toLowerCase()
  const farthest = Math.min(2, Math.floor(wanted.length / 3))
  const ranked = paths.flatMap((at) => {
    const letters = path.posix.basename(at).toLowerCase()
    // The distance is no less than that of the lengths, and takes much longer to count.
    if (Math.abs(letters.length - wanted.length) > farthest) return []
    const distance = letters === wanted ? 0 : editDistance(wanted.slice(0, 64), letters.slice(0, 64))
    return distance <= farthest ? [{ at, distance }] : []
  })
  const least = Math.min(...ranked.map(({ distance }) => distance))
  return ranked.flatMap(({ at, distance }) => (distance === least ? [at] : [])).slice(0, MAX_MEANT)
}
