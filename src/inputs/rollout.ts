import * as accept from './parsers.ts'
import type { Api } from '../control-plane/api.ts'
import type { ResourceSpec } from '../control-plane/resource-spec-schema.ts'
import type { Settings } from '../control-plane/settings.ts'
import type { WorkflowEvent } from '../github/event.ts'
import type { Preview } from '../previews/request.ts'
import { repositoryOf, unusableRef } from '../rollout/plan/defaults.ts'
import { withSourcePath } from '../rollout/plan/settings.ts'
import { mismatches, tagBuiltOnPush } from '../rollout/plan/validate.ts'
import type { Problem } from '../problem.ts'
import { nameOf, type RolloutRequest, type Target } from '../rollout/rollout-request.ts'
import { locate } from '../sources/workspace-path.ts'
import { readTemplate } from './connection.ts'
import { readApproved } from './expect-plan.ts'
import type { FilesWorld } from './files-world.ts'
import { INPUTS, sourceOf, typeOf } from './inputs.ts'
import { readWatch } from './operations.ts'
import { readConfigPath, readPathOf } from './paths.ts'
import type { InputReader } from './reader.ts'
import { readRepoRef } from './repo-ref.ts'
import { parseSecretReferences } from './secrets.ts'
import { readSecretLists, refusedNames } from './secret-lists.ts'
import { type ConfirmingEvent, readConfirmedTarget } from './confirmation.ts'
import { readTarget } from './target.ts'

/** `ofFleet`: set for one of the many deployments of a fleet, which the step confirms together. */
// eslint-disable-next-line max-lines-per-function -- each field of a request is one line, and the order of the reads is that of the problems
export async function readRollout(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
  at: { api: Api; world: FilesWorld } & (
    { confirming: ConfirmingEvent; ofFleet?: undefined } | { ofFleet: { onlyIfMerged: Problem | undefined } }
  ),
): Promise<RolloutRequest | undefined> {
  const { api, world, ofFleet } = at
  const confirmed = ofFleet === undefined ? readConfirmedTarget(read, preview, at.confirming, 'roll out') : undefined
  const target = ofFleet === undefined ? confirmed?.target : readTarget(read, preview)
  const ofEntry = ofFleet?.onlyIfMerged && { ...ofFleet.onlyIfMerged, value: read.raw('name').trim() }
  const onlyIfMerged = ofFleet === undefined ? confirmed?.onlyIfMerged : ofEntry
  const { spec, notes, warnings } = await readSpec(read, event.workspace, api, world)
  const sourcePath = await readSourcePath(read, event.workspace, world)
  const promoteFrom = readPromoteFrom(read, target, preview)
  const appConfigPath = readConfigPath(read, { env: world.env, workspace: event.workspace })
  const lists = await readSecretLists(read, event.workspace, api, world)
  const settings = {
    ...readSettings(read, api),
    secrets: lists.secrets,
    repoRef: readRepoRef(read, event),
    appConfigPath,
    templateId: readTemplate(read, api),
    resourceSpec: spec,
  }
  const rollback = read.defaulted('rollback')
  const watch = readWatch(read)
  const request = {
    ifMissing: read.defaulted('if-missing'),
    ifUnchanged: read.defaulted('if-unchanged'),
    source: read.optional('source', sourceOf(api)),
    onlyIfMerged,
    // GitHub may report that the preview is to be deleted.
    ifRolledOut: doubledNumber(read, preview),
    promoteFrom,
    checkAppConfig: read.defaulted('check-app-config'),
    settings,
    secretsInput: lists.input,
    secretsFiles: lists.file === undefined ? [] : [lists.file],
    sourcePath: sourcePath === INPUTS['source-path'].standard ? undefined : sourcePath,
    repository: repositoryOf(event, { repoUrl: settings.repoUrl, preview }),
    notes: [...notes, ...lists.notes],
    warnings,
    allowSecretRemoval: read.defaulted('allow-secret-removal'),
    dryRun: read.defaulted('dry-run'),
    approved: ofFleet === undefined ? readApproved(read) : undefined,
    wait: read.defaulted('wait'),
    ...watch,
    resume: read.defaulted('resume'),
    protectNewer: read.defaulted('protect-newer'),
    rollback,
    warnsOfTypo: preview === undefined && ofFleet === undefined,
  }
  const isEventRefused = event.code.refused !== undefined && read.isUnset('confirm') && !request.dryRun
  const judgesRef = preview === undefined && promoteFrom === undefined && !isEventRefused
  read.problems.push(...findContradictions(request, judgesRef, api), ...refusedNames(lists, settings, api))
  const sentences = [...warnings, ...uncheckedRollout(request)]
  return target === undefined ? undefined : { target, ...request, warnings: sentences }
}

/** Refuses the number of the pull request in `name`: a preview's name is made of both. */
function doubledNumber(read: InputReader, preview: Preview | undefined): Problem[] {
  const name = read.raw('name').trim()
  const end = `-pr-${preview?.pullRequest ?? ''}`
  if (preview === undefined || !name.endsWith(end)) return []
  const message = `already has the number of the pull request, which preview: true adds: did you mean ${name.slice(0, -end.length)}?`
  return [{ input: 'name', value: name, message }]
}

