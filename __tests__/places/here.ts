import type { Place } from './place.ts'
import type * as Simulated from './simulated-place.ts'

declare global {
  /** Loads a module in the realm of Jest's worker, see own-temporary-folder.ts. Undefined without Jest. */
  var importOutside: ((url: string) => Promise<unknown>) | undefined
}

const SIMULATED = new URL('simulated-place.ts', import.meta.url).href

async function simulatedPlace(): Promise<Place> {
  if (globalThis.importOutside === undefined) return await socketPlace()
  // The first file of tests of a worker loads the action for all: Jest would load its 390 modules for each.
  const loaded = await globalThis.importOutside(SIMULATED)
  if (!isSimulation(loaded)) throw new Error('the simulated place was not loaded')
  return new loaded.SimulatedPlace('e2e')
}

function isSimulation(loaded: unknown): loaded is typeof Simulated {
  return typeof loaded === 'object' && loaded !== null && 'SimulatedPlace' in loaded
}

async function socketPlace(): Promise<Place> {
  const { SocketPlace } = await import('./socket-place.ts')
  return new SocketPlace()
}

let place: Place = await simulatedPlace()

/** Has the runs of this file of tests use the built bundle, a process each, and sockets. */
export async function overSockets(): Promise<void> {
  place = await socketPlace()
}

/** Where this file of tests runs the action. */
export function here(): Place {
  return place
}

/** Waits so many milliseconds of the place. */
export async function pause(ms: number): Promise<void> {
  await place.pause(ms)
}

/** Longer than anything that a test waits for, in milliseconds. */
const GIVEN_UP_MS = 3_600_000

/** Resolves when something has come about while the action runs. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = place.now() + GIVEN_UP_MS
  while (!(await isSo())) {
    if (place.now() > giveUpAt) throw new Error(`${isSo.toString()} did not come about`)
    await place.pause(10)
  }
}
