import { Lexer, Parser, type CST, type LineCounter } from 'yaml'
import type { LongWork } from '../../async.ts'

/** About 10 keys of each of 10,000 deployments: the tree of so many takes 300 MB. */
const MAX_TOKENS = 300_000

/** Lexemes between two looks at the clock. */
const PIECE = 1_000

/**
 * Parses a YAML text with one comment in place of each run of lines without content, which is as long: a tree keeps such
 * lines as it keeps all others.
 * @returns undefined if the rest has too many keys, values and signs between them
 */
export async function condense(text: string, lines: LineCounter, work: LongWork): Promise<CST.Token[] | undefined> {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  lines.addNewLine(0)
  let lexemes = 0
  let values = 0
  let isScalar: boolean | undefined
  let run: Run = { omitted: 0, end: '', blanks: [] }
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes % PIECE === 0) await work.giveWay()
    const kind = isScalar ? 'value' : kindOf(lexeme)
    isScalar = kind === 'mark' && lexeme === SCALAR
    if (kind === 'value' && ++values > MAX_TOKENS) return undefined
    const isEnd = lexeme.endsWith('\n')
    const { omitted, end, blanks } = run
    if (kind !== 'blank' || blanks === undefined) {
      for (const one of [...lexemesOf(run), lexeme]) tokens.push(...parser.next(one))
      run = { omitted: 0, end: '', blanks: isEnd ? [] : undefined }
    } else if (isEnd) {
      if (end !== '') lines.addNewLine(parser.offset + omitted + end.length)
      run = { omitted: omitted + end.length + blanks.join('').length, end: lexeme, blanks: [] }
    } else blanks.push(lexeme)
  }
  for (const one of lexemesOf(run)) tokens.push(...parser.next(one))
  return [...tokens, ...parser.end()]
}

/** Lines without content. */
interface Run {
  /** In characters, without the end of its last line. */
  omitted: number
  end: string
  /** The lexemes of the line after them; undefined once it has content. */
  blanks: string[] | undefined
}

function lexemesOf({ omitted, end, blanks = [] }: Run): string[] {
  return [...(omitted > 0 ? ['#'.padEnd(omitted)] : []), ...(end === '' ? [] : [end]), ...blanks]
}

/** The marks of the lexer are no text: a scalar follows, a document begins, or a flow ends early. */
const SCALAR = '\u001F'
const MARKS = [SCALAR, '\u0002', '\u0018']

function kindOf(lexeme: string): 'mark' | 'blank' | 'value' {
  if (MARKS.includes(lexeme)) return 'mark'
  return lexeme === '' || /^[ \t\r\n\uFEFF#]/.test(lexeme) ? 'blank' : 'value'
}
