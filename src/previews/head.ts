import { sameRepository } from '../rollout/plan/repository.ts'
import type { RepositoryDefaults } from '../rollout/rollout-request.ts'

/**
 * The ref that a pull request's head is rolled out from. The branch of a fork means nothing in this repository, except
 * where the fork is what the deployment builds.
 */
export function headOf(
  branch: string,
  headRepository: string | undefined,
  isFork: boolean,
  repositoryUrl: string | undefined,
  repoUrl: string | undefined,
): Pick<RepositoryDefaults, 'repoRef'> & Partial<RepositoryDefaults> {
  if (!isFork) return { repoRef: { kind: 'ref', ref: branch } }
  const fork = headRepository === undefined ? undefined : forkUrl(repositoryUrl, headRepository)
  if (fork !== undefined && repoUrl !== undefined && sameRepository(fork, repoUrl))
    return { repoUrl: fork, repoRef: { kind: 'ref', ref: branch } }
  const head = headRepository ?? 'an unknown repository'
  const reason = `the pull request's head is a branch of ${head}, not of this repository`
  return { repoRef: { kind: 'unusable', reason } }
}

function forkUrl(repositoryUrl: string | undefined, headRepository: string): string | undefined {
  const here = URL.parse(repositoryUrl ?? '')
  return here === null ? undefined : `${here.origin}/${headRepository}`
}
