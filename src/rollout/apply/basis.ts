import {
  BusyError,
  ControlPlaneError,
  ifReadable,
  isNotFound,
  RefusedError,
  tooLate,
} from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import { LAST_ATTEMPT_MS } from '../../control-plane/transport.ts'
import { pauseWithin, type Reader, type Run } from '../dependencies.ts'
import { changeText, type DeploymentChange } from '../deployment-change.ts'
import { isCleared } from '../fields/compare.ts'
import { pick, setFields } from '../plan/settings.ts'
import { findByName } from '../read/find-deployment.ts'
import { readDeployment, readPastStale } from '../read/read-again.ts'
import { FRESH_READ_MS, STALE_READ_MS } from '../timing.ts'
import { changesSince, moveOf, type OwnPatch, replacedSince } from './changes.ts'

/** The writes that the control plane may have acted on. After a creation, a new revision may be the result of it. */
export type Written = 'nothing' | 'settings' | 'creation'

/** The writes of this run whose effect an answer may show. */
interface Since {
  written: Written
  own: OwnPatch
}

const NO_PATCH: OwnPatch = { before: {}, sent: {}, confirmed: undefined, isRestoration: false }

/**
 * Reads the state again. If `answers` show it already, it is read only if they may show a change by another client. May
 * throw a {@link ChangedError}.
 */
type ReadAgain<State> = (state: State, since: Since, answers?: readonly State[]) => Promise<State>

/**
 * The state that writes are based on. Each attempt waits for its turn, and then follows a read that is not older than
 * {@link FRESH_READ_MS}: so the run neither overlooks a change by another client, nor takes it for its own.
 */
export class Basis<State> {
  /** The settings for which the run has planned again already, after a PATCH. */
  readonly seenChanged: readonly Field[]
  readonly #deps: Run
  readonly #readAgain: ReadAgain<State>
  #state: State
  #readAt: number
  #written: Written = 'nothing'
  #own = NO_PATCH

  /** `readAt`: when the state was read, in monotonic milliseconds. */
  constructor(
    state: State,
    readAgain: ReadAgain<State>,
    deps: Run,
    { readAt = deps.clock.now(), seenChanged = [] }: Pick<DeploymentFacts, 'readAt' | 'seenChanged'> = {},
  ) {
    this.seenChanged = seenChanged
    this.#deps = deps
    this.#readAgain = readAgain
    this.#state = state
    this.#readAt = readAt
  }

  get state(): State {
    return this.#state
  }

