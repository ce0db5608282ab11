import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathInside } from '../disk-path.ts'

const PATH = /^[ \t]*path[ \t]*=(.*)$/gm

/** Lists the empty folders of a source that are submodules of its repository, whose checkout has none of their files. */
export async function emptySubmodules(top: string, root: string, emptyFolders: readonly string[]): Promise<string[]> {
  if (emptyFolders.length === 0) return []
  // Without the file, the repository has no submodule.
  const text = await readFile(path.join(top, '.gitmodules'), 'utf8').catch(() => '')
  const folders = [...text.matchAll(PATH)].map(([, folder = '']) => folder.trim().replace(/^"(.*)"$/, '$1'))
  const submodules = new Set(folders.map((folder) => pathInside(root, path.join(top, folder), path)))
  return emptyFolders.filter((folder) => submodules.has(folder))
}
