import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { isCollection, isMap, isPair, isScalar, Lexer, LineCounter, Parser, type CST, type Document } from 'yaml'
import type { Clock } from '../../clock.ts'
import { LongWork } from '../../async.ts'
import type { Problem } from '../../problem.ts'
import type { Path } from '../../sources/findings.ts'
import { withSlashes } from '../../sources/disk-path.ts'
import { codeOf, locate } from '../../sources/workspace-path.ts'
import { lineAt, YamlText } from '../../sources/yaml-file.ts'
import type { Files } from '../../world.ts'
import { inputsThat } from '../inputs.ts'
import { describePlace } from './issues.ts'
import { EXPRESSION } from './values.ts'

/** In bytes: about 20,000 entries. */
const MAX_BYTES = 5 * 1024 * 1024

export interface ManifestDocument {
  file: string
  value: unknown
  /** The line of a place, or of the nearest one above it that the document has. */
  lineOf: (path: Path) => number
}

export async function readManifestFile(
  manifestPath: string,
  workspace: string,
  { files, clock }: { files: Files; clock: Clock },
): Promise<ManifestDocument | Problem[]> {
  const place = await locate(manifestPath, workspace, files)
  if (place.kind === 'missing')
    return unreadable(
      manifestPath,
      'is no file of the workspace: check the path, and that the repository is checked out',
    )
  if (place.kind === 'refused') return unreadable(manifestPath, place.message)
  try {
    const bytes = await files.readWhole(place.real, MAX_BYTES)
    if (!isUtf8(bytes)) return unreadable(manifestPath, 'is not UTF-8')
    const file = place.inside ?? withSlashes(place.real, path)
    return await parseManifest(new TextDecoder().decode(bytes), file, clock)
  } catch (thrown) {
    return unreadable(manifestPath, `cannot be read: ${codeOf(thrown)}`)
  }
}

/** `message`: the end of a sentence that begins with the manifest, or with `input`. */
type Refuse = (message: string, at?: number, input?: string) => Problem

export async function parseManifest(text: string, file: string, clock: Clock): Promise<ManifestDocument | Problem[]> {
  const lines = new LineCounter()
  const refuse: Refuse = (message, at = 0, input = 'manifest') => {
    return { input, message, place: { file, line: lineAt(lines, at) } }
  }
  const work = new LongWork(clock)
  try {
    const tokens = await condense(text, lines, work)
    if (tokens === undefined) return [refuse(TOO_MANY)]
    const yaml = new YamlText(tokens, lines, text.length)
    await work.giveWay()
    const problems = problemsIn(yaml, text, refuse)
    if (problems.length > 0) return problems
    await work.giveWay()
    keepNumbersAsWritten(yaml.document)
    const value: unknown = yaml.document.toJS({ maxAliasCount: -1 })
    return { file, value, lineOf: (place) => yaml.find(place).line }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return [refuse('is nested too deeply')]
  }
}

const TOO_MANY =
  'has more than 300,000 keys, values and signs between them: put what entries share into defaults, or split the manifest'

function unreadable(value: string, message: string): Problem[] {
  return [{ input: 'manifest', value, message }]
}

/** To resolve an alias, the library looks at each one before it. */
const MAX_ALIASES = 20_000

/**
 * Words the first mistake of each line, as others of the same line follow from it; without a mistake, keys that are set
 * twice, keys that are no scalars, and aliases that cannot be resolved or have a large effect.
 */
function problemsIn(yaml: YamlText, text: string, refuse: Refuse): Problem[] {
  const findings = yaml.findings()
  const lines = text.split('\n')
  const broken = new Set<number>()
  // The length of the document with the text of each anchor in place of its aliases.
  let length = yaml.document.range[2]
  const problems = findings.flatMap((finding): Problem[] => {
    const { at } = finding
    const number = yaml.lineAt(at)
    if (finding.kind === 'mistake') {
      if (broken.has(number)) return []
      broken.add(number)
      return [refuse(describeMistake(`${finding.mistake} in ${yaml.describe(at)}`, lines[number - 1] ?? ''), at)]
    }
    if (finding.kind === 'key') return [refuse('has a mapping, a list or an alias as a key', at)]
    if (finding.kind === 'doubled key')
      return [
        refuse(`is set twice, in lines ${yaml.lineAt(finding.first)} and ${number}`, at, describePlace(finding.path())),
      ]
    if (finding.length === undefined) return [refuse('has an alias that has no anchor', at)]
    if (finding.isNested) return [refuse('has an alias of an alias', at)]
    length += finding.length
    return []
  })
  const aliases = findings.filter(({ kind }) => kind === 'alias').length
  if (aliases > MAX_ALIASES)
    problems.push(refuse(`has more than ${MAX_ALIASES} aliases: put what entries share into defaults`))
  if (length > MAX_BYTES && problems.length === 0)
    problems.push(refuse(`is larger than ${MAX_BYTES / 1024 / 1024} MB with its aliases`))
  return problems
}

