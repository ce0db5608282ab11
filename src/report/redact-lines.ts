import { plainText } from './escape.ts'
import type { SecretIndex, Stretch } from './secret-index.ts'

/** `held`: the last lines, which may contain the beginning of a secret. They are decided with the lines that follow. */
export interface SplitLines {
  shown: string[]
  held: string[]
}

/** At the end of a log, a beginning of a secret is hidden if it has so many characters: a shorter one occurs by chance. */
const MIN_BEGINNING = 8

/**
 * Removes secrets from lines, also those that span several: lines of a secret of several lines, and pieces of one that
 * the server has cut at any place.
 */
export function redactAcross(lines: readonly string[], secrets: SecretIndex, isEnd: boolean): SplitLines {
  const plain = lines.flatMap((line) => plainText(line).split('\n'))
  const covered = plain.map((): Stretch[] => [])
  let shownLines = plain.length
  const forms = [joined(plain, '\n'), joined(plain, '')].map(({ text, starts }) => {
    const undecided = secrets.undecidedFrom(text)
    const stretches = secrets.stretches(text)
    if (!isEnd && undecided < text.length) shownLines = Math.min(shownLines, lineAt(starts, undecided))
    if (isEnd && text.length - undecided >= MIN_BEGINNING) stretches.push([undecided, text.length])
    for (const stretch of stretches) cover(stretch, starts, plain, covered)
    return stretches.map(([start, end]) => [lineAt(starts, start), lineAt(starts, end - 1)] as const)
  })
  // The rest of a secret is not recognised without its beginning: the lines of one are shown together.
  for (let before = Infinity; shownLines < before;) {
    before = shownLines
    for (const [first, last] of forms.flat()) if (first < shownLines && last >= shownLines) shownLines = first
  }
  const shown = plain.slice(0, shownLines).map((line, index) => withStars(line, covered[index] ?? []))
  return { shown, held: plain.slice(shownLines) }
}

interface Joined {
  text: string
  /** Where each line starts. */
  starts: number[]
}

function joined(lines: readonly string[], separator: string): Joined {
  let length = 0
  const starts = lines.map((line) => {
    const start = length
    length += line.length + separator.length
    return start
  })
  return { text: lines.join(separator), starts }
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

function cover([start, end]: Stretch, starts: readonly number[], lines: readonly string[], covered: Stretch[][]): void {
  for (let line = lineAt(starts, start); line < lines.length && (starts[line] ?? 0) < end; line++) {
    const offset = starts[line] ?? 0
    const from = Math.max(0, start - offset)
    const to = Math.min(lines[line]?.length ?? 0, end - offset)
    if (from < to) covered[line]?.push([from, to])
  }
}

function withStars(line: string, stretches: readonly Stretch[]): string {
  let shown = ''
  let from = 0
  for (const [start, end] of stretches.toSorted(([one], [other]) => one - other)) {
    if (start > from || shown === '') shown += `${line.slice(from, start)}***`
    from = Math.max(from, end)
  }
  return shown + line.slice(from)
}
