import {
  ControlPlaneError,
  BusyError,
  RefusedError,
  tooLate,
  ifReadable,
  isNotFound,
} from '../../control-plane/errors.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import type { DeploymentChange, Emit, RolloutEvent } from '../event.ts'
import { contradicts, isCleared, isOther } from '../plan/diff.ts'
import { inputName, setFields, pick } from '../plan/settings.ts'
import { PLANS, FRESH_READ_MS, STALE_READ_MS } from '../timing.ts'
import { LAST_ATTEMPT_MS } from '../../control-plane/transport.ts'
import { type Run, pauseWithin, type Reader } from '../dependencies.ts'
import { findListed } from '../read/find-deployment.ts'
import { readDeployment } from '../read/read-again.ts'

/** The deployment is not any more what the plan was made for. */
export class ChangedError extends ControlPlaneError {
  readonly deploymentId: string
  readonly change: DeploymentChange
  /** By the plan that has ended. */
  readonly written: Written
  readonly isWritten: boolean

  constructor({ id, name }: Deployment, change: DeploymentChange, written: Written, wasWritten: boolean) {
    const isWritten = wasWritten || written !== 'nothing'
    const since = isWritten ? 'the first write of this run' : 'the plan was made'
    const check = isMove(change) ? 'Check both deployments' : 'Check the deployment'
    const hint = isWritten ? `${check}, then rerun the job.` : 'Rerun the job.'
    const cameBack = `since ${since}, ${wordsOf(change)}`
    super({ attempted: `write to the deployment "${name}" (${id})`, cameBack, hint })
    this.deploymentId = id
    this.change = change
    this.written = written
    this.isWritten = isWritten
  }

  get isMove(): boolean {
    return isMove(this.change)
  }
}

function isMove({ kind }: DeploymentChange): boolean {
  return kind === 'renamed' || kind === 'deleted'
}

/**
 * What the earlier one does not report makes no difference. Nor does what a list may lack (`isListed`) of the secrets,
 * their references or a resource spec: nothing changes these without a revision.
 */
export function changesSince(
  { latestRevisionId: latestBefore, activeRevisionId: activeBefore, settings: before }: Deployment,
  { latestRevisionId: latest, activeRevisionId: active, settings }: Deployment,
  isListed = false,
): DeploymentChange[] {
  const changes: DeploymentChange[] = []
  if (latestBefore !== undefined && latest !== undefined && !sameId(latest, latestBefore))
    changes.push({ kind: 'revised', revisionId: latest })
  const isOtherActive = active === null ? activeBefore !== null : !sameId(active, activeBefore)
  if (activeBefore !== undefined && active !== undefined && isOtherActive)
    changes.push({ kind: 'active', revisionId: active })
  const isLess = (field: Field): boolean =>
    isListed && (field === 'secrets' || !(contradicts(field, before, settings) || isCleared(field, settings, before)))
  const fields = setFields(before).filter((field) => isOther(field, settings, before) && !isLess(field))
  if (fields.length > 0) changes.push({ kind: 'set', fields })
  return changes
}

function wordsOf(change: DeploymentChange): string {
  switch (change.kind) {
    case 'renamed':
      return `it was renamed to "${change.now}"`
    case 'deleted':
      return 'it was deleted'
    case 'revised':
      return `another client made the revision ${change.revisionId}`
    case 'active':
      return change.revisionId === null
        ? 'no revision is active any more'
        : `the revision ${change.revisionId} became active`
    case 'set':
      return `other values were set (${change.fields.map(inputName).join(', ')})`
  }
}

/**
 * Begins to apply a plan, the `plans`th of this run.
 * @returns the change, which it emits, if the run is to plan again
 * @throws what `begin` throws
 */
export async function unlessChanged<T>(
  begin: () => Promise<T>,
  plans: number,
  { emit }: { emit: Emit<RolloutEvent> },
  mayPlanAgain: (changed: ChangedError) => boolean = () => true,
): Promise<T | ChangedError> {
  try {
    return await begin()
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || plans >= PLANS || !mayPlanAgain(thrown)) throw thrown
    const { deploymentId, change } = thrown
    emit({ kind: 'changed-meanwhile', deploymentId, change })
    return thrown
  }
}

/** What was there, and when it was read. */
export interface Reading<State> {
  state: State
  /** When it was read, in monotonic milliseconds; just now if not set. */
  readAt?: number | undefined
  /** Reads it again, after what has been `written`. May throw if it has become another one. */
  readAgain: (state: State, written: Written) => Promise<State>
}

/** What has been sent that the control plane may have acted on. After a creation, what is new may be of that. */
export type Written = 'nothing' | 'settings' | 'creation'

/**
 * What writes are based on. Each attempt has its turn first, and then follows a read that is not older than {@link
 * FRESH_READ_MS}: what another client did before that is not ours, and is not overlooked.
 */
