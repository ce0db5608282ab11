import {
  ambiguous,
  AmbiguousWriteError,
  BrokenContractError,
  BusyError,
  ControlPlaneError,
  ifReadable,
  RefusedError,
} from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { pauseToRepeat } from '../../control-plane/transport.ts'
import { pauseWithin, type Run } from '../dependencies.ts'
import { differenceOf, isCleared, sameIdOrNone } from '../plan/diff.ts'
import { inputName, omit, pick, setFields } from '../plan/settings.ts'
import { PATCHES, READ_AGAIN_MS, READS_PAST_LAG, STALE_READ_MS } from '../timing.ts'
import { ChangedError, didNothing, type KnownDeployment } from './basis.ts'
import { isRespaced, type OwnPatch, shownOf, shows } from './changes.ts'
import { lostWrite, uncertain } from './write-once.ts'
import { readPastStale } from '../read/read-again.ts'

interface PatchOptions {
  /** A value that another client has set since must stay. */
  isRestoration?: boolean
  /** It follows the run's own revision or redeploy: then the watch judges what else the answer shows. */
  isLast?: boolean
  /** The settings that the run patches for the second time, as the first PATCH was followed by another value. */
  seenChanged?: readonly Field[] | undefined
  /** The PATCH is done. `shown`: the new settings as the service shows them, as far as it does. */
  onPatched?: ((shown: Settings) => void) | undefined
}

/**
 * Changes settings that need no revision. Each attempt follows a fresh read, and a repetition a look whether it is done
 * already. Only a response that is this deployment acknowledges it. Without one, or if it shows an earlier value, reads
 * the deployment, and patches it once more if that does not show the new values. Emits the acknowledged fields that no
 * response confirms, unless what was shown ends the plan (`ChangedError`).
 * @returns the new settings as the service shows them, as far as it does
 * @throws AmbiguousWriteError when the deployment still shows an earlier setting that is no text, or cannot be read; or
 * when nothing is acknowledged, and no read shows the new values
 */
export async function patchKnown(
  known: KnownDeployment,
  patch: Settings,
  deps: Run,
  { isRestoration = false, isLast = false, seenChanged = [], onPatched }: PatchOptions = {},
): Promise<Settings> {
  const { settings: before } = known.state
  const own = { before, sent: patch, shown: undefined, isRestoration }
  known.beginPatch(own)
  const { form, answers, unconfirmed } = await new KnownPatch(known, deps, own, seenChanged).untilShown()
  onPatched?.(form)
  if (!isLast) await known.endPatch({ ...own, shown: shownOf(patch, answers), form }, answers)
  if (unconfirmed.length > 0) deps.emit({ kind: 'patch-unconfirmed', fields: unconfirmed })
  return form
}

/** `answers`: all that have come since the last PATCH was sent. */
interface Patched {
  form: Settings
  answers: readonly Deployment[]
  unconfirmed: readonly Field[]
}

class KnownPatch {
  readonly #known: KnownDeployment
  readonly #before: Deployment
  readonly #patch: Settings
  readonly #deps: Run
  readonly #isRestoration: boolean
  readonly #seenChanged: readonly Field[]
  #earlier: 'none' | 'sent' | AmbiguousWriteError = 'none'
  #sentAt = -Infinity
  #isAcknowledged = false

  constructor(known: KnownDeployment, deps: Run, { sent, isRestoration }: OwnPatch, seenChanged: readonly Field[]) {
    this.#known = known
    this.#before = known.state
    this.#patch = sent
    this.#deps = deps
    this.#isRestoration = isRestoration
    this.#seenChanged = seenChanged
  }

