import type { Api } from '../../control-plane/api.ts'
import type { Shard } from '../../fleet/fleet-request.ts'
import { failsStep, type Outcome } from '../../rollout/outcome.ts'
import { commonFacts, type OperationFacts, type RolloutRecord, type RunFacts } from '../rollout-record.ts'

/** What is known of a fleet. Made by `foldFleet` alone. */
export interface FleetRecord extends OperationFacts {
  operation: 'fleet'
  api: Api['name']
  dryRun: boolean
  /** Every plan is made. */
  isPlanned: boolean
  /** Too many have failed: no further rollout begins. */
  isStopped: boolean
  /** In order. */
  waves: readonly FleetWave[]
  /** In the order of the waves. */
  deployments: LongList<FleetDeployment>
  /** The places of the deployments in their list, by name. */
  places: ReadonlyMap<string, number>
  /** Of the deployments, in characters. */
  longestName: number
  /** The number of deployments that have ended with the end of their log. */
  logs: number
  shards: readonly Shard[]
}

/** Times are in milliseconds since the epoch. */
export interface FleetWave {
  /** Undefined: the manifest names no waves. */
  name: string | undefined
  size: number
  maxParallel: number
  bakeMs: number
  /** The number of its deployments with a `verify-url`, which are checked during the bake. */
  checks: number
  beganAt: number | undefined
  bakingSince: number | undefined
  endedAt: number | undefined
}

/** Times are in milliseconds since the epoch. */
export interface FleetDeployment {
  /** Of its entry in the manifest. */
  name: string
  /** The place of its wave. */
  wave: number
  rollout: RolloutRecord
  /** Of its plan: sentences without a full stop. */
  warnings: readonly string[]
  /** `protect-newer` compares no commits. */
  isOfOtherRef?: boolean
  beganAt: number | undefined
  endedAt: number | undefined
  /** Undefined as long as it has not ended. */
  outcome: Outcome | undefined
}

export function openFleet(facts: RunFacts): FleetRecord {
  return {
    ...commonFacts(facts),
    operation: 'fleet',
    api: 'agent-server',
    dryRun: false,
    isPlanned: false,
    isStopped: false,
    waves: [],
    deployments: LongList.of([]),
    places: new Map(),
    longestName: 0,
    logs: 0,
    shards: [],
  }
}

export function deploymentOf({ places, deployments }: FleetRecord, name: string): FleetDeployment | undefined {
  const place = places.get(name)
  return place === undefined ? undefined : deployments.at(place)
}

/**
 * Where a deployment is. `under-way`: also after a cancellation, as its revision continues. `passed`: it has ended without
 * a new revision that serves, and does not fail the step.
 */
export type Standing = 'waiting' | 'under-way' | 'deployed' | 'unchanged' | 'passed' | 'failed'

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
export function waveWords({ name }: Pick<FleetWave, 'name'>): string {
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

/** Finds what is unfinished, after each of perhaps thousands of events: only what has changed is counted anew. */
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

/** Items of a part: a change copies one part and the list of parts. */
const PART = 128

/** A list of thousands of items that is changed by copies: they share all parts without a change. */
export class LongList<T> implements Iterable<T> {
  /** All items in order. What two lists have in common is the same part. */
  readonly parts: readonly (readonly T[])[]
  readonly length: number

  private constructor(parts: readonly (readonly T[])[], length: number) {
    this.parts = parts
    this.length = length
  }

  static of<T>(items: readonly T[]): LongList<T> {
    const parts = Array.from({ length: Math.ceil(items.length / PART) }, (_, part) =>
      items.slice(part * PART, (part + 1) * PART),
    )
    return new LongList(parts, items.length)
  }

  at(place: number): T | undefined {
    return this.parts[Math.floor(place / PART)]?.[place % PART]
  }

  /** @param place of an item that the list has */
  with(place: number, item: T): LongList<T> {
    const at = Math.floor(place / PART)
    const part = this.parts[at] ?? []
    return new LongList(this.parts.with(at, part.with(place % PART, item)), this.length)
  }

  /** `after`: the result for `before`, whose items are not changed anew. */
  map<U>(change: (item: T, place: number) => U, before?: LongList<T>, after?: LongList<U>): LongList<U> {
    const parts = this.parts.map((part, at) => {
      const [old, done] = [before?.parts[at], after?.parts[at]]
      if (old === part && done !== undefined) return done
      return part.map((item, place) => {
        const known = old?.[place] === item ? done?.[place] : undefined
        return known ?? change(item, at * PART + place)
      })
    })
    return new LongList(parts, this.length)
  }

  *[Symbol.iterator](): Generator<T, undefined> {
    for (const part of this.parts) yield* part
    return undefined
  }
}
