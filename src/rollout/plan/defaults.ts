import type { Api } from '../../control-plane/api.ts'
import type { Settings, Source } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { CurrentState } from '../read/current-state.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { mismatches } from './field-rules.ts'
import { chooseIntegration } from './integration.ts'
import { chooseListener } from './listener.ts'
import type { PlanNote } from './reasons.ts'
import { sameRepository } from './repository.ts'
import type { PlanFacts } from './facts.ts'

interface SettingsWithDefaults {
  settings: Settings
  problems: Problem[]
  /** Those of the request, and which defaults apply. */
  notes: PlanNote[]
}

/** Adds defaults for settings that the request does not set: from the event, and from the current state. */
export function withDefaults(request: RolloutRequest, source: Source, state: PlanFacts): SettingsWithDefaults {
  const notes = request.notes.map((text) => ({ kind: 'input', text }) as const)
  const known = { settings: request.settings, problems: [], notes }
  if (source === 'git_host') return withIntegration(withRepository(known, request, state), state)
  return source === 'external_container' ? withListener(known, state) : known
}

/** The ref of the event applies only to the repository of the event: in another one it means nothing. */
function withRepository(
  { settings, notes }: SettingsWithDefaults,
  { repository: { repoUrl: here, repoRef } }: RolloutRequest,
  { current }: CurrentState,
): SettingsWithDefaults {
  const isFromEvent = current === undefined && settings.repoUrl === undefined && here !== undefined
  const known: SettingsWithDefaults = {
    settings: isFromEvent ? { ...settings, repoUrl: here } : settings,
    problems: [],
    notes: isFromEvent ? [...notes, { kind: 'repo-url-from-event' }] : notes,
  }
  if (settings.repoRef !== undefined) return known

  const refuse = (message: string): SettingsWithDefaults => ({ ...known, problems: [refRequired(message)] })
  const builds = current?.settings.repoUrl ?? known.settings.repoUrl
  if (builds !== undefined && here !== undefined && !sameRepository(builds, here))
    return refuse(`the deployment builds ${builds}, which is not the repository of this workflow`)

  switch (repoRef.kind) {
    case 'none':
      return known
    case 'unusable':
      return refuse(repoRef.reason)
    case 'ref': {
      const { ref } = repoRef
      const note = { kind: 'repo-ref-from-event', ref } as const
      return { ...known, settings: { ...known.settings, repoRef: ref }, notes: [...known.notes, note] }
    }
  }
}

function refRequired(reason: string): Problem {
  return { input: 'repo-ref', message: `is required: ${reason}` }
}

/** Refuses the ref of the event before anything is read with the credentials. A step need not name its source. */
export function unusableRef(
  { source, settings, repository: { repoRef } }: Pick<RolloutRequest, 'source' | 'settings' | 'repository'>,
  api: Api,
): Problem[] {
  if (repoRef.kind !== 'unusable' || settings.repoRef !== undefined) return []
  if (source === 'git_host') return [refRequired(repoRef.reason)]
  if (source !== undefined || mismatches('git_host', settings, api).length > 0) return []
  return [refRequired(`${repoRef.reason}; if the deployment is not built from a git repository, set source`)]
}

/** Sends the repository's address as the integration lists it (contract, "Repository"). */
function withIntegration(known: SettingsWithDefaults, { integrations }: CurrentState): SettingsWithDefaults {
  const { settings, problems, notes } = known
  if (integrations === undefined || settings.repoUrl === undefined) return known
  const choice = chooseIntegration(settings.repoUrl, integrations)
  if (choice.kind === 'refused') return { ...known, problems: [...problems, choice.problem] }
  const { integrationId, url } = choice.repository
  const note = { kind: 'integration-found', integration: choice.integration, url } as const
  return { settings: { ...settings, integrationId, repoUrl: url }, problems, notes: [...notes, note] }
}

function withListener(known: SettingsWithDefaults, { listeners, api }: PlanFacts): SettingsWithDefaults {
  if (listeners === undefined) return known
  const { listenerId, problems, notes } = chooseListener(known.settings, listeners, api)
  return { settings: { ...known.settings, listenerId }, problems, notes: [...known.notes, ...notes] }
}
