/** So many characters of a word may be a part of a secret. */
const PIECE = 4

/** JSON may escape any character, and be itself in a string of JSON. */
const ESCAPED = /(?<!\\)\\+u([0-9a-f]{4})/gi

const WORDS = `array body boolean character column content data delimiter detail error errors expected expecting false field
  input invalid json length line message missing null number object parse parsing position property required status string
  syntax text token true type undefined unexpected unknown valid value`
/** The other words of the usual names of statuses, as "Bad Gateway". */
const OF_STATUSES = `a acceptable accepted allowed already also authentication bad bandwidth choices conflict continue
  created dependency detected early entity exceeded expectation extended failed fields for forbidden found gateway gone header
  hints http i m im implemented information insufficient internal large legal limit locked long loop many media method
  misdirected modified moved multi-status multiple negotiates network no non-authoritative not ok other partial payload
  payment permanent permanently precondition processing protocols proxy range reasons redirect reported request requests
  reset satisfiable see server service storage supported switching teapot temporary timeout too unauthorized unavailable
  unprocessable unsupported upgrade uri use used variant version`
/** The usual words of explanations, which show nothing of a body. */
const USUAL = new Set(wordsOf(`${WORDS} ${OF_STATUSES}`).map(trimmed))

/** Returns each sequence of {@link PIECE} characters in the words of a text, as it is and without punctuation. */
export function piecesOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).flatMap((word) => [...piecesIn(word), ...piecesIn(plain(word))]))
}

/**
 * Whether an explanation may quote a part of a text, cut anywhere. A server may write punctuation in its own way. It is no
 * proof: any part of an unusual word in common counts.
 * @param pieces those of the text
 */
export function quotes(explanation: string, pieces: ReadonlySet<string>): boolean {
  if (pieces.size === 0) return false
  const words = wordsOf(explanation).filter((word) => !USUAL.has(trimmed(word)))
  return words.some((word) => [word, plain(word)].some((form) => piecesIn(form).some((piece) => pieces.has(piece))))
}

function wordsOf(text: string): string[] {
  return text
    .replace(ESCAPED, decoded)
    .toLowerCase()
    .split(/[\s"'`]+/)
}

function decoded(_escape: string, unit: string): string {
  return String.fromCharCode(Number.parseInt(unit, 16))
}

/** Without the punctuation around a word. Other marks may be a part of a secret. */
function trimmed(word: string): string {
  return /[\p{L}\p{N}+/=_-](?:[^]*[\p{L}\p{N}+/=_-])?/u.exec(word)?.[0] ?? ''
}

function plain(word: string): string {
  return word.replace(/[^\p{L}\p{N}]+/gu, '')
}

function piecesIn(word: string): string[] {
  return Array.from({ length: Math.max(0, word.length - PIECE + 1) }, (_, at) => word.slice(at, at + PIECE))
}
