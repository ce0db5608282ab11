import { isAlias, isCollection, isNode, isScalar, LineCounter, visit, YAMLParseError, type Document } from 'yaml'
import { codeOf } from '../quote.ts'
import { MAX_TEXT_BYTES } from '../../files.ts'
import type { Files } from '../../world.ts'
import { insideWorkspace, locate } from '../workspace-path.ts'
import { offsetOf, type Path } from './path.ts'
import { parseDocument } from './yaml.ts'

/** `line`: of the mistake. `file`: of the workspace, relative to it, if the document is one; both only where known. */
export type DocumentReading =
  | { kind: 'read'; value: unknown; lineOf: (path: Path) => number; file?: string | undefined }
  | { kind: 'unreadable'; message: string; line?: number; file?: string | undefined }

const MAX_ALIASES = 100
const FILE_NAME = /\.(ya?ml|json)$/i

/** Reads YAML or JSON, or the file that a single line names. No message repeats the content. */
export async function readDocument(given: string, workspace: string, files: Files): Promise<DocumentReading> {
  const line = given.trim()
  if (line.includes('\n') || !(FILE_NAME.test(line) || looksLikePath(line))) return parseYaml(given)
  return await readYamlFile(line, workspace, files)
}

/** Whether the line is a single word and not a mapping, like `ops/spec`. */
function looksLikePath(line: string): boolean {
  return !/[:{[]\s|^[{["']|:$/.test(line) && line !== ''
}

async function readYamlFile(file: string, workspace: string, files: Files): Promise<DocumentReading> {
  const place = await locate(file, workspace, files)
  if (place.kind === 'missing')
    return unreadable(
      'is neither a mapping in YAML or JSON nor a file: read as a path, there is no such file in the workspace; is the repository checked out?',
    )
  if (place.kind === 'refused') return unreadable(`names the file ${file}, which ${place.message}`)
  try {
    const bytes = await files.readWhole(place.real, MAX_TEXT_BYTES)
    const text = bytes.toString('utf8')
    if (text.includes('\u0000')) return unreadable(`names the file ${file}, which is not text`)
    const reading = { ...parseYaml(text), file: await insideWorkspace(place.real, workspace, files) }
    if (reading.kind === 'read') return reading
    const { message, line: at = 1 } = reading
    return reading.file === undefined ? { ...reading, message: `(in ${file}) ${message}` } : { ...reading, line: at }
  } catch (thrown) {
    return unreadable(`names the file ${file}, which cannot be read (${codeOf(thrown)})`)
  }
}

/** Parses YAML or JSON. No message repeats the content. */
export function parseYaml(text: string): DocumentReading {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return unreadable('is larger than 1 MB')
  const lineCounter = new LineCounter()
  const lineAt = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line)
  try {
    // Pretty errors repeat the line, which may contain a secret. The library's own check of keys takes quadratic time.
    const document = parseDocument(text, { version: '1.2', prettyErrors: false, uniqueKeys: false, lineCounter })
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) {
      const { line, col } = lineCounter.linePos(problem.pos[0])
      const kind = problem instanceof YAMLParseError ? 'is not valid YAML' : 'is not plain YAML'
      const code = problem.code.toLowerCase().replaceAll('_', ' ')
      return { ...unreadable(`${kind}: ${code} in line ${line}, column ${col}`), line }
    }
    const doubled = keySetTwice(document)
    if (doubled !== undefined) {
      const { line, col } = lineCounter.linePos(doubled)
      return { ...unreadable(`is not valid YAML: duplicate key in line ${line}, column ${col}`), line }
    }
    const unknown = aliasWithoutAnchor(document)
    if (unknown !== undefined) {
      const line = lineAt(unknown)
      return { ...unreadable(`has an alias that has no anchor, in line ${line}`), line }
    }
    const at = collectionAsKey(document)
    if (at !== undefined) {
      const line = lineAt(at)
      return { ...unreadable(`has a mapping or a list as a key, in line ${line}`), line }
    }
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return { kind: 'read', value, lineOf: (place) => lineAt(offsetOf(document, place)) }
  } catch (thrown) {
    if (thrown instanceof RangeError) return unreadable('is nested too deeply')
    return unreadable('cannot be read as YAML: an alias is used too often')
  }
}

/** Returns the offset of the first key that its mapping has already. */
function keySetTwice(document: Document): number | undefined {
  let at: number | undefined
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          at = key.range?.[0] ?? 0
          return visit.BREAK
        }
        seen.add(key.value)
      }
      return undefined
    },
  })
  return at
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

/** Returns the offset of the first alias whose anchor is not above it. */
function aliasWithoutAnchor(document: Document): number | undefined {
  const anchors = new Set<string>()
  let at: number | undefined
  visit(document, (_key, node) => {
    if (isAlias(node)) {
      if (anchors.has(node.source)) return undefined
      at = node.range?.[0] ?? 0
      return visit.BREAK
    }
    if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor)
    return undefined
  })
  return at
}

function unreadable(message: string): Extract<DocumentReading, { kind: 'unreadable' }> {
  return { kind: 'unreadable', message }
}
