import type { StickyComment } from '../github/comment.ts'
import { renderComment, renderProgress } from './render-comment.ts'
import { nameOf, type RolloutRecord } from '../report/record.ts'
import type { Voice, VoiceOptions } from './channel.ts'

/**
 * Keeps the comment of a deployment on a pull request.
 * @param onTrouble told of what goes wrong with a text that is written later
 */
export function commentVoice(
  issue: number,
  { connect, clock, log }: VoiceOptions,
  onTrouble: (thrown: unknown) => void,
): Voice {
  let comment: StickyComment | undefined
  const open = async (record: RolloutRecord): Promise<StickyComment> => {
    const { openStickyComment } = await import('../github/comment.ts')
    const about = { issue, deploymentName: nameOf(record), startedAt: record.startedAt }
    return (comment ??= openStickyComment(await connect(), { ...about, clock, onFailure: onTrouble }))
  }
  return {
    async progress(record) {
      const render = (): string => renderProgress(record, log.redact, clock.wallTime())
      // The end follows, and says more.
      const hold = record.timeline.at(-1)?.phase === 'terminal'
      await (await open(record)).show(render, { hold })
    },
    async finish(record) {
      const markdown = renderComment(record, log.redact)
      // Where nothing was ever said, there is no need to say that nothing is there.
      const onlyIfThere = record.outcome.kind === 'nothing-to-tear-down'
      await (await open(record)).finish(markdown, { onlyIfThere })
    },
  }
}
