import { MIN_DISTINCTIVE_LENGTH } from '../plain-value.ts'
import { MIN_SECRET_LENGTH } from './secret-index.ts'

const WORD_CHARACTER = /[\p{L}\p{N}_]/u
const WORD_START = /(?<![\p{L}\p{N}_])[\p{L}\p{N}]/gu

/** Replaces plain values in a text where they are whole words: `info` is hidden in `level=info`, not in `information`. */
export function withoutWords(text: string, words: ReadonlySet<string>): string {
  if (words.size === 0) return text
  let shown = ''
  let from = 0
  for (const { index } of text.matchAll(WORD_START)) {
    const end = index < from ? undefined : endOfWord(text, index, words)
    if (end === undefined) continue
    shown += `${text.slice(from, index)}***`
    from = end
  }
  return shown + text.slice(from)
}

/** Where the longest of the words ends that begins at a place of a text. */
function endOfWord(text: string, at: number, words: ReadonlySet<string>): number | undefined {
  for (let length = MIN_DISTINCTIVE_LENGTH - 1; length >= MIN_SECRET_LENGTH; length--) {
    const end = at + length
    if (words.has(text.slice(at, end)) && !isInWord(text, end)) return end
  }
  return undefined
}

/** Whether a word continues at a place of a text. */
function isInWord(text: string, at: number): boolean {
  const code = text.codePointAt(at)
  return code !== undefined && WORD_CHARACTER.test(String.fromCodePoint(code))
}
