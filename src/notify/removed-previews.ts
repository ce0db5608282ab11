import { GitHubError, isGone } from '../github/errors.ts'
import { renderComment } from './render-comment.ts'
import type { ConcludedRecord, Removal } from '../report/record.ts'
import type { Voice, VoiceOptions } from './channel.ts'

/** Says on the pull requests of the previews that a sweep has taken down that they are gone. */
export function removedVoice({ connect, clock, log }: VoiceOptions): Voice {
  return {
    async progress() {
      // A sweep has nothing to tell before a preview is gone.
    },
    async finish(record) {
      const { openStickyComment } = await import('../github/comment.ts')
      let trouble: GitHubError | undefined
      for (const removal of record.removals) {
        const { name: deploymentName, pullRequest: issue, result } = removal
        if (result !== 'removed' || issue === undefined) continue
        const about = { issue, deploymentName, startedAt: record.startedAt }
        const comment = openStickyComment(await connect(), { ...about, clock })
        const markdown = renderComment(ofOne(record, removal), log.redact)
        try {
          // Where nothing was ever said, there is no need to say that nothing is there.
          await comment.finish(markdown, { onlyIfThere: true })
        } catch (thrown) {
          if (!(thrown instanceof GitHubError) || concernsAll(thrown)) throw thrown
          // A preview may outlive its pull request.
          if (!isGone(thrown)) trouble ??= thrown
        }
      }
      if (trouble !== undefined) throw trouble
    },
  }
}

/** The others would fare no better. */
function concernsAll({ lacks, status }: GitHubError): boolean {
  return lacks !== undefined || status === undefined || status === 429
}

/** What a teardown of this one alone would have told. Neither the commit nor the revision of the run is the preview's. */
function ofOne(record: ConcludedRecord, removal: Removal): ConcludedRecord {
  const { id, name } = removal
  const nothing = { url: undefined, commit: undefined, revision: undefined, revisionId: undefined }
  const outcome = { kind: 'torn-down' } as const
  return { ...record, ...nothing, target: name, deployment: { id, name }, removals: [removal], outcome }
}
