/** An entry of a JSON object; `value` is `undefined` unless it is a string. */
export interface JsonEntry {
  name: string
  value: string | undefined
}

/** The tokens of valid JSON that determine the position of a string. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/**
 * Lists the entries of a JSON object in order, duplicate names included; JSON.parse keeps only the last duplicate.
 * `undefined` if the text is not JSON.
 */
export function jsonEntries(json: string): JsonEntry[] | undefined {
  if (!isJson(json)) return undefined
  const entries: JsonEntry[] = []
  let depth = 0
  let before = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--
    if (depth === 1 && token.startsWith('"')) {
      const last = entries.at(-1)
      if (before !== ':') entries.push({ name: textOf(token), value: undefined })
      else if (last !== undefined) last.value = textOf(token)
    }
    if (token === '{' || token === '[') depth++
    before = token
  }
  return entries
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(token: string): string {
  const value: unknown = JSON.parse(token)
  return String(value)
}
