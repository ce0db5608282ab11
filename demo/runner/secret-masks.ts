/** The values that the runner hides from the moment it knows them. */
export interface SecretMasks {
  /** A value of several lines is hidden as a whole and line by line. */
  add(value: string): void
  /** Replaces each stretch of text that secrets cover by `***`. */
  hide(text: string): string
  readonly values: ReadonlySet<string>
}

export function createSecretMasks(): SecretMasks {
  const values = new Set<string>()
  return {
    values,
    add(value) {
      for (const part of [value, ...value.split(/[\r\n]+/)]) {
        if (part !== '') values.add(part)
      }
    },
    hide: (text) => replaceStretches(text, mergedStretches(text, [...values])),
  }
}

type Stretch = [start: number, end: number]

/** Secrets may overlap or touch: they are hidden together, so that no part of one is visible. */
function mergedStretches(text: string, secrets: readonly string[]): Stretch[] {
  const found = secrets.flatMap((secret) => occurrences(text, secret)).sort(([a], [b]) => a - b)
  const merged: Stretch[] = []
  for (const [start, end] of found) {
    const last = merged.at(-1)
    if (last === undefined || start > last[1]) merged.push([start, end])
    else last[1] = Math.max(last[1], end)
  }
  return merged
}

function occurrences(text: string, secret: string): Stretch[] {
  const found: Stretch[] = []
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    found.push([at, at + secret.length])
  }
  return found
}

function replaceStretches(text: string, stretches: readonly Stretch[]): string {
  let shown = ''
  let from = 0
  for (const [start, end] of stretches) {
    shown += `${text.slice(from, start)}***`
    from = end
  }
  return shown + text.slice(from)
}
