import type { Deployment, Settings, Source } from '../control-plane/model.ts'
import type { Problem } from '../sources/problem.ts'
import { sameRepository } from '../sources/repository.ts'
import type { RolloutRequest } from './request.ts'

export interface DefaultedSettings {
  settings: Settings
  problems: Problem[]
  /** What was filled in, for people to read. */
  notes: string[]
}

/**
 * Fills in what the event stands for: the repository, and the ref that was pushed. Only for git_host, and the ref only
 * when the deployment builds this very repository: a branch of one repository means nothing in another.
 */
export function withRepositoryDefaults(
  request: Pick<RolloutRequest, 'settings' | 'repository'>,
  source: Source,
  current: Deployment | undefined,
): DefaultedSettings {
  const { settings, repository } = request
  if (source !== 'git_host') return { settings, problems: [], notes: [] }
  const fromEvent = current === undefined && settings.repoUrl === undefined ? repository.repoUrl : undefined
  const repoUrl = settings.repoUrl ?? fromEvent
  const filled = repoUrl === undefined ? settings : { ...settings, repoUrl }
  const notes = fromEvent === undefined ? [] : ['repo-url is left out: it is this repository']
  if (settings.repoRef !== undefined) return { settings: filled, problems: [], notes }

  const builds = current?.settings.repoUrl ?? repoUrl
  if (
    builds !== undefined &&
    repository.repoUrl !== undefined &&
    !sameRepository(builds, repository.repoUrl)
  ) {
    const message = `is required: the deployment builds ${builds}, which is not the repository of this workflow`
    return { settings: filled, problems: [{ input: 'repo-ref', message }], notes }
  }
  switch (repository.repoRef.kind) {
    case 'none':
      return { settings: filled, problems: [], notes }
    case 'unusable':
      return {
        settings: filled,
        problems: [{ input: 'repo-ref', message: `is required: ${repository.repoRef.reason}` }],
        notes,
      }
    case 'ref':
      return {
        settings: { ...filled, repoRef: repository.repoRef.ref },
        problems: [],
        notes: [...notes, `repo-ref is left out: it is that of the event, ${repository.repoRef.ref}`],
      }
  }
}
