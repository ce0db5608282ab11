export const BLANK_OR_COMMENT = /^\s*(#|$)/

/** How the lines of a block separate names from values. All lines of a block have one form. */
export interface LineForm {
  words: string
  /** The text that precedes the value of an example. */
  key: string
  separator: RegExp
  /** A line that has a name, correct or not. */
  entry: RegExp
  /** A line that names an entry with a value, even if the name is not a valid one. */
  named: RegExp
  /** A line that has the other form. */
  otherForm: RegExp
  /** The name of another entry inside a value. */
  folded: RegExp
  /** The context of expressions that has the values of the list. */
  context: ValuesContext
}

export type ValuesContext = 'secrets' | 'vars'

const EQUALS: LineForm = {
  words: 'NAME=value',
  key: 'KEY=',
  separator: /=/,
  entry: /=/,
  named: /^\s*[\w.-]+\s*=\s*[^=\s]/,
  otherForm: /^\s*[A-Za-z_]\w*\s*:(?!\S)/,
  folded: /\s[A-Z_][A-Z0-9_]*=/,
  context: 'secrets',
}

/** As in YAML, a blank follows the colon: `https://…` is no name with a value. */
const COLON: LineForm = {
  words: 'NAME: value',
  key: 'KEY: ',
  separator: /:(?!\S)/,
  entry: /^\s*[\w.-]+\s*:(?!\S)/,
  named: /^\s*[\w.-]+\s*:\s+\S/,
  otherForm: /^\s*[A-Za-z_]\w*\s*=(?!=?\s*$)/,
  folded: /\s[A-Z_][A-Z0-9_]*:(?!\S)/,
  context: 'secrets',
}

/** The first separator after the first name decides: values may contain both. */
export function formOf(lines: readonly string[], context: ValuesContext = 'secrets'): LineForm {
  const separators = lines.map((line) => (line.trimStart().startsWith('#') ? null : FIRST_SEPARATOR.exec(line)))
  const form = separators.find((found) => found !== null)?.[1] === ':' ? COLON : EQUALS
  return { ...form, context }
}

const FIRST_SEPARATOR = /^\s*[\w.-]+\s*(=|:(?!\S))/

export function splitLine(line: string, { separator }: LineForm): { name: string; rest: string } {
  const at = line.search(separator)
  return { name: line.slice(0, at).trim(), rest: line.slice(at + 1) }
}

/** Whether a comment of one line contains entries: a block that is written with > and begins with a comment becomes one. */
export function isFoldedComment(line: string): boolean {
  return [EQUALS, COLON].some(({ folded }) => folded.test(line.replace(/^\s*#\s*/, '')))
}

export function describeFolded({ words }: LineForm): string {
  return `is one line with several entries ${words}, as a block that is written with > becomes: write it with |, or put a value that contains such a text in quotes`
}

const CONVENTIONAL = /^[A-Z_][A-Z0-9_]{2,}$/
/** A name in capitals behind a comma. Shorter ones are those of a directory, as in `OU=a,DC=b`. */
const BEHIND_COMMA = /,[A-Z_][A-Z0-9_]{2,}=/

/** Describes several entries in the only entry of a list. `value`: that of the first one. @param isAlone whether the list has no other line, comments included */
export function describeJoined(name: string, value: string, form: LineForm, isAlone: boolean): string | undefined {
  if (isAlone && form.folded.test(value)) return describeFolded(form)
  if (form.words !== EQUALS.words || !CONVENTIONAL.test(name) || !BEHIND_COMMA.test(value)) return undefined
  return `is one line with several entries ${form.words} and commas between them: write each on a line of its own, or quote the value that contains such a text, as in ${form.key}'…'`
}

/** Describes the begin of a value without quotes that is not meant as a value. */
export function describeBegin(at: number, value: string, form: LineForm): string | undefined {
  if (value.startsWith('#'))
    return `has a value in line ${at} that begins with #: put it in quotes, as in ${form.key}'#…', or a comment on a line of its own`
  if (form.words === COLON.words && BLOCK.test(value))
    return `has a value in line ${at} that begins a block of YAML: ${howToWriteLines(form)}`
  return undefined
}

export function describeTail(at: number, tail: string, form: LineForm): string | undefined {
  if (tail.trim() === '') return undefined
  return `has a quote in line ${at} that is never closed, or text after its closing quote: ${howToQuote(form)}`
}

/** The forms that keep every character of a value. Double quotes do not: they have escapes. */
function howToQuote({ key, context }: LineForm): string {
  return `write ${key}'…' if the value has no ' in it, or the whole list as JSON, which is right for every value, as in {"KEY": \${{ toJSON(${context}.KEY) }} }`
}

function howToWriteLines(form: LineForm): string {
  return `for a value of several lines, ${howToQuote(form)}`
}

/** The head of a literal or folded block of YAML. */
const BLOCK = /^[|>][-+\d]*(?:\s+#.*)?$/

/** A name and a colon without the blank after it; an address is none. */
const WITHOUT_BLANK = /^\s*[A-Za-z_]\w*:(?!\/\/)\S/

/** @param open the line in which the value without quotes begins that precedes */
export function describeLoose(at: number, run: readonly string[], form: LineForm, open: number | undefined): string {
  const last = at + run.length - 1
  const which = run.length === 1 ? `a line ${at}` : `lines ${at} to ${last}`
  const isEvery = (pattern: RegExp): boolean => run.every((line) => BLANK_OR_COMMENT.test(line) || pattern.test(line))
  if (isEvery(form.otherForm)) {
    const otherWords = form.words === COLON.words ? EQUALS.words : COLON.words
    return `has ${which} of the form ${otherWords}, and others of the form ${form.words}: write all of them in one form; ${howToWriteLines(form)}`
  }
  if (isEvery(WITHOUT_BLANK)) return `has ${which} without a blank after the colon: write ${COLON.words}`
  const that = run.length === 1 ? 'that is' : 'that are'
  const from = open === undefined ? '' : `, perhaps the rest of the value that begins in line ${open}`
  return `has ${which} ${that} not ${form.words}${from}: ${howToWriteLines(form)}`
}
