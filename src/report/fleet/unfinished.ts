import type { FleetRecord } from './fleet-record.ts'

/** What a run leaves when it is killed: the names of the deployments under way, and how many were not started. */
export function unfinishedOf({ deployments }: FleetRecord): { underWay: string[]; notStarted: number } {
  const open = deployments.filter(({ outcome }) => outcome === undefined)
  const underWay = open.filter(({ beganAt }) => beganAt !== undefined).map(({ name }) => name)
  return { underWay, notStarted: open.length - underWay.length }
}
