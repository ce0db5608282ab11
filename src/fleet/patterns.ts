import createRules, { type Ignore } from 'ignore'

/**
 * Whether one of the files is of these patterns. Each has the form of a line of a .gitignore; the last one that matches a
 * file decides, and one that begins with `!` excepts it, as in `paths` of a workflow.
 */
export function touches(files: readonly string[], patterns: readonly string[]): boolean {
  const rules = patterns.map(ruleOf)
  return files.some((file) => rules.findLast(({ matcher }) => matcher.ignores(file.normalize()))?.isException === false)
}

function ruleOf(line: string): { isException: boolean; matcher: Ignore } {
  const [, sign, rest = ''] = /^(!?)([^]*)$/.exec(line.trim()) ?? []
  const pattern = rest.trim().replace(/^\.\//, '/')
  // A # begins a comment there, and a further ! an exception.
  const escaped = pattern.replace(/^[#!]/, String.raw`\$&`).normalize()
  // A submodule is a file to GitHub: one that changes has the name of the folder itself.
  const [, folder] = /^\/?([^]*\S)\/\*\*(?:\/\*)?$/.exec(escaped) ?? []
  const folders = sign === '!' || folder === undefined ? [] : [`/${folder}`]
  return {
    isException: sign === '!',
    matcher: createRules({ ignorecase: false, allowRelativePaths: true }).add([escaped, ...folders]),
  }
}
