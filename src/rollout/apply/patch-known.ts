import {
  ambiguous,
  AmbiguousWriteError,
  BrokenContractError,
  BusyError,
  ControlPlaneError,
  ifReadable,
  isNotFound,
  RefusedError,
} from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import { pauseToRepeat } from '../../control-plane/transport.ts'
import { pauseWithin, type Reader, type Run } from '../dependencies.ts'
import { differenceOf, isCleared, isOther } from '../plan/diff.ts'
import { inputName, omit, pick, setFields } from '../plan/settings.ts'
import { STALE_READ_MS } from '../timing.ts'
import { compareWithPatch, patchDeployment, shows, unconfirmed } from './patch.ts'
import { ChangedError, didNothing, type KnownDeployment } from './basis.ts'
import { changeText } from '../event.ts'
import { lostWrite } from './write-once.ts'
import { findDeployment, hasName } from '../read/find-deployment.ts'
import { readDeployment, readPastStale } from '../read/read-again.ts'
import type { Target } from '../rollout-request.ts'

/** As `patchDeployment`. Each attempt follows a fresh read, and a repetition a look whether it is done already. */
export async function patchKnown(
  known: KnownDeployment,
  patch: Settings,
  deps: Run,
  { isRestoration = false }: { isRestoration?: boolean } = {},
): Promise<Settings> {
  const patching = new KnownPatch(known, patch, deps, isRestoration)
  return await patchDeployment(known.state, patch, async () => await patching.send(), deps)
}

class KnownPatch {
  readonly #known: KnownDeployment
  readonly #before: Deployment
  readonly #patch: Settings
  readonly #deps: Run
  /** A value that another client has set since must stay. */
  readonly #isRestoration: boolean
  #earlier: 'none' | 'sent' | AmbiguousWriteError = 'none'
  #sentAt = -Infinity

  constructor(known: KnownDeployment, patch: Settings, deps: Run, isRestoration: boolean) {
    this.#known = known
    this.#before = known.state
    this.#patch = patch
    this.#deps = deps
    this.#isRestoration = isRestoration
  }

