import createRules, { type Ignore } from 'ignore'
import { LongWork } from '../async.ts'
import type { Run } from '../rollout/dependencies.ts'

/** The names without a changed file. Those without `paths` take part; all do if GitHub does not report all files. */
export async function findUntouched(
  paths: ReadonlyMap<string, readonly string[] | undefined>,
  pullRequest: number,
  { gitHub, clock }: Pick<Run, 'gitHub' | 'clock'>,
): Promise<ReadonlySet<string>> {
  const hasPaths = [...paths.values()].some((patterns) => patterns !== undefined)
  const files = hasPaths ? await gitHub.pullRequestFiles(pullRequest) : undefined
  const untouched = new Set<string>()
  const work = new LongWork(clock)
  for (const [name, patterns] of paths) {
    if (patterns !== undefined && files !== undefined && !touches(files, patterns)) untouched.add(name)
    await work.giveWay()
  }
  return untouched
}

/**
 * Whether one of the files is of these patterns. Each has the form of a line of a .gitignore; the last one that matches a
 * file decides, and one that begins with `!` excepts it, as in `paths` of a workflow.
 */
export function touches(files: readonly string[], patterns: readonly string[]): boolean {
  const rules = patterns.map(ruleOf)
  return files.some((file) => rules.findLast(({ matcher }) => matcher.ignores(file))?.isException === false)
}

function ruleOf(given: string): { isException: boolean; matcher: Ignore } {
  const [, sign, rest = ''] = /^(!?)([^]*)$/.exec(given.trim()) ?? []
  const pattern = rest.trim().replace(/^\.\//, '/')
  // A # begins a comment there, and a further ! an exception.
  const escaped = pattern.replace(/^[#!]/, String.raw`\$&`)
  return {
    isException: sign === '!',
    matcher: createRules({ ignorecase: false, allowRelativePaths: true }).add(escaped),
  }
}
