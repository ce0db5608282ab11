import { applyPlan } from './apply/apply.ts'
import type { NameExists } from './apply/create-once.ts'
import { ChangedError, unlessChanged, knownDeployment } from './apply/basis.ts'
import { patchKnown } from './apply/patch-known.ts'
import { ControlPlaneError, ifReadable, isNotFound } from '../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../control-plane/model.ts'
import { pauseWithin, type Reader, type Run } from './dependencies.ts'
import { changeText } from './deployment-change.ts'
import type { Repeated } from './event.ts'
import { checkBefore } from './verify/evidence.ts'
import { finish, servingRevision, verifyUnchanged } from './rollback/finish.ts'
import { confirmCommit } from './rollback/restore.ts'
import type { RolloutOutcome } from './outcome.ts'
import { commitOfPromotion } from './plan/plan.ts'
import { type ExecutablePlan, type Prepared, prepareRollout } from './prepare.ts'
import { findDeployment, hasName } from './read/find-deployment.ts'
import { readDeployment, readPastStale } from './read/read-again.ts'
import { isNamed, nameOf, type RolloutRequest, type Target, type WaitRequest } from './rollout-request.ts'
import type { OutdatedPlan, UnchangedPlan } from './plan/plan.ts'
import { compareSetting, showsOtherValue } from './fields/compare.ts'
import { inputName, omit, pick, setFields } from './plan/settings.ts'
import { PLANS, STALE_READ_MS } from './timing.ts'
import { confirmBesides, lostBefore, reportOthers } from './watch/made-twice.ts'
import { reportUncompared, watchResumed, watchRevision } from './watch/watch.ts'
import { attachToLatest, type EndedRevision, isInactive, knownOf, type WatchedRevision } from './watch/watched.ts'

/** `ended`: the revision of the rollout, if it has watched one. */
export interface Executed {
  outcome: RolloutOutcome
  ended?: EndedRevision
}

/** Applies a plan, and watches its revision to the end. Plans again if the deployment has changed before its write. */
export async function executeRollout(prepared: Prepared, deps: Run): Promise<Executed> {
  return await new Execution(deps).execute(prepared)
}

/** `deployment`: as before the patch. `commit`: what the revision must build, if nothing else proves it ours. */
interface Begun {
  watched: WatchedRevision
  deployment: Deployment
  commit: string | undefined
}

class Execution {
  readonly #deps: Run
  /** The number of plans so far, this one included. */
  #plans = 0
  /** What the run has patched for the plans before. */
  #earlier: EarlierPatch | undefined
  /** The settings that others have changed after a PATCH, for which it has planned again. */
  #seenChanged: readonly Field[] = []
  /** What they have lost. */
  #repeated: readonly Repeated[] = []

  constructor(deps: Run) {
    this.#deps = deps
  }

