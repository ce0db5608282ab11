import { LongWork } from '../async.ts'
import { touches } from '../fleet/patterns.ts'
import type { PullRequestFiles } from '../github/read.ts'
import type { Run } from '../rollout/dependencies.ts'

/**
 * Whether an entry takes part in the pull request: only if it changes one of the entry's files. `unlisted`: GitHub lists
 * some of the files only; `unanswered`: it has not listed them. Both are safe for a rollout, and unsafe for a deletion.
 */
export type Part = 'touched' | 'untouched' | 'unlisted' | 'unanswered'

/** By the names of the entries. Those without `paths` take part. `consequence`: of unknown files, for the warning. */
export async function findParts(
  paths: ReadonlyMap<string, readonly string[] | undefined>,
  pullRequest: number,
  consequence: string,
  { gitHub, clock }: Pick<Run, 'gitHub' | 'clock'>,
): Promise<ReadonlyMap<string, Part>> {
  const hasPaths = [...paths.values()].some((patterns) => patterns !== undefined)
  const files = hasPaths ? await gitHub.pullRequestFiles(pullRequest, consequence) : undefined
  const parts = new Map<string, Part>()
  const work = new LongWork(clock)
  for (const [name, patterns] of paths) {
    parts.set(name, patterns === undefined ? 'touched' : partOf(patterns, files))
    await work.giveWay()
  }
  return parts
}

function partOf(patterns: readonly string[], files: PullRequestFiles | undefined): Part {
  if (files === undefined) return 'unanswered'
  if (touches(files.paths, patterns)) return 'touched'
  return files.isWhole ? 'untouched' : 'unlisted'
}