export class Basis<State> {
  readonly #deps: Run
  readonly #readAgain: Reading<State>['readAgain']
  #state: State
  #readAt: number
  #written: Written = 'nothing'

  constructor({ state, readAt, readAgain }: Reading<State>, deps: Run) {
    this.#deps = deps
    this.#readAgain = readAgain
    this.#state = state
    this.#readAt = readAt ?? deps.clock.now()
  }

  get readAt(): number {
    return this.#readAt
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

  /**
   * Sends one attempt of a write.
   * @throws UnreachableError when its turn comes too late; what the read and the write throw
   */
  async send<Made>(
    attempted: string,
    write: (state: State) => Promise<Made>,
    what: Exclude<Written, 'nothing'> = 'creation',
  ): Promise<Made> {
    const { writeTurn, deadline } = this.#deps
    const isInTime = (await writeTurn?.(deadline + LAST_ATTEMPT_MS)) ?? true
    if (!isInTime) throw tooLate(attempted)
    await this.renew()
    try {
      const made = await write(this.#state)
      this.#note(what)
      return made
    } catch (thrown) {
      if (!(thrown instanceof BusyError || thrown instanceof RefusedError)) this.#note(what)
      if (thrown instanceof BusyError) this.#readAt = -Infinity
      throw thrown
    }
  }

  #note(what: Written): void {
    if (this.#written !== 'creation') this.#written = what
  }
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

/** Bases writes on a deployment. They throw ChangedError when it is not any more what they were planned for. */
export function knownDeployment(
  deployment: Deployment,
  deps: Run,
  { readAt, isNamed = false, isListed = isNamed, isWritten = false, planEnds = [] }: KnownOfDeployment = {},
): KnownDeployment {
  const read = async (known: Deployment, written: Written) => {
    const now = await readPresent(known, isNamed, deps)
    const moved = isNamed ? moveOf(known, now) : undefined
    const changes =
      written === 'creation' || now === undefined ? [] : changesSince(known, now, isListed && known === deployment)
    const isOwn = ({ kind }: DeploymentChange): boolean => kind === 'set' && written === 'settings'
    const change = moved ?? changes.find((one) => planEnds.includes(one.kind) && !isOwn(one))
    return { now, change }
  }
  const readAgain = async (known: Deployment, written: Written): Promise<Deployment> => {
    let { now, change } = await read(known, written)
    if (change !== undefined && planEnds.some((kind) => kind === change?.kind)) {
      // A replica that lags must neither end the plan nor show the state before to the next one.
      await pauseWithin(STALE_READ_MS, deps)
      ;({ now, change } = await read(known, written))
    }
    if (change !== undefined) throw new ChangedError(known, change, written, isWritten)
    return now ?? known
  }
  return new Basis({ state: deployment, readAt, readAgain }, deps)
}

function moveOf({ name }: Deployment, now: Deployment | undefined): DeploymentChange | undefined {
  if (now === undefined) return { kind: 'deleted' }
  return now.name === name ? undefined : { kind: 'renamed', now: now.name }
}

/** A replica may show an earlier state than the one that is known. Undefined if it is missing where it need not exist. */
async function readPresent(known: Deployment, mayBeGone: boolean, deps: Run): Promise<Deployment | undefined> {
  try {
    const now = await readAsBefore(known.id, known, deps)
    if ((now.updatedAt ?? Infinity) < (known.updatedAt ?? -Infinity)) return known
    return { ...now, latestRevisionId: now.latestRevisionId ?? known.latestRevisionId }
  } catch (thrown) {
    if (mayBeGone && isNotFound(thrown)) return undefined
    throw thrown
  }
}

/**
 * Reads the deployment. What it showed before and does not now may stand in lists only: then one is read, too, and
 * again past the lag of replicas, which may still show what others have cleared.
 */
export async function readAsBefore(id: string, before: Deployment | undefined, deps: Reader): Promise<Deployment> {
  const { controlPlane } = deps
  const { settings: shown = {} } = before ?? {}
  const read = async (): Promise<{ now: Deployment; inList: Settings }> => {
    const now = await readDeployment(id, deps)
    const missing = setFields(shown).filter((field) => isCleared(field, now.settings, shown))
    const inList = async (): ReturnType<typeof findListed> =>
      await findListed(now.name, controlPlane, (one) => sameId(one.id, id))
    const listed = missing.length === 0 ? undefined : await ifReadable(inList)
    return { now, inList: pick(listed?.settings ?? {}, missing) }
  }
  const first = await read()
  if (setFields(first.inList).length === 0) return first.now
  await pauseWithin(STALE_READ_MS, deps)
  const { now, inList } = await read()
  return { ...now, settings: { ...now.settings, ...inList } }
}
