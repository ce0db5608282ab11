import { toError } from '../../clock.ts'
import {
  AmbiguousWriteError,
  areCredentialsRefused,
  ControlPlaneError,
  withoutHint,
} from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import { ANY_CHANGE, knownDeployment, type KnownDeployment, readAsBefore } from '../apply/basis.ts'
import { judgePatch, sendPatch } from '../apply/patch-known.ts'
import { confirmCommit, isAdopted, type Restored, restoreRevision } from './restore.ts'
import type { Run } from '../dependencies.ts'
import { driveWrites } from '../drive.ts'
import { isActiveFailure, type RolloutOutcome } from '../outcome.ts'
import { setFields } from '../plan/settings.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { watchRevision } from '../watch/watch.ts'
import { type EndedRevision, watchFactsOf, type WatchedRevision } from '../watch/watched.ts'
import { leftAsIs, planRollback, planSettingsOf, type RestoredSettings, type RollbackPlan } from './plan.ts'
import type { Rollback, RollbackObstacle, SettingsLeft } from '../event.ts'
import { verifyRevision } from '../verify/verify.ts'
import { compareSetting } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { readPastStale, readRevision } from '../read/read-again.ts'
import { supersededBy } from '../watch/confirm.ts'
import { withoutEnd } from '../../secrets/text.ts'

type RestorePlan = Extract<RollbackPlan, { kind: 'restore' }>

export class AutomaticRollback {
  readonly #ended: EndedRevision
  readonly #request: WatchRequest & { settings: Settings }
  readonly #deps: Run
  readonly #restored = new Set<Field>()
  #settings: RestoredSettings
  /** The settings of a PATCH whose result is unknown. */
  #unsure: Field[] = []

  constructor(ended: EndedRevision, request: WatchRequest & { settings: Settings }, deps: Run) {
    this.#ended = ended
    this.#request = request
    this.#deps = deps
    const { before } = ended
    // Until the deployment is read, it counts as showing what the run has set.
    const unread = before && { ...before, settings: { ...before.settings, ...request.settings } }
    this.#settings = unread === undefined ? leftAsIs() : planSettingsOf(this.#basisOf(unread))
  }

  /** Emits the result. Throws only at a cancellation: its own error must not replace the outcome of the rollout. */
  async end(): Promise<RolloutOutcome> {
    const { outcome } = this.#ended
    let revisionId: string | undefined
    try {
      const made = await driveWrites(async () => await this.#planAndApply(), this.#deps)
      if ('kind' in made) {
        this.#report({ kind: 'not-possible', because: made, ...this.#settingsLeft() })
        return outcome
      }
      const { now, plan, applied } = made
      revisionId = applied.revisionId
      const to = plan.to.id
      if (plan.draft === undefined && plan.patch !== undefined)
        await driveWrites(async () => await this.#patchLast(), this.#deps)
      const settingsLeft = this.#settingsLeft()
      const facts = watchFactsOf(now)
      const reportsActive = facts.reportsActive || this.#ended.reportsActive
      const result = await this.#watch(
        { ...facts, ...applied, before: now, reportsActive, isAdopted: isAdopted(applied, plan.to) },
        plan,
      )
      if (result.kind !== 'deployed' && result.kind !== 'unverified') {
        this.#report({ kind: 'incomplete', to, revisionId, outcome: result, ...settingsLeft })
        return outcome
      }
      const failsCheck = result.kind === 'unverified'
      const { kept, changedSince } = settingsLeft
      this.#report({ kind: 'restored', to, revisionId, kept, changedSince, failsCheck })
      return failsCheck ? outcome : { kind: 'rolled-back', to: revisionId, from: outcome }
    } catch (thrown) {
      this.#deps.signal.throwIfAborted()
      const unsure = this.#unsure
      const isUnknown = revisionId !== undefined || (thrown instanceof AmbiguousWriteError && unsure.length === 0)
      const forbidden = areCredentialsRefused(thrown) ? ({ isForbidden: true } as const) : {}
      const trouble = troubleOf(thrown)
      this.#report({ kind: 'error', isUnknown, revisionId, trouble, unsure, ...forbidden, ...this.#settingsLeft() })
      return outcome
    }
  }

  #report(rollback: Rollback): void {
    this.#deps.emit({ kind: 'rollback-changed', rollback })
  }

  /** Plans and applies once. Returns the obstacle if a rollback is not possible. */
  async #planAndApply(): Promise<{ now: Deployment; plan: RestorePlan; applied: Restored } | RollbackObstacle> {
    const { before, outcome } = this.#ended
    // Our revision was active just now: a replica that lags may still show the one before it as active.
    const isActiveAgain = ({ activeRevisionId }: Deployment): boolean =>
      isActiveFailure(outcome) && sameId(activeRevisionId, before?.activeRevisionId)
    const { now, readAt } = await this.#read((read) => isActiveAgain(read) || this.#showsEarlier(read))
    const plan = await this.#planFor(now)
    this.#plan(plan)
    const basis = knownDeployment(now, this.#deps, { readAt, planEnds: ANY_CHANGE })
    const patch = async (): Promise<void> => await this.#patch(basis)
    if (plan.kind === 'not-possible') {
      await patch()
      return plan.because
    }
    this.#report({ kind: 'under-way', to: plan.to.id })
    const applied = await restoreRevision(basis, plan, this.#deps, patch)
    return applied.kind === 'applied' ? { now, plan, applied } : applied
  }

  /** Restores the settings that need no revision. They follow the redeploy, without which nothing is restored. */
  async #patchLast(): Promise<void> {
    const { now, readAt } = await this.#read((read) => this.#showsEarlier(read))
    const { patch, changedSince } = planSettingsOf(this.#basisOf(now))
    const { kept, changedSince: before } = this.#settings
    this.#plan({ patch, kept, changedSince: [...before, ...changedSince] })
    await this.#patch(knownDeployment(now, this.#deps, { readAt, planEnds: ['set'] }), { isLast: true })
  }

  #basisOf(now: Deployment) {
    const { before, patched, unproved } = this.#ended
    return { before, now, changed: this.#request.settings, patched, unproved, api: this.#deps.controlPlane.api }
  }

  #plan(settings: RestoredSettings): void {
    this.#settings = settings
    this.#unsure = []
  }

