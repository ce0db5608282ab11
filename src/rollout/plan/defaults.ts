import type { Settings, Source } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { CurrentState } from '../read/current-state.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { chooseIntegration } from './integration.ts'
import { chooseListener } from './listener.ts'
import type { PlanNote } from './reasons.ts'
import { sameRepository } from './repository.ts'

export interface SettingsWithDefaults {
  settings: Settings
  problems: Problem[]
  /** Which defaults apply. */
  notes: PlanNote[]
}

/** Adds defaults for settings that the request does not set: from the event, and from the current state. */
export function withDefaults(
  request: Pick<RolloutRequest, 'settings' | 'repository'>,
  source: Source,
  state: CurrentState,
): SettingsWithDefaults {
  switch (source) {
    case 'git_host':
      return withIntegration(withRepository(request, state), state)
    case 'external_container':
      return withListener(request.settings, state)
    case 'internal_container':
    case 'internal_source':
    case 'internal_template':
      return { settings: request.settings, problems: [], notes: [] }
  }
}

/**
 * `repo-url` and `repo-ref` of the event. The ref applies only if the deployment builds the event's repository: a branch
 * of one repository means nothing in another.
 */
function withRepository(
  { settings, repository }: Pick<RolloutRequest, 'settings' | 'repository'>,
  { current }: CurrentState,
): SettingsWithDefaults {
  const fromEvent = current === undefined && settings.repoUrl === undefined ? repository.repoUrl : undefined
  const repoUrl = settings.repoUrl ?? fromEvent
  const known: SettingsWithDefaults = {
    settings: repoUrl === undefined ? settings : { ...settings, repoUrl },
    problems: [],
    notes: fromEvent === undefined ? [] : [{ kind: 'repo-url-from-event' }],
  }
  if (settings.repoRef !== undefined) return known

  const refuse = (message: string): SettingsWithDefaults => ({
    ...known,
    problems: [{ input: 'repo-ref', message: `is required: ${message}` }],
  })
  const builds = current?.settings.repoUrl ?? repoUrl
  const isElsewhere =
    builds !== undefined && repository.repoUrl !== undefined && !sameRepository(builds, repository.repoUrl)
  if (isElsewhere)
    return refuse(`the deployment builds ${builds}, which is not the repository of this workflow`)

  const { repoRef } = repository
  switch (repoRef.kind) {
    case 'none':
      return known
    case 'unusable':
      return refuse(repoRef.reason)
    case 'ref':
      return {
        ...known,
        settings: { ...known.settings, repoRef: repoRef.ref },
        notes: [...known.notes, { kind: 'repo-ref-from-event', ref: repoRef.ref }],
      }
  }
}

/** Sends the repository's address as the integration lists it (contract, "Repository"). */
function withIntegration(known: SettingsWithDefaults, { integrations }: CurrentState): SettingsWithDefaults {
  const { settings, problems, notes } = known
  if (integrations === undefined || settings.repoUrl === undefined) return known
  const choice = chooseIntegration(settings.repoUrl, integrations)
  switch (choice.kind) {
    case 'refused':
      return { ...known, problems: [...problems, choice.problem] }
    case 'found': {
      const { integrationId, url } = choice.repository
      return {
        settings: { ...settings, integrationId, repoUrl: url },
        problems,
        notes: [...notes, { kind: 'integration-found', integration: choice.integration, url }],
      }
    }
  }
}

function withListener(settings: Settings, { listeners }: CurrentState): SettingsWithDefaults {
  if (listeners === undefined) return { settings, problems: [], notes: [] }
  const { listenerId, problems, notes } = chooseListener(settings, listeners)
  return { settings: listenerId === undefined ? settings : { ...settings, listenerId }, problems, notes }
}
