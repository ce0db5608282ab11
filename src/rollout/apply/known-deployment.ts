import { ifReadable, isNotFound } from '../../control-plane/errors.ts'
import { type Deployment, sameId, type Settings } from '../../control-plane/model.ts'
import { pauseWithin, type Reader, type Run } from '../dependencies.ts'
import type { DeploymentChange } from '../event.ts'
import { isCleared } from '../plan/diff.ts'
import { pick, setFields } from '../plan/settings.ts'
import { findListed } from '../read/find-deployment.ts'
import { readDeployment } from '../read/read-again.ts'
import { STALE_READ_MS } from '../timing.ts'
import { Basis, type Written } from './basis.ts'
import { ChangedError, changesSince } from './deployment-change.ts'

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
