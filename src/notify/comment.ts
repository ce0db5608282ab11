import { PACE_MS, PERMISSION, StickyComment } from '../github/comment.ts'
import { GitHubError, isGone } from '../github/errors.ts'
import { withoutOurComment } from '../github/read.ts'
import { QUESTION_MS } from '../github/questions.ts'
import { Unfinished } from '../report/fleet/results.ts'
import { keptDeployment, latestStatus, nameOf, type FinalRecord, type RunRecord } from '../report/record.ts'
import { renderDeleted, renderProgress } from '../report/summary.ts'
import type { CommentNotes } from '../notes/comment-head.ts'
import type { MadeRevision } from '../rollout/read/own-revisions.ts'
import type { ChannelOptions, Showing } from './channel.ts'
import type { FinalState, OpenRun } from './post.ts'
import { deletedPreviews, madePreviews, madeRevisions } from './record-facts.ts'

export class CommentChannel implements Showing {
  readonly name = 'pull-request comment'
  readonly #issue: number
  readonly #options: ChannelOptions
  readonly #unfinished = new Unfinished()
  #comment: StickyComment | undefined
  #made: readonly MadeRevision[] = []
  #isDeleted = false
  #previews: readonly string[] = []
  #firstUntil: number | undefined

  constructor(issue: number, options: ChannelOptions) {
    this.#issue = issue
    this.#options = options
  }

  open(record: RunRecord): Partial<OpenRun> {
    const unfinished = record.operation === 'fleet' ? this.#unfinished.countIn(record) : undefined
    return { commentOn: this.#issue, ...(unfinished && { unfinished }) }
  }

  async progress(record: RunRecord): Promise<void> {
    const { clock, log } = this.#options
    const render = (): string => renderProgress(record, log.redact, clock.wallTime())
    const before = this.#made.length
    this.#made = madeRevisions(record)
    this.#previews = madePreviews(record, this.#options.scope)
    this.#firstUntil ??= clock.now() + FIRST_MS
    const latest = latestStatus(record)
    const isProgressDue = this.#made.length > 0 || latest !== undefined || clock.now() >= this.#firstUntil
    // The final state is likely to follow soon, and shows more.
    const holdMs = latest?.phase === 'terminal' ? PACE_MS : isProgressDue ? undefined : this.#firstUntil - clock.now()
    await (await this.#commentOf(record)).show(render, { holdMs, isUrgent: this.#made.length > before })
  }

  async findNotes(record: RunRecord): Promise<void> {
    await (await this.#commentOf(record)).findNotes()
  }

  async finish(record: FinalRecord, final: FinalState): Promise<void> {
    // The comment is about the rollout of the deployment, which still exists.
    if (keptDeployment(record) !== undefined) return
    // The run has not started anything: an earlier comment is still right.
    const { outcome } = record
    if (outcome.kind === 'skipped' && outcome.because !== 'revision') return
    if (record.operation === 'teardown' && outcome.kind === 'planned') return
    // Without an earlier comment, there is nothing to correct.
    const isEmpty = record.operation === 'fleet' && outcome.kind === 'unchanged' && record.deployments.length === 0
    const onlyIfThere = isEmpty || outcome.kind === 'nothing-to-tear-down'
    this.#made = madeRevisions(record)
    this.#previews = madePreviews(record, this.#options.scope)
    this.#isDeleted = record.operation === 'teardown'
    await (await this.#commentOf(record)).finish(final.comment, { onlyIfThere })
  }

  async #commentOf(record: RunRecord): Promise<StickyComment> {
    const { connect, clock, onFailure } = this.#options
    const options = { issue: this.#issue, deploymentName: nameOf(record), startedAt: record.startedAt, clock }
    return (this.#comment ??= new StickyComment(await connect(), {
      ...options,
      changeNotes: this.#changeNotes,
      onFailure,
    }))
  }

  readonly #changeNotes = ({ revisions, previews }: CommentNotes): CommentNotes => {
    const { own } = this.#options
    own.addEarlierNotes(revisions)
    return {
      revisions: this.#isDeleted ? [] : own.notesWithEarlier(this.#made),
      // The note of a preview stays after its deletion, which may have failed.
      previews: [...previews, ...this.#previews],
    }
  }
}

/** How long the first text waits for the first revision, in milliseconds: the same update then has its note. */
const FIRST_MS = 2_000

/** The comments on the pull requests whose previews a cleanup deleted. */
export function removedChannel({ connect, clock, log }: ChannelOptions): Showing {
  return {
    name: 'comment of a deleted preview',
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
        const options = { issue, deploymentName, startedAt: record.startedAt }
        const comment = new StickyComment(await connect(), { ...options, clock })
        try {
          await comment.finish(renderDeleted(deploymentName, record, log.redact), { onlyIfThere: true })
        } catch (thrown) {
          if (!(thrown instanceof GitHubError) || isAboutAllComments(thrown)) throw thrown
          // A preview may outlive its pull request.
          if (!isGone(thrown)) failure ??= thrown
        }
      }
      if (failure !== undefined) throw failure
    },
  }
}

/** Whether the same would happen with the comments of the other pull requests. */
function isAboutAllComments({ lacks, status }: GitHubError): boolean {
  return lacks !== undefined || status === undefined || status === 429
}
