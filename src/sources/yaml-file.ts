import {
  Composer,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  visit,
  YAMLParseError,
  type CST,
  type Document,
  type Node,
  type Pair,
} from 'yaml'
import { MAX_TEXT_BYTES } from '../files.ts'
import type { Files } from '../world.ts'
import type { Path } from './findings.ts'
import { codeOf, insideWorkspace, locate } from './workspace-path.ts'

/** `line`: of the mistake. `file`: of the workspace, relative to it, if the document is one; both only where known. */
type DocumentReading =
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
  try {
    const yaml = new YamlText(text)
    const refused = (message: string, at: number): DocumentReading => ({
      ...unreadable(message),
      line: yaml.lineAt(at),
    })
    const [mistake] = yaml.mistakes()
    if (mistake !== undefined)
      return refused(
        `is not ${mistake.isError ? 'valid' : 'plain'} YAML: ${mistake.what} in ${yaml.describe(mistake.at)}`,
        mistake.at,
      )
    const found = findingsIn(yaml.document)
    const twice = found.find(({ kind }) => kind === 'doubled key')
    if (twice !== undefined) return refused(`is not valid YAML: duplicate key in ${yaml.describe(twice.at)}`, twice.at)
    const loose = found.find((one) => one.kind === 'alias' && one.target === undefined)
    if (loose !== undefined)
      return refused(`has an alias that has no anchor, in line ${yaml.lineAt(loose.at)}`, loose.at)
    // JSON has no such key, and the library would warn about it on stderr.
    const key = found.find(
      (one) => one.kind === 'key' && isCollection(isAlias(one.key) ? one.key.resolve(yaml.document) : one.key),
    )
    if (key !== undefined) return refused(`has a mapping or a list as a key, in line ${yaml.lineAt(key.at)}`, key.at)
    const value: unknown = yaml.document.toJS({ maxAliasCount: MAX_ALIASES })
    return { kind: 'read', value, lineOf: (place) => yaml.lineOf(place) }
  } catch (thrown) {
    if (thrown instanceof RangeError) return unreadable('is nested too deeply')
    return unreadable('cannot be read as YAML: an alias is used too often')
  }
}

function unreadable(message: string): Extract<DocumentReading, { kind: 'unreadable' }> {
  return { kind: 'unreadable', message }
}

/** A text can have a mistake in each character, more than a reader needs. */
const MAX_MISTAKES = 100

interface YamlMistake {
  what: string
  at: number
  isError: boolean
}

export class YamlText {
  readonly document: Document.Parsed
  readonly #lines = new LineCounter()

  /** @throws RangeError if the text is nested too deeply */
  constructor(text: string) {
    const { stackTraceLimit } = Error
    // The library makes an Error of each mistake: most of the time is that of the traces.
    Error.stackTraceLimit = 0
    try {
      this.document = composeDocument(text, this.#lines)
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  mistakes(): YamlMistake[] {
    const { errors, warnings } = this.document
    return [...errors.slice(0, MAX_MISTAKES), ...warnings].map((one) => ({
      what: one.code.toLowerCase().replaceAll('_', ' '),
      at: one.pos[0],
      isError: one instanceof YAMLParseError,
    }))
  }

  lineAt(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line)
  }

  columnAt(offset: number): number {
    return this.#lines.linePos(offset).col
  }

  describe(offset: number): string {
    return `line ${this.#lines.linePos(offset).line}, column ${this.columnAt(offset)}`
  }

  /** The line of a place, or of the nearest one above it that the document has. */
  lineOf(place: Path): number {
    return this.lineAt(this.offsetOf(place))
  }

  offsetOf(path: Path): number {
    let node: unknown = this.document.contents
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
}

function composeDocument(text: string, lines: LineCounter): Document.Parsed {
  const tokens = withFewMistakes(new Parser(lines.addNewLine).parse(text))
  // Pretty errors repeat the line, which may contain a secret. The library's own check of keys takes quadratic time.
  const options = { version: '1.2', prettyErrors: false, uniqueKeys: false, lineCounter: lines } as const
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

/** What a reader may refuse in a document. `at`: its offset. */
type NodeFinding =
  /** `first`: the offset of the same key before it. `path`: its place, found only if it is asked for. */
  | { kind: 'doubled key'; at: number; first: number; path: () => Path }
  /** A key that is no scalar. */
  | { kind: 'key'; at: number; key: unknown }
  /** `target`: undefined if no anchor above it has its name. */
  | { kind: 'alias'; at: number; target: Node | undefined }

/** Finds keys that are set twice, keys that are no scalars, and aliases, in the order of the document. */
export function findingsIn(document: Document): NodeFinding[] {
  const found: NodeFinding[] = []
  const anchors = new Map<string, Node>()
  visit(document, (_key, node, ancestors) => {
    if (isAlias(node)) found.push({ kind: 'alias', at: startOf(node) ?? 0, target: anchors.get(node.source) })
    else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isMap(node)) for (const one of keysIn(node.items, ancestors)) found.push(one)
  })
  return found
}

function* keysIn(items: readonly Pair[], ancestors: readonly unknown[]): Generator<NodeFinding> {
  const seen = new Map<string, number>()
  for (const { key } of items) {
    const at = startOf(key) ?? 0
    if (!isScalar(key)) {
      yield { kind: 'key', at, key }
      continue
    }
    const name = String(key.value)
    const first = seen.get(name)
    if (first === undefined) seen.set(name, at)
    else yield { kind: 'doubled key', at, first, path: () => [...pathTo(ancestors, items), name] }
  }
}

/** The place of the mapping with these items. */
function pathTo(ancestors: readonly unknown[], items: unknown): PropertyKey[] {
  const [, ...below] = [...ancestors, { items }]
  return below.flatMap((node, index): PropertyKey[] => {
    const parent = ancestors[index]
    if (isPair(parent) && isScalar(parent.key)) return [String(parent.key.value)]
    if (!isSeq(parent)) return []
    return [parent.items.findIndex((item) => item === node || (isMap(item) && item.items === items))]
  })
}

export function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
