import type { CommentNotes } from '../github/comment-body.ts'
import { PACE_MS, PERMISSION, StickyComment } from '../github/comment.ts'
import { GitHubError, isGone } from '../github/errors.ts'
import { withoutOurComment } from '../github/pull-questions.ts'
import { QUESTION_MS } from '../github/questions.ts'
import { openUnfinished } from '../report/fleet/standing.ts'
import { keptDeployment, nameOf, type RunRecord } from '../report/record.ts'
import type { PhaseTimes } from '../rollout/outcome.ts'
import { formatPhases, parsePhases } from '../rollout/read/earlier-rollouts.ts'
import type { MadeRevision } from '../rollout/read/own-revisions.ts'
import type { ChannelEvents, ChannelOptions, Showing } from './channel.ts'
import { deletedPreviews, latestStatus, madeRevisions, phaseTimes } from './record-facts.ts'
import { renderDeleted, renderProgress } from './render.ts'

export function commentChannel(
  issue: number,
  { connect, clock, log, phases, own }: ChannelOptions,
  { onFailure }: Pick<ChannelEvents, 'onFailure'>,
): Showing {
  let comment: StickyComment | undefined
  let ours: PhaseTimes | undefined
  const unfinishedOf = openUnfinished()
  let made: readonly MadeRevision[] = []
  let isDeleted = false
  let firstUntil: number | undefined
  const note = (noted: CommentNotes): CommentNotes => {
    const earlier = parsePhases(noted.took)
    phases.found(earlier)
    own.found(noted.made)
    return { took: withOurs(earlier, ours), made: isDeleted ? '' : own.wholeNoteOf(made) }
  }
  const commentOf = async (record: RunRecord): Promise<StickyComment> => {
    const about = { issue, deploymentName: nameOf(record), startedAt: record.startedAt }
    return (comment ??= new StickyComment(await connect(), { ...about, clock, note, onFailure }))
  }
  return {
    open: (record) => ({ commentOn: issue, ...(record.operation === 'fleet' && { unfinished: unfinishedOf(record) }) }),
    async progress(record) {
      const render = (): string => renderProgress(record, log.redact, clock.wallTime())
      const before = made.length
      made = madeRevisions(record)
      firstUntil ??= clock.now() + FIRST_MS
      const isBegun = made.length > 0 || latestStatus(record) !== undefined || clock.now() >= firstUntil
      // The final state is likely to follow, and shows more.
      const isOver = latestStatus(record)?.phase === 'terminal'
      const holdMs = isOver ? PACE_MS : isBegun ? undefined : firstUntil - clock.now()
      await (await commentOf(record)).show(render, { holdMs, isUrgent: made.length > before })
    },
    findNotes: async (record) => await (await commentOf(record)).findNotes(),
    async finish(record, final) {
      // The comment is about the rollout of the deployment, which still exists.
      if (keptDeployment(record) !== undefined) return
      // The run has not started anything: an earlier comment is still right.
      const { outcome } = record
      if (outcome.kind === 'skipped' && outcome.because !== 'revision') return
      if (record.operation === 'teardown' && outcome.kind === 'planned') return
      // Without an earlier comment, there is nothing to correct.
      const onlyIfThere = outcome.kind === 'nothing-to-tear-down'
      ours = phaseTimes(record)
      made = madeRevisions(record)
      isDeleted = record.operation === 'teardown'
      await (await commentOf(record)).finish(final.comment, { onlyIfThere })
    },
  }
}

/** How long the first text waits for the first revision, in milliseconds: the same update then has its note. */
const FIRST_MS = 2_000

/** A note is written again when its first delivery got no response. */
function withOurs(noted: readonly PhaseTimes[], ours: PhaseTimes | undefined): string {
  const earlier = formatPhases(noted)
  const isNoted = ours === undefined || formatPhases(noted.slice(-1)) === formatPhases([ours])
  return isNoted ? earlier : formatPhases([...noted, ours])
}

/** The comments on the pull requests whose previews a cleanup deleted. */
export function removedChannel({ connect, clock, log }: ChannelOptions): Showing {
  return {
    open: () => ({}),
    progress: () => Promise.resolve(),
    async finish(record) {
      let failure: GitHubError | undefined
      const previews = deletedPreviews(record)
      const issues = previews.flatMap(({ pullRequest }) => pullRequest ?? [])
      if (issues.length === 0) return
      const limits = { withinMs: QUESTION_MS, permission: PERMISSION } as const
      const silent = await withoutOurComment(await connect(), issues, limits)
      for (const { name: deploymentName, pullRequest: issue } of previews) {
        if (issue === undefined || silent.has(issue)) continue
        const about = { issue, deploymentName, startedAt: record.startedAt }
        const comment = new StickyComment(await connect(), { ...about, clock })
        try {
          await comment.finish(renderDeleted(deploymentName, record, log.redact), { onlyIfThere: true })
        } catch (thrown) {
          if (!(thrown instanceof GitHubError) || concernsAll(thrown)) throw thrown
          // A preview may outlive its pull request.
          if (!isGone(thrown)) failure ??= thrown
        }
      }
      if (failure !== undefined) throw failure
    },
  }
}

/** The same would happen with the comments of the other pull requests. */
function concernsAll({ lacks, status }: GitHubError): boolean {
  return lacks !== undefined || status === undefined || status === 429
}
