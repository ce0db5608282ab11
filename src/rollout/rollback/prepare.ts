import { ifReadable, isNotFound } from '../../control-plane/errors.ts'
import { type Deployment, type Revision, sameId, type Source } from '../../control-plane/model.ts'
import { InputError, MAX_NAMED } from '../../problem.ts'
import type { Run } from '../dependencies.ts'
import type { NeverServed } from '../outcome.ts'
import type { PlanNote, RedeployPlan, Restoration, ResumePlan, UnchangedPlan } from '../plan/plan.ts'
import { type BuiltRef, builtRefOf } from '../plan/repository.ts'
import { isSource } from '../plan/settings.ts'
import { requireAddress } from '../plan/validate.ts'
import { unfitError } from '../read/unfit.ts'
import { findByBeginning, isBeginning } from './beginning.ts'
import { chooseDeparture, type Departure, departFrom, type RevisionsAround } from './departure.ts'
import { areOlderThanRun, judgeLeaving, originOf } from './never-served.ts'
import { mayBeRestoring, notRestored, planRedeploy, planRestoration, type RedeployFacts } from './plan.ts'
import { type PreviousReading, readPrevious } from './previous.ts'
import { checkConfirmed, findExisting } from '../read/find-deployment.ts'
import type { NotedAction } from '../../notes/note.ts'
import { awaitCommit, pastBrokenAnswers, readRevision } from '../read/read-again.ts'
import { nameOf, type RollbackRequest } from '../rollout-request.ts'

/** The facts that the run knows before it plans. */
export interface Beforehand {
  /** The deployment as it was found before this was loaded. */
  reading?: { deployment: Deployment; readAt: number } | undefined
  /** The id of the deployment of the plan before. */
  id?: string
  /** A revision that the plan before has resumed in vain. */
  passedOver?: string | undefined
  /** The id of the revision to go back to: `previous` means the same as when the run began. */
  to?: string
}

interface PreparedRollback {
  kind: 'prepared'
  plan: RedeployPlan | ResumePlan | UnchangedPlan
  restoration: Restoration
  readAt: number
}

/** Chooses the revision to go back to, and plans how; writes nothing. `never-served`: the run must not go back. */
export async function prepareRollback(
  request: RollbackRequest,
  deps: Run,
  before: Beforehand = {},
): Promise<PreparedRollback | NeverServed> {
  const { controlPlane } = deps
  const readAt = before.reading?.readAt ?? deps.clock.now()
  const foundDeployment = before.reading?.deployment ?? (await findExisting(request.target, deps, before.id))
  deps.emit({ kind: 'deployment-read', deployment: foundDeployment })
  checkConfirmed(request.target, foundDeployment, deps.reveals)
  requireAddress(request.verification, foundDeployment, controlPlane.api)
  deps.own.request(nameOf(request.target), ['rollback', request.revisionId], controlPlane.serverTime())
  const chosen = await chooseRevision(request, foundDeployment, before, deps)
  if (chosen.kind === 'never-served') return chosen
  return { kind: 'prepared', ...(await planFor(chosen, before.passedOver, request, deps)), readAt }
}

/** Reads what else the plan needs, makes it, and emits it. */
async function planFor(
  { deployment, active, to, departure }: ChosenRevision,
  passedOver: string | undefined,
  request: RollbackRequest,
  deps: Run,
): Promise<Pick<PreparedRollback, 'plan' | 'restoration'>> {
  const { isFirstAttempt } = deps
  const { api, prefix } = deps.controlPlane
  const source = sourceOf(deployment, request, deps)
  const restoration = planRestoration(to, source)
  if (restoration === 'commit-unknown') throw problem(to.id, COMMIT_UNKNOWN)
  const builtRef = builtRefFor(to, deployment, request)
  const revisions = active === undefined ? [to] : [to, active]
  deps.emit({ kind: 'current-state-read', current: deployment, builtRef, revisions })
  deps.emit({ kind: 'revision-chosen', to, notRestored: notRestored(deployment.settings, source, api) })
  const latest = await readUnlessKnown(deployment, deployment.latestRevisionId, [active, to], deps)
  const isNoted =
    latest !== undefined && (await readNotedActions([latest], deployment, request, deps))(latest) === 'made'
  const attempt = { isFirstAttempt, passedOver, departure, isNoted }
  const facts: RedeployFacts = { deployment, source, restoration, active, latest, ...attempt, api }
  const isCommitAwaited = latest !== undefined && mayBeRestoring(facts)
  const plan = planRedeploy(isCommitAwaited ? { ...facts, latest: await awaitCommit(latest, deployment, deps) } : facts)
  deps.emit({ kind: 'planned', plan, wait: true, dryRun: request.dryRun, warnings: [], prefix })
  return { plan, restoration }
}

