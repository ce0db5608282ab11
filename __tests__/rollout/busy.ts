import { decorated, type ControlPlane } from '../../src/control-plane/client.ts'
import { AmbiguousWriteError, BusyError } from '../../src/control-plane/errors.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest } from '../builders.ts'
import { aLostAnswer } from '../control-plane-stub.ts'
import { namesOf, setUp, type Scenario } from './set-up.ts'

/** A deployment that another client changes while a run waits for a write: each pause follows a 429. */

const LOST = new AmbiguousWriteError(aLostAnswer().trouble, { retryAfterMs: 60_000 })
const BUSY = new BusyError(aLostAnswer().trouble, { retryAfterMs: 60_000 })
export const image = (version: number) => ({ imageUri: `r/i:${version}` })
export const source = 'external_container'
export const CONTAINER = aDeployment({ source, settings: image(1) })
export const THEIRS = { latestRevisionId: 'theirs', activeRevisionId: 'theirs', settings: image(2) }

export interface Busy {
  /** What other clients change in each pause before a revision. */
  pauses?: readonly Partial<Deployment>[]
  /** What they change right before each PATCH. */
  atPatches?: readonly Partial<Deployment>[]
  /** What they change after the first PATCH, whose answer is lost. */
  afterLostPatch?: Partial<Deployment>
  /** The service adds a path to an address. `undated`: nothing shows that it was updated. */
  hasOwnForm?: boolean | 'undated'
  scenario: Scenario
}

/** `sent`: the images of the revisions. */
export function busyFor({ pauses = [], atPatches = [], afterLostPatch, hasOwnForm, scenario }: Busy) {
  const around = setUp(scenario)
  const sent: unknown[] = []
  const [left, leftAtPatches] = [[...pauses], [...atPatches]]
  let lost = afterLostPatch
  const beBusy = (): void => {
    const change = left.shift()
    if (change === undefined) return
    around.change(change)
    throw BUSY
  }
  const busy = (service: ControlPlane): Partial<ControlPlane> => ({
    updateDeployment: async (id, { customUrl, ...settings }) => {
      around.change(leftAtPatches.shift() ?? {})
      const written = hasOwnForm && customUrl ? `${customUrl}/agent` : customUrl
      await service.updateDeployment(id, { ...settings, ...(written && { customUrl: written }) })
      const answer = around.change(hasOwnForm === 'undated' ? {} : { updatedAt: around.clock.now() })
      if (lost === undefined) return answer
      around.change(lost)
      lost = undefined
      throw LOST
    },
    createRevision: async (...about) => {
      beBusy()
      sent.push(about[1].settings.imageUri)
      return await service.createRevision(...about)
    },
  })
  return { ...around, sent, deps: { ...around.deps, controlPlane: decorated(around.deps.controlPlane, busy) } }
}

export async function rollOut(busy: Busy, request: Partial<RolloutRequest>) {
  const around = busyFor(busy)
  const outcome = await rollout(aRequest({ source, ...request }), around.deps).catch((thrown: unknown) => thrown)
  const { settings } = around.change({})
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? [event.rollback] : []))
  return { ...around, outcome, settings, names: namesOf(around.events), last: rollbacks.at(-1) }
}
