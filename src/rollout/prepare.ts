import type { Deployment } from '../control-plane/model.ts'
import { cleanerOf } from '../secrets/redact.ts'
import { checkInCheckout, configWarnings } from './app-config.ts'
import { SourceUpload } from './apply/source-upload.ts'
import { type BeforePlan, inputError, readBeforePlan, readCommitOf } from './before-plan.ts'
import type { Run } from './dependencies.ts'
import type { RolloutOutcome } from './outcome.ts'
import { differencesFrom, movedSince, type Planned } from './plan/approval.ts'
import { outlineOf, type PlanOutline } from './plan/approval-outline.ts'
import type { Hiding } from './plan/approval-texts.ts'
import { needsNote } from './plan/compare-active.ts'
import { type PlanFacts, type Planning, planRollout } from './plan/plan-rollout.ts'
import type { OutdatedPlan, RolloutPlan, UnchangedPlan } from './plan/plan.ts'
import { commitOfPromotion } from './plan/plan.ts'
import type { CurrentState } from './read/current-state.ts'
import { awaitCommit } from './read/read-again.ts'
import { unfitError } from './read/unfit.ts'
import { nameOf, type RolloutRequest } from './rollout-request.ts'
import { sha256 } from '../world.ts'

export type ExecutablePlan = Exclude<RolloutPlan, UnchangedPlan | OutdatedPlan>

export interface Prepared extends Omit<BeforePlan, 'state'> {
  /**
   * `end`: nothing is to be changed, or another plan was approved; a dry run has no plan. The check of an unchanged
   * deployment may decide about another outcome.
   */
  next:
    | { kind: 'end'; outcome: RolloutOutcome; plan?: UnchangedPlan | OutdatedPlan }
    | { kind: 'execute'; plan: ExecutablePlan }
  outline: PlanOutline
}

/**
 * Reads the current state and plans the rollout; writes nothing.
 * @param again for another plan of a run: how it finds the deployment
 */
export async function prepareRollout(
  request: RolloutRequest,
  deps: Run,
  source = new SourceUpload(request, deps),
  again?: () => Promise<Deployment | undefined>,
): Promise<Prepared> {
  return await prepareFrom(await readBeforePlan(request, deps, source, again), deps)
}

/** Plans the rollout to the deployment that was read, and emits the plan. */
export async function prepareFrom({ state, ...before }: BeforePlan, deps: Run): Promise<Prepared> {
  const { request, source } = before
  const kind = state.current === undefined ? request.source : state.current.source
  const isPacked = kind === 'internal_source' && (request.source ?? kind) === kind
  const archive = isPacked ? await source.archive() : undefined
  const packed = archive && { files: archive.files, bytes: archive.bytes, sha256: archive.sha256 }
  const config = archive?.config ?? (kind === 'git_host' ? await checkInCheckout(before, state, deps) : undefined)
  const ofConfig = config === undefined ? [] : configWarnings(config, request, state.current)
  const warnings = [...request.warnings, ...(archive?.warnings ?? []), ...ofConfig]
  const requestWithNotes = { ...request, notes: [...request.notes, ...(archive?.notes ?? []), ...warnings] }
  const { plan, latest, isNoted } = await makePlan(requestWithNotes, { ...state, packed }, deps)
  const { prefix, address } = deps.controlPlane
  const place = sha256(JSON.stringify([address, deps.credentials.tenantId]), 'base64').slice(0, 22)
  const basis = { plan, request, packed, latest, place }
  const outline = outlineOf(basis, hidingOf(deps))
  deps.emit({ kind: 'planned', plan, outline, wait: request.wait, dryRun: request.dryRun, warnings, prefix })
  // If only a hash was approved, every later plan of the run must equal the plan that has this hash.
  const approved = typeof request.approved === 'string' ? new Map([[outline.name, outline]]) : request.approved
  return { ...before, request: { ...request, approved }, next: nextStep({ ...basis, outline, isNoted }, deps), outline }
}