  async execute(prepared: Prepared): Promise<Executed> {
    const { request, next } = prepared
    this.#plans++
    if (next.kind !== 'execute') return { outcome: await this.#endOf(next, request) }
    const { plan } = next
    const failedBefore = request.wait ? await checkBefore(plan, request.verification, this.#deps) : undefined
    let shown: Settings | undefined
    const begin = async (): Promise<Begun | NameExists> => await this.#begin(plan, prepared, (now) => (shown = now))
    const begun = await unlessChanged(begin, this.#plans, this.#deps, ({ isMove, isWritten }) => !(isMove && isWritten))
    if ('kind' in begun) {
      await this.#pauseForName(nameOf(request.target))
      return await this.#planAgain(prepared, begun.repeated)
    }
    if (begun instanceof ChangedError) return await this.#planAfter(begun, plan, prepared, shown)
    const repeated = [...this.#repeated, ...begun.watched.repeated]
    const since = this.#earlier && sincePatch(begun.watched, begun.deployment, this.#earlier)
    const watched = { ...begun.watched, ...since, failedBefore, repeated }
    const end = await this.#watch({ ...begun, watched }, plan, request)
    if (end !== 'not-ours') return end
    this.#notePatch(plan, begun.deployment, begun.watched.patched)
    return await this.#planAgain({ ...prepared, request: { ...request, resume: false } }, lostBefore(begun.watched))
  }

  /** Nothing is to be written. */
  async #endOf(next: Exclude<Prepared['next'], { kind: 'execute' }>, request: RolloutRequest): Promise<RolloutOutcome> {
    const earlier = this.#earlier
    const { plan } = next
    if (plan === undefined) return next.outcome
    const isVerified = plan.kind === 'unchanged' && request.wait && request.verification !== undefined
    const planned = isVerified ? await verifyUnchanged(plan, request, this.#deps) : next.outcome
    const outcome = await this.#confirm(planned, plan)
    if (outcome.kind === 'unverified' && earlier !== undefined && request.rollback !== 'never') {
      const left = { restored: [], kept: setFields(earlier.sent), changedSince: [] }
      const because = { kind: 'not-own-revision', revisionId: plan.deployment.activeRevisionId ?? '' } as const
      this.#deps.emit({ kind: 'rollback-changed', rollback: { kind: 'not-possible', because, ...left } })
    }
    // A run that has patched something has not left the deployment unchanged.
    return earlier !== undefined && outcome.kind === 'unchanged' ? { kind: 'deployed', confirmed: true } : outcome
  }

  /** Names what the plans before have lost, and what has become of the revision that serves meanwhile. */
  async #confirm(outcome: RolloutOutcome, plan: UnchangedPlan | OutdatedPlan): Promise<RolloutOutcome> {
    const repeated = this.#repeated
    if (plan.kind === 'unchanged' && outcome.kind === 'unchanged') {
      const serving = await confirmBesides({ ...servingRevision(plan), repeated }, this.#deps)
      return serving.kind === 'deployed' ? outcome : serving
    }
    const { id: deploymentId, activeRevisionId } = plan.deployment
    await reportOthers({ deploymentId, revisionId: activeRevisionId ?? '', outcome, repeated }, this.#deps)
    return outcome
  }

  /** Plans again after a change. An approval is of one state: after a PATCH, it is of another one. */
  async #planAfter(
    { written, change, isMove, deploymentId }: ChangedError,
    plan: ExecutablePlan,
    prepared: Prepared,
    shown: Settings | undefined,
  ): Promise<Executed> {
    const id = isMove ? undefined : deploymentId
    if (written !== 'settings') return await this.#planAgain(prepared, [], id)
    if (change.kind === 'set') this.#seenChanged = [...this.#seenChanged, ...change.fields]
    this.#notePatch(plan, 'deployment' in plan ? plan.deployment : undefined, shown)
    if (plan.kind === 'resume' && shown !== undefined)
      this.#deps.emit({
        kind: 'written',
        change: 'patched',
        deployment: plan.deployment,
        revisionId: undefined,
        patched: shown,
      })
    const request = { ...prepared.request, changedSinceWrite: change }
    return await this.#planAgain({ ...prepared, request }, [], id)
  }

  async #planAgain({ request, source }: Prepared, lost: readonly Repeated[], id?: string): Promise<Executed> {
    this.#repeated = [...this.#repeated, ...lost]
    return await this.execute(await prepareRollout(request, this.#deps, source, this.#finder(request.target, id)))
  }

  /** How another plan finds the deployment. Without what is known of it: as the first one, by its name. */
  #finder(target: Target, id: string | undefined): (() => Promise<Deployment | undefined>) | undefined {
    const earlier = this.#earlier
    if (earlier !== undefined) return async () => await readPatched(earlier, target, this.#deps)
    return id === undefined ? undefined : async () => await findDeployment(target, this.#deps, id)
  }

  /** Waits until no replica can lack the deployment that has the name. */
  async #pauseForName(name: string): Promise<void> {
    const plans = this.#plans
    if (plans >= PLANS)
      throw new ControlPlaneError({
        attempted: `create the deployment "${name}"`,
        cameBack: `the name is taken, and ${plans} plans in a row did not find the deployment that has it`,
        hint: 'Rerun the job.',
      })
    await pauseWithin(STALE_READ_MS, this.#deps)
  }

  /** @param deployment as it was before the patch of the plan */
  #notePatch({ patch }: ExecutablePlan, deployment: Deployment | undefined, shown: Settings | undefined): void {
    if (patch && deployment) this.#earlier = withPatch(this.#earlier, deployment, patch, shown)
  }

  async #begin(
    plan: ExecutablePlan,
    { readAt, isListed, source, request: { target } }: Prepared,
    onPatched: (shown: Settings) => void,
  ): Promise<Begun | NameExists> {
    const deps = this.#deps
    const seenChanged = this.#seenChanged
    const known = { readAt, isNamed: isNamed(target), isListed, isWritten: this.#earlier !== undefined, seenChanged }
    if (plan.kind === 'resume') {
      const { deployment, latest: revision } = plan
      deps.emit({ kind: 'attached', because: 'resumed', deployment, revision })
      const basis = knownDeployment(deployment, deps, { ...known, planEnds: ['revised', 'set'] })
      const patched = plan.patch && (await patchKnown(basis, plan.patch, deps, { seenChanged, onPatched }))
      return { watched: { ...attachToLatest(deployment, revision), patched }, deployment, commit: plan.commit }
    }
    deps.emit({ kind: 'applying' })
    const upload = async (id: string): Promise<string> => await source.send(id)
    const applied = await applyPlan(plan, { ...deps, ...known, onPatched, upload })
    if (applied.kind === 'exists') {
      deps.emit({ kind: 'name-taken' })
      return applied
    }
    deps.emit(applied)
    const { revisionId, revision, deployment, repeated, isFound, patched } = applied
    const before = plan.kind === 'revise' ? deployment : undefined
    const { source: built } = plan.kind === 'create' ? plan.draft : plan.revision
    const isAdopted = isFound && built === 'git_host'
    const watched = { ...knownOf(deployment), revisionId, revision, before, repeated, patched, isAdopted }
    return { watched, deployment, commit: isFound ? plan.commit : undefined }
  }

  /** `not-ours`: the revision that the run has resumed, or found. It has emitted why. */
  async #watch(
    { watched, commit }: Begun,
    plan: ExecutablePlan,
    request: RolloutRequest,
  ): Promise<Executed | 'not-ours'> {
    const hasEnded = plan.kind === 'resume' && plan.latest.status === 'DEPLOYED'
    const started = { outcome: { kind: 'started' } } as const
    if (!request.wait && !hasEnded) {
      reportUncompared(watched, this.#deps)
      await reportOthers({ ...watched, ...started }, this.#deps)
      return started
    }
    const end = await watchResumed(watched, commit, request, this.#deps)
    if (end === undefined) return 'not-ours'
    if (hasEnded && isInactive(end.outcome)) {
      this.#deps.emit({ kind: 'not-activated', revisionId: watched.revisionId })
      return 'not-ours'
    }
    if (!request.wait) return started
    // A branch or a tag may have moved after GitHub was asked.
    const ended = confirmCommit(end, { draft: undefined, commit: commitOfPromotion(plan) })
    return { outcome: await finish(ended, request, this.#deps), ended }
  }
}

/** Watches a revision of another step to its end. */
export async function watchToEnd(watched: WatchedRevision, request: WaitRequest, deps: Run): Promise<RolloutOutcome> {
  return await finish(await watchRevision(watched, request, deps), request, deps)
}

/** What a run has patched for its earlier plans. `before`: the deployment before the first of these. */
interface EarlierPatch {
  before: Deployment
  sent: Settings
  /** What was sent, in the form of the service, as far as answers have shown it to be ours. */
  shown: Settings
  unproved: readonly Field[]
}

export function withPatch(
  earlier: EarlierPatch | undefined,
  deployment: Deployment,
  patch: Settings,
  shown: Settings = {},
): EarlierPatch {
  if (earlier === undefined) return { before: deployment, sent: patch, shown, unproved: [] }
  return {
    before: beforePatch(deployment, earlier),
    sent: { ...earlier.sent, ...patch },
    shown: { ...earlier.shown, ...shown },
    unproved: unprovedFields(earlier, deployment),
  }
}

/** What was there before the run is what was there before its first patch. `deployment`: as it was before this plan. */
function sincePatch({ before, patched }: WatchedRevision, deployment: Deployment, earlier: EarlierPatch) {
  if (before === undefined) return undefined
  return {
    before: beforePatch(before, earlier, deployment),
    patched: { ...earlier.shown, ...patched },
    unproved: unprovedFields(earlier, deployment),
  }
}

/**
 * The deployment without what the run has patched. Any other value may be somebody else's, and stays.
 * @param now as it showed itself before the plan; `deployment` may show less
 */
export function beforePatch(deployment: Deployment, earlier: EarlierPatch, now = deployment): Deployment {
  const own = ownFields(earlier, now)
  return { ...deployment, settings: { ...omit(deployment.settings, own), ...pick(earlier.before.settings, own) } }
}

/**
 * The fields that the run has patched and that have shown neither what was there before nor what is known to be ours:
 * they may be another client's, or ours in a form that no answer has shown.
 */
export function unprovedFields(earlier: EarlierPatch, deployment: Deployment): Field[] {
  const { before, sent, unproved } = earlier
  const own = ownFields(earlier, deployment)
  const isUnproved = (field: Field): boolean =>
    !own.includes(field) && compareSetting(field, deployment.settings, before.settings) !== 'same'
  return setFields(sent).filter((field) => unproved.includes(field) || isUnproved(field))
}

function ownFields({ before, sent, shown }: EarlierPatch, { settings }: Deployment): Field[] {
  const isOf = (own: Settings, field: Field): boolean =>
    own[field] !== undefined && !showsOtherValue(field, settings, own, before.settings)
  return setFields(sent).filter((field) => isOf(sent, field) || isOf(shown, field))
}

/** Reads the deployment that the run has patched, by its id: a list may lag, or be cut. */
export async function readPatched(
  earlier: EarlierPatch,
  target: Target,
  deps: Reader,
): Promise<Deployment | undefined> {
  if (target.kind === 'id') return await findDeployment(target, deps)
  const read = async () => await ifReadable(async () => await readDeployment(earlier.before.id, deps), isNotFound)
  const isRenamed = (now: Deployment | undefined): boolean => now !== undefined && !hasName(now, target.name)
  const now = await readPastStale(read, isRenamed, deps)
  return now === undefined || isRenamed(now) ? gone(earlier, now) : now
}

function gone(earlier: EarlierPatch, now: Deployment | undefined): never {
  const { id, name } = earlier.before
  const change = now === undefined ? ({ kind: 'deleted' } as const) : ({ kind: 'renamed', now: now.name } as const)
  const kept = now === undefined ? [] : ownFields(earlier, now).map(inputName)
  const keeps = `The deployment ${id} keeps settings that this run has patched (${kept.join(', ')}): set them back if they are wrong there`
  throw new ControlPlaneError({
    attempted: `plan the rollout of the deployment "${name}" (${id}) again`,
    cameBack: `since the first write of this run, it ${changeText(change)}`,
    hint: kept.length === 0 ? 'Rerun the job.' : `${keeps}, then rerun the job.`,
  })
}
