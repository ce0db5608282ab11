import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Settings } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import { setFields } from '../plan/settings.ts'
import { ChangedError, type KnownDeployment } from './basis.ts'
import { shownOf } from './changes.ts'
import {
  beginPatch,
  type PatchDone,
  type PatchInput,
  type PatchMoment,
  type PatchNext,
  PATCHES_OF_RUN,
  type PatchStep,
  type PatchTask,
  stepPatch,
} from './patch.ts'

interface PatchOptions {
  /** A value that another client has set since must stay. */
  isRestoration?: boolean
  /** It follows the run's own revision or redeploy: then the watch judges what else the answer shows. */
  isLast?: boolean
  /** The PATCH is done. `shown`: the new settings as the service shows them, as far as it does. */
  onPatched?: ((shown: Settings) => void) | undefined
  /** The control plane has accepted it, or shows the new settings. Called perhaps more than once. */
  onAccepted?: (() => void) | undefined
}

/**
 * Changes settings that need no revision, as `stepPatch` decides. Emits the acknowledged fields that no response
 * confirms, unless what was shown ends the plan (`ChangedError`).
 * @returns the new settings as the service shows them, as far as it does
 * @throws AmbiguousWriteError when the deployment still shows an earlier setting that is no text, or cannot be read; or
 * when nothing is acknowledged, and no read shows the new values
 */
export async function patchKnown(
  basis: KnownDeployment,
  patch: Settings,
  deps: Run,
  { isRestoration = false, isLast = false, onPatched, onAccepted }: PatchOptions = {},
): Promise<Settings> {
  const before = basis.state
  const own = { before: before.settings, sent: patch, confirmed: undefined, isRestoration }
  basis.beginPatch(own)
  const task = { before, patch, isRestoration, seenChanged: basis.seenChanged }
  const { form, answers, unconfirmed } = await new PatchDriver(basis, task, deps, onAccepted).run()
  onAccepted?.()
  onPatched?.(form)
  if (!isLast) await basis.endPatch({ ...own, confirmed: shownOf(patch, answers), form }, answers)
  if (unconfirmed.length > 0) deps.emit({ kind: 'patch-unconfirmed', fields: unconfirmed })
  return form
}

/** The same for a PATCH of the rollout, of which a later failure says that it was accepted. */
export async function patchAndEmit(
  basis: KnownDeployment,
  patch: Settings,
  deps: Run,
  options: PatchOptions = {},
): Promise<Settings> {
  const onAccepted = (): void => deps.emit({ kind: 'settings-patched', fields: setFields(patch) })
  return await patchKnown(basis, patch, deps, { ...options, onAccepted })
}

/** Carries out what `stepPatch` decides. */
class PatchDriver {
  readonly #basis: KnownDeployment
  readonly #task: PatchTask
  readonly #deps: Run
  readonly #onAccepted: (() => void) | undefined
  #step: PatchStep

  constructor(basis: KnownDeployment, task: PatchTask, deps: Run, onAccepted?: () => void) {
    this.#onAccepted = onAccepted
    this.#basis = basis
    this.#task = task
    this.#deps = deps
    this.#step = beginPatch(task, this.#moment())
  }

  async run(): Promise<PatchDone> {
    for (;;) {
      const { next } = this.#step
      switch (next.do) {
        case 'send':
          await this.#attempt(next)
          break
        case 'look':
          await this.#look(next.at)
          break
        case 'read':
          await this.#read(next.at, async () => await this.#deps.controlPlane.getDeployment(this.#task.before.id))
          break
        case 'done':
          return next
        case 'throw':
          throw next.error
      }
    }
  }

  /** An attempt has its turn, in which it follows a look, if it is a repetition, and a fresh read. */
  async #attempt({ at, looksFirst, repeats }: Extract<PatchNext, { do: 'send' }>): Promise<void> {
    if (repeats !== undefined) this.#deps.emit(repeats)
    await this.#sleepUntil(at)
    let sentAt: number | undefined
    try {
      await this.#basis.send(
        `update the deployment ${this.#task.before.id}`,
        async () => {
          if (looksFirst && !(await this.#looksAndSends())) return
          // A look that fails may take its time.
          await this.#basis.renew()
          sentAt = this.#deps.clock.now()
          this.#deps.patches.sent++
          const deployment = await this.#deps.controlPlane.updateDeployment(this.#task.before.id, this.#task.patch)
          this.#onAccepted?.()
          this.#take({ kind: 'answered', deployment, sentAt })
        },
        'settings',
      )
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      this.#take({ kind: 'failed', error: thrown, sentAt })
    }
  }

  /** Whether the PATCH is sent after the look, and perhaps a second one. */
  async #looksAndSends(): Promise<boolean> {
    await this.#look(this.#deps.clock.now())
    while (this.#step.next.do === 'look') await this.#look(this.#step.next.at)
    const { next } = this.#step
    return next.do === 'send' && !next.looksFirst
  }

  async #look(at: number): Promise<void> {
    await this.#read(at, async () => await this.#basis.read())
  }

  async #read(at: number, read: () => Promise<Deployment>): Promise<void> {
    await this.#sleepUntil(at)
    let input: PatchInput
    try {
      input = { kind: 'read', deployment: await read() }
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError) || thrown instanceof ChangedError) throw thrown
      input = { kind: 'unreadable', error: thrown }
    }
    this.#take(input)
  }

  #take(input: PatchInput): void {
    this.#step = stepPatch(this.#step.state, input, this.#moment())
  }

  #moment(): PatchMoment {
    const { clock, random, deadline, maxRetries, patches } = this.#deps
    return { now: clock.now(), random: random(), deadline, maxRetries, patchesLeft: PATCHES_OF_RUN - patches.sent }
  }

  async #sleepUntil(at: number): Promise<void> {
    const { clock, signal } = this.#deps
    if (at > clock.now()) await clock.sleep(at - clock.now(), signal)
  }
}
