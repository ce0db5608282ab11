import type { Outcome } from '../rollout/outcome.ts'
import type { FleetRequest } from './fleet-request.ts'

/** A placeholder: the operation is not written yet. */
export async function fleet(_request: FleetRequest, _deps: object): Promise<Outcome> {
  return await Promise.resolve({ kind: 'planned' })
}
