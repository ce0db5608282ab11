import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import { setFields } from '../plan/settings.ts'
import { ChangedError, didNothing, type KnownDeployment } from './basis.ts'
import { type OwnPatch, shownOf } from './changes.ts'
import {
  beginPatch,
  type PatchDone,
  type PatchInput,
  type PatchMoment,
  type PatchNext,
  PATCHES_OF_RUN,
  type PatchState,
  type PatchStep,
  type PatchTask,
  stepPatch,
} from './patch.ts'

type PatchSending = Extract<PatchNext, { do: 'send' }>
type PatchRead = Extract<PatchNext, { do: 'look' | 'read' }>

/** A PATCH that is done. Whatever fails afterwards, the deployment has its settings. */
export interface SentPatch {
  /** As the judgement of later answers needs it. */
  own: OwnPatch
  /** The new settings as the service shows them, as far as it does. */
  form: Settings
  answers: readonly Deployment[]
  /** The acknowledged fields that no answer confirms. */
  unconfirmed: readonly Field[]
}

/**
 * Changes settings that need no revision, as `stepPatch` decides. `isRestoration`: a value that another client has set
 * since must stay.
 * @throws AmbiguousWriteError when the deployment still shows an earlier setting that is no text, or cannot be read; or
 * when nothing is acknowledged, and no read shows the new values
 */
export async function sendPatch(
  basis: KnownDeployment,
  patch: Settings,
  deps: Run,
  { isRestoration = false }: { isRestoration?: boolean } = {},
): Promise<SentPatch> {
  const before = basis.state
  const own = { before: before.settings, sent: patch, confirmed: undefined, isRestoration }
  basis.beginPatch(own)
  const task = { before, patch, isRestoration, seenChanged: basis.seenChanged }
  const { form, answers, unconfirmed } = await drivePatch(task, basis, deps)
  return { own: { ...own, confirmed: shownOf(patch, answers), form }, form, answers, unconfirmed }
}

/**
 * Judges what the answers show besides the PATCH, and emits the fields that none of them confirms. `isLast`: the PATCH
 * follows the run's own revision or redeploy, and the watch judges the answers.
 * @throws ChangedError when they show a change that ends the plan
 */
export async function judgePatch(
  { own, answers, unconfirmed }: SentPatch,
  basis: KnownDeployment,
  deps: Run,
  { isLast = false }: { isLast?: boolean } = {},
): Promise<void> {
  if (!isLast) await basis.endPatch(own, answers)
  if (unconfirmed.length > 0) deps.emit({ kind: 'patch-unconfirmed', fields: unconfirmed })
}

/** Sends and judges a PATCH. Returns the new settings as the service shows them, as far as it does. */
export async function patchKnown(basis: KnownDeployment, patch: Settings, deps: Run): Promise<Settings> {
  const sent = await sendPatch(basis, patch, deps)
  await judgePatch(sent, basis, deps)
  return sent.form
}

/** Does what `stepPatch` says until the PATCH ends. */
async function drivePatch(task: PatchTask, basis: KnownDeployment, deps: Run): Promise<PatchDone> {
  let step = beginPatch(task, momentOf(deps))
  for (;;) {
    const { state, next } = step
    if (next.do === 'done') {
      if (!state.isPatchAcknowledged) emitPatched(task, deps)
      return next
    }
    if (next.do === 'throw') throw next.error
    step = next.do === 'send' ? await attempt(state, next, basis, deps) : await read(state, next, basis, deps)
  }
}

/** Has one turn for its looks, a fresh read and the PATCH. */
async function attempt(state: PatchState, next: PatchSending, basis: KnownDeployment, deps: Run): Promise<PatchStep> {
  const { id } = state.task.before
  if (next.repeats !== undefined) deps.emit(next.repeats)
  await sleepUntil(next.at, deps)
  let step: PatchStep = { state, next: next.needsLook ? { do: 'look', at: next.at } : next }
  let sentAt: number | undefined
  const write = async (): Promise<void> => {
    while (step.next.do === 'look') step = await read(step.state, step.next, basis, deps)
    if (step.next.do !== 'send' || step.next.needsLook) return
    // A look that fails may take its time.
    await basis.renew()
    sentAt = deps.clock.now()
    deps.patches.sent++
    const deployment = await deps.controlPlane.updateDeployment(id, state.task.patch)
    emitPatched(state.task, deps)
    step = stepPatch(step.state, { kind: 'answered', deployment, sentAt }, momentOf(deps))
  }
  try {
    await basis.send(`update the deployment ${id}`, write, 'settings')
    return step
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError)) throw thrown
    if (sentAt !== undefined && !didNothing(thrown) && !state.task.isRestoration) deps.emit({ kind: 'patch-lost' })
    return stepPatch(step.state, { kind: 'failed', error: thrown, sentAt }, momentOf(deps))
  }
}

/** A later failure says what was patched. A rollback says itself which settings it has restored. */
function emitPatched({ patch, isRestoration }: PatchTask, { emit }: Run): void {
  if (!isRestoration) emit({ kind: 'settings-patched', fields: setFields(patch) })
}

async function read(state: PatchState, next: PatchRead, basis: KnownDeployment, deps: Run): Promise<PatchStep> {
  const { id } = state.task.before
  await sleepUntil(next.at, deps)
  let input: PatchInput
  try {
    const deployment = next.do === 'look' ? await basis.read() : await deps.controlPlane.getDeployment(id)
    input = { kind: 'read', deployment }
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError) || thrown instanceof ChangedError) throw thrown
    input = { kind: 'unreadable', error: thrown }
  }
  return stepPatch(state, input, momentOf(deps))
}

function momentOf({ clock, random, deadline, maxRetries, patches }: Run): PatchMoment {
  return { now: clock.now(), random: random(), deadline, maxRetries, patchesLeft: PATCHES_OF_RUN - patches.sent }
}

async function sleepUntil(at: number, { clock, signal }: Run): Promise<void> {
  if (at > clock.now()) await clock.sleep(at - clock.now(), signal)
}