  async send(): Promise<Deployment | undefined> {
    const update = async (): Promise<Deployment | undefined> => await this.#update()
    for (let retry = 0; ; retry++) {
      // A replica that lags must not hide what others have set at once.
      if (this.#isRestoration) await pauseWithin(this.#sentAt + STALE_READ_MS - this.#deps.clock.now(), this.#deps)
      try {
        return await this.#known.send(`update the deployment ${this.#before.id}`, update, 'settings')
      } catch (thrown) {
        if (thrown instanceof AmbiguousWriteError) this.#earlier = thrown
        else if (thrown instanceof ControlPlaneError && !didNothing(thrown) && this.#earlier === 'none')
          this.#earlier = 'sent'
        const earlier = this.#earlier
        // The same values may be set twice.
        const isTemporary = thrown instanceof BusyError || thrown instanceof AmbiguousWriteError
        if (isTemporary && (await pauseToRepeat(thrown, retry, this.#deps))) continue
        if (earlier === 'none' || !(thrown instanceof ControlPlaneError) || saysItself(thrown)) throw thrown
        // An earlier attempt may be why this one is refused.
        const late = thrown instanceof RefusedError ? await this.#lookForLate() : undefined
        if (late?.isDone === true) return late.now
        throw lostWrite(thrown, earlier === 'sent' ? undefined : earlier) ?? ambiguous(thrown)
      }
    }
  }

  async #update(): Promise<Deployment | undefined> {
    const earlier = this.#earlier
    const shown = earlier === 'none' ? undefined : await this.#look()
    if (this.#isRestoration && shown !== undefined && shown.others.length > 0)
      throw new ChangedError(this.#before, { kind: 'set', fields: shown.others }, 'settings', false)
    // A look that fails may take its time.
    await this.#known.renew()
    if (shown?.isDone === true) return shown.now
    if (this.#isRestoration && earlier !== 'none' && shown === undefined)
      throw earlier === 'sent' ? unconfirmed(this.#before.id, [UNSEEN]) : earlier
    this.#sentAt = this.#deps.clock.now()
    const answer = await this.#deps.controlPlane.updateDeployment(this.#before.id, this.#patch)
    this.#earlier = 'sent'
    return answer
  }

  async #lookForLate(): Promise<Shown | undefined> {
    const look = async (): Promise<Shown | undefined> => await this.#look()
    return await readPastStale(look, (shown) => shown?.isDone !== true, this.#deps)
  }

  /** What became of an earlier attempt; undefined if it cannot be read. A replica that lags shows no value of others. */
  async #look(): Promise<Shown | undefined> {
    const { settings: before } = this.#before
    const patch = this.#patch
    const read = async (): Promise<Shown> => {
      const now = await this.#known.read()
      const { earlier, other, unreported } = compareWithPatch(now, this.#before, patch)
      const isThird = (field: Field): boolean =>
        [before, now.settings].every((settings) => settings[field] !== undefined) &&
        ![before, patch].some((settings) => shows(field, now.settings, settings))
      const isOther = (field: Field): boolean => isThird(field) || isCleared(field, now.settings, before)
      const isDone = earlier.length + other.length + unreported.length === 0
      return { now, isDone, others: setFields(patch).filter(isOther) }
    }
    const shown = await ifReadable(read, isUnreadable)
    if (shown === undefined || shown.others.length === 0) return shown
    await pauseWithin(STALE_READ_MS, this.#deps)
    return (await ifReadable(read, isUnreadable)) ?? shown
  }
}

/** A response that is no deployment is looked into by who has sent the request. */
function saysItself(thrown: ControlPlaneError): boolean {
  return [AmbiguousWriteError, BrokenContractError, ChangedError].some((kind) => thrown instanceof kind)
}

interface Shown {
  now: Deployment
  isDone: boolean
  /** The fields with neither the earlier value nor ours. */
  others: readonly Field[]
}

const isUnreadable = (thrown: unknown): boolean =>
  thrown instanceof ControlPlaneError && !(thrown instanceof ChangedError)

const UNSEEN = 'no response acknowledged it, and then the deployment could not be read'

export interface EarlierPatch {
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
  return {
    before: beforePatch(deployment, earlier),
    sent: { ...earlier?.sent, ...patch },
    shown: { ...earlier?.shown, ...shown },
    unproved: unprovedFields(earlier, deployment),
  }
}

/** What was there before the run is what was there before its first patch. `deployment`: as it was before this plan. */
export function sincePatch(
  { before, patched }: { before: Deployment | undefined; patched?: Settings | undefined },
  deployment: Deployment,
  earlier: EarlierPatch | undefined,
) {
  if (earlier === undefined || before === undefined) return {}
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
export function beforePatch(
  deployment: Deployment,
  earlier: EarlierPatch | undefined,
  now: Deployment = deployment,
): Deployment {
  if (earlier === undefined || !sameId(deployment.id, earlier.before.id)) return deployment
  const own = ownFields(earlier, now)
  return { ...deployment, settings: { ...omit(deployment.settings, own), ...pick(earlier.before.settings, own) } }
}

/**
 * The fields that the run has patched and that have shown neither what was there before nor what is known to be ours:
 * they may be another client's, or ours in a form that no answer has shown.
 */
export function unprovedFields(earlier: EarlierPatch | undefined, deployment: Deployment): Field[] {
  if (earlier === undefined) return []
  const { before, sent, unproved } = earlier
  const own = ownFields(earlier, deployment)
  const isUnproved = (field: Field): boolean =>
    !own.includes(field) && differenceOf(field, deployment.settings, before.settings) !== 'same'
  return setFields(sent).filter((field) => unproved.includes(field) || isUnproved(field))
}

function ownFields({ before, sent, shown }: EarlierPatch, { settings }: Deployment): Field[] {
  const isOf = (own: Settings, field: Field): boolean => !isOther(field, settings, own, before.settings)
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
