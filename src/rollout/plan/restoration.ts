import { withBranch, type Revision, type Source } from '../../control-plane/model.ts'
import { differenceOf } from './diff.ts'
import type { Restoration } from './plan.ts'
import { isTag, sameCommit } from './repository.ts'
import { repeatable, REPORTED_BY_REVISION, setFields } from './settings.ts'

/**
 * Plans how a revision is restored. A branch moves on: only a redeploy can build its earlier commit again, and only the
 * reported commit proves it.
 * @returns `commit-unknown`: the revision is of a branch, and reports no commit
 */
export function planRestoration(to: Revision, source: Source): Restoration | 'commit-unknown' {
  const settings = repeatable(to.settings, source)
  if (source !== 'git_host') return { to, draft: { source, settings }, commit: undefined }
  const { repoCommitSha: commit } = to
  if (isTag(settings.repoRef)) return { to, draft: { source, settings }, commit }
  return commit === undefined ? 'commit-unknown' : { to, draft: undefined, commit }
}

/** Whether a revision of the source can be repeated: a tag, an image or an upload (interface, "rollback"). */
export function isRepeatable(source: Source, { repoRef, imageUri, sourceTarballPath }: Revision['settings']): boolean {
  switch (source) {
    case 'git_host':
      return repoRef !== undefined
    case 'external_container':
    case 'internal_container':
      return imageUri !== undefined
    case 'internal_source':
      return sourceTarballPath !== undefined
    case 'internal_template':
      return false
  }
}

/** What distinguishes two revisions; a value that one of them does not report distinguishes nothing. */
export function distinction(one: Revision, to: Revision): 'settings' | 'commit' | undefined {
  const both = setFields(to.settings, REPORTED_BY_REVISION).filter((field) => one.settings[field] !== undefined)
  // A revision may show its commit in place of the tag; the commit is compared below.
  const shown = withBranch(one.settings, to.settings.repoRef)
  if (both.some((field) => differenceOf(field, shown, to.settings) !== 'same')) return 'settings'
  const [built, wanted] = [one.repoCommitSha, to.repoCommitSha]
  return built === undefined || wanted === undefined || sameCommit(built, wanted) ? undefined : 'commit'
}

/** Whether the revision reports everything that `to` does, with the same values. */
export function isProvenSame(one: Revision, to: Revision): boolean {
  const fields = setFields(to.settings, REPORTED_BY_REVISION)
  const isReported = fields.length > 0 && fields.every((field) => one.settings[field] !== undefined)
  const hasCommit = to.repoCommitSha === undefined || one.repoCommitSha !== undefined
  return isReported && hasCommit && distinction(one, to) === undefined
}
