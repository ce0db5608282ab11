import { openStickyComment } from '../github/comment.ts'
import { GitHubError, isGone } from '../github/errors.ts'
import type { Channel, ChannelOptions } from './channel.ts'
import { deletedPreviews } from './record-facts.ts'
import { renderDeleted } from './render-comment.ts'

/** The comments on the pull requests whose previews a cleanup deleted. */
export function removedChannel({ connect, clock, log }: ChannelOptions): Channel {
  return {
    name: 'comment of a deleted preview',
    open: () => ({}),
    progress: () => Promise.resolve(),
    async finish(record) {
      let failure: GitHubError | undefined
      for (const { name: deploymentName, pullRequest: issue } of deletedPreviews(record)) {
        if (issue === undefined) continue
        const about = { issue, deploymentName, startedAt: record.startedAt }
        const comment = openStickyComment(await connect(), { ...about, clock })
        try {
          // Without an earlier comment, there is nothing to correct.
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