  async untilShown(): Promise<Patched> {
    const [before, patch] = [this.#before, this.#patch]
    let newest = before
    for (let count = 1; ; count++) {
      // An update since the last PATCH counts, too: a revision of another run may have ended before it.
      const last = { ...newest, settings: before.settings }
      const answer = await this.#trySend()
      const { deployment } = answer
      this.#isAcknowledged ||= deployment !== undefined
      if (deployment !== undefined) {
        const { earlier, respaced, other, hidden } = this.#compare(deployment)
        const form = formOf(deployment, last, patch)
        if (earlier.length === respaced.length && hidden.length === 0)
          return { form, answers: [deployment], unconfirmed: [...respaced, ...other] }
      }
      const reads = await this.#readUntilShown()
      const compared = this.#compare(reads.last)
      const { earlier, other, unreported, hidden } = compared
      const missing = this.#isAcknowledged ? earlier : [...earlier, ...other, ...unreported]
      const answers = [...(deployment === undefined ? [] : [deployment]), ...reads.all]
      for (const one of answers) if ((one.updatedAt ?? 0) > (newest.updatedAt ?? 0)) newest = one
      // An acknowledged text may be ours in the service's own form, which may be the same for the earlier one.
      const refused = missing.filter((field) => !this.#isAcknowledged || SETTINGS[field].type !== 'text')
      const isAgain = missing.some((field) => refused.includes(field) || !this.#seenChanged.includes(field))
      if (isAgain && count < PATCHES) continue
      if (refused.length > 0) throw notApplied(before.id, answer, refused, compared)
      const unseen = omit(pick(patch, [...other, ...hidden]), setFields(shownOf(patch, answers)))
      const found = setFields(patch).filter((field) => shows(field, reads.last.settings, patch))
      const form = { ...pick(reads.last.settings, found), ...(deployment && formOf(deployment, last, patch)) }
      return { form, answers, unconfirmed: [...earlier, ...setFields(unseen)] }
    }
  }

  async #trySend(): Promise<Answer> {
    try {
      const deployment = await this.#send()
      if (deployment !== undefined) return { deployment }
      return { deployment, cameBack: 'the response to the PATCH is not this deployment', hint: undefined }
    } catch (thrown) {
      if (!(thrown instanceof BrokenContractError)) throw thrown
      return { deployment: undefined, ...thrown.trouble }
    }
  }

  async #send(): Promise<Deployment | undefined> {
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
      throw new ChangedError(
        this.#before,
        { kind: 'set', fields: shown.others },
        { written: 'settings', isWritten: false },
      )
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
      const { earlier, other, unreported } = this.#compare(now)
      const isThird = (field: Field): boolean =>
        [before, now.settings].every((settings) => settings[field] !== undefined) &&
        ![before, patch].some((settings) => shows(field, now.settings, settings))
      const isOther = (field: Field): boolean => isThird(field) || isCleared(field, now.settings, before)
      const isDone = [earlier, other, unreported].every((fields) => fields.length === 0)
      return { now, isDone, others: setFields(patch).filter(isOther) }
    }
    const shown = await ifReadable(read, isUnreadable)
    if (shown === undefined || shown.others.length === 0) return shown
    await pauseWithin(STALE_READ_MS, this.#deps)
    return (await ifReadable(read, isUnreadable)) ?? shown
  }

  /** Reads the deployment until it shows the patch, or a further read can show nothing else. */
  async #readUntilShown(): Promise<{ all: readonly Deployment[]; last: Deployment }> {
    const { controlPlane, clock, signal, deadline } = this.#deps
    const before = this.#before
    const all: Deployment[] = []
    for (let read = 1; ; read++) {
      const isLast = (): boolean => read === READS_PAST_LAG || clock.now() + READ_AGAIN_MS >= deadline
      try {
        const last = await controlPlane.getDeployment(before.id)
        all.push(last)
        const { earlier, other, hidden, unreported } = this.#compare(last)
        // Without an acknowledgement, another value need not be the service's form of ours.
        const differing = this.#isAcknowledged ? earlier : [...earlier, ...other]
        const missing = this.#isAcknowledged ? hidden : unreported
        const isFinal = differing.length === 0 && missing.every((field) => SETTINGS[field].maybeUnreported === true)
        if (isFinal || isLast()) return { all, last }
      } catch (thrown) {
        if (!(thrown instanceof ControlPlaneError)) throw thrown
        if (isLast()) throw unconfirmed(before.id, [thrown.trouble.cameBack, about(NOT_SHOWN, setFields(this.#patch))])
      }
      await clock.sleep(READ_AGAIN_MS, signal)
    }
  }

  #compare(shown: Deployment): Comparison {
    return compareWithPatch(shown, this.#before, this.#patch)
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

/**
 * The form that the service gives our settings. Another value may be somebody else's, unless the service has updated
 * the deployment since it was read last.
 */
function formOf(deployment: Deployment, before: Deployment, patch: Settings): Settings {
  const { earlier, other } = compareWithPatch(deployment, before, patch)
  const others = isUpdated(deployment, before) ? [] : other
  return omit(pick(deployment.settings, setFields(patch)), [...earlier, ...others])
}

type Answer = { deployment: Deployment } | { deployment: undefined; cameBack: string; hint: string | undefined }

/** `fields`: of which no response shows the new value. */
function notApplied(id: string, answer: Answer, fields: readonly Field[], compared: Comparison): AmbiguousWriteError {
  const { cameBack, hint } = answer.deployment === undefined ? answer : {}
  const missing = (of: readonly Field[]): Field[] => of.filter((field) => fields.includes(field))
  const found = [
    cameBack,
    about('the deployment still shows the earlier settings', missing(compared.earlier)),
    about('the deployment shows other settings', missing(compared.other)),
    about(NOT_SHOWN, missing(compared.unreported)),
  ]
  return unconfirmed(id, found, hint)
}

const NOT_SHOWN = 'no response shows the new settings'

function about(what: string, fields: readonly Field[]): string | undefined {
  return fields.length === 0 ? undefined : `${what} (${fields.map(inputName).join(', ')})`
}

function unconfirmed(id: string, found: readonly (string | undefined)[], cure = ''): AmbiguousWriteError {
  return uncertain(`update the deployment ${id}`, found.filter((one) => one !== undefined).join('; '), cure)
}

/**
 * `other`: neither the earlier value nor ours. `respaced`: the earlier ones that differ from ours in blanks only.
 * `hidden`: the unreported ones with an earlier value; any other one counts as applied once the PATCH is acknowledged.
 */
export type Comparison = Record<'earlier' | 'respaced' | 'other' | 'unreported' | 'hidden', Field[]>

/** Another text than the earlier one may be the service's form of ours. */
export function compareWithPatch(shown: Deployment, before: Deployment, patch: Settings): Comparison {
  const fields = setFields(patch)
  const isSame = (field: Field, of: Settings): boolean => differenceOf(field, shown.settings, of) === 'same'
  const isText = (field: Field): boolean => SETTINGS[field].type === 'text'
  const reported = fields.filter((field) => shown.settings[field] !== undefined)
  const earlier = reported.filter(
    (field) => !isSame(field, patch) && (!isText(field) || isSame(field, before.settings)),
  )
  const unreported = fields.filter((field) => !reported.includes(field))
  return {
    earlier,
    respaced: earlier.filter((field) => isRespaced(field, shown.settings, patch)),
    other: reported.filter((field) => !earlier.includes(field) && !shows(field, shown.settings, patch)),
    unreported,
    hidden: unreported.filter((field) => before.settings[field] !== undefined),
  }
}

/** A new revision updates it, too, and does not count. */
export function isUpdated(shown: Deployment, before: Deployment): boolean {
  const { updatedAt: now, latestRevisionId: latest, activeRevisionId: active } = shown
  if (now === undefined || before.updatedAt === undefined || now <= before.updatedAt) return false
  return sameIdOrNone(latest, before.latestRevisionId) && sameIdOrNone(active, before.activeRevisionId)
}
