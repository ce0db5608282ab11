export function parseJson(body: string): { ok: true; value: unknown } | { ok: false } {
  try {
    const value: unknown = JSON.parse(body)
    return { ok: true, value }
  } catch {
    return { ok: false }
  }
}