interface ChosenRevision {
  kind: 'chosen'
  deployment: Deployment
  active: Revision | undefined
  to: Revision
  departure: readonly PlanNote[]
}

async function chooseRevision(
  request: RollbackRequest,
  deployment: Deployment,
  { to: planned }: Beforehand,
  deps: Run,
): Promise<ChosenRevision | NeverServed> {
  const wanted = planned ?? request.revisionId
  if (wanted === undefined) return await choosePrevious(request, deployment, deps)
  const isWhole = wanted === planned || !isBeginning(wanted)
  const find = isWhole ? readGiven : findByBeginning
  const to = await find(deployment, wanted, deps)
  if (to.status !== 'DEPLOYED') throw problem(wanted, `ended ${to.status}: ${ONLY_DEPLOYED}`)
  const active = await readUnlessKnown(deployment, deployment.activeRevisionId, [to], deps)
  return { kind: 'chosen', deployment, active, to, departure: [] }
}

async function choosePrevious(
  request: RollbackRequest,
  foundDeployment: Deployment,
  deps: Run,
): Promise<ChosenRevision | NeverServed> {
  const isFirst = deps.isFirstAttempt
  const { deployment, previous } = await readPrevious(foundDeployment, isFirst ? 1 : EARLIER_OF_RERUN, deps)
  if (previous.kind !== 'found') throw noPrevious(previous.kind)
  const active = await readUnlessKnown(deployment, deployment.activeRevisionId, [], deps)
  if (active === undefined) throw noPrevious('active-unknown')
  const { newer, older } = previous
  const since = await withLatest(previous, active, deployment, deps)
  const noted = await readNotedActions([active, ...since, ...older], deployment, request, deps)
  const isNoted = (one: Revision): boolean => noted(one) !== undefined
  const standing = { deployment, active, since, before: older[0], isNoted }
  const leaving = await judgeLeaving(standing, request.isStartedByHand, deps)
  if ('kind' in leaving) {
    deps.emit({ kind: 'current-state-read', current: deployment, builtRef: undefined, revisions: [active] })
    return leaving
  }
  const byNotes = chooseDeparture({ since, newer, active, older }, { isFirst, noted })
  const chosen = byNotes.kind === 'known' ? byNotes : await departUnlessMade({ ...previous, since, active }, deps)
  if (chosen === undefined) throw problem(undefined, whyUnclear(active, older, deployment))
  const { to, notes } = chosen
  if (to === undefined) throw unfitError(request, { kind: 'nothing-earlier' }, deps)
  return { kind: 'chosen', deployment, active, to, departure: [...notes, ...leaving] }
}

/** Leaves the active revision if no earlier attempt can have made anything yet; else undefined. */
async function departUnlessMade(
  { since, newer, active, older }: RevisionsAround,
  deps: Run,
): Promise<Departure | undefined> {
  // A control plane that made an older revision active again has created none: then a DEPLOYED one is newer.
  if (newer.length > 0 || !(await areOlderThanRun([active, ...since], deps))) return undefined
  return departFrom(active, 'nothing-made', older[0])
}

