import { RefusedError, BrokenContractError } from '../../control-plane/errors.ts'
import {
  withBranch,
  type Deployment,
  type DeploymentDraft,
  type Revision,
  type Settings,
} from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import { sameName } from '../../control-plane/same-name.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { fieldsOf, omit, REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import { sameCommit } from '../plan/unchanged.ts'
import { immutableDifferences } from '../plan/validate.ts'
import { readAll } from '../read/paginate.ts'
import { LISTED_REVISIONS, newestFirst } from '../read/revision-order.ts'
import { contradicts } from './contradiction.ts'
import type { Look } from './lost-write.ts'

/** The deployment before a write: its revisions are not of that write. */
export type KnownBefore = Pick<Deployment, 'id' | 'latestRevisionId' | 'activeRevisionId'>

/** A revision since a write. `unknown`: it reports nothing that distinguishes it from ours. */
export interface Candidate {
  revision: Revision
  kinship: 'ours' | 'unknown' | 'foreign'
}

/**
 * Finds the revisions newer than `known` that count as those of our requests, newest first: those with this
 * configuration. Without any, the only one that nothing distinguishes from ours counts.
 */
export async function findCreated(
  known: KnownBefore,
  wanted: Settings,
  look: Look,
  deps: Pick<ReadDependencies, 'controlPlane'>,
  commit?: string,
): Promise<Revision[]> {
  const isOther = ({ repoCommitSha: built }: Revision): boolean =>
    built !== undefined && commit !== undefined && !sameCommit(built, commit)
  const found = (await findNewer(known, wanted, look, deps)).filter(({ revision }) => !isOther(revision))
  const ours = found.filter(({ kinship }) => kinship === 'ours')
  const possible = found.filter(({ kinship }) => kinship === 'unknown')
  return (ours.length === 0 && possible.length === 1 ? possible : ours).map(({ revision }) => revision)
}

/**
 * Finds the revisions newer than `known`, newest first. A replica may show a state that is older than `known`, or that
 * lacks a new revision: then there are none.
 */
export async function findNewer(
  known: KnownBefore,
  wanted: Settings,
  { isPastLag }: Look,
  { controlPlane }: Pick<ReadDependencies, 'controlPlane'>,
): Promise<Candidate[]> {
  const listed = newerThan(known, await listRevisions(known.id, controlPlane))
  if (listed?.length === 0) return []
  const now = await controlPlane.getDeployment(known.id)
  const newer = listed ?? (isPastLag ? await latestUnlessKnown(known, now, controlPlane) : [])
  const latest = now.latestRevisionId
  if (latest !== undefined && !newer.some(({ id }) => sameId(id, latest))) return []
  return newer.map((revision) => {
    // Only the deployment reports the rest of the configuration, and only that of its latest revision.
    const isLatest = sameId(revision.id, latest)
    const reported = withBranch(revision.settings, now.branch)
    return { revision, kinship: kinshipOf(reported, isLatest ? now.settings : {}, wanted) }
  })
}

/** `besides`: what the deployment reports of the revision. */
function kinshipOf(reported: Settings, besides: Settings, wanted: Settings): Candidate['kinship'] {
  const compared = setFields(wanted, REPORTED_BY_REVISION).filter((field) => reported[field] !== undefined)
  const isForeign =
    compared.some((field) => contradicts(field, reported, wanted)) ||
    BESIDES_ORIGIN.some((field) => contradicts(field, besides, wanted))
  if (isForeign) return 'foreign'
  return compared.length === 0 ? 'unknown' : 'ours'
}

const BESIDES_ORIGIN = ['secrets', 'secretReferences', 'resourceSpec'] as const

/** Newest first; undefined if the service has no such list, which is optional. */
async function listRevisions(
  id: string,
  controlPlane: ReadDependencies['controlPlane'],
): Promise<Revision[] | undefined> {
  try {
    return await controlPlane.listRevisions(id, { limit: LISTED_REVISIONS })
  } catch (thrown) {
    if (thrown instanceof RefusedError || thrown instanceof BrokenContractError) return undefined
    throw thrown
  }
}

/** Undefined if the list cannot tell: it lacks the revision that was the latest one, or has another order. */
function newerThan(
  { latestRevisionId, activeRevisionId }: KnownBefore,
  shown: Revision[] | undefined,
): Revision[] | undefined {
  const listed = newestFirst(shown, [latestRevisionId, activeRevisionId])
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
  for await (const deployment of alike(draft, controlPlane)) if (matchesDraft(deployment, draft)) found.push(deployment)
  return found
}

/** Finds the deployment of the draft's name. A service may write the name in its own way: then the rest must match. */
export async function findNamed(
  draft: DeploymentDraft,
  { controlPlane }: Pick<ReadDependencies, 'controlPlane'>,
): Promise<Deployment | undefined> {
  let first: Deployment | undefined
  for await (const deployment of alike(draft, controlPlane)) {
    if (deployment.name === draft.name) return deployment
    if (matchesDraft(deployment, draft)) first ??= deployment
  }
  return first
}

/** The deployments of the draft's name, which a service may write in its own way, in the order of the list. */
async function* alike(
  { name }: DeploymentDraft,
  controlPlane: ReadDependencies['controlPlane'],
): AsyncIterable<Deployment> {
  const all = readAll(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }))
  for await (const deployment of all)
    if (sameName(deployment.name, name) && deployment.isPreviewBuild !== true) yield deployment
}

/** Whether a deployment is what our draft would have created. A value that is not reported makes no difference. */
export function matchesDraft(found: Deployment, { source, settings }: DeploymentDraft): boolean {
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    !setFields(omit(settings, fieldsOf('immutable'))).some((field) => contradicts(field, found.settings, settings))
  )
}

/** Whether the revision's origin, as far as it is reported, is another one than ours. A commit may be of our branch. */
export function hasOtherOrigin({ settings }: Revision, wanted: Settings): boolean {
  const ofBranch = withBranch(settings, wanted.repoRef)
  return REPORTED_BY_REVISION.some((field) => contradicts(field, ofBranch, wanted))
}
