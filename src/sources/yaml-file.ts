import { isUtf8 } from 'node:buffer'
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
  type YAMLMap,
} from 'yaml'
import { MAX_TEXT_BYTES } from '../files.ts'
import type { FilePlace } from '../problem.ts'
import type { Environment, Files } from '../world.ts'
import type { Path } from './findings.ts'
import { codeOf, locate, readWrittenPath } from './workspace-path.ts'

/** `file` is relative to the workspace, and set if the document is a file of it. `place` is the mistake in that file. */
type DocumentReading =
  | { kind: 'read'; value: unknown; yaml: YamlText; file: string | undefined }
  | { kind: 'unreadable'; message: string; place?: FilePlace | undefined }

const MAX_ALIASES = 100
const FILE_NAME = /\.(ya?ml|json)$/i

/** Reads YAML or JSON, or the file that a single line names. No message repeats the content. */
export async function readDocument(
  text: string,
  workspace: string,
  { files, env }: { files: Files; env: Environment },
): Promise<DocumentReading> {
  const line = text.trim()
  if (line.includes('\n') || !(FILE_NAME.test(line) || looksLikePath(line))) return parseYaml(text)
  const written = readWrittenPath(line, env)
  if (written.kind === 'refused') return unreadable(`names the file ${line}, which ${written.message}`)
  return await readYamlFile(written.path, workspace, files)
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
    if (!isUtf8(bytes) || bytes.includes(0))
      return unreadable(`names the file ${file}, which is not UTF-8 text: save it as UTF-8`)
    const reading = parseYaml(bytes.toString('utf8'), place.inside)
    if (reading.kind === 'read' || reading.place !== undefined) return reading
    return unreadable(`(in ${file}) ${reading.message}`)
  } catch (thrown) {
    return unreadable(`names the file ${file}, which cannot be read (${codeOf(thrown)})`)
  }
}

/** Parses YAML or JSON. No message repeats the content. */
export function parseYaml(text: string, file?: string): DocumentReading {
  const lines = new LineCounter()
  const refused: Refuse = (message, at = 0) => ({
    ...unreadable(message),
    place: file === undefined ? undefined : { file, line: lineAt(lines, at) },
  })
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return refused('is larger than 1 MB')
  try {
    const yaml = new YamlText(new Parser(lines.addNewLine).parse(text), lines, text.length)
    const refusal = refusalOf(yaml, refused)
    if (refusal !== undefined) return refusal
    const value: unknown = yaml.document.toJS({ maxAliasCount: MAX_ALIASES })
    return { kind: 'read', value, yaml, file }
  } catch (thrown) {
    if (thrown instanceof RangeError) return refused('is nested too deeply')
    return refused('cannot be read as YAML: an alias is used too often')
  }
}

type Refuse = (message: string, at?: number) => DocumentReading

function refusalOf(yaml: YamlText, refused: Refuse): DocumentReading | undefined {
  const findings = yaml.findings()
  const [first] = findings
  if (first?.kind === 'mistake') {
    const { at, mistake, isError } = first
    return refused(`is not ${isError ? 'valid' : 'plain'} YAML: ${mistake} in ${yaml.describe(at)}`, at)
  }
  const twice = findings.find(({ kind }) => kind === 'doubled key')
  if (twice !== undefined) return refused(`is not valid YAML: duplicate key in ${yaml.describe(twice.at)}`, twice.at)
  const loose = findings.find((one) => one.kind === 'alias' && one.length === undefined)
  if (loose !== undefined) return refused(`has an alias that has no anchor, in line ${yaml.lineAt(loose.at)}`, loose.at)
  // JSON has no such key, and the library would warn about it on stderr.
  const key = findings.find(
    (one) => one.kind === 'key' && isCollection(isAlias(one.key) ? one.key.resolve(yaml.document) : one.key),
  )
  return key && refused(`has a mapping or a list as a key, in line ${yaml.lineAt(key.at)}`, key.at)
}

function unreadable(message: string): Extract<DocumentReading, { kind: 'unreadable' }> {
  return { kind: 'unreadable', message }
}

/** The largest number of mistakes that are read: a text can have one in each character. */
const MAX_MISTAKES = 100

export class YamlText {
  readonly document: Document.Parsed
  readonly #lines: LineCounter