/** All revisions since the active one: a list of a lagging replica may lack the latest. */
async function withLatest(
  { since, older }: Extract<PreviousReading, { kind: 'found' }>,
  active: Revision,
  deployment: Deployment,
  deps: Run,
): Promise<readonly Revision[]> {
  const revisionsRead = [active, ...since, ...older]
  const latest = await readUnlessKnown(deployment, deployment.latestRevisionId, revisionsRead, deps)
  return latest === undefined || revisionsRead.includes(latest) ? since : [latest, ...since]
}

async function readNotedActions(
  revisions: readonly Revision[],
  { id: deploymentId }: Deployment,
  { target }: RollbackRequest,
  { isFirstAttempt, own }: Run,
): Promise<(revision: Revision) => NotedAction | undefined> {
  const actions = new Map<Revision, NotedAction>()
  for (const revision of isFirstAttempt ? [] : revisions)
    for (const action of ['made', 'restored'] as const)
      if (await own.findNote(nameOf(target), deploymentId, revision, action)) actions.set(revision, action)
  return (revision) => actions.get(revision)
}

async function readGiven({ id }: Deployment, revisionId: string, deps: Run): Promise<Revision> {
  const read = async (): Promise<Revision> => await deps.controlPlane.getRevision(id, revisionId)
  const revision = await ifReadable(async () => await pastBrokenAnswers(read, deps), isNotFound)
  if (revision === undefined) throw problem(revisionId, 'names no revision of this deployment')
  return revision
}

async function readUnlessKnown(
  { id: deploymentId }: Deployment,
  id: string | null | undefined,
  revisionsRead: readonly (Revision | undefined)[],
  deps: Run,
): Promise<Revision | undefined> {
  if (typeof id !== 'string') return undefined
  return revisionsRead.find((one) => sameId(one?.id, id)) ?? (await readRevision(deploymentId, id, deps))
}

/** Returns the ref and the commit that the revision was built from: the event may be about others. */
function builtRefFor(to: Revision, deployment: Deployment, { repository }: RollbackRequest): BuiltRef | undefined {
  const settings = { repoRef: to.settings.repoRef }
  const built = builtRefOf(
    { repository: { ...repository, repoRef: { kind: 'none' }, imageCommit: undefined }, settings },
    deployment,
  )
  return built?.otherRepository === undefined ? built && { ...built, commit: to.repoCommitSha } : built
}

function sourceOf({ source }: Deployment, request: RollbackRequest, deps: Run): Source {
  if (isSource(source)) return source
  throw unfitError(request, { kind: 'unsupported-source', source }, deps)
}

function problem(value: string | undefined, message: string): InputError {
  return new InputError([{ input: 'revision-id', message, ...(value !== undefined && { value }) }])
}

/** Each earlier attempt may have made a revision before the one that it left. */
const EARLIER_OF_RERUN = 10
const ONLY_DEPLOYED = 'only a revision that ended DEPLOYED can be deployed again'
const COMMIT_UNKNOWN =
  'is a revision of a branch, and the control plane does not report its commit, so nothing could prove that it is restored: roll out a tag instead'

function whyUnclear(active: Revision, older: readonly Revision[], deployment: Deployment): string {
  const serving = originOf(active, deployment) ?? `revision ${active.id}`
  const candidates = older.slice(0, MAX_NAMED.warning).map((revision) => {
    const origin = originOf(revision, deployment)
    return origin === undefined ? revision.id : `${revision.id} (${origin})`
  })
  const ids = candidates.length === 0 ? 'the id of one of its revisions' : candidates.join(' or ')
  return `An earlier attempt of this run may have gone back already. Now ${serving} serves. Start the workflow anew (a rerun keeps the old inputs) with revision-id: ${ids}`
}

function noPrevious(why: Exclude<PreviousReading['kind'], 'found'>): InputError {
  return problem(undefined, `must be the id of a revision here: ${WHY_NONE[why]}`)
}

const WHY_NONE = {
  'list-missing': 'the control plane does not list revisions',
  'active-unknown': 'the control plane reports no active revision',
  unordered: 'the list of revisions contradicts its own order',
  'not-listed': 'the list of revisions lacks the active one',
}
