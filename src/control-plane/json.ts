/** `bloated`: it would take far more memory than its text does; nothing that the contract describes comes near. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; bloated: boolean }

/** @param maxParts about how many values it may have */
export function parseJson(text: string, maxParts = MAX_PARTS): ParsedJson {
  if (text.length > HARMLESS_LENGTH && isBloated(text, maxParts)) return { ok: false, bloated: true }
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value }
  } catch {
    return { ok: false, bloated: false }
  }
}

/** In characters: what is shorter cannot do harm. */
const HARMLESS_LENGTH = 100_000
const MAX_DEPTH = 100
const MAX_PARTS = 100_000

/** Counts the values of a text, and how deeply they are nested, without making any of them. */
function isBloated(text: string, maxParts: number): boolean {
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === ']' || char === '}') depth -= 1
    else if (char === '[' || char === '{') depth += 1
    if (char === '[' || char === '{' || char === ',') parts += 1
    if (depth > MAX_DEPTH || parts > maxParts) return true
  }
  return false
}

/** Where a string ends that begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}
