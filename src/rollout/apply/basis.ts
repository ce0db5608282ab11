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
import type { Reader, Run } from '../dependencies.ts'
import { changeText, type DeploymentChange } from '../event.ts'
import { contradicts, isCleared, isOther, sameIdOrNone } from '../plan/diff.ts'
import { pick, setFields } from '../plan/settings.ts'
import { findByName } from '../read/find-deployment.ts'
import { readDeployment, readPastStale } from '../read/read-again.ts'
import { FRESH_READ_MS, PLANS } from '../timing.ts'

/** What has been sent that the control plane may have acted on. After a creation, what is new may be of that. */
export type Written = 'nothing' | 'settings' | 'creation'

/** Reads the state again, after what has been `written`. May throw if it has become another one. */
type ReadAgain<State> = (state: State, written: Written) => Promise<State>

/**
 * What writes are based on. Each attempt has its turn first, and then follows a read that is not older than {@link
 * FRESH_READ_MS}: what another client did before that is not ours, and is not overlooked.
 */
export class Basis<State> {
  readonly #deps: Run
  readonly #readAgain: ReadAgain<State>
  #state: State
  #readAt: number
  #written: Written = 'nothing'

  /** @param readAt when the state was read, in monotonic milliseconds */
  constructor(state: State, readAgain: ReadAgain<State>, deps: Run, readAt = deps.clock.now()) {
    this.#deps = deps
    this.#readAgain = readAgain
    this.#state = state
    this.#readAt = readAt
  }

  get state(): State {
    return this.#state
  }

