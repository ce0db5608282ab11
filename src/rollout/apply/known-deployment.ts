import { ControlPlaneError, isNotFound } from '../../control-plane/errors.ts'
import type { Deployment } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import { Basis } from './basis.ts'

/** A deployment that writes are based on. */
export type KnownDeployment = Basis<Deployment>

/** `isNamed`: the user means the deployment of this name: one that has lost it gets no write. */
export interface KnownOfDeployment {
  /** When it was read, in monotonic milliseconds; just now if not set. */
  readAt?: number | undefined
  isNamed?: boolean | undefined
  /** The run has written to it already. */
  isWritten?: boolean
}

/** The deployment of a plan has lost its name: to another one, or as it is deleted. */
export class RenamedError extends ControlPlaneError {
  readonly deploymentId: string
  /** Undefined: it does not exist any more. */
  readonly now: string | undefined
  /** Whether the run has written to it before. */
  readonly isWritten: boolean

  constructor({ id, name }: Deployment, now: string | undefined, isWritten: boolean) {
    const since = isWritten ? 'the first write of this run' : 'the plan was made'
    const cameBack = `since ${since}, it was ${now === undefined ? 'deleted' : `renamed to "${now}"`}`
    const hint = isWritten ? 'Check both deployments, then rerun the job.' : 'Rerun the job.'
    super({ attempted: `write to the deployment "${name}" (${id})`, cameBack, hint })
    this.deploymentId = id
    this.now = now
    this.isWritten = isWritten
  }
}

/** Bases writes on a deployment. They throw RenamedError, where `isNamed`, when it does not have its name any more. */
export function knownDeployment(
  deployment: Deployment,
  deps: WriteDependencies,
  { readAt, isNamed = false, isWritten = false }: KnownOfDeployment = {},
): KnownDeployment {
  const readAgain = async (known: Deployment, hasWritten: boolean): Promise<Deployment> => {
    const now = await readPresent(known, isNamed, deps)
    if (isNamed && now?.name !== known.name) throw new RenamedError(known, now?.name, hasWritten)
    return now ?? known
  }
  return new Basis({ state: deployment, readAt, readAgain }, deps, isWritten)
}

/** A replica may show an earlier state than the one that is known. Undefined if it is missing where it need not exist. */
async function readPresent(
  known: Deployment,
  mayBeGone: boolean,
  deps: WriteDependencies,
): Promise<Deployment | undefined> {
  try {
    const now = await pastReplicaLag(async () => await deps.controlPlane.getDeployment(known.id), deps)
    if ((now.updatedAt ?? Infinity) < (known.updatedAt ?? -Infinity)) return known
    return { ...now, latestRevisionId: now.latestRevisionId ?? known.latestRevisionId }
  } catch (thrown) {
    if (mayBeGone && isNotFound(thrown)) return undefined
    throw thrown
  }
}
