import { openStickyComment, type StickyComment } from '../github/comment.ts'
import { nameOf, type RunRecord } from '../report/record.ts'
import type { Channel, ChannelEvents, ChannelOptions } from './channel.ts'
import { latestStatus } from './record-facts.ts'
import { renderProgress } from './render-comment.ts'

/** The comment of a deployment on a pull request. */
export function commentChannel(
  issue: number,
  { connect, clock, log }: ChannelOptions,
  { onFailure }: Pick<ChannelEvents, 'onFailure'>,
): Channel {
  let comment: StickyComment | undefined
  const commentOf = async (record: RunRecord): Promise<StickyComment> => {
    const about = { issue, deploymentName: nameOf(record), startedAt: record.startedAt }
    return (comment ??= openStickyComment(await connect(), { ...about, clock, onFailure }))
  }
  return {
    name: 'pull-request comment',
    open: () => ({ commentOn: issue }),
    async progress(record) {
      const render = (): string => renderProgress(record, log.redact, clock.wallTime())
      // The final state is likely to follow, and shows more.
      const hold = latestStatus(record)?.phase === 'terminal'
      await (await commentOf(record)).show(render, { hold })
    },
    async finish(record, final) {
      // Without an earlier comment, there is nothing to correct.
      const onlyIfThere = record.outcome.kind === 'nothing-to-tear-down'
      await (await commentOf(record)).finish(final.comment, { onlyIfThere })
    },
  }
}
