import { computeTypeWord, type Api } from '../../control-plane/api.ts'
import type { Integration, Listener, Repository, Settings, Source } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import { reportsHeadOf, type WorkflowEvent } from '../../github/event.ts'
import type { Problem } from '../../problem.ts'
import type { CurrentState, InstalledIntegration, KnownListeners } from '../read/current-state.ts'
import type { RepositoryDefaults, RolloutRequest } from '../rollout-request.ts'
import type { PlanNote } from './plan.ts'
import { isTag, sameRepository, TAG_PREFIX } from './repository.ts'
import { mismatches } from './validate.ts'

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

interface SettingsWithDefaults {
  settings: Settings
  problems: Problem[]
  /** Those of the request, and which defaults apply. */
  notes: PlanNote[]
}

/** Adds defaults for settings that the request does not set: from the event, and from the current state. */
export function withDefaults(
  request: RolloutRequest,
  source: Source,
  state: CurrentState,
  api: Api,
): SettingsWithDefaults {
  const notes = request.notes.map((text) => ({ kind: 'input', text }) as const)
  const known = { settings: request.settings, problems: [], notes }
  if (source === 'git_host') return withIntegration(withRepository(known, request, state), state)
  return source === 'external_container' ? withListener(known, state, api) : known
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

function withListener(known: SettingsWithDefaults, { listeners }: CurrentState, api: Api): SettingsWithDefaults {
  if (listeners === undefined) return known
  const { listenerId, problems, notes } = chooseListener(known.settings, listeners, api)
  return { settings: { ...known.settings, listenerId }, problems, notes: [...known.notes, ...notes] }
}

type IntegrationChoice =
  { kind: 'found'; repository: Repository; integration: Integration } | { kind: 'refused'; problem: Problem }

/** Finds the one integration that reaches the repository; none or several is a problem that lists them. */
export function chooseIntegration(repoUrl: string, installed: readonly InstalledIntegration[]): IntegrationChoice {
  const matches = installed.flatMap((integration) => {
    const repository = integration.repositories?.find(({ url }) => sameRepository(url, repoUrl))
    return repository === undefined ? [] : [{ repository, integration }]
  })
  const [match, ...others] = matches
  if (match === undefined) return refuse(`no installed integration reaches ${repoUrl}: ${listAll(installed)}`)
  if (others.length === 0) return { kind: 'found', ...match }
  const names = matches.map(({ integration }) => integrationName(integration)).join(', ')
  return refuse(`several installed integrations reach ${repoUrl}; set it to the id of one: ${names}`)
}

function refuse(message: string): IntegrationChoice {
  return { kind: 'refused', problem: { input: 'integration-id', message: `is not set, and ${message}` } }
}

function listAll(installed: readonly InstalledIntegration[]): string {
  if (installed.length === 0) return 'none is installed in this workspace'
  return installed.map((one) => `${integrationName(one)} reaches ${listRepositories(one)}`).join('; ')
}

const MAX_LISTED = 20

function listRepositories({ repositories }: InstalledIntegration): string {
  if (repositories === undefined) return 'repositories that these credentials may not list'
  if (repositories.length === 0) return 'no repository'
  const listed = repositories.slice(0, MAX_LISTED).map(({ url }) => url)
  const more = repositories.length - listed.length
  return listed.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** `<name> (<id>)` */
export function integrationName({ id, name }: Integration): string {
  return name === undefined ? id : `${name} (${id})`
}

interface ListenerChoice {
  listenerId: string | undefined
  problems: Problem[]
  notes: PlanNote[]
}

/** Checks the listener of an external_container; if none is set, takes the only one there is. */
export function chooseListener(wanted: Settings, known: KnownListeners, api: Api): ListenerChoice {
  const { listenerId } = wanted
  if (known.kind === 'unlisted') {
    const note = { kind: 'listener-not-checked', status: known.status } as const
    return { listenerId, problems: [], notes: listenerId === undefined ? [] : [note] }
  }
  const { listeners } = known
  if (listenerId === undefined) return takeOnlyListener(wanted, listeners, api)
  const found = listeners.find(({ id }) => sameId(id, listenerId))
  if (found !== undefined) return { listenerId, ...checkNamespace(wanted, found, api) }
  const message = `is not the id of a listener: ${listListeners(listeners, api)}`
  return { listenerId, problems: [{ input: 'listener-id', value: listenerId, message }], notes: [] }
}

function takeOnlyListener(wanted: Settings, listeners: readonly Listener[], api: Api): ListenerChoice {
  const [only, ...others] = listeners
  if (only === undefined || others.length > 0)
    return { listenerId: undefined, problems: [], notes: [{ kind: 'no-listener-sent', listeners }] }
  const { problems, notes } = checkNamespace(wanted, only, api)
  return { listenerId: only.id, problems, notes: [{ kind: 'only-listener', listener: only }, ...notes] }
}

/** Contract, "ListenerConfig": only for listeners with compute type `cluster`. */
function checkNamespace(
  { clusterNamespace: namespace }: Settings,
  listener: Listener,
  api: Api,
): Pick<ListenerChoice, 'problems' | 'notes'> {
  const { computeType, namespaces: reported = [] } = listener
  if (namespace === undefined) return { problems: [], notes: [] }
  if (computeType !== undefined && computeType.toLowerCase() !== 'cluster') {
    const [needed, has] = [computeTypeWord(api, 'cluster'), computeTypeWord(api, computeType)]
    const message = `is only for listeners of compute type ${needed}: ${listenerName(listener, api)} is of type ${has}`
    return { problems: [{ input: 'cluster-namespace', value: namespace, message }], notes: [] }
  }
  const isKnown = reported.length === 0 || reported.includes(namespace)
  return { problems: [], notes: isKnown ? [] : [{ kind: 'namespace-not-reported', namespace, reported }] }
}

export function listListeners(listeners: readonly Listener[], api: Api): string {
  if (listeners.length === 0) return 'there is no listener in this workspace'
  return `the listeners are ${listeners.map((listener) => listenerName(listener, api)).join(', ')}`
}

/** `<id> (cluster eu-1)` */
export function listenerName({ id, computeType, computeId }: Listener, api: Api): string {
  const known = [computeType === undefined ? undefined : computeTypeWord(api, computeType), computeId]
    .filter((part) => part !== undefined)
    .join(' ')
  return known === '' ? id : `${id} (${known})`
}