function describeMistake(mistake: string, line: string): string {
  if (line.includes('${{')) return EXPRESSION
  // The braces of a variable, or of an expression, are YAML's own inside of others.
  const hint = line.includes('${') ? 'inside { } and [ ], ${NAME} must be in quotes: ' : ''
  return `is not plain YAML: ${hint}${mistake}`
}

/** Keeps numbers as they are written: `1.10` must not become `1.1`. Variables and headers keep booleans, too. */
function keepNumbersAsWritten(document: Document): void {
  const listed = ['deployments', 'waves'].flatMap((list) => itemsOf(document.get(list)))
  for (const map of [document.get('defaults'), ...listed].filter(isMap)) {
    for (const { value } of map.items) keepAsWritten(value, ['number'])
    const items = LISTS.flatMap((name) => itemsOf(map.get(name)))
    for (const { value } of items.filter(isPair)) keepAsWritten(value, ['number', 'boolean'])
  }
}

const LISTS = inputsThat(({ entries }) => entries !== undefined)

function itemsOf(node: unknown): readonly unknown[] {
  return isCollection(node) ? node.items : []
}

function keepAsWritten(node: unknown, types: readonly string[]): void {
  if (isScalar(node) && types.includes(typeof node.value) && node.source !== undefined) node.value = node.source
}

/** About 10 keys of each of 10,000 deployments: a tree of this size takes 300 MB. */
const MAX_TOKENS = 300_000

/** Lexemes between two looks at the clock. */
const PIECE = 1_000

/**
 * Parses a YAML text with one comment in place of each run of lines without content, which is as long: a tree keeps such
 * lines as it keeps all others.
 * @returns undefined if the rest has too many keys, values and signs between them
 */
export async function condense(text: string, lines: LineCounter, work: LongWork): Promise<CST.Token[] | undefined> {
  const condenser = new Condenser(lines)
  let lexemes = 0
  let values = 0
  let isScalar: boolean | undefined
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes % PIECE === 0) await work.giveWay()
    const kind = isScalar ? 'value' : kindOf(lexeme)
    isScalar = kind === 'mark' && lexeme === SCALAR
    if (kind === 'value' && ++values > MAX_TOKENS) return undefined
    condenser.add(lexeme, kind === 'blank')
  }
  return condenser.end()
}

/** Parses lexemes, with one comment in place of each run of lines that are blank. */
class Condenser {
  readonly #lines: LineCounter
  readonly #parser: Parser
  readonly #tokens: CST.Token[] = []
  /** The characters of the blank lines so far, without the end of the last one. */
  #omitted = 0
  /** The lexemes from the end of the last blank line on; undefined once the line has content. */
  #blanks: string[] | undefined = []

  constructor(lines: LineCounter) {
    this.#lines = lines
    this.#parser = new Parser(lines.addNewLine)
    lines.addNewLine(0)
  }

  add(lexeme: string, isBlank: boolean): void {
    const isEnd = lexeme.endsWith('\n')
    if (!isBlank || this.#blanks === undefined) {
      this.#pass(lexeme)
      this.#omitted = 0
      this.#blanks = isEnd ? [] : undefined
    } else if (isEnd) {
      const [end = ''] = this.#blanks
      if (end.endsWith('\n')) this.#lines.addNewLine(this.#parser.offset + this.#omitted + end.length)
      this.#omitted += this.#blanks.join('').length
      this.#blanks = [lexeme]
    } else this.#blanks.push(lexeme)
  }

  end(): CST.Token[] {
    this.#pass()
    return [...this.#tokens, ...this.#parser.end()]
  }

  #pass(...content: readonly string[]): void {
    const comment = this.#omitted > 0 ? ['#'.padEnd(this.#omitted)] : []
    for (const lexeme of [...comment, ...(this.#blanks ?? []), ...content])
      this.#tokens.push(...this.#parser.next(lexeme))
  }
}

/** The lexer emits marks that are no text: a scalar follows, a document begins, or a flow ends early. */
const SCALAR = '\u001F'
const MARKS = [SCALAR, '\u0002', '\u0018']

function kindOf(lexeme: string): 'mark' | 'blank' | 'value' {
  if (MARKS.includes(lexeme)) return 'mark'
  return lexeme === '' || /^[ \t\r\n\uFEFF#]/.test(lexeme) ? 'blank' : 'value'
}
