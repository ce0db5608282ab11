import type { Place } from './place.ts'
import { SimulatedPlace } from './simulated-place.ts'

async function socketPlace(): Promise<Place> {
  const { SocketPlace } = await import('./socket-place.ts')
  return new SocketPlace()
}

let place: Place = new SimulatedPlace('e2e')

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
