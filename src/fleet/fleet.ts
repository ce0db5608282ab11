import type { Outcome } from '../rollout/outcome.ts'
import type { FleetRequest } from './fleet-request.ts'

/** A placeholder: the operation is not written yet. */
export async function fleet(request: FleetRequest, deps: object): Promise<Outcome> {
  return await Promise.reject(new Error(`No fleet is rolled out yet: ${request.manifest}, ${Object.keys(deps).length}`))
}
