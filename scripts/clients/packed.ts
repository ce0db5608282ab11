import { gunzipSync } from 'node:zlib'
import { Parser } from 'tar'

/** The paths of an archive's files and links, sorted. */
export async function filesIn(archive: Uint8Array): Promise<string[]> {
  const paths: string[] = []
  const parser = new Parser({
    onReadEntry(entry) {
      if (entry.type !== 'Directory') paths.push(entry.path.replace(/^\.\//, ''))
      entry.resume()
    },
  })
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve)
    parser.on('error', reject)
  })
  parser.end(gunzipSync(archive))
  await ended
  return paths.sort()
}
