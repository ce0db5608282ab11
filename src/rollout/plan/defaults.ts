import { type Api, wordOf } from '../../control-plane/api.ts'
import { type Deployment, type Integration, type Listener, sameId } from '../../control-plane/model.ts'
import { reportsHeadOf, type WorkflowEvent } from '../../github/event.ts'
import type { EventHead, EventRef, NoRef, RefOrigin } from '../../github/event-code.ts'
import { listNames, MAX_NAMED, type Problem } from '../../problem.ts'
import type { CurrentState, InstalledIntegration, KnownListeners } from '../read/current-state.ts'
import type { DefaultRef, RepositoryDefaults, RolloutRequest } from '../rollout-request.ts'
import type { PlanNote } from './plan.ts'
import { promotionNotes } from './promotion.ts'
import { isTag, type Settings, type Source, TAG_PREFIX } from '../../control-plane/settings.ts'
import { sameCommit, sameRepository } from './repository.ts'
import { mismatches } from './validate.ts'

/** Returns the repository, ref and commit that the event implies. `repoUrl`: the input. `preview`: of a pull request. */
export function repositoryOf(
  event: WorkflowEvent,
  { repoUrl, preview }: { repoUrl?: string | undefined; preview?: { pullRequest: number } | undefined } = {},
): RepositoryDefaults {
  const { repositoryUrl, code, head } = event
  const here = { repoUrl: repositoryUrl }
  if (preview === undefined) {
    const { commit, imageCommit, tested, mergedInto } = code
    const merged = mergedInto && { ...mergedInto, ref: branchRef(mergedInto.branch, 'merge') }
    return { ...here, commit, imageCommit, tested, mergedInto: merged, ...refOfCode(code.ref, repositoryUrl, repoUrl) }
  }
  if (head !== undefined && reportsHeadOf(event, preview.pullRequest))
    return { ...here, commit: head.commit, ...headOf(head, repositoryUrl, repoUrl) }
  const reason = `GitHub did not report the head of pull request ${preview.pullRequest}, for which the job needs the permission pull-requests: read`
  return { ...here, commit: undefined, repoRef: { kind: 'unusable', reason } }
}

function refOfCode(
  ref: EventRef,
  repositoryUrl: string | undefined,
  repoUrl: string | undefined,
): ReturnType<typeof headOf> {
  switch (ref.kind) {
    case 'branch':
      return { repoRef: branchRef(ref.name, ref.origin) }
    case 'tag':
      return { repoRef: { kind: 'ref', ref: TAG_PREFIX + ref.name, origin: ref.origin } }
    case 'head':
      return headOf(ref, repositoryUrl, repoUrl)
    case 'none':
      return { repoRef: { kind: 'unusable', reason: WHY_NO_REF[ref.because] } }
  }
}

/** Ends of the sentence "repo-ref is required: …". */
const WHY_NO_REF: Readonly<Record<NoRef, string>> = {
  deleted: 'GitHub reports the default branch in place of the branch or tag that was deleted',
  'not-merged': 'the pull request was closed without a merge',
  queue: 'GitHub does not report the base branch of the merge queue, and soon deletes the branch of the queue',
  comment: 'a comment on a pull request does not say whether its head or its base branch is meant',
  deployment:
    'the GitHub Deployment was made for a commit, and has no branch or tag; write repo-ref: ${{ github.event.deployment.sha }}',
  'head-unknown': 'the event does not report the head of the pull request',
  'not-reported': 'this event has neither a branch nor a tag (GITHUB_REF)',
}

/** A fork's branch does not exist in this repository. It is usable only if repo-url is the fork. */
export function headOf(
  { branch, headRepository, isFromFork }: Omit<EventHead, 'commit'>,
  repositoryUrl: string | undefined,
  repoUrl: string | undefined,
): { repoUrl?: string; repoRef: DefaultRef } {
  if (!isFromFork) return { repoRef: branchRef(branch) }
  const here = URL.parse(repositoryUrl ?? '')
  const fork = here === null || headRepository === undefined ? undefined : `${here.origin}/${headRepository}`
  if (fork !== undefined && repoUrl !== undefined && sameRepository(fork, repoUrl))
    return { repoUrl: fork, repoRef: branchRef(branch) }
  const head = headRepository ?? 'an unknown repository'
  const reason = `the pull request's head is a branch of ${head}, not of this repository`
  return { repoRef: { kind: 'unusable', reason } }
}

/** The control plane reads a branch of such a name as a tag (contract, "repo_ref"), which may be something else. */
function branchRef(branch: string, origin?: RefOrigin): DefaultRef {
  if (!isTag(branch)) return { kind: 'ref', ref: branch, origin }
  return { kind: 'unusable', reason: `the branch is named "${branch}", and the control plane would build a tag` }
}

