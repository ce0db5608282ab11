import type { Settings, Source } from '../../control-plane/model.ts'
import { chooseIntegration } from './integration.ts'
import { chooseListener } from './listener.ts'
import type { Problem } from '../../problem.ts'
import { sameRepository } from './repository.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import type { Survey } from '../read/current-state.ts'

export interface FilledSettings {
  settings: Settings
  problems: Problem[]
  /** What was filled in, for people to read. */
  notes: string[]
}

/** Fills in what was left out and can be known: from the event, and from what the control plane has. */
export function fillIn(
  request: Pick<RolloutRequest, 'settings' | 'repository'>,
  source: Source,
  survey: Survey,
): FilledSettings {
  switch (source) {
    case 'git_host':
      return withIntegration(withRepository(request, survey), survey)
    case 'external_container':
      return withListener(request.settings, survey)
    case 'internal_container':
    case 'internal_source':
    case 'internal_template':
      return { settings: request.settings, problems: [], notes: [] }
  }
}

/**
 * The repository, and the ref that was pushed: the ref only when the deployment builds this very repository, as a branch
 * of one repository means nothing in another.
 */
function withRepository(
  { settings, repository }: Pick<RolloutRequest, 'settings' | 'repository'>,
  { current }: Survey,
): FilledSettings {
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

/** The repository's own address is sent, as the contract asks for the one of the listing ("Repository"). */
function withIntegration(filled: FilledSettings, { integrations }: Survey): FilledSettings {
  const { settings, problems, notes } = filled
  if (integrations === undefined || settings.repoUrl === undefined) return filled
  const choice = chooseIntegration(settings.repoUrl, integrations)
  switch (choice.kind) {
    case 'refused':
      return { settings, problems: [...problems, choice.problem], notes }
    case 'found': {
      const { integrationId, url } = choice.repository
      const found = { ...settings, integrationId, repoUrl: url }
      return { settings: found, problems, notes: [...notes, choice.note] }
    }
  }
}

function withListener(settings: Settings, { listeners }: Survey): FilledSettings {
  if (listeners === undefined) return { settings, problems: [], notes: [] }
  const { listenerId, problems, notes } = chooseListener(settings, listeners)
  return { settings: listenerId === undefined ? settings : { ...settings, listenerId }, problems, notes }
}
