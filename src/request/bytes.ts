/** A text as a string of its bytes (latin1): an answer is looked through in pieces, which may end inside a letter. */
export function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The text that the bytes between the quotes of a JSON string stand for. */
export function unquoted(bytes: string): string {
  const text = asText(bytes)
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return String(value)
  } catch {
    return text
  }
}
