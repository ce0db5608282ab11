/** The patterns of the input `only`: names of deployments, with `*` for any text and `?` for one character. */
export interface Only {
  included: readonly string[]
  /** Those that begin with `!`, without it. */
  excluded: readonly string[]
}

/** One pattern a line. */
export function parseOnly(text: string): Only {
  const lines = text.split('\n').map((line) => line.trim())
  const patterns = [...new Set(lines.filter((line) => line !== ''))]
  return {
    included: patterns.filter((pattern) => !pattern.startsWith('!')),
    excluded: patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1).trim()),
  }
}

/** An exclusion counts in any line. Exclusions alone are of all names. */
export function isNamedBy({ included, excluded }: Only, name: string): boolean {
  const isIncluded = included.length === 0 || included.some((pattern) => matchesName(pattern, name))
  return isIncluded && !excluded.some((pattern) => matchesName(pattern, name))
}

/** The patterns that match none of the names, as the input has them. */
export function patternsWithoutName({ included, excluded }: Only, names: readonly string[]): string[] {
  const isUnmatched = (pattern: string): boolean => !names.some((name) => matchesName(pattern, name))
  return [...included.filter(isUnmatched), ...excluded.filter(isUnmatched).map((pattern) => `!${pattern}`)]
}

/** Case counts. Takes no more steps than the product of both lengths, whatever the pattern. */
export function matchesName(pattern: string, name: string): boolean {
  let [at, from] = [0, 0]
  /** The last `*`, and where the text that it covers ends so far. */
  let star: { at: number; end: number } | undefined
  while (from < name.length) {
    const sign = pattern[at]
    if (sign === '*') star = { at: at++, end: from }
    else if (sign !== undefined && (sign === '?' || sign === name[from])) {
      at += 1
      from += 1
    } else if (star === undefined) return false
    else {
      star.end += 1
      at = star.at + 1
      from = star.end
    }
  }
  return /^\**$/.test(pattern.slice(at))
}
