import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { LineCounter } from 'yaml'
import { LongWork } from '../../async.ts'
import type { Clock } from '../../clock.ts'
import type { Problem } from '../../problem.ts'
import type { Path } from '../../sources/findings.ts'
import { codeOf, insideWorkspace, locate } from '../../sources/workspace-path.ts'
import { offsetOf, parseDocument } from '../../sources/yaml-file.ts'
import type { Files } from '../../world.ts'
import { condense } from './condense.ts'
import { checkNodes, keepNumbersAsWritten } from './nodes.ts'
import { EXPRESSION } from './values.ts'

/** In bytes: about 20,000 entries. */
const MAX_BYTES = 5 * 1024 * 1024

export type ManifestDocument =
  /** `lineOf`: the line of a place, or of the nearest one above it that the document has. */
  | { kind: 'read'; file: string; value: unknown; lineOf: (path: Path) => number }
  | { kind: 'unreadable'; problems: Problem[] }

/** Reads the YAML of a manifest. No message repeats its content. */
export async function readManifestFile(
  given: string,
  workspace: string,
  { files, clock }: { files: Files; clock: Clock },
): Promise<ManifestDocument> {
  const place = await locate(given, workspace, files)
  if (place.kind === 'missing')
    return unreadable(given, 'is no file of the workspace: check the path, and that the repository is checked out')
  if (place.kind === 'refused') return unreadable(given, place.message)
  try {
    const bytes = await files.readWhole(place.real, MAX_BYTES)
    if (!isUtf8(bytes)) return unreadable(given, 'is not UTF-8')
    const file = (await insideWorkspace(place.real, workspace, files)) ?? place.real.replaceAll(path.sep, '/')
    return await parseManifest(new TextDecoder().decode(bytes), file, clock)
  } catch (thrown) {
    return unreadable(given, `cannot be read: ${codeOf(thrown)}`)
  }
}

/** @param file its path, as problems show it */
async function parseManifest(whole: string, file: string, clock: Clock): Promise<ManifestDocument> {
  const condensed = await condense(whole, clock)
  if (condensed === undefined)
    return { kind: 'unreadable', problems: [{ input: 'manifest', message: TOO_MANY, place: { file, line: 1 } }] }
  const { text } = condensed
  const work = new LongWork(clock)
  const lineCounter = new LineCounter()
  const lineAt = (offset: number): number => condensed.lineAt(offset, Math.max(1, lineCounter.linePos(offset).line))
  const refused = (input: string, message: string, line: number): Problem => ({ input, message, place: { file, line } })
  try {
    // Pretty errors repeat the line, which may contain a secret. The library's own check of keys takes quadratic time.
    const options = { version: '1.2', prettyErrors: false, uniqueKeys: false, lineCounter } as const
    const document = parseDocument(text, options)
    await work.giveWay()
    const lines = text.split('\n')
    const broken = [...document.errors, ...document.warnings].map(({ code, pos }) => {
      const { line, col } = lineCounter.linePos(pos[0])
      const what = `${code.toLowerCase().replaceAll('_', ' ')} in line ${lineAt(pos[0])}, column ${col}`
      return refused('manifest', describeBroken(lines[line - 1] ?? '', what), lineAt(pos[0]))
    })
    const problems =
      broken.length > 0
        ? onceALine(broken)
        : checkNodes(document, MAX_BYTES, lineAt).map(({ input, message, at }) => refused(input, message, lineAt(at)))
    if (problems.length > 0) return { kind: 'unreadable', problems }
    await work.giveWay()
    keepNumbersAsWritten(document)
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    return { kind: 'read', file, value, lineOf: (place) => lineAt(offsetOf(document, place)) }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { kind: 'unreadable', problems: [refused('manifest', 'is nested too deeply', 1)] }
  }
}

const TOO_MANY =
  'has more than 300,000 keys, values and signs between them: put what entries share into defaults, or split the manifest'

/** The braces of a variable, or of an expression, are YAML's own inside of others. */
function describeBroken(line: string, what: string): string {
  if (line.includes('${{')) return EXPRESSION
  return `is not plain YAML: ${line.includes('${') ? 'inside { } and [ ], ${NAME} must be in quotes: ' : ''}${what}`
}

/** The first problem of each line: others of the same line follow from it. */
function onceALine(problems: readonly Problem[]): Problem[] {
  const seen = new Set<number | undefined>()
  return problems.filter(({ place }) => !seen.has(place?.line) && seen.add(place?.line))
}

function unreadable(value: string, message: string): ManifestDocument {
  return { kind: 'unreadable', problems: [{ input: 'manifest', value, message }] }
}
