import { isAlias, isCollection, isNode, LineCounter, parseDocument, visit, YAMLParseError, type Document } from 'yaml'
import { codeOf } from '../quote.ts'
import { MAX_TEXT_BYTES, readWhole } from '../../regular-file.ts'
import { locate } from '../workspace-path.ts'

export type DocumentReading = { kind: 'read'; value: unknown } | { kind: 'unreadable'; message: string }

const MAX_ALIASES = 100
const FILE_NAME = /\.(ya?ml|json)$/i

/** Reads YAML or JSON, or the file that a single line names. No message repeats the content. */
export async function readDocument(given: string, workspace: string): Promise<DocumentReading> {
  const line = given.trim()
  if (line.includes('\n') || !(FILE_NAME.test(line) || looksLikePath(line))) return parseYaml(given)
  return await readYamlFile(line, workspace)
}

/** Whether the line is a single word and not a mapping, like `ops/spec`. */
function looksLikePath(line: string): boolean {
  return !/[:{[]\s|^[{["']|:$/.test(line) && line !== ''
}

async function readYamlFile(file: string, workspace: string): Promise<DocumentReading> {
  const place = await locate(file, workspace)
  if (place.kind === 'missing')
    return unreadable(
      'is neither a mapping in YAML or JSON nor a file: read as a path, there is no such file in the workspace; is the repository checked out?',
    )
  if (place.kind === 'refused') return unreadable(`names the file ${file}, which ${place.message}`)
  try {
    const bytes = await readWhole(place.real, MAX_TEXT_BYTES)
    const text = bytes.toString('utf8')
    if (text.includes('\u0000')) return unreadable(`names the file ${file}, which is not text`)
    const reading = parseYaml(text)
    return reading.kind === 'read' ? reading : unreadable(`(in ${file}) ${reading.message}`)
  } catch (thrown) {
    return unreadable(`names the file ${file}, which cannot be read (${codeOf(thrown)})`)
  }
}

/** Parses YAML or JSON. No message repeats the content. */
export function parseYaml(text: string): DocumentReading {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return unreadable('is larger than 1 MB')
  const lineCounter = new LineCounter()
  try {
    // Pretty errors repeat the line, which may contain a secret.
    const document = parseDocument(text, { version: '1.2', prettyErrors: false, lineCounter })
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) {
      const { line, col } = lineCounter.linePos(problem.pos[0])
      const kind = problem instanceof YAMLParseError ? 'is not valid YAML' : 'is not plain YAML'
      const code = problem.code.toLowerCase().replaceAll('_', ' ')
      return unreadable(`${kind}: ${code} in line ${line}, column ${col}`)
    }
    const at = collectionAsKey(document)
    if (at !== undefined) return unreadable(`has a mapping or a list as a key, in line ${lineCounter.linePos(at).line}`)
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return { kind: 'read', value }
  } catch (thrown) {
    if (thrown instanceof RangeError) return unreadable('is nested too deeply')
    return unreadable('cannot be read as YAML: an alias is used too often, or has no anchor')
  }
}

/** Returns the offset of a key that is not a scalar. JSON has no such key, and the library would warn about it on stderr. */
function collectionAsKey(document: Document): number | undefined {
  let at: number | undefined
  visit(document, {
    Pair(_key, { key }) {
      const node = isAlias(key) ? key.resolve(document) : key
      if (!isCollection(node)) return undefined
      at = (isNode(key) ? key.range?.[0] : undefined) ?? 0
      return visit.BREAK
    },
  })
  return at
}

function unreadable(message: string): DocumentReading {
  return { kind: 'unreadable', message }
}
