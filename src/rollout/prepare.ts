import { ifReadable } from '../control-plane/errors.ts'
import { sameId } from '../control-plane/same-id.ts'
import { InputError, NothingToUploadError, type Problem } from '../problem.ts'
import { withoutRevealingWords } from '../revealing-words.ts'
import { openSourceUpload, type SourceUpload } from './apply/source-upload.ts'
import { withTime, type Dependencies } from './dependencies.ts'
import type { Outcome } from './outcome.ts'
import { builtRefOf } from './plan/built-ref.ts'
import { planRollout } from './plan/plan.ts'
import { commitOf, sourceOf } from './plan/revise.ts'
import type { RevisePlan, RolloutPlan, UnchangedPlan } from './plan/types.ts'
import { sameCommit } from './plan/unchanged.ts'
import { awaitCommit } from './read/await-commit.ts'
import { readCurrentState } from './read/current-state.ts'
import { findDeployment } from './read/find-deployment.ts'
import type { CurrentState } from './read/types.ts'
import { probableTypo } from './read/similar-name.ts'
import { nameOf, type RolloutRequest } from './rollout-request.ts'
import { SOURCE_READING_MS } from './timing.ts'

export type ExecutablePlan = Exclude<RolloutPlan, UnchangedPlan>

/** A rollout that is planned. Nothing has been written. */
export interface Prepared {
  request: RolloutRequest
  /** `verify`: nothing is to be changed, and the check of `verify-url` decides about the outcome. */
  next:
    | { kind: 'end'; outcome: Outcome }
    | { kind: 'verify'; plan: UnchangedPlan }
    | { kind: 'execute'; plan: ExecutablePlan }
  /** When the deployment was read, in monotonic milliseconds. */
  readAt: number
  /** The caller disposes of it. */
  source: SourceUpload
}

/**
 * Reads the current state and plans the rollout; writes nothing.
 * @param source a source that is packed already
 * @throws InputError with every problem of the plan, ControlPlaneError when the current state cannot be read
 */
export async function prepareRollout(
  request: RolloutRequest,
  deps: Dependencies,
  source = openSourceUpload(request, deps),
): Promise<Prepared> {
  try {
    let reading: { at: number; state: Promise<CurrentState> } | undefined
    const read = () => (reading ??= { at: deps.clock.now(), state: readCurrentState(request, deps) })
    // Nothing is requested before the files are checked: what cannot be packed is an input error. A failure of the read
    // counts when the files are packed.
    if (request.source === 'internal_source') {
      const packing = source.pack(() => void read().state.catch(() => undefined))
      await packing.catch(async (thrown: unknown) => await explainPacking(thrown, request, deps))
    }
    const { at: readAt } = read()
    const state = await read().state
    const { current } = state
    deps.emit({ kind: 'current-state-read', current, builtRef: builtRefOf(request, current) })
    const plan = await makePlan(request, state, source, deps)
    return { request, next: await nextStep(plan, request, state, deps), readAt, source }
  } catch (thrown) {
    await source.dispose()
    throw thrown
  }
}

/**
 * If the deployment has another source, that problem comes first: it may be why there is nothing to upload.
 * @throws what was thrown, or InputError
 */
async function explainPacking(thrown: unknown, request: RolloutRequest, deps: Dependencies): Promise<never> {
  if (!(thrown instanceof NothingToUploadError)) throw thrown
  const current = await ifReadable(async () => await findDeployment(request.target, withTime(deps, SOURCE_READING_MS)))
  const source = current && sourceOf(request, current, deps.controlPlane.api)
  throw typeof source === 'object' ? inputError([source, ...thrown.problems], deps) : thrown
}

/** A problem may repeat what the control plane reports. */
function inputError(problems: readonly Problem[], { reveals }: Pick<Dependencies, 'reveals'>): InputError {
  return new InputError(
    problems.map((problem) => ({ ...problem, message: withoutRevealingWords(problem.message, reveals) })),
  )
}

/** The warnings are among the notes of the plan, too. Emits the plan. */
async function makePlan(
  request: RolloutRequest,
  state: CurrentState,
  source: SourceUpload,
  deps: Dependencies,
): Promise<RolloutPlan> {
  const kind = state.current === undefined ? request.source : state.current.source
  const isPacked = kind === 'internal_source' && (request.source ?? kind) === kind
  const packed = isPacked ? await source.pack() : undefined
  const similar = state.similarName === undefined ? [] : [probableTypo(nameOf(request.target), state.similarName)]
  const warnings = [...request.warnings, ...similar, ...(packed?.warnings ?? [])]
  const notes = [...request.notes, ...warnings]
  const facts = { ...state, packed: packed?.source, api: deps.controlPlane.api }
  let planning = planRollout({ ...request, notes }, facts)
  if (planning.kind === 'planned' && planning.awaits !== undefined) {
    const latest = await awaitCommit(planning.awaits, state.current, deps)
    planning = planRollout({ ...request, notes }, { ...facts, latest, isCommitAwaited: true })
  }
  if (planning.kind === 'refused') throw inputError(planning.problems, deps)
  const { plan } = planning
  const { prefix } = deps.controlPlane
  deps.emit({ kind: 'planned', plan, wait: request.wait, dryRun: request.dryRun, warnings, prefix })
  return plan
}

async function nextStep(
  plan: RolloutPlan,
  request: RolloutRequest,
  state: CurrentState,
  deps: Dependencies,
): Promise<Prepared['next']> {
  if (request.dryRun) return { kind: 'end', outcome: { kind: 'planned' } }
  if (plan.kind === 'unchanged') {
    const { deployment, active: revision } = plan
    deps.emit({ kind: 'attached', because: 'unchanged', deployment, revision })
    const isVerified = request.wait && request.verification !== undefined
    return isVerified ? { kind: 'verify', plan } : { kind: 'end', outcome: { kind: 'unchanged' } }
  }
  const by = plan.kind === 'revise' ? await newerRollout(plan, request, state, deps) : undefined
  return by === undefined ? { kind: 'execute', plan } : { kind: 'end', outcome: { kind: 'superseded', by } }
}

/** Finds the revision of a later commit; undefined if either commit, or their relation, is unknown. */
async function newerRollout(
  { deployment, revision }: RevisePlan,
  request: RolloutRequest,
  { active, latest }: CurrentState,
  deps: Dependencies,
): Promise<string | undefined> {
  if (!request.protectNewer) return undefined
  const ours = commitOf(request, revision.settings, deployment)
  const { latestRevisionId: newest, activeRevisionId: serving } = deployment
  const isNewest = newest === undefined || sameId(newest, serving)
  const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha
  if (ours === undefined || deployed === undefined || sameCommit(deployed, ours)) return undefined
  if ((await deps.compareCommits(deployed, ours)) !== 'behind') return undefined
  deps.emit({ kind: 'newer-commit-deployed', deployed, ours })
  return serving ?? latest?.id ?? deployed
}
