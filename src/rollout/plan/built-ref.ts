import type { Deployment } from '../../control-plane/model.ts'
import { sameRepository } from './repository.ts'
import type { RolloutRecord } from '../../report/record.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/**
 * Notes what is built, for GitHub to be told. The commit of the event is only that of the event's own ref, and a ref of
 * another repository means nothing in this one. What is not built from a repository counts for the event's commit.
 */
export function noteBuilt(
  record: RolloutRecord,
  {
    repository,
    settings,
    source,
  }: Pick<RolloutRequest, 'repository' | 'settings'> & { source?: string | undefined },
  current: Deployment | undefined,
): void {
  if ((current?.source ?? source) !== 'git_host') return
  const builds = current?.settings.repoUrl ?? settings.repoUrl ?? repository.repoUrl
  const isHere =
    builds === undefined || repository.repoUrl === undefined || sameRepository(builds, repository.repoUrl)
  const ofEvent = repository.repoRef.kind === 'ref' ? repository.repoRef.ref : undefined
  const ref = settings.repoRef ?? ofEvent ?? current?.settings.repoRef
  record.elsewhere = isHere ? undefined : builds
  record.ref = isHere ? ref : undefined
  record.commit = isHere && ref !== undefined && ref === ofEvent ? repository.commit : undefined
}
