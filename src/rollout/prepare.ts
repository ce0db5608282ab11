import type { Deployment } from '../control-plane/model.ts'
import { cleanerOf } from '../secrets/redact.ts'
import { SourceUpload } from './apply/source-upload.ts'
import { type BeforePlan, inputError, readBeforePlan, readCommitOf } from './before-plan.ts'
import type { Run } from './dependencies.ts'
import type { RolloutOutcome } from './outcome.ts'
import { differencesFrom, mayBeMade, outlineOf, type PlanOutline } from './plan/approval.ts'
import { checkNewer, needsNote, outdated } from './plan/compare-active.ts'
import { type PlanFacts, planRollout } from './plan/plan-rollout.ts'
import type { OutdatedPlan, RolloutPlan, UnchangedPlan } from './plan/plan.ts'
import { commitOfPromotion } from './plan/promotion.ts'
import type { CurrentState } from './read/current-state.ts'
import { awaitCommit } from './read/read-again.ts'
import { nameOf, type RolloutRequest } from './rollout-request.ts'
import { sha256 } from '../world.ts'

export type ExecutablePlan = Exclude<RolloutPlan, UnchangedPlan | OutdatedPlan>

export interface Prepared extends Omit<BeforePlan, 'state'> {
  /**
   * `end`: nothing is to be done, or another plan was approved; without a plan of a dry run. `verify`: nothing is to be
   * changed, and `verify-url` decides about the outcome.
   */
  next:
    | { kind: 'end'; outcome: RolloutOutcome; plan?: UnchangedPlan | OutdatedPlan }
    | { kind: 'verify'; plan: UnchangedPlan }
    | { kind: 'execute'; plan: ExecutablePlan }
  outline: PlanOutline
}

/**
 * Reads the current state and plans the rollout; writes nothing.
 * @param again for another plan of a run: how it finds the deployment
 */
export async function prepareRollout(
  asked: RolloutRequest,
  deps: Run,
  source = new SourceUpload(asked, deps),
  again?: () => Promise<Deployment | undefined>,
): Promise<Prepared> {
  try {
    return await prepareFrom(await readBeforePlan(asked, deps, source, again), deps)
  } catch (thrown) {
    await source.dispose()
    throw thrown
  }
}

export async function prepareFrom(before: BeforePlan, deps: Run): Promise<Prepared> {
  const { request, readAt, isListed, source } = before
  const { plan, outline } = await makePlan(before, deps)
  return { request, next: nextStep(plan, outline, request, deps), outline, readAt, isListed, source }
}

async function makePlan(
  { request, state, source }: BeforePlan,
  deps: Run,
): Promise<{ plan: RolloutPlan; outline: PlanOutline }> {
  const kind = state.current === undefined ? request.source : state.current.source
  const isPacked = kind === 'internal_source' && (request.source ?? kind) === kind
  const packed = isPacked ? await source.pack() : undefined
  const warnings = [...request.warnings, ...(packed?.warnings ?? [])]
  const notes = [...request.notes, ...warnings]
  const { controlPlane, own } = deps
  let facts: PlanFacts = {
    ...state,
    packed: packed?.source,
    api: controlPlane.api,
    refCommit: commitOfPromotion(request),
  }
  const target = nameOf(request.target)
  own?.request(target, [request.settings, request.repository, packed?.source.sha256], controlPlane.serverTime())
  // What an earlier attempt has made of the approved plan is not made again.
  const ifUnchanged = mayBeMade(request.approved, state.current) ? 'skip' : request.ifUnchanged
  const asked = { ...request, notes, ifUnchanged }
  let planning = planRollout(asked, facts)
  if (planning.kind === 'planned' && planning.asks !== undefined) {
    facts = { ...facts, refCommit: await readCommitOf(planning.asks, request.repository, deps) }
    planning = planRollout(asked, facts)
  }
  if (planning.kind === 'planned' && planning.plan.kind === 'revise' && needsNote(asked, facts)) {
    const { current, latest } = facts
    const isNoted = current && latest && (await own?.isNoted(target, current.id, latest, 'made'))
    if (isNoted === true) planning = planRollout(asked, { ...facts, isNoted })
  }
  if (planning.kind === 'planned' && planning.awaits !== undefined) {
    const latest = await awaitCommit(planning.awaits, state.current, deps)
    planning = planRollout(asked, { ...facts, latest, isCommitAwaited: true })
  }
  if (planning.kind === 'refused') throw inputError(planning.problems, deps)
  const plan = await withNewerChecked(planning.plan, request, state, deps)
  const { prefix, address } = controlPlane
  const place = sha256(JSON.stringify([address, deps.credentials.tenantId]), 'base64').slice(0, 22)
  const outline = outlineOf(plan, place, cleanerOf(deps.reveals))
  deps.emit({ kind: 'planned', plan, outline, wait: request.wait, dryRun: request.dryRun, warnings, prefix })
  return { plan, outline }
}

function nextStep(plan: RolloutPlan, outline: PlanOutline, request: RolloutRequest, deps: Run): Prepared['next'] {
  const { approved } = request
  const differences = approved === undefined ? [] : differencesFrom(approved, plan, outline, cleanerOf(deps.reveals))
  if (differences.length > 0)
    return { kind: 'end', outcome: { kind: 'failed', because: { kind: 'other-plan', differences } } }
  if (request.dryRun) return { kind: 'end', outcome: { kind: 'planned' } }
  if (plan.kind === 'unchanged') {
    const { deployment, active: revision } = plan
    deps.emit({ kind: 'attached', because: 'unchanged', deployment, revision })
    const isVerified = request.wait && request.verification !== undefined
    return isVerified ? { kind: 'verify', plan } : { kind: 'end', outcome: { kind: 'unchanged' }, plan }
  }
  if (plan.kind === 'outdated') {
    const { deployed, ours, by } = plan
    deps.emit({ kind: 'newer-commit-deployed', deployed, ours })
    return { kind: 'end', outcome: { kind: 'superseded', by }, plan }
  }
  return { kind: 'execute', plan }
}

/** A dry run asks, too: it shows what the run would do. */
async function withNewerChecked(plan: RolloutPlan, request: RolloutRequest, state: CurrentState, deps: Run) {
  if (plan.kind !== 'revise') return plan
  const check = checkNewer(plan, request, state)
  switch (check.kind) {
    case 'none':
      return plan
    case 'other-ref':
      return { ...plan, notes: [...plan.notes, { kind: 'newer-not-compared', ref: check.ref } as const] }
    case 'compare':
      return (await deps.compareCommits(check.deployed, check.ours)) === 'behind' ? outdated(plan, check) : plan
  }
}
