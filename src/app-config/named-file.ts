import { inOtherForm } from '../sources/disk-path.ts'
import { writtenFrom } from './file-tree.ts'
import { isNoFile, liesOutside, quoted, type AppFacts } from './finding.ts'

/** Words the problem of a file that a text names; undefined if the file exists. */
export function fileProblem(path: string, facts: AppFacts): { message: string; missing?: string } | undefined {
  const { tree, folder } = facts
  const place = tree.resolve(folder, path)
  switch (place.kind) {
    case 'file':
      return undefined
    case 'folder':
      return { message: 'is a folder: name a file of it' }
    case 'outside':
      return { message: liesOutside(place.at, facts) }
    case 'absolute':
      return { message: `${isNoFile('file', facts)}: an absolute path leads to no uploaded file` }
    case 'missing': {
      const meant = meantFor(path, facts)
      return { message: `${isNoFile('file', facts)}${meant}`, missing: place.at }
    }
  }
}

function meantFor(path: string, { tree, folder }: AppFacts): string {
  const plain = path.replaceAll('\\', '/')
  const straight = tree.resolve(folder, plain)
  const files =
    straight.kind === 'file' ? [straight.at] : tree.filesLike(straight.kind === 'missing' ? straight.at : plain)
  const names = files.map((at) => writtenFrom(folder, at)).map((name) => quoted([name]) + inOtherForm(name, plain))
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`
}
