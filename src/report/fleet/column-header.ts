/** A character of code is almost as wide as two spaces of a header. */
const SPACES_PER_CHARACTER = 1.85
/** A letter of a header is a little narrower than a character of code. */
const CHARACTERS_PER_LETTER = 0.9

/**
 * The header of a column of code, as wide as its longest text: a browser makes columns narrow beside a wide one, and would
 * break every name at its hyphens.
 * @param max characters; a longer text breaks, because the table must fit the page
 */
function columnHeader(word: string, texts: readonly (string | undefined)[], max: number): string {
  const width = Math.min(
    max,
    texts.reduce((longest, text = '') => Math.max(longest, text.length), 0),
  )
  const spaces = Math.ceil((width - word.length * CHARACTERS_PER_LETTER) * SPACES_PER_CHARACTER)
  return word + '&nbsp;'.repeat(Math.max(0, spaces))
}

export function nameHeader(names: readonly string[]): string {
  return columnHeader('Deployment', names, 40)
}

export function reasonHeader(reasons: readonly (string | undefined)[]): string {
  return columnHeader('Reason', reasons, 30)
}
