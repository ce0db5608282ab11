import {
  Composer,
  Parser,
  YAMLParseError,
  type CST,
  type Document,
  type DocumentOptions,
  type LineCounter,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml'

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
