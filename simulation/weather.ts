import { oneOf, type Chance } from './chance.ts'
import { NETWORK_FAULTS, nameOfFault, type NetworkFault } from './network-faults.ts'
import type { Parcel, SimulatedNetwork } from './network.ts'

/**
 * Lets each request of the action have a fault with some probability.
 * @param isFor which requests
 */
export function storm(
  part: number,
  chance: Chance,
  isFor: (parcel: Parcel) => boolean = () => true,
): SimulatedNetwork['weather'] {
  return (parcel) => (chance() < part && isFor(parcel) ? oneOf(NETWORK_FAULTS, chance) : undefined)
}

/** Counts the faults that a weather brings. */
export function counted(
  weather: SimulatedNetwork['weather'],
  counts: Record<string, number>,
): SimulatedNetwork['weather'] {
  return (parcel) => {
    const fault: NetworkFault | undefined = weather(parcel)
    if (fault !== undefined) {
      const name = nameOfFault(fault)
      counts[name] = (counts[name] ?? 0) + 1
    }
    return fault
  }
}
