import { endOfString } from '../control-plane/json.ts'

/**
 * The entries of a list in a JSON text, each as it is written there: a parser would round its numbers.
 * @param text valid JSON
 * @param field of an object, that holds the list; nothing when the text is the list itself
 */
export function rawEntries(text: string, field: string | undefined): string[] {
  const listDepth = field === undefined ? 1 : 2
  let entries: string[] = []
  let depth = 0
  /** Where an entry of the list begins; nothing outside of the list. */
  let start: number | undefined
  let lastString = ''
  let key: unknown
  const take = (end: number): void => {
    const entry = text.slice(start, end).trim()
    if (entry !== '') entries.push(entry)
  }
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at)
        if (depth === 1) lastString = text.slice(at, end + 1)
        at = end
        break
      }
      case ':':
        if (depth === 1) key = JSON.parse(lastString)
        break
      case '[':
      case '{':
        depth += 1
        if (depth !== listDepth || text[at] === '{' || key !== field) break
        // Of several fields of one name the last one counts.
        entries = []
        start = at + 1
        break
      case ',':
        if (start === undefined || depth !== listDepth) break
        take(at)
        start = at + 1
        break
      case ']':
      case '}':
        if (start !== undefined && depth === listDepth) {
          take(at)
          start = undefined
        }
        depth -= 1
        break
      default:
    }
  }
  return entries
}
