import type { FleetDeployment, FleetRecord } from './fleet-record.ts'

/** What a run leaves when it is killed. */
export interface Unfinished {
  /** The first names of the deployments under way. */
  underWay: string[]
  /** The number of the others under way. */
  moreUnderWay: number
  notStarted: number
}

/** A comment names no more. */
const MAX_NAMED = 20

/** Finds what is unfinished, after each event of perhaps thousands: what it has counted once it counts anew after a change only. */
export function openUnfinished(): (record: FleetRecord) => Unfinished {
  const counted = new WeakMap<readonly FleetDeployment[], Unfinished>()
  const count = (part: readonly FleetDeployment[]): Unfinished => {
    const known = counted.get(part) ?? countUnfinished(part)
    counted.set(part, known)
    return known
  }
  return ({ deployments }) => {
    const parts = deployments.parts.map(count)
    const names = parts.flatMap(({ underWay }) => underWay)
    const more = parts.reduce((sum, { moreUnderWay }) => sum + moreUnderWay, 0)
    const notStarted = parts.reduce((sum, part) => sum + part.notStarted, 0)
    return { ...cutNames(names, more), notStarted }
  }
}

function countUnfinished(part: readonly FleetDeployment[]): Unfinished {
  const open = part.filter(({ outcome }) => outcome === undefined)
  const underWay = open.filter(({ beganAt }) => beganAt !== undefined).map(({ name }) => name)
  return { ...cutNames(underWay, 0), notStarted: open.length - underWay.length }
}

function cutNames(names: readonly string[], more: number): Pick<Unfinished, 'underWay' | 'moreUnderWay'> {
  const underWay = names.slice(0, MAX_NAMED)
  return { underWay, moreUnderWay: more + names.length - underWay.length }
}