interface Added {
  settings?: Settings
  problems?: Problem[]
  notes?: PlanNote[]
}

/** The notes begin with those about a promotion and the inputs. */
export function withDefaults(request: RolloutRequest, source: Source, state: CurrentState, api: Api): Required<Added> {
  const { current, integrations, listeners } = state
  const notes: PlanNote[] = request.notes.map((text) => ({ kind: 'input', text }))
  if (request.promotion !== undefined) notes.unshift(...promotionNotes(request.promotion, state))
  const ofInputs = { settings: request.settings, problems: [], notes }
  if (source === 'external_container' && listeners !== undefined)
    return joined(ofInputs, chooseListener(ofInputs.settings, listeners, api))
  if (source !== 'git_host') return ofInputs
  const ofEvent = joined(joined(ofInputs, repoUrlOfEvent(request, current)), refOfEvent(request, current))
  const { repoUrl } = ofEvent.settings
  if (integrations === undefined || repoUrl === undefined) return ofEvent
  return joined(ofEvent, chooseIntegration(repoUrl, integrations))
}

function joined(collected: Required<Added>, { settings, problems = [], notes = [] }: Added): Required<Added> {
  return {
    settings: { ...collected.settings, ...settings },
    problems: [...collected.problems, ...problems],
    notes: [...collected.notes, ...notes],
  }
}

function repoUrlOfEvent({ settings, repository: { repoUrl } }: RolloutRequest, current: Deployment | undefined): Added {
  if (current !== undefined || settings.repoUrl !== undefined || repoUrl === undefined) return {}
  return { settings: { repoUrl }, notes: [{ kind: 'repo-url-from-event' }] }
}

/** The ref of the event applies only to the repository of the event: in another one it means nothing. */
function refOfEvent({ settings, repository }: RolloutRequest, current: Deployment | undefined): Added {
  const { repoUrl: here, repoRef } = repository
  if (settings.repoRef !== undefined) return { notes: notesOfRef(settings.repoRef, current) }
  const builds = current?.settings.repoUrl ?? settings.repoUrl
  if (builds !== undefined && here !== undefined && !sameRepository(builds, here)) {
    const reason = `the deployment builds ${builds}, which is not the repository of this workflow`
    return { problems: [refRequired(reason)] }
  }
  if (repoRef.kind === 'none') return {}
  if (repoRef.kind === 'unusable') return { problems: [refRequired(repoRef.reason)] }
  const { ref, origin } = repoRef
  const built = current?.settings.repoRef
  const replaces = built !== undefined && built !== ref && !isTag(ref) ? built : undefined
  return {
    settings: { repoRef: ref },
    notes: [{ kind: 'repo-ref-from-event', ref, origin, replaces }, ...notesOfTested(ref, repository)],
  }
}

const VERSION = /^v?\d+(?:\.\d+)+/

function notesOfRef(ref: string, current: Deployment | undefined): PlanNote[] {
  const built = current?.settings.repoRef
  return built !== undefined && isTag(built) && VERSION.test(ref) ? [{ kind: 'version-as-branch', ref, built }] : []
}

/** The workflow run that has ended may have tested other code than this run builds. */
function notesOfTested(ref: string, { tested, commit }: RepositoryDefaults): PlanNote[] {
  const { branch, commit: testedCommit } = tested ?? {}
  const isOtherCommit = testedCommit !== undefined && commit !== undefined && !sameCommit(testedCommit, commit)
  return [
    ...(branch === undefined || branch === ref ? [] : [{ kind: 'other-branch-tested', branch, ref } as const]),
    ...(isOtherCommit ? [{ kind: 'other-commit-tested', tested: testedCommit, built: commit } as const] : []),
  ]
}

function refRequired(reason: string): Problem {
  return { input: 'repo-ref', message: `is required: ${reason}` }
}

/** Refuses the ref of the event before anything is read with the credentials. A step need not name its source. */
export function unusableRef(
  { source, settings, repository: { repoRef } }: Omit<RolloutRequest, 'target'>,
  api: Api,
): Problem[] {
  if (repoRef.kind !== 'unusable' || settings.repoRef !== undefined) return []
  if (source === 'git_host') return [refRequired(repoRef.reason)]
  if (source !== undefined || mismatches('git_host', settings, api).length > 0) return []
  return [refRequired(`${repoRef.reason}; if the deployment is not built from a git repository, set source`)]
}

/**
 * The request with the code that its pull request was merged into, if the deployment builds that branch; a problem if it
 * builds another one, and only this is meant.
 */
