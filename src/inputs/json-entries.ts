/** An entry of a JSON object; no value when that is not a text. */
export interface JsonEntry {
  name: string
  value: string | undefined
}

/** Of valid JSON, all that tells where a string stands. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/**
 * The entries of a JSON object in their order, those of equal names too: JSON.parse keeps the last of them in silence.
 * Nothing when it is no JSON.
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
