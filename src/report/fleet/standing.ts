import { failsStep } from '../../rollout/outcome.ts'
import type { FleetDeployment, FleetRecord } from '../record.ts'

export function deploymentOf({ places, deployments }: FleetRecord, name: string): FleetDeployment | undefined {
  const place = places.get(name)
  return place === undefined ? undefined : deployments.at(place)
}

/** `under-way`: also after a cancellation, as the revision continues. `passed`: ended in another way, and not failed. */
export type Standing = 'waiting' | 'under-way' | 'deployed' | 'unchanged' | 'passed' | 'failed'

export const MARKS: Record<Standing, string> = {
  failed: '❌',
  'under-way': '⚠️',
  waiting: '⏸',
  passed: '⏭️',
  deployed: '✅',
  unchanged: '✅',
}

export function standingOf({ outcome, beganAt, rollout }: FleetDeployment): Standing {
  if (outcome === undefined || outcome.kind === 'cancelled') return beganAt === undefined ? 'waiting' : 'under-way'
  if (failsStep(outcome, rollout.onSuperseded)) return 'failed'
  return outcome.kind === 'deployed' || outcome.kind === 'unchanged' ? outcome.kind : 'passed'
}

export type Tally = Record<Standing, number>

export function tallyOf(deployments: Iterable<FleetDeployment>): Tally {
  const tally = { waiting: 0, 'under-way': 0, deployed: 0, unchanged: 0, passed: 0, failed: 0 }
  for (const one of deployments) tally[standingOf(one)]++
  return tally
}

export function inWave({ deployments }: FleetRecord, wave: number): FleetDeployment[] {
  return [...deployments].filter((one) => one.wave === wave)
}

/** As in `wave canary`; a manifest without waves has only one, which is the fleet. */
export function waveWords(name: string | undefined): string {
  return name === undefined ? 'fleet' : `wave ${name}`
}

/** `3 deployed, 1 failed, 2 not started`; what there is none of is omitted. */
export function countsOf(tally: Tally): string {
  const words: [keyof Tally, string][] = [
    ['deployed', 'deployed'],
    ['unchanged', 'unchanged'],
    ['passed', 'ended otherwise'],
    ['failed', 'failed'],
    ['under-way', 'under way'],
    ['waiting', 'not started'],
  ]
  const counts = words
    .filter(([standing]) => tally[standing] > 0)
    .map(([standing, word]) => `${tally[standing]} ${word}`)
  return counts.join(', ') || 'no deployment'
}

interface Unfinished {
  underWay: string[]
  moreUnderWay: number
  notStarted: number
}

/** A comment names no more. */
const MAX_NAMED = 20

/** Finds what is unfinished, after each of perhaps thousands of events: only what has changed is counted anew. */
export function openUnfinished(): (record: FleetRecord) => Unfinished {
  const counted = new WeakMap<readonly FleetDeployment[], Unfinished>()
  const count = (part: readonly FleetDeployment[]): Unfinished => {
    const known = counted.get(part) ?? countUnfinished(part)
    counted.set(part, known)
    return known
  }
  return ({ deployments }) =>
    deployments.parts.map(count).reduce(sumOf, { underWay: [], moreUnderWay: 0, notStarted: 0 })
}

function countUnfinished(part: readonly FleetDeployment[]): Unfinished {
  const open = part.filter(({ outcome }) => outcome === undefined)
  const underWay = open.filter(({ beganAt }) => beganAt !== undefined).map(({ name }) => name)
  return cut({ underWay, moreUnderWay: 0, notStarted: open.length - underWay.length })
}

function sumOf(one: Unfinished, other: Unfinished): Unfinished {
  return cut({
    underWay: [...one.underWay, ...other.underWay],
    moreUnderWay: one.moreUnderWay + other.moreUnderWay,
    notStarted: one.notStarted + other.notStarted,
  })
}

function cut({ underWay, moreUnderWay, notStarted }: Unfinished): Unfinished {
  const more = Math.max(0, underWay.length - MAX_NAMED)
  return { underWay: underWay.slice(0, MAX_NAMED), moreUnderWay: moreUnderWay + more, notStarted }
}
