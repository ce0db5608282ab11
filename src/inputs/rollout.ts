import * as accept from './parsers.ts'
import type { Clock } from '../clock.ts'
import type { Api } from '../control-plane/api.ts'
import type { ResourceSpec } from '../control-plane/resource-spec-schema.ts'
import type { Settings } from '../control-plane/settings.ts'
import type { WorkflowEvent } from '../github/event.ts'
import type { Preview } from '../previews/request.ts'
import { repositoryOf, unusableRef } from '../rollout/plan/defaults.ts'
import { withSourcePath } from '../rollout/plan/settings.ts'
import { mismatches, tagBuiltOnPush } from '../rollout/plan/validate.ts'
import type { Problem } from '../problem.ts'
import { nameOf, type RolloutRequest, type Target, type WatchRequest } from '../rollout/rollout-request.ts'
import type { readResourceSpec } from '../sources/resource-spec/resource-spec.ts'
import { locate } from '../sources/workspace-path.ts'
import type { parseYaml } from '../sources/yaml-file.ts'
import type { Files } from '../world.ts'
import { readTemplate } from './connection.ts'
import { readApproved } from './expect-plan.ts'
import { INPUTS, sourceOf, typeOf } from './inputs.ts'
import { readWatch } from './operations.ts'
import type { InputReader } from './reader.ts'
import { parseSecretReferences, secretsParser } from './secrets.ts'
import { readTarget } from './target.ts'

/** `isOfFleet`: one of the many deployments of a fleet. */
export async function readRollout(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
  at: { api: Api; world: FilesWorld; isOfFleet?: true },
): Promise<RolloutRequest | undefined> {
  const target = readTarget(read, preview)
  const { api, world } = at
  const { spec, notes, warnings } = await readSpec(read, event.workspace, api, world)
  const sourcePath = read.defaulted('source-path')
  const place = await locate(sourcePath, event.workspace, world.files)
  if (place.kind === 'refused') read.refuse('source-path', place.message, sourcePath)
  const promoteFrom = readPromoteFrom(read, target, preview)
  const settings = { ...readSettings(read, api), templateId: readTemplate(read, api), resourceSpec: spec }
  const rollback = read.defaulted('rollback')
  const watch = readWatch(read)
  const request = {
    ifMissing: read.defaulted('if-missing'),
    ifUnchanged: read.defaulted('if-unchanged'),
    source: read.optional('source', sourceOf(api)),
    promoteFrom,
    settings,
    variablesAlone: read.isUnset('secrets') && !read.isUnset('variables'),
    sourcePath: sourcePath === INPUTS['source-path'].standard ? undefined : sourcePath,
    repository: repositoryOf(event, settings.repoUrl, preview),
    notes,
    warnings: [...warnings, ...unseenFailure(rollback, watch)],
    allowSecretRemoval: read.defaulted('allow-secret-removal'),
    dryRun: read.defaulted('dry-run'),
    approved: at.isOfFleet ? undefined : readApproved(read),
    wait: read.defaulted('wait'),
    ...watch,
    resume: read.defaulted('resume'),
    protectNewer: read.defaulted('protect-newer'),
    rollback,
    warnsOfTypo: preview === undefined && at.isOfFleet !== true,
  }
  read.problems.push(...findContradictions(request, preview, api))
  return target === undefined ? undefined : { target, ...request }
}

/** What another deployment decides: the two would contradict each other. */
const PROMOTED = ['source', 'repo-url', 'repo-ref', 'app-config-path', 'image-uri', 'template-id'] as const

function readPromoteFrom(
  read: InputReader,
  target: Target | undefined,
  preview: Preview | undefined,
): Target | undefined {
  const given = read.optional('promote-from')
  if (given === undefined) return undefined
  const hasPath = ![INPUTS['source-path'].standard, ''].includes(read.raw('source-path').trim())
  const sets = [...PROMOTED.filter((input) => !read.isUnset(input)), ...(hasPath ? ['source-path'] : [])]
  if (sets.length > 0)
    read.refuse('promote-from', `must not be set together with ${sets.join(', ')}: the other deployment decides`, given)
  if (preview !== undefined) read.refuse('promote-from', 'must not be set together with preview', given)
  const from: Target = accept.UUID.test(given) ? { kind: 'id', id: given.toLowerCase() } : { kind: 'name', name: given }
  if (target !== undefined && nameOf(target) === nameOf(from))
    read.refuse('promote-from', 'must name another deployment than the one that is rolled out', given)
  return from
}

