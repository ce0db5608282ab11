import { Client, type ControlPlane } from '../src/control-plane/client.ts'
import { baseUrl, schemas } from './schemas.ts'
import { AmbiguousWriteError, BrokenContractError, RefusedError } from '../src/control-plane/errors.ts'
import type { Transport } from '../src/control-plane/transport.ts'
import { virtualClock } from './virtual-clock.ts'

/** A control plane with these calls only: every other call rejects, but `within`. It lacks the optional list of revisions. */
export function aControlPlane(calls: Partial<ControlPlane>): ControlPlane {
  const unexpected: Transport = {
    send: ({ method, path }) => Promise.reject(new Error(`Unexpected request: ${method} ${path}`)),
  }
  const onSecrets = (): void => undefined
  const client: ControlPlane = new Client({ baseUrl, schemas, transport: unexpected, onSecrets, clock: virtualClock() })
  const listRevisions = (): Promise<never> => Promise.reject(refusedWith(404))
  const controlPlane: ControlPlane = {
    ...client,
    listRevisions,
    within: () => controlPlane,
    paced: () => controlPlane,
    ...calls,
  }
  return controlPlane
}

const trouble = { attempted: 'send a request', cameBack: 'a failure', hint: 'Send it again.' }

/** The control plane refuses the request with this status. */
export const refusedWith = (status: number): RefusedError => new RefusedError(status, '', trouble)

/** The answer is not what the contract promises, for example a login page. */
export const aBrokenAnswer = (): BrokenContractError => new BrokenContractError(trouble)

/** A write was sent and its answer was lost. */
export const aLostAnswer = (): AmbiguousWriteError => new AmbiguousWriteError(trouble)