async function readSourcePath(read: InputReader, workspace: string, { env, files }: FilesWorld): Promise<string> {
  const { standard } = INPUTS['source-path']
  const sourcePath = readPathOf(read, 'source-path', read.defaulted('source-path'), env) ?? standard
  const place = await locate(sourcePath, workspace, files)
  if (place.kind === 'refused') read.refuse('source-path', place.message, sourcePath)
  return sourcePath
}

/** Inputs that the deployment of promote-from decides: a value of the step would contradict it. */
const PROMOTED = ['source', 'repo-url', 'repo-ref', 'app-config-path', 'image-uri', 'template-id'] as const

function readPromoteFrom(
  read: InputReader,
  target: Target | undefined,
  preview: Preview | undefined,
): Target | undefined {
  const origin = read.optional('promote-from')
  if (origin === undefined) return undefined
  const hasPath = ![INPUTS['source-path'].standard, ''].includes(read.raw('source-path').trim())
  const sets = [...PROMOTED.filter((input) => !read.isUnset(input)), ...(hasPath ? ['source-path'] : [])]
  if (sets.length > 0)
    read.refuse(
      'promote-from',
      `must not be set together with ${sets.join(', ')}: the other deployment decides`,
      origin,
    )
  if (preview !== undefined) read.refuse('promote-from', 'must not be set together with preview', origin)
  const from: Target = accept.UUID.test(origin)
    ? { kind: 'id', id: origin.toLowerCase() }
    : { kind: 'name', name: origin }
  if (target !== undefined && nameOf(target) === nameOf(from))
    read.refuse('promote-from', 'must name another deployment than the one that is rolled out', origin)
  return from
}

/**
 * Lists inputs that contradict each other, as far as no request is needed.
 * @param judgesRef whether the ref of the event counts: else the event is refused as a whole, or GitHub decides
 */
function findContradictions(request: Omit<RolloutRequest, 'target'>, judgesRef: boolean, api: Api): Problem[] {
  const { source, settings, repository, promoteFrom } = request
  const { repoRef } = repository
  const isOfEvent = repoRef.kind === 'ref' && promoteFrom === undefined
  // Without a source of the step, the deployment's own decides whether a ref is required: only a read shows it.
  const isGit = source === 'git_host'
  const ref = settings.repoRef ?? (isOfEvent ? repoRef.ref : undefined)
  return [
    ...(source === undefined ? [] : mismatches(source, withSourcePath(settings, request), api)),
    // GitHub may report the head of a preview that the event does not, or that nothing is to be rolled out.
    ...(judgesRef && isGit ? unusableRef(request, api) : []),
    ...tagBuiltOnPush(settings, ref),
  ]
}

/** Warns of checks and rollbacks without effect: both need a run that waits for the end. */
function uncheckedRollout({ wait, rollback, verification }: Waiting): string[] {
  const rollsBack = rollback !== 'never'
  if (wait) return rollsBack && verification === undefined ? [UNSEEN_FAILURE] : []
  const idle = [
    ...(verification === undefined ? [] : ['verify-url']),
    ...(verification?.forMs === undefined ? [] : ['verify-for']),
    ...(rollsBack ? ['rollback'] : []),
  ]
  return idle.length === 0 ? [] : [`wait is false, so nothing is checked. Without effect: ${idle.join(', ')}. ${WAY}`]
}

type Waiting = Pick<RolloutRequest, 'wait' | 'rollback' | 'verification'>

const UNSEEN_FAILURE =
  'rollback is on-failure, but verify-url is not set: a revision that is deployed and does not work is not rolled back. Set verify-url, as in {url}/ok'
const WAY = 'Set wait: true, or set verify-url on the action wait'

function readSettings(read: InputReader, api: Api): Settings {
  return {
    integrationId: read.optional('integration-id'),
    repoUrl: read.optional('repo-url'),
    deploymentType: read.optional('deployment-type', typeOf(api)),
    buildOnPush: read.optional('build-on-push'),
    installCommand: read.optional('install-command'),
    buildCommand: read.optional('build-command'),
    imageUri: read.optional('image-uri'),
    listenerId: read.optional('listener-id'),
    clusterNamespace: read.optional('cluster-namespace'),
    customUrl: read.optional('custom-url'),
    secretReferences: read.optional('secret-references', parseSecretReferences),
    shareable: read.optional('shareable'),
    routeThroughGateway: read.optional('route-through-gateway'),
  }
}

/** Reads resource-spec with its blanks, which YAML counts. */
async function readSpec(
  read: InputReader,
  workspace: string,
  api: Api,
  world: FilesWorld,
): Promise<{ spec: ResourceSpec | undefined; notes: string[]; warnings: string[] }> {
  const none = { spec: undefined, notes: [], warnings: [] }
  const specText = read.unparsed('resource-spec')
  if (specText === undefined) return none
  const { readResourceSpec } = await world.loadRest()
  const reading = await readResourceSpec(specText, workspace, world, api.names.resourceSpec)
  if (reading.kind === 'read') return reading
  read.problems.push(...reading.problems)
  return none
}