/** Lists what does not fit together, as far as it can be found without a request. */
function findContradictions(
  request: Omit<RolloutRequest, 'target'>,
  preview: Preview | undefined,
  api: Api,
): Problem[] {
  const { source, settings, repository, promoteFrom } = request
  const { repoRef } = repository
  const isOfEvent = repoRef.kind === 'ref' && promoteFrom === undefined
  const ref = settings.repoRef ?? (isOfEvent ? repoRef.ref : undefined)
  return [
    ...(source === undefined ? [] : mismatches(source, withSourcePath(settings, request), api)),
    // GitHub may report the head of a preview that the event does not, or that nothing is to be rolled out.
    ...(preview === undefined && promoteFrom === undefined ? unusableRef(request, api) : []),
    ...refusedNames(settings, api),
    ...tagBuiltOnPush(settings, ref),
  ]
}

/** A rollback follows a failure that the run sees. */
function unseenFailure(rollback: RolloutRequest['rollback'], { verification }: WatchRequest): string[] {
  if (rollback === 'never' || verification !== undefined) return []
  return [
    'rollback is on-failure, but verify-url is not set: a revision that is deployed and does not work is not rolled back. Set verify-url, as in {url}/ok',
  ]
}

function readSettings(read: InputReader, api: Api): Settings {
  return {
    integrationId: read.optional('integration-id'),
    repoUrl: read.optional('repo-url'),
    repoRef: read.optional('repo-ref'),
    appConfigPath: read.optional('app-config-path'),
    deploymentType: read.optional('deployment-type', typeOf(api)),
    buildOnPush: read.optional('build-on-push'),
    installCommand: read.optional('install-command'),
    buildCommand: read.optional('build-command'),
    imageUri: read.optional('image-uri'),
    listenerId: read.optional('listener-id'),
    clusterNamespace: read.optional('cluster-namespace'),
    customUrl: read.optional('custom-url'),
    secrets: readSecrets(read),
    secretReferences: read.optional('secret-references', parseSecretReferences),
    shareable: read.optional('shareable'),
    routeThroughGateway: read.optional('route-through-gateway'),
  }
}

function readSecrets(read: InputReader): Settings['secrets'] {
  const credentials = ['api-key', 'bearer-token', 'github-token'] as const
  const allowsEmpty = read.defaulted('allow-empty-secrets')
  const forbidden = credentials.map((input) => ({ input, value: read.raw(input).trim() }))
  const parserOf = (list: 'secrets' | 'variables') =>
    secretsParser({
      isShown: list === 'variables',
      allowsEmpty,
      forbidden,
      warn: (message) => read.warn(list, message),
    })
  const secrets = read.list('secrets', parserOf('secrets'))
  const variables = read.list('variables', parserOf('variables'))?.map((one) => ({ ...one, isVariable: true as const }))
  return secrets === undefined && variables === undefined ? undefined : [...(secrets ?? []), ...(variables ?? [])]
}

/** Reads resource-spec with its blanks, which YAML counts. */
async function readSpec(
  read: InputReader,
  workspace: string,
  api: Api,
  world: FilesWorld,
): Promise<{ spec: ResourceSpec | undefined; notes: string[]; warnings: string[] }> {
  const none = { spec: undefined, notes: [], warnings: [] }
  const given = read.unparsed('resource-spec')
  if (given === undefined) return none
  const { readResourceSpec } = await world.later()
  const reading = await readResourceSpec(given, workspace, world, api.names.resourceSpec)
  if (reading.kind === 'read') return reading
  read.problems.push(...reading.problems)
  return none
}

/** Names that two lists set, or that the service reserves. */
function refusedNames({ secrets: set = [], secretReferences = [] }: Settings, { reservedNames }: Api): Problem[] {
  const lists = [
    { input: 'secrets', names: set.flatMap(({ name, isVariable }) => (isVariable ? [] : [name])) },
    { input: 'variables', names: set.flatMap(({ name, isVariable }) => (isVariable ? [name] : [])) },
    { input: 'secret-references', names: secretReferences.map(({ name }) => name) },
  ]
  const twice = lists.flatMap((list, index) =>
    lists.slice(0, index).flatMap(({ input, names }) => mustNotSet(list, names, `, which ${input} sets as well`)),
  )
  const reserved = lists.flatMap((list) => mustNotSet(list, reservedNames, `: ${RESERVED}`))
  return [...twice, ...reserved]
}

const RESERVED = 'the service reserves such names for itself; remove them, or use other names'

function mustNotSet(
  { input, names }: { input: string; names: readonly string[] },
  others: readonly string[],
  why: string,
): Problem[] {
  const known = new Set(others)
  const refused = names.filter((name) => known.has(name))
  return refused.length === 0 ? [] : [{ input, message: `must not set ${refused.join(', ')}${why}` }]
}

/** The files that inputs name. What reads YAML is loaded when it is needed. */
export interface FilesWorld {
  files: Files
  clock: Clock
  later: () => Promise<{ readResourceSpec: typeof readResourceSpec; parseYaml: typeof parseYaml }>
}