function hidingOf({ reveals, credentials: { apiKey, bearerToken, tenantId } }: Run): Hiding {
  return { clean: cleanerOf(reveals), key: apiKey ?? bearerToken ?? tenantId ?? '' }
}

async function makePlan(
  request: RolloutRequest,
  read: CurrentState & Pick<PlanFacts, 'packed'>,
  deps: Run,
): Promise<Pick<Planned, 'plan' | 'latest' | 'isNoted'>> {
  const { controlPlane, own } = deps
  const { current, latest, packed } = read
  const target = nameOf(request.target)
  own.request(target, [request.settings, request.repository, packed?.sha256], controlPlane.serverTime())
  const { isActiveMoved, isMoved } = movedSince(request.approved, current, hidingOf(deps))
  // A part of the approved plan that an earlier attempt has done is not done again.
  const requestToPlan = isActiveMoved ? { ...request, ifUnchanged: 'skip' as const } : request
  let facts: PlanFacts = { ...read, api: controlPlane.api, refCommit: commitOfPromotion(request) }
  const planWith = (more: Partial<PlanFacts>): Exclude<Planning, { kind: 'refused' }> => {
    facts = { ...facts, ...more }
    const planning = planRollout(requestToPlan, facts)
    if (planning.kind === 'refused')
      throw planning.unfit ? unfitError(request, planning.unfit, deps) : inputError(planning.problems, deps)
    return planning
  }
  let planning = planWith({})
  if (planning.asks !== undefined)
    planning = planWith({ refCommit: await readCommitOf(planning.asks, request.repository, deps) })
  const isNoteNeeded = planning.plan.kind === 'revise' && current && latest && needsNote(requestToPlan, current, latest)
  const isNoted =
    current && latest && (isMoved || isNoteNeeded) ? await own.findNote(target, current.id, latest, 'made') : false
  if (isNoted && isNoteNeeded) planning = planWith({ isNoted: true })
  if (planning.awaits !== undefined)
    planning = planWith({ latest: await awaitCommit(planning.awaits, current, deps), isCommitAwaited: true })
  // A dry run asks GitHub, too: it shows what the run would do.
  const { ifBehind, plan } = planning
  const isBehind = ifBehind && (await deps.gitHub.compareCommits(ifBehind.deployed, ifBehind.ours)) === 'behind'
  const revisionFacts = { latest: facts.latest, isNoted }
  if (isBehind) return { ...revisionFacts, plan: ifBehind }
  const isMade = isActiveMoved && plan.kind === 'unchanged'
  return { ...revisionFacts, plan: isMade ? { ...plan, because: 'approved-already' } : plan }
}

function nextStep(planned: Planned & { request: RolloutRequest }, deps: Run): Prepared['next'] {
  const { plan, request } = planned
  const { approved, changedSinceWrite: change } = request
  // A hash is compared by the caller that has all plans.
  const fromApproved = typeof approved === 'object' ? differencesFrom(approved, planned, hidingOf(deps)) : []
  const isUnshown = approved !== undefined && change !== undefined && fromApproved.length === 0
  const differences = isUnshown ? [{ kind: 'meanwhile', change } as const] : fromApproved
  if (differences.length > 0)
    return { kind: 'end', outcome: { kind: 'failed', because: { kind: 'other-plan', differences } } }
  if (request.dryRun) return { kind: 'end', outcome: { kind: 'planned' } }
  if (plan.kind === 'unchanged') {
    deps.emit({ kind: 'attached', because: 'unchanged', deployment: plan.deployment, revision: plan.active })
    return { kind: 'end', outcome: { kind: 'unchanged' }, plan }
  }
  if (plan.kind === 'outdated') {
    deps.emit({ kind: 'newer-commit-deployed', deployed: plan.deployed, ours: plan.ours })
    return { kind: 'end', outcome: { kind: 'superseded', by: plan.by }, plan }
  }
  return { kind: 'execute', plan }
}