export function withMergedCode(
  request: RolloutRequest,
  stepRequest: RolloutRequest,
  current: Deployment | undefined,
): RolloutRequest | Problem {
  const { onlyIfMerged, repository } = request
  const { mergedInto } = repository
  const builtRef = stepRequest.settings.repoRef ?? current?.settings.repoRef
  const isBuilt = (current?.source ?? request.source) === 'git_host' && builtRef === mergedInto?.branch
  if (mergedInto === undefined || !isBuilt) return onlyIfMerged ?? request
  // A promotion has code of its own.
  if (request.promotion !== undefined) return request
  const { ref: repoRef, commit } = mergedInto
  return { ...request, repository: { ...repository, repoRef, commit } }
}

/** The address is sent as the integration lists it (contract, "Repository"). */
export function chooseIntegration(repoUrl: string, installed: readonly InstalledIntegration[]): Added {
  const matches = installed.flatMap((integration) => {
    const repository = integration.repositories?.find(({ url }) => sameRepository(url, repoUrl))
    return repository === undefined ? [] : [{ repository, integration }]
  })
  const refuse = (reason: string): Added => {
    return { problems: [{ input: 'integration-id', message: `is not set, and ${reason}` }] }
  }
  const [match, ...others] = matches
  if (match === undefined) return refuse(`no installed integration reaches ${repoUrl}: ${listAll(installed)}`)
  if (others.length > 0) {
    const names = matches.map(({ integration }) => integrationName(integration)).join(', ')
    return refuse(`several installed integrations reach ${repoUrl}; set it to the id of one: ${names}`)
  }
  const { integration, repository } = match
  const { integrationId, url } = repository
  return { settings: { integrationId, repoUrl: url }, notes: [{ kind: 'integration-found', integration, url }] }
}

function listAll(installed: readonly InstalledIntegration[]): string {
  if (installed.length === 0) return 'none is installed in this workspace'
  return installed.map((one) => `${integrationName(one)} reaches ${listRepositories(one)}`).join('; ')
}

function listRepositories({ repositories }: InstalledIntegration): string {
  if (repositories === undefined) return 'repositories that these credentials may not list'
  if (repositories.length === 0) return 'no repository'
  const addresses = repositories.map(({ url }) => url)
  return listNames(addresses, MAX_NAMED.message)
}

/** `<name> (<id>)` */
export function integrationName({ id, name }: Integration): string {
  return name === undefined ? id : `${name} (${id})`
}

/** Checks the listener of an external_container; if none is set, takes the only one there is. */
export function chooseListener(wanted: Settings, listing: KnownListeners, api: Api): Added {
  const { listenerId } = wanted
  if (listing.kind === 'unlisted')
    return { notes: listenerId === undefined ? [] : [{ kind: 'listener-not-checked', status: listing.status }] }
  const { listeners } = listing
  if (listenerId !== undefined) {
    const listener = listeners.find(({ id }) => sameId(id, listenerId))
    if (listener !== undefined) return checkNamespace(wanted, listener, api)
    const message = `is not the id of a listener: ${listListeners(listeners, api)}`
    return { problems: [{ input: 'listener-id', value: listenerId, message }] }
  }
  const [only, ...others] = listeners
  if (only === undefined || others.length > 0) return { notes: [{ kind: 'no-listener-sent', listeners }] }
  const { problems = [], notes = [] } = checkNamespace(wanted, only, api)
  return { settings: { listenerId: only.id }, problems, notes: [{ kind: 'only-listener', listener: only }, ...notes] }
}

/** Contract, "ListenerConfig": only for listeners with compute type `cluster`. */
function checkNamespace({ clusterNamespace: namespace }: Settings, listener: Listener, api: Api): Added {
  const { computeType, namespaces: reported = [] } = listener
  if (namespace === undefined) return {}
  if (computeType !== undefined && computeType.toLowerCase() !== 'cluster') {
    const [needed, has] = [wordOf(api, 'computeType', 'cluster'), wordOf(api, 'computeType', computeType)]
    const message = `is only for listeners of compute type ${needed}: ${listenerName(listener, api)} is of type ${has}`
    return { problems: [{ input: 'cluster-namespace', value: namespace, message }] }
  }
  if (reported.length === 0 || reported.includes(namespace)) return {}
  return { notes: [{ kind: 'namespace-not-reported', namespace, reported }] }
}

export function listListeners(listeners: readonly Listener[], api: Api): string {
  if (listeners.length === 0) return 'there is no listener in this workspace'
  return `the listeners are ${listeners.map((listener) => listenerName(listener, api)).join(', ')}`
}

/** `<id> (cluster eu-1)` */
export function listenerName({ id, computeType, computeId }: Listener, api: Api): string {
  const details = [computeType === undefined ? undefined : wordOf(api, 'computeType', computeType), computeId]
    .filter((part) => part !== undefined)
    .join(' ')
  return details === '' ? id : `${id} (${details})`
}
