import { reportsHeadOf, type WorkflowEvent } from '../../github/event.ts'
import type { RepositoryDefaults } from '../rollout-request.ts'
import { isTag, sameRepository, TAG_PREFIX } from './repository.ts'

/**
 * The values of repo-url, repo-ref and the commit that the event implies.
 * @param repoUrl the input repo-url, if set
 * @param preview the pull request that the rollout is a preview of, if any
 */
export function repositoryOf(
  event: WorkflowEvent,
  repoUrl: string | undefined,
  preview: { pullRequest: number } | undefined,
): RepositoryDefaults {
  const { repositoryUrl, ref, commit } = event
  const here = { repoUrl: repositoryUrl, commit }
  if (preview !== undefined && !reportsHeadOf(event, preview.pullRequest)) {
    const reason = `GitHub did not report the head of pull request ${preview.pullRequest}`
    return { ...here, commit: undefined, repoRef: { kind: 'unusable', reason } }
  }
  switch (ref.kind) {
    case 'branch':
      return { ...here, repoRef: branchRef(ref.name) }
    case 'tag':
      return { ...here, repoRef: { kind: 'ref', ref: TAG_PREFIX + ref.name } }
    case 'none':
      return { ...here, repoRef: { kind: 'none' } }
    case 'pull-request':
      return { ...here, ...headOf(ref.branch, ref.headRepository, ref.foreign, repositoryUrl, repoUrl) }
  }
}

/** A fork's branch does not exist in this repository. It is usable only if repo-url is the fork. */
export function headOf(
  branch: string,
  headRepository: string | undefined,
  foreign: boolean,
  repositoryUrl: string | undefined,
  repoUrl: string | undefined,
): Pick<RepositoryDefaults, 'repoRef'> & Partial<RepositoryDefaults> {
  if (!foreign) return { repoRef: branchRef(branch) }
  const fork = headRepository === undefined ? undefined : forkUrl(repositoryUrl, headRepository)
  if (fork !== undefined && repoUrl !== undefined && sameRepository(fork, repoUrl))
    return { repoUrl: fork, repoRef: branchRef(branch) }
  const head = headRepository ?? 'an unknown repository'
  const reason = `the pull request's head is a branch of ${head}, not of this repository`
  return { repoRef: { kind: 'unusable', reason } }
}

/** The control plane reads a branch of such a name as a tag (contract, "repo_ref"), which may be something else. */
function branchRef(branch: string): RepositoryDefaults['repoRef'] {
  if (!isTag(branch)) return { kind: 'ref', ref: branch }
  return { kind: 'unusable', reason: `the branch is named "${branch}", and the control plane would build a tag` }
}

function forkUrl(repositoryUrl: string | undefined, headRepository: string): string | undefined {
  const here = URL.parse(repositoryUrl ?? '')
  return here === null ? undefined : `${here.origin}/${headRepository}`
}