  /** Reads again what is there, unless it was just read. */
  async renew(): Promise<void> {
    if (this.#deps.clock.now() - this.#readAt > FRESH_READ_MS) await this.read()
  }

  async read(): Promise<State> {
    const now = this.#deps.clock.now()
    this.#state = await this.#readAgain(this.#state, this.#written)
    this.#readAt = now
    return this.#state
  }

  /** Sends one attempt of a write. */
  async send<Made>(
    attempted: string,
    write: (state: State) => Promise<Made>,
    what: Exclude<Written, 'nothing'> = 'creation',
  ): Promise<Made> {
    const { writeTurn = atOnce, deadline } = this.#deps
    using turn = await writeTurn(deadline + LAST_ATTEMPT_MS)
    if (turn === undefined) throw tooLate(attempted)
    await this.renew()
    try {
      const made = await write(this.#state)
      this.#note(what)
      return made
    } catch (thrown) {
      if (!didNothing(thrown)) this.#note(what)
      if (thrown instanceof BusyError) this.#readAt = -Infinity
      throw thrown
    }
  }

  #note(what: Written): void {
    if (this.#written !== 'creation') this.#written = what
  }
}

const atOnce: NonNullable<Run['writeTurn']> = async () => await Promise.resolve({ [Symbol.dispose]: () => undefined })

/** Whether the control plane certainly did not act on a write. */
export function didNothing(thrown: unknown): boolean {
  return thrown instanceof BusyError || thrown instanceof RefusedError
}

export type KnownDeployment = Basis<Deployment>

export interface KnownOfDeployment {
  /** When it was read, in monotonic milliseconds; just now if not set. */
  readAt?: number | undefined
  /** The user means the deployment of this name: one that has lost it gets no write. */
  isNamed?: boolean | undefined
  /** It comes from a list, which may show less than a read by its id; as `isNamed` if not set. */
  isListed?: boolean | undefined
  /** The run has written to it for an earlier plan. */
  isWritten?: boolean | undefined
  /** The changes that end the plan, until a creation on this basis; but for settings, once these are written. */
  planEnds?: readonly DeploymentChange['kind'][]
}

export const ANY_CHANGE = ['revised', 'active', 'set'] as const

export function knownDeployment(
  deployment: Deployment,
  deps: Run,
  { readAt, isNamed = false, isListed = isNamed, isWritten = false, planEnds = [] }: KnownOfDeployment = {},
): KnownDeployment {
  const endsPlan = (change?: DeploymentChange): boolean => planEnds.some((kind) => kind === change?.kind)
  const read = async (known: Deployment, written: Written) => {
    const now = await readPresent(known, isNamed, deps)
    const moved = isNamed ? moveOf(known, now) : undefined
    const changes =
      written === 'creation' || now === undefined ? [] : changesSince(known, now, isListed && known === deployment)
    const isOwn = ({ kind }: DeploymentChange): boolean => kind === 'set' && written === 'settings'
    return { now, change: moved ?? changes.find((one) => endsPlan(one) && !isOwn(one)) }
  }
  const readAgain = async (known: Deployment, written: Written): Promise<Deployment> => {
    const readOnce = async () => await read(known, written)
    // A replica that lags must neither end the plan nor show the state before to the next one.
    const { now, change } = await readPastStale(readOnce, (first) => endsPlan(first.change), deps)
    if (change !== undefined) throw new ChangedError(known, change, written, isWritten)
    return now ?? known
  }
  return new Basis(deployment, readAgain, deps, readAt)
}

function moveOf({ name }: Deployment, now: Deployment | undefined): DeploymentChange | undefined {
  if (now === undefined) return { kind: 'deleted' }
  return now.name === name ? undefined : { kind: 'renamed', now: now.name }
}

/** A replica may show an earlier state than the one that is known. Undefined if it is missing where it need not exist. */
async function readPresent(known: Deployment, mayBeGone: boolean, deps: Run): Promise<Deployment | undefined> {
  const read = async (): Promise<Deployment> => await readAsBefore(known.id, known, deps)
  const now = await ifReadable(read, (thrown) => mayBeGone && isNotFound(thrown))
  if (now === undefined) return undefined
  if ((now.updatedAt ?? Infinity) < (known.updatedAt ?? -Infinity)) return known
  return { ...now, latestRevisionId: now.latestRevisionId ?? known.latestRevisionId }
}

/**
 * Reads the deployment. What it showed before and does not now may stand in lists only: then one is read, too, and
 * again past the lag of replicas, which may still show what others have cleared.
 */
export async function readAsBefore(id: string, before: Deployment | undefined, deps: Reader): Promise<Deployment> {
  const { settings: shown = {} } = before ?? {}
  const read = async (): Promise<{ now: Deployment; inList: Settings }> => {
    const now = await readDeployment(id, deps)
    const missing = setFields(shown).filter((field) => isCleared(field, now.settings, shown))
    const inList = async () => await findByName(now.name, deps.controlPlane, (one) => sameId(one.id, id))
    const listed = missing.length === 0 ? undefined : await ifReadable(inList)
    return { now, inList: pick(listed?.settings ?? {}, missing) }
  }
  const { now, inList } = await readPastStale(read, (first) => setFields(first.inList).length > 0, deps)
  return { ...now, settings: { ...now.settings, ...inList } }
}

/** The deployment is not any more what the plan was made for. */
export class ChangedError extends ControlPlaneError {
  readonly deploymentId: string
  readonly change: DeploymentChange
  /** By the plan that has ended. */
  readonly written: Written
  readonly isWritten: boolean
  /** It has lost its name. */
  readonly isMove: boolean

  constructor({ id, name }: Deployment, change: DeploymentChange, written: Written, wasWritten: boolean) {
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
    this.isMove = isMove
  }
}

/**
 * What the earlier one does not report makes no difference. Nor does what a list may lack (`isListed`) of the secrets,
 * their references or a resource spec: nothing changes these without a revision.
 */
function changesSince(
  { latestRevisionId: latestBefore, activeRevisionId: activeBefore, settings: before }: Deployment,
  { latestRevisionId: latest, activeRevisionId: active, settings }: Deployment,
  isListed: boolean,
): DeploymentChange[] {
  const changes: DeploymentChange[] = []
  if (latestBefore !== undefined && latest !== undefined && !sameId(latest, latestBefore))
    changes.push({ kind: 'revised', revisionId: latest })
  if (activeBefore !== undefined && active !== undefined && !sameIdOrNone(active, activeBefore))
    changes.push({ kind: 'active', revisionId: active })
  const isLess = (field: Field): boolean =>
    isListed && (field === 'secrets' || !(contradicts(field, before, settings) || isCleared(field, settings, before)))
  const fields = setFields(before).filter((field) => isOther(field, settings, before) && !isLess(field))
  if (fields.length > 0) changes.push({ kind: 'set', fields })
  return changes
}

/** Begins to apply the `plans`th plan. Returns the change, which it emits, if the run is to plan again. */
export async function unlessChanged<T>(
  begin: () => Promise<T>,
  plans: number,
  { emit }: Run,
  mayPlanAgain: (changed: ChangedError) => boolean = () => true,
): Promise<T | ChangedError> {
  try {
    return await begin()
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || plans >= PLANS || !mayPlanAgain(thrown)) throw thrown
    emit({ kind: 'changed-meanwhile', deploymentId: thrown.deploymentId, change: thrown.change })
    return thrown
  }
}

/** Attempts it again, with a new plan each time, until the deployment has not changed meanwhile. */
export async function untilUnchanged<T>(attempt: () => Promise<T>, deps: Run): Promise<T> {
  for (let plans = 1; ; plans++) {
    const done = await unlessChanged(attempt, plans, deps)
    if (!(done instanceof ChangedError)) return done
  }
}
