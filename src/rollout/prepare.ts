import { ifReadable } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import { InputError, NothingToUploadError, type Problem } from '../problem.ts'
import { withoutRevealingWords } from '../secrets/redact.ts'
import { SourceUpload } from './apply/source-upload.ts'
import { type Run, withTime } from './dependencies.ts'
import type { RolloutOutcome } from './outcome.ts'
import { differencesFrom, mayBeMade, outlineOf, type PlanOutline } from './plan/approval.ts'
import { checkNewer, needsNote, outdated } from './plan/compare-active.ts'
import { type PlanFacts, planRollout, sourceOf } from './plan/plan-rollout.ts'
import type { OutdatedPlan, RolloutPlan, UnchangedPlan } from './plan/plan.ts'
import { commitOfPromotion, movedSince, promoted, promotionOf, refToCheck } from './plan/promotion.ts'
import { builtRefOf, nameOnServer, type RefToBuild } from './plan/repository.ts'
import { type CurrentState, readCurrentState } from './read/current-state.ts'
import { findDeployment, readPromoted } from './read/find-deployment.ts'
import { awaitCommit } from './read/read-again.ts'
import { isNamed, nameOf, type RolloutRequest, type Target } from './rollout-request.ts'
import { SOURCE_READING_MS } from './timing.ts'
import { sha256 } from '../world.ts'

export type ExecutablePlan = Exclude<RolloutPlan, UnchangedPlan | OutdatedPlan>

export interface Prepared {
  request: RolloutRequest
  /**
   * `end`: nothing is to be done, or another plan was approved; without a plan of a dry run. `verify`: nothing is to be
   * changed, and `verify-url` decides about the outcome.
   */
  next:
    | { kind: 'end'; outcome: RolloutOutcome; plan?: UnchangedPlan | OutdatedPlan }
    | { kind: 'verify'; plan: UnchangedPlan }
    | { kind: 'execute'; plan: ExecutablePlan }
  outline: PlanOutline
  readAt: number
  /** It comes from a list, which may show less than a read by its id. */
  isListed: boolean
  source: SourceUpload
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
    const request = await withPromotion(asked, deps)
    let reading: { at: number; state: Promise<CurrentState> } | undefined
    const find = again ?? (async () => await findDeployment(request.target, deps))
    const read = () => (reading ??= { at: deps.clock.now(), state: readCurrentState(request, deps, find) })
    // What cannot be packed is an input error, before any request. A failure of the read counts when the files are
    // packed.
    if (request.source === 'internal_source') {
      const packing = source.pack(() => void read().state.catch(() => undefined))
      await packing.catch(async (thrown: unknown) => await explainPacking(thrown, request, deps))
    }
    const { at: readAt } = read()
    const state = await read().state
    const { current } = state
    deps.emit({ kind: 'current-state-read', current, builtRef: builtRefOf(request, current) })
    const { plan, outline } = await makePlan(request, state, source, deps)
    const isListed = isNamed(request.target) && again === undefined
    return { request, next: nextStep(plan, outline, request, deps), outline, readAt, isListed, source }
  } catch (thrown) {
    await source.dispose()
    throw thrown
  }
}

/** Reads what the other deployment runs, and makes it what is requested. */
async function withPromotion(asked: RolloutRequest, deps: Run): Promise<RolloutRequest> {
  const { promoteFrom } = asked
  if (promoteFrom === undefined) return asked
  const once = deps.promotedOnce ?? (async (_name, read) => await read())
  const read = await once(nameOf(promoteFrom), async () => await readPromoted(promoteFrom, deps))
  const promotion = typeof read === 'string' ? read : promotionOf(read.deployment, read.active, deps.controlPlane.api)
  if (typeof promotion === 'string') throw unpromoted(promoteFrom, promotion, deps)
  const request = promoted(asked, promotion)
  await checkUnmoved(request, deps)
  return request
}

function unpromoted(from: Target, message: string, deps: Run): InputError {
  return inputError([{ input: 'promote-from', value: nameOf(from), message }], deps)
}

/** @throws InputError when the ref of a promotion is not its commit, or GitHub does not report that it is */
export async function checkUnmoved(request: RolloutRequest, deps: Run): Promise<void> {
  const { promotion, promoteFrom } = request
  const ref = refToCheck(request)
  if (promotion === undefined || promoteFrom === undefined || ref === undefined) return
  const message = movedSince(promotion, await readCommitOf(ref, request.repository, deps))
  if (message !== undefined) throw unpromoted(promoteFrom, message, deps)
}

/** If the deployment has another source, that problem comes first: it may be why there is nothing to upload. */
async function explainPacking(thrown: unknown, request: RolloutRequest, deps: Run): Promise<never> {
  if (!(thrown instanceof NothingToUploadError)) throw thrown
  const current = await ifReadable(async () => await findDeployment(request.target, withTime(deps, SOURCE_READING_MS)))
  const source = current && sourceOf(request, current, deps.controlPlane.api)
  throw typeof source === 'object' ? inputError([source, ...thrown.problems], deps) : thrown
}

/** A problem may repeat what the control plane reports. */
function inputError(problems: readonly Problem[], { reveals }: Run): InputError {
  return new InputError(
    problems.map((problem) => ({ ...problem, message: withoutRevealingWords(problem.message, reveals) })),
  )
}

async function makePlan(
  request: RolloutRequest,
  state: CurrentState,
  source: SourceUpload,
  deps: Run,
): Promise<{ plan: RolloutPlan; outline: PlanOutline }> {
  const kind = state.current === undefined ? request.source : state.current.source
  const isPacked = kind === 'internal_source' && (request.source ?? kind) === kind
  const packed = isPacked ? await source.pack() : undefined
  const warnings = [...request.warnings, ...(packed?.warnings ?? [])]
  const notes = [...request.notes, ...warnings]
  const { api } = deps.controlPlane
  let facts: PlanFacts = { ...state, packed: packed?.source, api, refCommit: commitOfPromotion(request) }
  const target = nameOf(request.target)
  const { controlPlane, own } = deps
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
  const outline = outlineOf(plan, place, cleanedBy(deps))
  deps.emit({ kind: 'planned', plan, outline, wait: request.wait, dryRun: request.dryRun, warnings, prefix })
  return { plan, outline }
}

/** A control plane may repeat a secret in any of its texts. */
function cleanedBy({ reveals }: Pick<Run, 'reveals'>): (text: string) => string {
  return (text) => withoutRevealingWords(text, reveals)
}

function nextStep(plan: RolloutPlan, outline: PlanOutline, request: RolloutRequest, deps: Run): Prepared['next'] {
  const { approved } = request
  const differences = approved === undefined ? [] : differencesFrom(approved, plan, outline, cleanedBy(deps))
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

async function readCommitOf(
  { ref, repoUrl }: RefToBuild,
  here: RolloutRequest['repository'],
  { readCommit }: Run,
): Promise<string | undefined> {
  const name = nameOnServer(repoUrl, here.repoUrl ?? '')
  return name === undefined ? undefined : await readCommit({ repository: name, ref })
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
