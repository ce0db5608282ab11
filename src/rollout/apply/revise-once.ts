import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable, BrokenContractError, RefusedError } from '../../control-plane/errors.ts'
import {
  type Deployment,
  type Revision,
  type RevisionDraft,
  sameId,
  type Settings,
  withBranch,
} from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { Applied, Repeated } from '../event.ts'
import type { KnownDeployment } from './basis.ts'
import { type Write, writeOnce, type PossibleResult, isOutside, type Look, uncertain } from './write-once.ts'
import { phaseOf } from '../outcome.ts'
import { contradicts, showsSecrets } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { sameCommit } from '../plan/repository.ts'
import { setFields } from '../plan/settings.ts'
import { LISTED_REVISIONS, newestFirst } from '../read/age.ts'
import { awaitCommit } from '../read/read-again.ts'

/** The effects of lost responses on a write: see `Applied`. */
export type Recovery = Pick<Applied, 'repeated' | 'isFound'>

/** Creates the revision once. If the response was lost, a new revision that nothing distinguishes from ours is ours. */
export async function reviseOnce(
  basis: KnownDeployment,
  draft: RevisionDraft,
  deps: Run,
  commit?: string,
): Promise<{ revision: Revision } & Recovery> {
  const create = async (before: Deployment): Promise<Revision> => {
    const others = [before.latestRevisionId, before.activeRevisionId]
    const answered = await deps.controlPlane.createRevision(before.id, draft, others)
    return await requireNew(answered, before, draft.settings, deps.controlPlane)
  }
  return await createRevisionOnce(basis, { settings: draft.settings, commit }, create, deps)
}

/** Creates a revision once, by any request: see {@link reviseOnce}. `create` receives the deployment as it is before. */
export async function createRevisionOnce<Created>(
  basis: KnownDeployment,
  sought: Omit<Sought, 'before'>,
  create: (before: Deployment) => Promise<Created>,
  deps: Run,
): Promise<{ revision: Created | Revision } & Recovery> {
  const { settings, mayMove = false } = sought
  const write: Write<Deployment, Created | Revision> = {
    resource: 'revision',
    basis,
    create,
    find: async (before, look) => await findCreated({ ...sought, before }, look, deps),
  }
  const { made: revision, before, isFound, isRepeated, sinceFirstMs } = await writeOnce(write, deps)
  const commit = mayMove ? undefined : sought.commit
  const sent: Repeated = { kind: 'revision', before, settings, commit, sinceFirstMs }
  const again: Repeated = isRepeated ? sent : { ...sent, isSentOnce: true }
  return { revision, repeated: isRepeated || isFound ? [again] : [], isFound }
}

/** Throws AmbiguousWriteError if the POST cannot have created it: then the new one is to be looked for. */
export async function requireNew(
  revision: Revision,
  before: Deployment,
  wanted: Settings,
  controlPlane: ControlPlane,
): Promise<Revision> {
  const contradiction = hasOtherOrigin(revision, wanted)
    ? 'has another configuration'
    : await contradictionOfEnd(revision, before, controlPlane)
  if (contradiction === undefined) return revision
  const cameBack = `the response shows the revision ${revision.id}, which ${contradiction}`
  throw uncertain(`create a revision of the deployment ${before.id}`, cameBack)
}

/** A revision that ends at once is ours only if it is the latest one now. */
async function contradictionOfEnd(
  { id, status }: Revision,
  before: Deployment,
  controlPlane: ControlPlane,
): Promise<string | undefined> {
  if (phaseOf(status) !== 'terminal') return undefined
  const now = await ifReadable(async () => await controlPlane.getDeployment(before.id))
  return sameId(now?.latestRevisionId, id) ? undefined : `has ended already (${status})`
}

/** A revision since a write. `unknown`: it reports nothing of ours. `other-commit`: it differs by its commit only. */
interface Candidate extends PossibleResult<Revision> {
  kinship: 'ours' | 'unknown' | 'other-commit' | 'foreign'
}

export type RepeatedRevision = Extract<Repeated, { kind: 'revision' }>

/** The revision that a write makes. `mayMove`: a redeploy may build the commit that the ref names now. */
type Sought = Pick<RepeatedRevision, 'before' | 'settings' | 'commit'> & { mayMove?: boolean | undefined }

/**
 * Finds the revisions since a write that nothing distinguishes from ours, newest first. At the end of the window, one
 * that differs by its commit only counts if the ref may have moved.
 */
export async function findCreated(sought: Sought, look: Look, deps: Run): Promise<PossibleResult<Revision>[]> {
  const { settings, mayMove = false } = sought
  const candidates = await findComparable(sought, look, deps)
  const alike = candidates.filter(({ kinship }) => kinship === 'ours' || kinship === 'unknown')
  const isMoved = mayMove && alike.length === 0 && look.isLast === true && settings.repoRef !== undefined
  return isMoved ? candidates.filter(({ kinship }) => kinship === 'other-commit') : alike
}

