import type { Answer } from './deployments.ts'

/** GitHub's list of the files of a pull request. `before -> after` is a file that was renamed. */
export function listFiles(files: readonly string[], path: string, apiUrl: string): Answer {
  const query = new URL(path, 'https://api.github.com').searchParams
  const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)]
  // GitHub lists no more.
  const listed = files.slice(0, 3_000).slice((page - 1) * size, page * size)
  const next = `${apiUrl}${path.split('?')[0]}?per_page=${size}&page=${page + 1}`
  const link = page * size < Math.min(files.length, 3_000) ? `<${next}>; rel="next"` : undefined
  return { status: 200, body: listed.map(showFile), link }
}

/** The files of a comparison, of which GitHub lists no more on any page. */
export function filesOfComparison(files: readonly string[]): object[] {
  return files.slice(0, 300).map(showFile)
}

/** As GitHub shows a file of at most 1 MB. */
export function showContent(path: string, text: string): object {
  const bytes = Buffer.from(text)
  return {
    type: 'file',
    encoding: bytes.length > 1024 * 1024 ? 'none' : 'base64',
    size: bytes.length,
    name: path.split('/').at(-1),
    path,
    content:
      bytes.length > 1024 * 1024
        ? ''
        : (bytes
            .toString('base64')
            .match(/.{1,60}/g)
            ?.join('\n') ?? ''),
    sha: 'a'.repeat(40),
  }
}

function showFile(file: string): object {
  const [first = '', after] = file.split(' -> ')
  const status = after === undefined ? { status: 'modified' } : { status: 'renamed', previous_filename: first }
  return {
    sha: 'a'.repeat(40),
    filename: after ?? first,
    ...status,
    additions: 1,
    deletions: 1,
    changes: 2,
    patch: '@@',
  }
}
