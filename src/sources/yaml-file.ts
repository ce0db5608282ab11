import {
  isAlias,
  isCollection,
  isNode,
  isScalar,
  LineCounter,
  visit,
  YAMLParseError,
  type Document,
  Composer,
  Parser,
  type CST,
  type DocumentOptions,
  type ParseOptions,
  type SchemaOptions,
  isMap,
  isSeq,
} from 'yaml'
import { MAX_TEXT_BYTES } from '../files.ts'
import type { Files } from '../world.ts'
import type { Path } from './findings.ts'
import { codeOf, insideWorkspace, locate } from './workspace-path.ts'

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

type Options = ParseOptions & DocumentOptions & SchemaOptions & { lineCounter: LineCounter }

/** A text can have a mistake in each character, more than a reader needs. */
const MAX_MISTAKES = 100

/** Parses a text as the library's `parseDocument` does, but reports some mistakes only. */
export function parseDocument(text: string, options: Options): Document.Parsed {
  const { stackTraceLimit } = Error
  // The library makes an Error of each mistake: most of the time is that of the traces.
  Error.stackTraceLimit = 0
  try {
    const document = composeDocument(text, options)
    document.errors.splice(MAX_MISTAKES)
    return document
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function composeDocument(text: string, options: Options): Document.Parsed {
  const tokens = withFewMistakes(new Parser(options.lineCounter.addNewLine).parse(text))
  const [document, second] = new Composer(options).compose(tokens, true, text.length)
  if (document === undefined) throw new Error('The library composes a document of every text')
  if (second !== undefined) {
    const [start, end] = second.range
    document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'More than one document'))
  }
  return document
}

function* withFewMistakes(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let left = MAX_MISTAKES
  for (const token of tokens) {
    yield token
    if (token.type === 'error' && --left === 0) return
  }
}

/** The offset in the text of a place, or of the nearest one above it that the document has. */
export function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair === undefined) break
      offset = startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = startOf(node) ?? offset
    } else break
  }
  return offset
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
