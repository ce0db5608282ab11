import type { Deployment } from '../../control-plane/model.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { sameRepository } from './repository.ts'

export type BuiltRef =
  /** The deployment is not built from a git repository: the commit of the event counts. */
  | { kind: 'not-git' }
  /** `commit`: only if the ref is the event's own. */
  | { kind: 'here'; ref: string | undefined; commit: string | undefined }
  /** Another repository than the workflow's. */
  | { kind: 'elsewhere'; repoUrl: string }

/** The ref and the commit that a deployment is built from. A ref of another repository means nothing in this one. */
export function builtRefOf(
  request: Pick<RolloutRequest, 'repository' | 'settings'> & { source?: string | undefined },
  current: Deployment | undefined,
): BuiltRef {
  const { settings, repository } = request
  const { repoUrl: here, repoRef, commit } = repository
  if ((current?.source ?? request.source) !== 'git_host') return { kind: 'not-git' }
  const repoUrl = current?.settings.repoUrl ?? settings.repoUrl ?? here
  if (repoUrl !== undefined && here !== undefined && !sameRepository(repoUrl, here))
    return { kind: 'elsewhere', repoUrl }
  const ofEvent = repoRef.kind === 'ref' ? repoRef.ref : undefined
  const ref = settings.repoRef ?? ofEvent ?? current?.settings.repoRef
  return { kind: 'here', ref, commit: ref !== undefined && ref === ofEvent ? commit : undefined }
}
