import createRules from 'ignore'

/**
 * Whether one of the files is of these patterns. Each has the form of a line of a .gitignore; the last one that matches a
 * file decides, and one that begins with `!` excepts it, as in `paths` of a workflow.
 */
export function touches(files: readonly string[], patterns: readonly string[]): boolean {
  const rules = patterns.map(ruleOf)
  return files.some((file) => rules.findLast(({ matches }) => matches(file))?.isException === false)
}

interface Rule {
  isException: boolean
  matches: (file: string) => boolean
}

function ruleOf(given: string): Rule {
  const [, sign, pattern = ''] = /^(!?)([^]*)$/.exec(given.trim()) ?? []
  // A # begins a comment there, and a further ! an exception.
  const rules = createRules({ ignorecase: false, allowRelativePaths: true }).add(
    pattern
      .trim()
      .replace(/^\.\//, '/')
      .replace(/^[#!]/, String.raw`\$&`),
  )
  return { isException: sign === '!', matches: (file) => rules.ignores(file) }
}
