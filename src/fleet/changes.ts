import { isDeepStrictEqual } from 'node:util'
import { type Deployment, FORMS, sameId } from '../control-plane/model.ts'
import type { FilesSince } from '../github/changed-files.ts'
import { builtRefOf, sameCommit, sameRepository } from '../rollout/plan/repository.ts'
import type { FleetEntry, ManifestTexts, NotSelectedReason } from './fleet-request.ts'
import { touches } from './patterns.ts'

/** Why an entry takes part. */
export type Because =
  /** Its files do not decide. `not-active`: its newest revision has failed, or is not active. */
  | { kind: 'no-paths' | 'other-code' | 'missing' | 'not-active' }
  /** Its text or that of `defaults`; a file that it names; one in its `paths`. */
  | { kind: 'manifest' | 'file' | 'paths' }
  | { kind: 'unclear'; why: Unclear }

/** Why it is not known whether the files of an entry have changed. */
export type Unclear =
  | { kind: 'no-event-commit' | 'no-active-revision' | 'no-commit' | 'too-many-commits' }
  /** `commit`: the one with which the files were to be compared. */
  | { kind: 'unknown-commit' | 'too-many-files' | 'no-manifest'; commit: string }
  | { kind: 'other-history'; commit: string; status: string }
  /** `failure`: a sentence. */
  | { kind: 'unanswered'; failure: string }

/** `head`: the code of the event, in which an entry's files are looked for. */
interface Comparable {
  kind: 'comparable'
  head: string
  deployment: Deployment
}

/** Decides without any file, if that is possible. `deployment`: undefined if none has the name, or it is not known. */
export function withoutFiles(
  { request, inRepository }: FleetEntry,
  deployment: Deployment | undefined,
): Because | Comparable {
  if (inRepository?.paths === undefined) return { kind: 'no-paths' }
  if (deployment === undefined) return { kind: 'missing' }
  if (request.promoteFrom !== undefined || request.repository.mergedInto !== undefined) return { kind: 'other-code' }
  const built = builtRefOf(request, deployment)
  if (built !== undefined && (built.commit === undefined || buildsOther(request, deployment, built.ref)))
    return { kind: 'other-code' }
  const { activeRevisionId: active, latestRevisionId: latest, isBeingDeleted } = deployment
  // null: none is active.
  const isLatestActive = active === undefined || sameId(active, latest)
  if (!isLatestActive || isBeingDeleted) return { kind: 'not-active' }
  // The reported commit may be that of a later revision, and that one may have failed.
  if (active === undefined) return { kind: 'unclear', why: { kind: 'no-active-revision' } }
  const head = built?.commit ?? request.repository.commit
  if (head === undefined) return { kind: 'unclear', why: { kind: 'no-event-commit' } }
  return { kind: 'comparable', head, deployment }
}

/** Whether the entry builds another repository than its deployment, or another ref. */
function buildsOther(
  { settings, repository: { repoUrl: here } }: FleetEntry['request'],
  { branch, settings: reported }: Deployment,
  ref: string | undefined,
): boolean {
  const isOtherRepository =
    settings.repoUrl !== undefined && here !== undefined && !sameRepository(settings.repoUrl, here)
  const reportedRef = branch ?? reported.repoRef
  return isOtherRepository || (reportedRef !== undefined && ref !== undefined && reportedRef !== ref)
}

/** The commit with which the files are compared; undefined if unknown. `noted`: that of the active revision's run. */
export function deployedCommit({ repoCommitSha }: Deployment, noted: string | undefined): string | undefined {
  const commit = repoCommitSha ?? noted
  return commit !== undefined && FORMS.fullCommit.test(commit) ? commit : undefined
}

/** The changes since a commit, as far as GitHub shows them. `changed`: the files, as `foldedPath` has them. */
export interface Since {
  commit: string
  files: FilesSince | { kind: 'unclear'; why: Unclear }
  changed: ReadonlySet<string>
  /** Of the manifest at the commit; undefined if it cannot be read. */
  before: ManifestTexts | undefined
  hasSameDefaults: boolean
}

/** Compares once the facts that are the same for all entries. */
export function sinceCommit(
  { commit, files, before }: Pick<Since, 'commit' | 'files' | 'before'>,
  now: ManifestTexts,
): Since {
  const changed = new Set(files.kind === 'known' ? files.paths.map(foldedPath) : [])
  return { commit, files, changed, before, hasSameDefaults: isDeepStrictEqual(before?.defaults, now.defaults) }
}

/** Some systems find a file whatever the case and the Unicode form of its name. */
function foldedPath(file: string): string {
  return file.normalize().toLowerCase()
}

/** Whether the entry takes part, by what has changed since a commit. */
export function byFiles(
  { name, inRepository }: FleetEntry,
  head: string,
  { commit, files, changed, before, hasSameDefaults }: Since,
  texts: ManifestTexts,
): Because | NotSelectedReason {
  const { paths = [], files: named = [] } = inRepository ?? {}
  if (files.kind !== 'known') return { kind: 'unclear', why: whyUnclear(files, commit) }
  if (before === undefined) return { kind: 'unclear', why: { kind: 'no-manifest', commit } }
  const isSameText = hasSameDefaults && isDeepStrictEqual(before.entries.get(name), texts.entries.get(name))
  if (!isSameText) return { kind: 'manifest' }
  if (named.some((file) => changed.has(foldedPath(file)))) return { kind: 'file' }
  if (touches(files.paths, paths)) return { kind: 'paths' }
  return { kind: 'no-change', paths, since: commit, isCurrent: sameCommit(commit, head) }
}

function whyUnclear(files: Exclude<Since['files'], { kind: 'known' }>, commit: string): Unclear {
  switch (files.kind) {
    case 'unclear':
      return files.why
    case 'too-many':
      return { kind: 'too-many-files', commit }
    case 'other-history':
      return { kind: 'other-history', commit, status: files.status }
  }
}

/** The decision of `changed-since`. */
export interface Selection {
  /** As the step has it. */
  since: string
  /** The commit of that ref; undefined for `deployed`, and where GitHub has not returned it. */
  commit: string | undefined
  /** Why each selected entry of the shard takes part, by its name. */
  selected: ReadonlyMap<string, Because>
}
