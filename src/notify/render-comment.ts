import { nameOf, type ConcludedRecord, type RolloutRecord } from '../report/record.ts'
import { addressLink, codeBlock, codeCell, excerpt } from '../report/escape.ts'
import { factsTable, sentence } from '../report/markdown.ts'
import { tellStory } from '../report/messages.ts'
import { formatDuration } from '../report/time.ts'

type Redact = (text: string) => string

/** The pull request's comment while the rollout goes on. */
export function renderProgress(record: RolloutRecord, redact: Redact, wallTime: number): string {
  const latest = record.timeline.at(-1)
  const status = latest === undefined ? 'about to begin' : `${codeCell(latest.status)} (${latest.phase})`
  return [
    `### 🚀 ${sentence(redact(nameOf(record)))} is being rolled out.`,
    factsOf(record, [
      ['Status', status],
      ['Since', formatDuration(wallTime - record.startedAt)],
    ]),
  ].join('\n\n')
}

/** The pull request's comment at the end: what became of it, and why. */
export function renderComment(record: ConcludedRecord, redact: Redact): string {
  const { mark, headline, reason, next } = tellStory(record)
  return [
    `### ${mark} ${sentence(redact(headline))}`,
    reason === undefined ? '' : codeBlock(excerpt(redact(reason), 30, 3000)),
    next === undefined ? '' : `**What to do next:** ${sentence(redact(next))}`,
    factsOf(record, [
      ['Outcome', codeCell(record.outcome.kind)],
      ['Duration', formatDuration(record.endedAt - record.startedAt)],
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function factsOf(record: RolloutRecord, own: [string, string][]): string {
  const { url, revision, revisionId, runUrl } = record
  return factsTable([
    ...own,
    ['Address', url === undefined ? '' : addressLink(url)],
    ['Commit', codeCell(revision?.repoCommitSha ?? record.commit ?? '')],
    ['Revision', codeCell(revisionId ?? '')],
    ['Run', runUrl === undefined ? '' : addressLink(runUrl)],
  ])
}

/** The comment of a run that was killed before it could tell how it ended. */
export function renderKilled(
  { deploymentName, revisionId }: { deploymentName: string; revisionId?: string | undefined },
  runUrl: string | undefined,
): string {
  return [
    `### ⚠️ The run for ${sentence(deploymentName)} was stopped.`,
    revisionId === undefined
      ? 'No revision is known to have been created.'
      : 'The rollout goes on remotely, as there is no way to cancel it. Run the job again to re-attach to it.',
    factsTable([
      ['Outcome', codeCell('cancelled')],
      ['Revision', codeCell(revisionId ?? '')],
      ['Run', runUrl === undefined ? '' : addressLink(runUrl)],
    ]),
  ].join('\n\n')
}
