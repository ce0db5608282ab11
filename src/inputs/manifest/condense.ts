import { Lexer } from 'yaml'
import type { Clock } from '../../clock.ts'
import { LongWork } from '../../async.ts'

/** A YAML text with at most one line of each run of empty lines, and one of each run of comments. */
interface Condensed {
  text: string
  lineAt: (offset: number, line: number) => number
}

/** About 10 keys of each of 10,000 deployments: the tree of so many takes 300 MB. */
const MAX_TOKENS = 300_000

/** Lexemes between two looks at the clock. */
const PIECE = 1_000

/**
 * Omits lines without content: a tree keeps them as it keeps all others. A first comment stays, because it ends a value.
 * @returns undefined if the rest has too many keys, values and signs between them
 */
export async function condense(text: string, clock: Clock): Promise<Condensed | undefined> {
  const work = new LongWork(clock)
  const lines = new Lines(text)
  let lexemes = 0
  let tokens = 0
  let isScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes % PIECE === 0) await work.giveWay()
    if (!isScalar && MARKS.includes(lexeme)) {
      isScalar = lexeme === SCALAR
      continue
    }
    const content = isScalar ? 'value' : contentOf(lexeme)
    if (content === 'value' && ++tokens > MAX_TOKENS) return undefined
    lines.add(lexeme.length, content, lexeme.endsWith('\n'))
    isScalar = false
  }
  return lines.rest()
}

type Content = 'none' | 'comment' | 'value'

/** The marks of the lexer are no text: a scalar follows, a document begins, or a flow ends early. */
const SCALAR = '\u001F'
const MARKS = [SCALAR, '\u0002', '\u0018']

function contentOf(lexeme: string): Content {
  if (lexeme.startsWith('#')) return 'comment'
  return /^[ \t\r\n\uFEFF]/.test(lexeme) || lexeme === '' ? 'none' : 'value'
}

class Lines {
  readonly #text: string
  readonly #kept: string[] = []
  /** Offsets in the rest, ascending: one omitted line before each. */
  readonly #cuts: number[] = []
  #keptFrom = 0
  #omitted = 0
  #lineFrom = 0
  #at = 0
  #content: Content = 'none'
  /** What the lines without a value right before this one have. */
  readonly #run = new Set<Content>()

  constructor(text: string) {
    this.#text = text
  }

  add(length: number, content: Content, endsLine: boolean): void {
    this.#at += length
    if (content === 'value' || this.#content === 'none') this.#content = content
    if (!endsLine) return
    if (this.#content === 'value') this.#run.clear()
    else if (this.#run.has(this.#content) || this.#run.has('comment')) this.#omitLine()
    else this.#run.add(this.#content)
    this.#lineFrom = this.#at
    this.#content = 'none'
  }

  rest(): Condensed {
    const text = [...this.#kept, this.#text.slice(this.#keptFrom)].join('')
    return { text, lineAt: (offset, line) => line + countUpTo(this.#cuts, offset) }
  }

  #omitLine(): void {
    if (this.#keptFrom < this.#lineFrom) this.#kept.push(this.#text.slice(this.#keptFrom, this.#lineFrom))
    this.#omitted += this.#at - this.#lineFrom
    this.#cuts.push(this.#at - this.#omitted)
    this.#keptFrom = this.#at
  }
}

/** How many numbers of an ascending list are at most this one. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