  /** @throws RangeError if the text is nested too deeply */
  constructor(tokens: Iterable<CST.Token>, lines: LineCounter, length: number) {
    const { stackTraceLimit } = Error
    // The library makes an Error of each mistake, and stack traces would take most of the time.
    Error.stackTraceLimit = 0
    this.#lines = lines
    try {
      this.document = composeDocument(withFewMistakes(tokens), lines, length)
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  /** Lists the mistakes in the syntax. Without any, it lists other parts that a reader may refuse, in the order of the document. */
  findings(): YamlFinding[] {
    const { errors, warnings } = this.document
    const mistakes = [...errors.slice(0, MAX_MISTAKES), ...warnings].map((issue) => {
      const mistake = issue.code.toLowerCase().replaceAll('_', ' ')
      return { kind: 'mistake', at: issue.pos[0], mistake, isError: issue instanceof YAMLParseError } as const
    })
    return mistakes.length > 0 ? mistakes : findingsIn(this.document)
  }

  lineAt(offset: number): number {
    return lineAt(this.#lines, offset)
  }

  describe(offset: number): string {
    return `line ${this.lineAt(offset)}, column ${this.#lines.linePos(offset).col}`
  }

  /**
   * The line of a place, or of the nearest one above it that the document has. `rank`: for the order of places; one that
   * the document lacks comes last in the nearest above it.
   */
  find(place: Path): { line: number; rank: number } {
    let node: unknown = this.document.contents
    let offset = startOf(node) ?? 0
    for (const step of place) {
      const child = childOf(node, step)
      if (child === undefined) return { line: this.lineAt(offset), rank: endOf(node) ?? offset }
      offset = startOf(child.key) ?? offset
      node = child.value
    }
    return { line: this.lineAt(offset), rank: offset }
  }
}

export function lineAt(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line)
}

/** An item of a list is its own key. */
function childOf(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  const item = isSeq(node) ? node.items[Number(step)] : undefined
  return item === undefined ? undefined : { key: item, value: item }
}

function composeDocument(tokens: Iterable<CST.Token>, lines: LineCounter, length: number): Document.Parsed {
  // Pretty errors repeat the line, which may contain a secret. The library's own check of keys takes quadratic time.
  const options = { version: '1.2', prettyErrors: false, uniqueKeys: false, lineCounter: lines } as const
  const [document, second] = new Composer(options).compose(tokens, true, length)
  if (document === undefined) throw new Error('The library composes a document of every text')
  if (second !== undefined) {
    const [start, end] = second.range
    document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'More than one document'))
  }
  return document
}

function* withFewMistakes(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let remainingMistakes = MAX_MISTAKES
  for (const token of tokens) {
    yield token
    if (token.type === 'error' && --remainingMistakes === 0) return
  }
}

/** A part of a document that a reader may refuse. `at`: its offset. */
type YamlFinding =
  | { kind: 'mistake'; at: number; mistake: string; isError: boolean }
  /** `first`: the offset of the same key before it. `path`: its place, found only if it is asked for. */
  | { kind: 'doubled key'; at: number; first: number; path: () => Path }
  /** A key that is no scalar. */
  | { kind: 'key'; at: number; key: unknown }
  /** `length`: of its target; undefined if no anchor above it has its name. `isNested`: the target has an alias itself. */
  | { kind: 'alias'; at: number; length: number | undefined; isNested: boolean }

/** Finds keys that are set twice, keys that are no scalars, and aliases, in the order of the document. */
function findingsIn(document: Document): YamlFinding[] {
  const findings: YamlFinding[] = []
  const anchors = new Map<string, Node>()
  /** Nodes that contain an alias. */
  const withAliases = new Set<unknown>()
  visit(document, (_key, node, ancestors) => {
    if (isAlias(node)) {
      const from = ancestors.findLastIndex((above) => withAliases.has(above)) + 1
      for (const above of ancestors.slice(from)) withAliases.add(above)
      const target = anchors.get(node.source)
      const length = target && (endOf(target) ?? 0) - (startOf(target) ?? 0)
      findings.push({ kind: 'alias', at: startOf(node) ?? 0, length, isNested: withAliases.has(target) })
    } else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isMap(node)) for (const finding of keysIn(node, ancestors)) findings.push(finding)
  })
  return findings
}

function* keysIn(map: YAMLMap, ancestors: readonly unknown[]): Generator<YamlFinding> {
  const seen = new Map<string, number>()
  for (const { key } of map.items) {
    const at = startOf(key) ?? 0
    if (!isScalar(key)) {
      yield { kind: 'key', at, key }
      continue
    }
    const name = String(key.value)
    const first = seen.get(name)
    if (first === undefined) seen.set(name, at)
    else yield { kind: 'doubled key', at, first, path: () => [...pathOf([...ancestors, map]), name] }
  }
}

/** @param chain the last node, and all above it from the top */
function pathOf(chain: readonly unknown[]): PropertyKey[] {
  return chain.flatMap((node, depth): PropertyKey[] => {
    if (isPair(node) && isScalar(node.key)) return [String(node.key.value)]
    return isSeq(node) ? [node.items.indexOf(chain[depth + 1])] : []
  })
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function endOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[1] : undefined
}