  /** Reads the state again, unless it was just read. */
  async renew(): Promise<void> {
    if (this.#deps.clock.now() - this.#readAt > FRESH_READ_MS) await this.read()
  }

  async read(): Promise<State> {
    const now = this.#deps.clock.now()
    this.#state = await this.#readAgain(this.#state, this.#since())
    this.#readAt = now
    return this.#state
  }

  /** Notes the PATCH that is sent next. */
  beginPatch(own: OwnPatch): void {
    this.#own = own
  }

  /** Judges the answer to the PATCH, and the reads that have followed it, as a read before a write is judged. */
  async endPatch(own: OwnPatch, answers: readonly State[]): Promise<void> {
    this.#own = own
    const before = this.#state
    this.#state = await this.#readAgain(before, this.#since(), answers)
    if (this.#state !== before) this.#readAt = this.#deps.clock.now()
  }

  #since(): Since {
    return { written: this.#written, own: this.#own }
  }

  /** Sends one attempt of a write. */
  async send<Made>(
    attempted: string,
    write: (state: State) => Promise<Made>,
    written: Exclude<Written, 'nothing'> = 'creation',
  ): Promise<Made> {
    const { turns, deadline } = this.#deps
    using turn = await turns.write(deadline + LAST_ATTEMPT_MS)
    if (turn === undefined) throw tooLate(attempted)
    await this.renew()
    try {
      const made = await write(this.#state)
      this.#note(written)
      return made
    } catch (thrown) {
      if (!didNothing(thrown)) this.#note(written)
      if (thrown instanceof BusyError) this.#readAt = -Infinity
      throw thrown
    }
  }

  #note(written: Written): void {
    if (this.#written !== 'creation') this.#written = written
  }
}

/** Whether the control plane certainly did not act on a write. */
export function didNothing(thrown: unknown): boolean {
  return thrown instanceof BusyError || thrown instanceof RefusedError
}

export type KnownDeployment = Basis<Deployment>

export interface DeploymentFacts {
  /** When it was read, in monotonic milliseconds; just now if not set. */
  readAt?: number | undefined
  /** The user means the deployment of this name: one that has lost it gets no write. */
  isNamed?: boolean | undefined
  /** The deployment comes from a list, which may show less than a read by its id; as `isNamed` if not set. */
  isListed?: boolean | undefined
  /** The run has written to the deployment for an earlier plan. */
  isWritten?: boolean | undefined
  /** The changes that end the plan, until a creation on this basis. */
  planEnds?: readonly DeploymentChange['kind'][]
  /** The settings for which the run has planned again already, after a PATCH: they end no other plan. */
  seenChanged?: readonly Field[]
}

export const ANY_CHANGE = ['revised', 'active', 'set'] as const

export function knownDeployment(deployment: Deployment, deps: Run, facts: DeploymentFacts = {}): KnownDeployment {
  const reader = new StateReader(deployment, deps, facts)
  const readAgain: ReadAgain<Deployment> = async (previous, since, answers) =>
    answers === undefined ? await reader.read(previous, since) : await reader.judge(previous, since, answers)
  return new Basis(deployment, readAgain, deps, facts)
}

/** The content of one answer. `others`: the settings of our PATCH that have other values now. They end no plan. */
interface Seen {
  now: Deployment | undefined
  change: DeploymentChange | undefined
  others: readonly Field[]
}

class StateReader {
  readonly #deployment: Deployment
  readonly #deps: Run
  readonly #facts: DeploymentFacts
  readonly #reported = new Set<Field>()

  constructor(deployment: Deployment, deps: Run, facts: DeploymentFacts) {
    this.#deployment = deployment
    this.#deps = deps
    this.#facts = facts
  }

  async read(previous: Deployment, since: Since): Promise<Deployment> {
    // A replica that lags must neither end the plan nor show the state before to the next one.
    const mayBeStale = ({ change, others }: Seen): boolean => this.#endsPlan(change) || others.length > 0
    return this.#use(
      previous,
      await readPastStale(async () => await this.#look(previous, since), mayBeStale, this.#deps),
      since,
    )
  }

  /** Judges answers to a PATCH. After a creation, the watch does that. */
  async judge(previous: Deployment, since: Since, answers: readonly Deployment[]): Promise<Deployment> {
    const { planEnds = [] } = this.#facts
    const isChanged = (answer: Deployment): boolean =>
      this.#changeOf(previous, unlessOlder(answer, previous), since) !== undefined
    if (planEnds.length === 0 || since.written === 'creation' || !answers.some(isChanged)) return previous
    await pauseWithin(STALE_READ_MS, this.#deps)
    return this.#use(previous, await this.#look(previous, since), since)
  }

  async #look(previous: Deployment, since: Since): Promise<Seen> {
    const now = await readPresent(previous, this.#isNamed, this.#deps)
    return { now, change: this.#changeOf(previous, now, since), others: this.#othersOf(now, since) }
  }

  #use(previous: Deployment, { now, change, others }: Seen, { written, own }: Since): Deployment {
    const { isWritten = false } = this.#facts
    if (change !== undefined) throw new ChangedError(previous, change, { written, isWritten, patched: own.form })
    if (others.length > 0) this.#deps.emit({ kind: 'patch-unconfirmed', fields: others })
    others.forEach((field) => this.#reported.add(field))
    return now ?? previous
  }

  #changeOf(previous: Deployment, now: Deployment | undefined, { written, own }: Since): DeploymentChange | undefined {
    const moved = this.#isNamed ? moveOf(previous, now) : undefined
    if (moved !== undefined || now === undefined || written === 'creation') return moved
    const { isListed = this.#isNamed, seenChanged = [] } = this.#facts
    const { api } = this.#deps.controlPlane
    const isFirst = isListed && previous === this.#deployment
    const comparing = { isListed: isFirst, own: written === 'nothing' ? undefined : own, seenChanged, api }
    return changesSince(previous, now, comparing).find((change) => this.#endsPlan(change))
  }

  #othersOf(now: Deployment | undefined, { written, own }: Since): Field[] {
    const { planEnds = [] } = this.#facts
    if (now === undefined || written !== 'settings' || planEnds.length === 0) return []
    return replacedSince(now.settings, own).filter((field) => !this.#reported.has(field))
  }

  #endsPlan(change: DeploymentChange | undefined): boolean {
    return this.#facts.planEnds?.some((kind) => kind === change?.kind) ?? false
  }

  get #isNamed(): boolean {
    return this.#facts.isNamed ?? false
  }
}

/**
 * Reads the deployment. A replica may show an earlier state than the previous read: then that one counts. Undefined if the
 * deployment is missing and `mayBeGone`.
 */
async function readPresent(previous: Deployment, mayBeGone: boolean, deps: Run): Promise<Deployment | undefined> {
  const read = async (): Promise<Deployment> => await readAsBefore(previous.id, previous, deps)
  const now = await ifReadable(read, (thrown) => mayBeGone && isNotFound(thrown))
  if (now === undefined) return undefined
  if (unlessOlder(now, previous) === previous) return previous
  return { ...now, latestRevisionId: now.latestRevisionId ?? previous.latestRevisionId }
}

function unlessOlder(now: Deployment, previous: Deployment): Deployment {
  return (now.updatedAt ?? Infinity) < (previous.updatedAt ?? -Infinity) ? previous : now
}

/**
 * Reads the deployment. A setting that it showed before and does not show now may be reported in lists only: then a list
 * is read, too. It is read again past the lag of replicas, which may still show a setting that others have cleared.
 */
export async function readAsBefore(id: string, before: Deployment | undefined, deps: Reader): Promise<Deployment> {
  const { settings: previousSettings = {} } = before ?? {}
  const read = async (): Promise<{ now: Deployment; inList: Settings }> => {
    const now = await readDeployment(id, deps)
    const missing = setFields(previousSettings).filter((field) => isCleared(field, now.settings, previousSettings))
    const inList = async () => await findByName(now.name, deps.controlPlane, (one) => sameId(one.id, id))
    const listed = missing.length === 0 ? undefined : await ifReadable(inList)
    return { now, inList: pick(listed?.settings ?? {}, missing) }
  }
  const { now, inList } = await readPastStale(read, (first) => setFields(first.inList).length > 0, deps)
  return { ...now, settings: { ...now.settings, ...inList } }
}

/** Another client has changed the deployment since the plan was made. */
export class ChangedError extends ControlPlaneError {
  readonly deploymentId: string
  readonly change: DeploymentChange
  /** The writes of the plan that has ended. */
  readonly written: Written
  readonly isWritten: boolean
  /** The settings that the plan has patched, as the service shows them; undefined if its PATCH has not ended. */
  readonly patched: Settings | undefined
  /** The deployment was renamed or deleted. */
  readonly isMove: boolean

  constructor(
    { id, name }: Deployment,
    change: DeploymentChange,
    {
      written,
      isWritten: wasWritten,
      patched,
    }: { written: Written; isWritten: boolean; patched?: Settings | undefined },
  ) {
    const isWritten = wasWritten || written !== 'nothing'
    const since = isWritten ? 'the first write of this run' : 'the plan was made'
    const isMove = change.kind === 'renamed' || change.kind === 'deleted'
    const check = isMove ? 'Check both deployments' : 'Check the deployment'
    const hint = isWritten ? `${check}, then rerun the job.` : 'Rerun the job.'
    const cameBack = `since ${since}, it ${changeText(change)}`
    super({ attempted: `write to the deployment "${name}" (${id})`, cameBack, hint })
    this.deploymentId = id
    this.change = change
    this.written = written
    this.isWritten = isWritten
    this.patched = patched
    this.isMove = isMove
  }
}