  async #patch(basis: KnownDeployment, { isLast = false }: { isLast?: boolean } = {}): Promise<void> {
    const { patch } = this.#settings
    if (patch === undefined) return
    const fields = setFields(patch)
    try {
      const sent = await sendPatch(basis, patch, this.#deps, { isRestoration: true })
      const { state } = basis
      // No later response need report the address that the rollback has restored.
      const settings = { ...state.settings, ...patch, ...sent.form }
      this.#deps.emit({ kind: 'deployment-read', deployment: { ...state, settings } })
      for (const field of fields) this.#restored.add(field)
      await judgePatch(sent, basis, this.#deps, { isLast })
    } catch (thrown) {
      if (thrown instanceof AmbiguousWriteError) this.#unsure = fields
      throw thrown
    }
  }

  #settingsLeft(): SettingsLeft {
    const { kept, changedSince: theirs } = leftAsIs(this.#settings)
    // The service may write a restored setting in its own way: then no other client has changed it.
    const changedSince = [...new Set(theirs)].filter((field) => !this.#restored.has(field))
    const settled = [...this.#restored, ...changedSince, ...this.#unsure]
    return { restored: [...this.#restored], kept: kept.filter((field) => !settled.includes(field)), changedSince }
  }

  /** Its events are marked: the record is about the rollout's own revision. One good answer verifies what served before. */
  async #watch(restoring: WatchedRevision, plan: RestorePlan): Promise<RolloutOutcome> {
    const marked: Run = { ...this.#deps, emit: (event) => this.#deps.emit({ kind: 'during-rollback', event }) }
    const { verification } = this.#request
    const once = { ...this.#request, verification: verification && { ...verification, forMs: undefined } }
    const ended = confirmCommit(await watchRevision(restoring, this.#request, marked), plan)
    // No response need report the address that the rollback has restored.
    const url = plan.patch?.customUrl ?? ended.url ?? this.#request.settings.customUrl
    return await verifyRevision({ ...ended, url }, once, marked)
  }

  async #read(mayBeStale: (now: Deployment) => boolean): Promise<{ now: Deployment; readAt: number }> {
    const read = async () => {
      const readAt = this.#deps.clock.now()
      const now = await readAsBefore(this.#ended.deploymentId, this.#ended.before, this.#deps)
      // Another client may have set the address.
      this.#deps.emit({ kind: 'deployment-read', deployment: now })
      return { now, readAt }
    }
    return await readPastStale(read, (first) => mayBeStale(first.now), this.#deps)
  }

  /** Whether a setting that the run has changed shows its earlier value, and so would not be restored. */
  #showsEarlier({ settings: now }: Deployment): boolean {
    const { before, patched } = this.#ended
    if (before === undefined) return false
    const { settings: settingsBefore } = before
    const { settings: changed } = this.#request
    return setFields(changed, COMPARED.changedByRollout).some(
      (field) =>
        now[field] !== undefined &&
        compareSetting(field, now, settingsBefore) !== 'other' &&
        // Hidden secrets with the same names are not restored: whether they are the earlier ones makes no difference.
        compareSetting(field, settingsBefore, changed, 'spaces') === 'other' &&
        compareSetting(field, patched ?? {}, settingsBefore) !== 'same',
    )
  }

  async #planFor(now: Deployment): Promise<RollbackPlan> {
    const { before, revision, outcome } = this.#ended
    const newer = revision && (await supersededBy(revision, now, { ...this.#deps, before, unreadable: 'newer' }))
    const activeId = before?.activeRevisionId ?? undefined
    const active = now.activeRevisionId
    // If the control plane does not report the active revision, it counts as the one before the rollout.
    const assumed = isActiveFailure(outcome) ? undefined : activeId
    const otherActive = active === null || sameId(active, revision?.id) ? undefined : active
    const serving = active === undefined ? assumed : otherActive
    const isRead = activeId !== undefined && newer === undefined
    const activeBefore = isRead ? await readRevision(now.id, activeId, this.#deps) : undefined
    return planRollback({ ...this.#basisOf(now), newer, activeBefore, serving })
  }
}

/** Without what to do about it: that is worded once, for the outcome. */
function troubleOf(thrown: unknown): string {
  return thrown instanceof ControlPlaneError ? withoutHint(thrown.trouble) : withoutEnd(toError(thrown).message, '.')
}