/**
 * Finds the revisions since a write, newest first. If our commit is known, waits until they report theirs, unless another
 * look follows. `ours`: a revision that is known to be ours; it is not returned.
 */
export async function findComparable(sought: Sought & { ours?: string }, look: Look, deps: Run): Promise<Candidate[]> {
  const { before, commit, ours } = sought
  const candidates: Candidate[] = []
  for (const candidate of await findNewer(sought, look, deps.controlPlane)) {
    const { made: revision, kinship } = candidate
    if (sameId(revision.id, ours)) continue
    const mayWait = look.isLast === false && commit !== undefined && revision.repoCommitSha === undefined
    if (kinship !== 'foreign' && mayWait) candidates.push({ ...candidate, isPending: true })
    else if (kinship === 'foreign' || (await mayBuild(commit, revision, before, deps))) candidates.push(candidate)
    else candidates.push({ ...candidate, kinship: kinship === 'ours' ? 'other-commit' : 'foreign' })
  }
  return candidates
}

export async function mayBuild(
  commit: string | undefined,
  revision: Revision,
  deployment: Deployment,
  deps: Run,
): Promise<boolean> {
  if (commit === undefined) return true
  const built = revision.repoCommitSha ?? (await awaitCommit(revision, deployment, deps)).repoCommitSha
  return built === undefined || sameCommit(built, commit)
}

/** Finds the revisions since a write, without a look at their commits. None if the read may be of a lagging replica. */
export async function findNewer(
  { before, settings: wanted }: Sought,
  look: Look,
  controlPlane: ControlPlane,
): Promise<Candidate[]> {
  const all = await listRevisions(before.id, controlPlane)
  const listed = newerThan(before, all)
  if (listed?.length === 0) return []
  const now = await controlPlane.getDeployment(before.id)
  const newer = listed ?? (look.isPastLag ? await latestUnlessKnown(before, now, controlPlane) : [])
  const latest = now.latestRevisionId
  const isLatest = ({ id }: Revision): boolean => sameId(id, latest)
  // Going back may make an earlier revision the latest one again, which a replica that lags may show as well.
  const isBack = look.isPastLag && !sameId(latest, before.latestRevisionId) && all?.some(isLatest) === true
  if (latest !== undefined && !newer.some(isLatest) && !isBack) return []
  return newer.flatMap((revision) => {
    // The read before the write may be of a replica that lacked it.
    if (isOutside(revision.createdAt, look)) return []
    // Only the deployment reports the rest of the configuration, and only that of its latest revision.
    const besides = sameId(revision.id, latest) ? now.settings : {}
    const kinship = kinshipOf(withBranch(revision.settings, now.branch), besides, wanted)
    const areSecretsShown = showsSecrets(besides, wanted)
    const isUnlike = kinship === 'unknown'
    return { made: revision, resource: 'revision', id: revision.id, kinship, areSecretsShown, isUnlike }
  })
}

function kinshipOf(reported: Settings, besides: Settings, wanted: Settings): Candidate['kinship'] {
  const compared = setFields(wanted, COMPARED.lostRevision).filter((field) => reported[field] !== undefined)
  const isForeign =
    compared.some((field) => contradicts(field, reported, wanted)) ||
    COMPARED.lostRevisionInDeployment.some((field) => contradicts(field, besides, wanted))
  if (isForeign) return 'foreign'
  return compared.length === 0 ? 'unknown' : 'ours'
}

/** Lists the newest revisions, newest first; undefined if the service has no such list. */
export async function listRevisions(id: string, controlPlane: ControlPlane): Promise<Revision[] | undefined> {
  const read = async (): Promise<Revision[]> => await controlPlane.listRevisions(id, { limit: LISTED_REVISIONS })
  return await ifReadable(read, (thrown) => thrown instanceof RefusedError || thrown instanceof BrokenContractError)
}

function newerThan(
  { latestRevisionId, activeRevisionId }: Deployment,
  list: Revision[] | undefined,
): Revision[] | undefined {
  const listed = newestFirst(list, [latestRevisionId, activeRevisionId])
  const end = listed?.findIndex(({ id }) => sameId(id, latestRevisionId)) ?? -1
  return end < 0 ? undefined : listed?.slice(0, end)
}

/** Without a list, a latest revision that was not known counts as new, once no replica can show an earlier one. */
async function latestUnlessKnown(
  { latestRevisionId, activeRevisionId }: Deployment,
  { id, latestRevisionId: latest }: Deployment,
  controlPlane: ControlPlane,
): Promise<Revision[]> {
  if (latest === undefined || sameId(latest, latestRevisionId) || sameId(latest, activeRevisionId)) return []
  return [await controlPlane.getRevision(id, latest)]
}

export function hasOtherOrigin({ settings }: Revision, wanted: Settings): boolean {
  return COMPARED.lostRevision.some((field) => contradicts(field, withBranch(settings, wanted.repoRef), wanted))
}
