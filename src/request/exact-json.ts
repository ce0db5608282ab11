declare global {
  interface JSON {
    // Node 24 has both; TypeScript does not declare them yet.
    parse(
      text: string,
      revive: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
    rawJSON(text: string): object
  }
}

/**
 * Parses JSON so that JSON.stringify writes each number with its own digits, like 12345678901234567890 or 1.10.
 * @throws SyntaxError for other text; RangeError if it is nested too deeply
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value)
      ? JSON.rawJSON(source)
      : value,
  )
}
