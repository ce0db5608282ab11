import { ifReadable } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import { InputError, NothingToUploadError, type Problem } from '../problem.ts'
import { cleanerOf } from '../secrets/redact.ts'
import type { SourceUpload } from './apply/source-upload.ts'
import { type Run, withTime } from './dependencies.ts'
import { withMergedCode } from './plan/defaults.ts'
import { movedSince, promoted, promotionOf } from './plan/promotion.ts'
import { builtFrom, builtRefOf, nameOnServer, otherRepository, type RefToBuild } from './plan/repository.ts'
import { sourceOf } from './plan/validate.ts'
import { type CurrentState, readCurrentState } from './read/current-state.ts'
import { checkConfirmed, findDeployment, readPromoted } from './read/find-deployment.ts'
import { isNotedPreview } from './read/noted-preview.ts'
import { unfitError } from './read/unfit.ts'
import { nameOf, type RolloutRequest } from './rollout-request.ts'
import { HELPFUL_READ_MS } from './timing.ts'

export interface BeforePlan {
  /** The request, with the settings of a promotion. */
  request: RolloutRequest
  state: CurrentState
  readAt: number
  /** The deployment comes from a list, which may show less than a read by its id. */
  isListed: boolean
  source: SourceUpload
}

/**
 * Reads everything that a rollout is planned from. The code that plans is loaded meanwhile.
 * @param again for another plan of a run: how it finds the deployment
 */
export async function readBeforePlan(
  stepRequest: RolloutRequest,
  deps: Run,
  source: SourceUpload,
  again?: () => Promise<Deployment | undefined>,
): Promise<BeforePlan> {
  const planned = await withPromotion(stepRequest, deps)
  let reading: { at: number; state: Promise<CurrentState> } | undefined
  const read = () => (reading ??= { at: deps.clock.now(), state: readCurrentState(planned, deps, again) })
  // Files that cannot be packed are an input error, before any request. An error of the read is thrown after the
  // packing.
  if (planned.source === 'internal_source') {
    const packing = source.archive(() => void read().state.catch(() => undefined))
    await packing.catch(async (thrown: unknown) => await explainPacking(thrown, planned, deps))
  }
  const { at: readAt } = read()
  const state = await read().state
  const { current } = state
  if (current !== undefined) {
    deps.emit({ kind: 'deployment-read', deployment: current })
    checkConfirmed(planned.target, current, deps.reveals)
  }
  const request = withMergedCode(planned, stepRequest, current)
  if (!('target' in request)) throw inputError([request], deps)
  const revisions = [state.active ?? [], state.latest ?? []].flat()
  deps.emit({ kind: 'current-state-read', current, builtRef: builtRefOf(request, current), revisions })
  const isAdopted = again === undefined && (await isUnnotedPreview(request, current, deps))
  return {
    request,
    state: { ...state, isAdopted },
    readAt,
    isListed: request.target.kind === 'name' && again === undefined,
    source,
  }
}

/** Asks GitHub for the notes only if the repository matches: the plan refuses any other one. */
async function isUnnotedPreview(request: RolloutRequest, current: Deployment | undefined, deps: Run): Promise<boolean> {
  const notes = request.previewOf?.notes
  if (notes === undefined || current === undefined || otherRepository(current, builtFrom(request)) !== undefined)
    return false
  return (await isNotedPreview(current, notes, deps)) === false
}

/** Reads the revision that the other deployment runs, and returns the request for the same revision. */
async function withPromotion(stepRequest: RolloutRequest, deps: Run): Promise<RolloutRequest> {
  const { promoteFrom } = stepRequest
  if (promoteFrom === undefined) return stepRequest
  const read = await deps.turns.promotedOnce(nameOf(promoteFrom), async () => await readPromoted(promoteFrom, deps))
  if (typeof read === 'string')
    throw inputError([{ input: 'promote-from', value: nameOf(promoteFrom), message: read }], deps)
  const promotion = 'kind' in read ? read : promotionOf(read.deployment, read.active, deps.controlPlane.api)
  if ('kind' in promotion) throw unfitError(stepRequest, promotion, deps)
  const request = promoted(stepRequest, promotion)
  await checkUnmoved(request, deps)
  return request
}

/** @throws UnfitError when the ref of a promotion is not its commit, or GitHub does not report that it is */
export async function checkUnmoved(request: RolloutRequest, deps: Run): Promise<void> {
  const { promotion } = request
  if (promotion?.origin.kind !== 'git' || !promotion.origin.mayMove) return
  const moved = movedSince(promotion, await readCommitOf(promotion.origin, request.repository, deps))
  if (moved !== undefined) throw unfitError(request, moved, deps)
}

/** If the deployment has another source, that problem comes first: it may be why there is nothing to upload. */
async function explainPacking(thrown: unknown, request: RolloutRequest, deps: Run): Promise<never> {
  if (!(thrown instanceof NothingToUploadError)) throw thrown
  const current = await ifReadable(async () => await findDeployment(request.target, withTime(deps, HELPFUL_READ_MS)))
  const source = current && sourceOf(request, current, deps.controlPlane.api)
  if (typeof source !== 'object') throw thrown
  throw 'kind' in source ? unfitError(request, source, deps) : inputError([source, ...thrown.problems], deps)
}

/** A problem may repeat what the control plane reports. */
export function inputError(problems: readonly Problem[], { reveals }: Run): InputError {
  const clean = cleanerOf(reveals)
  return new InputError(problems.map((problem) => ({ ...problem, message: clean(problem.message) })))
}

export async function readCommitOf(
  { ref, repoUrl }: RefToBuild,
  here: RolloutRequest['repository'],
  { gitHub }: Run,
): Promise<string | undefined> {
  const name = nameOnServer(repoUrl, here.repoUrl ?? '')
  return name === undefined ? undefined : await gitHub.readCommit({ repository: name, ref })
}
