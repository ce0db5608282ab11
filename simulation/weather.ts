import { oneOf, type Chance } from './chance.ts'
import { GITHUB } from './github.ts'
import {
  NETWORK_FAULTS,
  nameOfFault,
  PLANE_FAULTS,
  RATE_LIMITS,
  STRAY_REDIRECT,
  type NetworkFault,
} from './network-faults.ts'
import { PLANE } from './scene.ts'
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
  return (parcel) => {
    if (chance() >= part || !isFor(parcel)) return undefined
    return oneOf(parcel.url.origin === PLANE ? [...NETWORK_FAULTS, ...PLANE_FAULTS] : NETWORK_FAULTS, chance)
  }
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

/** The same, and some requests to GitHub meet its limits of requests, or are sent elsewhere. */
export function stormWithGitHub(part: number, chance: Chance): SimulatedNetwork['weather'] {
  const weather = storm(part, chance)
  return (parcel) => {
    const isTurnedAway = parcel.url.origin === GITHUB && part > 0 && chance() < 0.05
    return isTurnedAway ? oneOf([...RATE_LIMITS, STRAY_REDIRECT], chance) : weather(parcel)
  }
}

/** What a creation of a comment meets, of which GitHub makes one nevertheless, sooner or later. */
const LOST_COMMENTS: readonly NetworkFault[] = [
  { kind: 'late', ms: 4_000, isLost: false },
  { kind: 'late', ms: 9_000, isLost: true },
  { kind: 'reset', when: 'after' },
  { kind: 'answer', status: 502, acts: true },
]

/** The same, and each creation of a comment is lost. */
export function losingComments(weather: SimulatedNetwork['weather'], chance: Chance): SimulatedNetwork['weather'] {
  return (parcel) => {
    const isCreation = parcel.method === 'POST' && /\/issues\/\d+\/comments$/.test(parcel.url.pathname)
    return isCreation ? oneOf(LOST_COMMENTS, chance) : weather(parcel)
  }
}
