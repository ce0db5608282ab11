import type { Api } from '../../control-plane/api.ts'
import { RefusedError, BrokenContractError } from '../../control-plane/errors.ts'
import {
  withBranch,
  type Deployment,
  type DeploymentDraft,
  type Revision,
  type Settings,
} from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import { configFieldsThatDiffer } from '../plan/revise.ts'
import { isSource, repeatable } from '../plan/field-rules.ts'
import { omit, REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import { immutableDifferences } from '../plan/validate.ts'
import { readAll } from '../read/paginate.ts'
import type { Look } from './lost-write.ts'

/** The deployment before a write: its revisions are not of that write. */
export type KnownBefore = Pick<Deployment, 'id' | 'latestRevisionId' | 'activeRevisionId'>

/**
 * Finds the revisions newer than `known` with this configuration, newest first: they count as those of our requests. A
 * replica may show a state that is older than `known`, or that lacks a new revision.
 */
export async function findCreated(
  known: KnownBefore,
  wanted: Settings,
  { isPastLag }: Look,
  { controlPlane }: Pick<ReadDependencies, 'controlPlane'>,
): Promise<Revision[]> {
  const listed = newerThan(known, await listRevisions(known.id, controlPlane))
  if (listed?.length === 0) return []
  const now = await controlPlane.getDeployment(known.id)
  const newer = listed ?? (isPastLag ? await latestUnlessKnown(known, now, controlPlane) : [])
  // Only the deployment reports the rest of the configuration, and only that of its latest revision.
  const isCurrent = newer.some(({ id }) => sameId(id, now.latestRevisionId))
  return newer.filter(
    ({ id, settings }) =>
      isCurrent &&
      sameSource(withBranch(settings, now.branch), wanted, now.source) &&
      (!sameId(id, now.latestRevisionId) || sameBesidesSource(now.settings, wanted)),
  )
}

const LISTED = 20

/** Newest first; undefined if the service has no such list, which is optional. */
async function listRevisions(
  id: string,
  controlPlane: ReadDependencies['controlPlane'],
): Promise<Revision[] | undefined> {
  try {
    return await controlPlane.listRevisions(id, { limit: LISTED })
  } catch (thrown) {
    if (thrown instanceof RefusedError || thrown instanceof BrokenContractError) return undefined
    throw thrown
  }
}

/** Undefined if the list cannot tell: it lacks the revision that was the latest one. */
function newerThan({ latestRevisionId }: KnownBefore, listed: Revision[] | undefined): Revision[] | undefined {
  const end = listed?.findIndex(({ id }) => sameId(id, latestRevisionId)) ?? -1
  return end < 0 ? undefined : listed?.slice(0, end)
}

/** Without a list, a latest revision that was not known counts as new, once no replica can show an earlier one. */
async function latestUnlessKnown(
  { latestRevisionId, activeRevisionId }: KnownBefore,
  { id, latestRevisionId: latest }: Deployment,
  controlPlane: ReadDependencies['controlPlane'],
): Promise<Revision[]> {
  if (latest === undefined || sameId(latest, latestRevisionId) || sameId(latest, activeRevisionId)) return []
  return [await controlPlane.getRevision(id, latest)]
}

/** Finds the deployments of the draft's name that are what it would have created, in the order of the list. */
export async function findDrafted(
  draft: DeploymentDraft,
  { controlPlane }: Pick<ReadDependencies, 'controlPlane'>,
): Promise<Deployment[]> {
  const found: Deployment[] = []
  const all = readAll(async (query) => await controlPlane.listDeployments({ nameContains: draft.name, ...query }))
  for await (const deployment of all)
    if (deployment.name === draft.name && matchesDraft(deployment, draft, controlPlane.api)) found.push(deployment)
  return found
}

/** Whether a deployment is what our draft would have created. */
export function matchesDraft(
  found: Deployment,
  { source, settings }: DeploymentDraft,
  { unreported }: Pick<Api, 'unreported'>,
): boolean {
  const comparable = omit(
    settings,
    unreported.filter((field) => found.settings[field] === undefined),
  )
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    configFieldsThatDiffer(comparable, found.settings).length === 0 &&
    sameSource(found.settings, settings, source) &&
    sameBesidesSource(found.settings, settings)
  )
}

/** A service may report more than the source takes: what it has built. */
function sameSource(reported: Settings, wanted: Settings, source: string | undefined): boolean {
  const ofSource = isSource(source) ? repeatable(reported, source) : reported
  return REPORTED_BY_REVISION.every((field) => sameValue(ofSource[field], wanted[field]))
}

/** A value that is not reported makes no difference. */
function sameBesidesSource(reported: Settings, wanted: Settings): boolean {
  const comparable = comparablePart(reported, wanted)
  return setFields(wanted, ['secrets', 'secretReferences', 'resourceSpec']).every((field) =>
    ['same', 'unknown'].includes(differenceOf(field, comparable, wanted)),
  )
}

/** A service may return an empty list in place of secrets, omit a resource spec, or add values of its own to it. */
function comparablePart(reported: Settings, wanted: Settings): Settings {
  const { secrets, resourceSpec: spec = wanted.resourceSpec ?? {} } = reported
  const ofWanted = Object.entries(spec).filter(([name]) => Object.hasOwn(wanted.resourceSpec ?? {}, name))
  return {
    ...reported,
    secrets: secrets?.length === 0 ? undefined : secrets,
    resourceSpec: Object.fromEntries(ofWanted),
  }
}
