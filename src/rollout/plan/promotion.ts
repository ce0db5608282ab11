import { type Api, wordOf } from '../../control-plane/api.ts'
import { type Deployment, FORMS, isPinned, type Revision, sameId, withBranch } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { NotPromotable, NotPromotableCause } from '../outcome.ts'
import type { CurrentState } from '../read/current-state.ts'
import { nameOf, type RolloutRequest } from '../rollout-request.ts'
import { withoutPassword } from './diff.ts'
import type { PlanNote, Promotion } from './plan.ts'
import { isTag } from '../../control-plane/settings.ts'
import { sameCommit, sameRepository } from './repository.ts'
import { isSource, repeatable } from './settings.ts'

/** Finds the image, or the ref and commit, by which a revision can be rolled out exactly, or why that is impossible. */
export function promotionOf(from: Deployment, active: Revision, api: Api): Promotion | NotPromotable {
  const { id, name, source } = from
  const { id: revisionId } = active
  const refused = (because: NotPromotableCause): NotPromotable => notPromotable(name, because)
  const without = (lacks: 'image' | 'ref' | 'commit'): NotPromotable =>
    refused({ kind: 'revision-not-reported', revisionId, lacks })
  if (!isSource(source)) return refused({ kind: 'unsupported-source', source })
  if (active.source !== undefined && active.source !== source) {
    const [own, standard] = [wordOf(api, 'source', active.source), wordOf(api, 'source', source)]
    return refused({ kind: 'revision-of-other-source', revisionId, revisionSource: own, source: standard })
  }
  const { repoRef: ref, appConfigPath, imageUri: image } = repeatable(withBranch(active.settings, from.branch), source)
  const promotion = { from: { id, name }, revisionId, source }
  switch (source) {
    case 'external_container':
    case 'internal_container':
      if (image === undefined) return without('image')
      return { ...promotion, origin: { kind: 'image', image, isPinned: isPinned(image) } }
    case 'git_host': {
      const [{ repoUrl }, { repoCommitSha: commit }] = [from.settings, active]
      if (ref === undefined || repoUrl === undefined) return without('ref')
      if (commit === undefined) return without('commit')
      const mayMove = !FORMS.fullCommit.test(ref)
      if (!mayMove && !sameCommit(ref, commit))
        return refused({ kind: 'contradictory-commit', revisionId, ref, commit })
      return { ...promotion, origin: { kind: 'git', ref, repoUrl, appConfigPath, commit, mayMove } }
    }
    case 'internal_source':
    case 'internal_template':
      return refused({ kind: 'unversioned-source', revisionId, source })
  }
}

/** Why the ref may be another commit than the revision's. `head`: its commit on GitHub. */
export function movedSince({ from, origin }: Promotion, head: string | undefined): NotPromotable | undefined {
  if (origin.kind === 'image' || !origin.mayMove) return undefined
  const { ref, commit } = origin
  if (head !== undefined && sameCommit(head, commit)) return undefined
  return notPromotable(from.name, { kind: 'ref-moved', ref, isTag: isTag(ref), commit, head })
}

function notPromotable(from: string, because: NotPromotableCause): NotPromotable {
  return { kind: 'not-promotable', from, because }
}

/** The request with what the promotion sets. Only the commit of the promotion counts, whatever the event is about. */
export function promoted(request: RolloutRequest, promotion: Promotion): RolloutRequest {
  const { source, origin } = promotion
  const promotedRequest = { ...request, promotion, source }
  if (origin.kind === 'image') return { ...promotedRequest, settings: { ...request.settings, imageUri: origin.image } }
  const { repoUrl, ref: repoRef, appConfigPath, commit } = origin
  const { repoUrl: here } = request.repository
  const isHere = here !== undefined && sameRepository(here, repoUrl)
  const settings = { ...request.settings, repoUrl, repoRef, ...(appConfigPath !== undefined && { appConfigPath }) }
  // GitHub compares commits of this repository only.
  const built = isHere ? ({ kind: 'ref', ref: repoRef } as const) : ({ kind: 'none' } as const)
  return {
    ...promotedRequest,
    settings,
    repository: { repoUrl: here, repoRef: built, commit: isHere ? commit : undefined },
  }
}

export function unpromotable({ target, promotion }: RolloutRequest, current: Deployment, api: Api): Problem[] {
  if (promotion === undefined) return []
  const { from, source, origin } = promotion
  const problem = (message: string): Problem[] => [{ input: 'promote-from', value: from.name, message }]
  if (sameId(from.id, current.id)) return problem(`must name another deployment than ${nameOf(target)}`)
  if (current.source !== undefined && current.source !== source) {
    const [theirs, ours] = [wordOf(api, 'source', source), wordOf(api, 'source', current.source)]
    return problem(`names a deployment of source ${theirs}, and ${current.name} is of source ${ours}`)
  }
  const { repoUrl } = current.settings
  if (origin.kind === 'image' || repoUrl === undefined || sameRepository(repoUrl, origin.repoUrl)) return []
  const [theirs, ours] = [withoutPassword(origin.repoUrl), withoutPassword(repoUrl)]
  return problem(`names a deployment that is built from ${theirs}, and ${current.name} from ${ours}`)
}

export function promotionNotes(promotion: Promotion, { current, active }: CurrentState): PlanNote[] {
  const { activeRevisionId: revisionId, latestRevisionId: latest } = current ?? {}
  const isNewest = latest === undefined || sameId(latest, revisionId)
  const commit = active?.repoCommitSha ?? (isNewest ? current?.repoCommitSha : undefined)
  const { origin } = promotion
  const notes: PlanNote[] = [{ kind: 'promoted', promotion, replaces: revisionId ? { revisionId, commit } : undefined }]
  return origin.kind === 'image' && !origin.isPinned ? [...notes, { kind: 'promoted-tag', promotion }] : notes
}
