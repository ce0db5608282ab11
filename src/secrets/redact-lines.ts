import { plainText, shortLine, startsOf, type Stretch } from './text.ts'
import type { SecretIndex } from './secret-index.ts'

/** `held`: the last lines, which may contain the beginning of a secret. They are decided with the lines that follow. */
export interface SplitLines {
  ready: string[]
  held: string[]
}

/** The lines that are known, and whether more of the log came before them and may follow. */
export interface KnownPart {
  lines: readonly string[]
  isStart: boolean
  isEnd: boolean
}

/** Beside unknown text, a part of a secret of at least this length is hidden: a shorter one occurs by chance. */
const MIN_PART = 8
/** In characters: the rest of a line is not shown. */
const MAX_LINE = 2_000
/** In characters: the least that is read of a line beyond `MAX_LINE`. It may be the rest of an address with a login. */
const MIN_MARGIN = 1_000
/** Replaces the middle of a long line. No text of a server has it: it is no character. */
const GAP = '\uffff'
/** The kept part of the end of a log, in characters: more than is shown, unless secrets are very long. */
const MAX_TAIL = 512 * 1024

/** Removes secrets from lines, also those of several lines, and pieces of one that the server has cut at any place. */
export function redactAcross({ lines, isStart, isEnd }: KnownPart, secrets: SecretIndex): SplitLines {
  const plain = lines.flatMap((line) => keptLines(line, secrets))
  const covered = plain.map((line) => beginningsBeforeGap(line, secrets))
  let shownLines = plain.length
  const forms = ['\n', ''].map((separator) => {
    const text = plain.join(separator)
    const starts = startsOf(plain, separator)
    const undecided = secrets.undecidedFrom(text)
    const ending = isStart ? 0 : secrets.lengthOfEnding(text, MIN_PART)
    const stretches = secrets.stretches(text)
    if (!isEnd && undecided < text.length) shownLines = Math.min(shownLines, lineAt(starts, undecided))
    if (isEnd && text.length - undecided >= MIN_PART) stretches.push([undecided, text.length])
    if (ending > 0) stretches.push([0, ending])
    return stretches.map(([start, end]) => {
      const [first, last] = [lineAt(starts, start), lineAt(starts, end - 1)]
      for (let line = first; line <= last; line++)
        covered[line]?.push([start - (starts[line] ?? 0), end - (starts[line] ?? 0)])
      return [first, last] as const
    })
  })
  // The rest of a secret is not recognised without its beginning: the lines of one are shown together.
  for (let before = Infinity; shownLines < before;) {
    before = shownLines
    for (const [first, last] of forms.flat()) if (first < shownLines && last >= shownLines) shownLines = first
  }
  const ready = plain.slice(0, shownLines).map((line, index) => withStars(line, covered[index] ?? []))
  return { ready, held: plain.slice(shownLines) }
}

/**
 * The end of a log without what is never shown. It may be redacted later, when more secrets are known: of a long line,
 * the longest secret is kept beyond what is shown, and before its end, because the next line may continue one.
 */
export function keepEnd(lines: readonly string[], secrets: SecretIndex): string[] {
  const kept: string[] = []
  let remainingCharacters = MAX_TAIL
  for (const line of lines.toReversed().flatMap((one) => keptLines(one, secrets).reverse())) {
    remainingCharacters -= line.length
    if (remainingCharacters < 0 && kept.length > 0) break
    kept.push(line)
  }
  // A part of a text holds all of it in memory: these become parts of one that is not longer.
  return kept.length === 0 ? [] : kept.reverse().join('\n').split('\n')
}

/** A line as far as it is shown. `redact` need not read the rest. */
export function shownPart(line: string, redact: (text: string) => string): string {
  const most = MAX_LINE + MIN_MARGIN
  const redacted = redact(line.length > most ? line.slice(0, most) + GAP : line)
  const gap = redacted.indexOf(GAP)
  return shortLine(redacted, gap < 0 ? MAX_LINE : Math.min(gap, MAX_LINE))
}

function keptLines(line: string, { longest }: SecretIndex): string[] {
  const margin = Math.max(longest, MIN_MARGIN)
  return plainText(line)
    .split('\n')
    .map((plain) =>
      plain.length <= MAX_LINE + 2 * margin + GAP.length
        ? plain
        : plain.slice(0, MAX_LINE + margin) + GAP + plain.slice(-margin),
    )
}

/** Secrets before it make a line shorter: then a beginning of one is shown that was far behind what is shown. */
function beginningsBeforeGap(line: string, secrets: SecretIndex): Stretch[] {
  const gap = line.indexOf(GAP)
  const undecided = gap < 0 ? gap : secrets.undecidedFrom(line.slice(0, gap))
  return undecided < gap ? [[undecided, gap]] : []
}

/** The line that a character is in: the last one that starts at it or before. */
function lineAt(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** @param stretches may begin and end outside of the line */
function withStars(line: string, stretches: readonly Stretch[]): string {
  let masked = ''
  let from = 0
  for (const [begin, end] of stretches.toSorted(([firstBegin], [secondBegin]) => firstBegin - secondBegin)) {
    const start = Math.max(0, begin)
    if (start >= Math.min(end, line.length)) continue
    if (start > from || masked === '') masked += `${line.slice(from, start)}***`
    from = Math.max(from, end)
  }
  return masked + line.slice(from)
}
