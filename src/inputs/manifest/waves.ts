import type { Limit } from '../../fleet/limits.ts'
import { type Finding, nearestName } from '../../sources/findings.ts'
import * as accept from '../parsers.ts'
import { FLEET, INPUTS, WAVE_TAKES } from '../inputs.ts'
import type { GivenEntry, GivenWave, SoundManifest } from './schema.ts'

export interface ManifestWave {
  name: string | undefined
  /** Undefined if the wave sets no limit: that of the step applies. */
  maxParallel: Limit | undefined
  maxFailures: Limit | undefined
  bakeMs: number
  /** The places of the entries in the list of deployments. */
  entries: readonly number[]
}

/** The value of `shard` that is a part of the fleet; no wave may have such a name. */
export const PART = /^(\d+)\/(\d+)$/

/** `areNamed`: every wave of the manifest has a name that can be read. */
export function arrangeWaves(
  { waves, deployments = [] }: SoundManifest,
  areNamed: boolean,
): { waves: ManifestWave[]; findings: Finding[] } {
  const listed = waves ?? [{}]
  const findings = listed.flatMap((wave, index) => findInWave(wave, index, listed))
  const names = listed.map(({ name }) => name?.trim())
  const placed = deployments.map(({ wave }, index) => {
    const waveIndex = wave === undefined ? listed.length - 1 : names.indexOf(wave.trim())
    if (waveIndex < 0 && areNamed) {
      const described = findings.length < MAX_DESCRIBED ? describeUnknown(wave ?? '', names) : UNKNOWN
      const message = waves === undefined ? 'names a wave, and the manifest has no waves' : described
      findings.push({ path: ['deployments', index, 'wave'], message })
    }
    return waveIndex
  })
  const arranged = listed.map((wave, index) => {
    const entries = placed.flatMap((at, entry) => (at === index ? [entry] : []))
    // Its entries may be those with an unknown wave, or of the first wave with this name.
    const isEmpty = entries.length === 0 && !placed.includes(-1) && names.indexOf(names[index]) === index
    if (isEmpty && areNamed && waves !== undefined)
      findings.push({ path: ['waves', index], message: 'has no deployments' })
    return { ...readWave(wave, index, findings), entries }
  })
  return { waves: arranged, findings }
}

/** The largest number of described waves: the report shows no more, and the search for a similar name takes time. */
const MAX_DESCRIBED = 100

const UNKNOWN = 'names no wave of the manifest'

function describeUnknown(wave: string, names: readonly (string | undefined)[]): string {
  const waveNames = names.flatMap((name) => name ?? [])
  const nearest = nearestName(wave, waveNames)
  const listed = `the waves are ${waveNames.join(', ')}`
  return `${UNKNOWN}; ${nearest === undefined ? listed : `did you mean ${nearest}?`}`
}

const WHOLE = FLEET.shard.standard

function findInWave({ name }: GivenWave, index: number, waves: readonly GivenWave[]): Finding[] {
  if (name === undefined) return []
  const path = ['waves', index, 'name']
  if (PART.test(name.trim())) return [{ path, message: 'must not look like a part, as in 1/3: shard has both' }]
  if (name.trim() === WHOLE) return [{ path, message: `must not be ${WHOLE}: in shard, that is the whole fleet` }]
  const { form } = INPUTS.name.takes
  if (!form.pattern.test(name)) return [{ path, message: `must be ${form.description}` }]
  const first = waves.findIndex((other) => other.name?.trim() === name.trim())
  return first < index ? [{ path, message: `is also the name of waves[${first}]` }] : []
}

function readWave(wave: GivenWave, index: number, findings: Finding[]): Omit<ManifestWave, 'entries'> {
  const read = <T>(key: keyof typeof WAVE_TAKES, parse: accept.Parser<T>): T | undefined => {
    const setting = wave[key]
    if (setting === undefined) return undefined
    try {
      return parse(String(setting).trim())
    } catch (thrown) {
      if (!(thrown instanceof accept.Unacceptable)) throw thrown
      findings.push({ path: ['waves', index, key], message: thrown.message })
      return undefined
    }
  }
  return {
    name: wave.name?.trim(),
    maxParallel: read('max-parallel', WAVE_TAKES['max-parallel']),
    maxFailures: read('max-failures', WAVE_TAKES['max-failures']),
    bakeMs: read('bake', WAVE_TAKES.bake) ?? 0,
  }
}

/** Refuses names that are not unique, or not fixed. A service may write a name in lower case. */
export function checkNames(deployments: readonly GivenEntry[]): Finding[] {
  const seen = new Map<string, number>()
  return deployments.flatMap(({ name }, index) => {
    if (name === undefined) return []
    const path = ['deployments', index, 'name']
    if (name.includes('${')) return [{ path, message: VARIABLE_NAME }]
    const key = name.trim().toLowerCase()
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    const message = `is also the name of deployments[${first ?? index}]: names are unique, in any case of their letters`
    return first === undefined ? [] : [{ path, message }]
  })
}

const VARIABLE_NAME =
  'must not contain ${: a value of the environment is masked, and the report could not name the deployment'

/** Consecutive entries of one wave. `wave`: its index. `to`: exclusive. */
export interface Slice {
  wave: number
  from: number
  to: number
}

/**
 * Cuts a fleet into at most `count` shards, in the order of the waves. It depends on the manifest and `count` alone: a
 * job finds its shard without the others. Shards have the smallest size with which no shard has entries of two waves;
 * with fewer shards than waves, all are of equal size.
 * @param sizes the number of entries of each wave, each at least 1
 */
export function cutShards(sizes: readonly number[], count: number): Slice[][] {
  if (count < sizes.length) return cutEqually(sizes, count)
  const size = smallestSize(sizes, count)
  return sizes.flatMap((entries, wave) =>
    Array.from({ length: Math.ceil(entries / size) }, (_, index) => [
      { wave, from: index * size, to: Math.min(entries, (index + 1) * size) },
    ]),
  )
}

/** The number of shards with at most `size` entries, all of one wave. */
export function countShards(sizes: readonly number[], size: number): number {
  return sizes.reduce((sum, entries) => sum + Math.ceil(entries / size), 0)
}

/** Finds the smallest size by bisection: a larger size never needs more shards. */
function smallestSize(sizes: readonly number[], count: number): number {
  let [tooSmall, enough] = [0, Math.max(1, ...sizes)]
  while (enough - tooSmall > 1) {
    const middle = Math.floor((tooSmall + enough) / 2)
    if (countShards(sizes, middle) <= count) enough = middle
    else tooSmall = middle
  }
  return enough
}

function cutEqually(sizes: readonly number[], count: number): Slice[][] {
  const total = sizes.reduce((sum, entries) => sum + entries, 0)
  return Array.from({ length: count }, (_, index) =>
    between(sizes, Math.floor((index * total) / count), Math.floor(((index + 1) * total) / count)),
  )
}

/** The entries from one place in the order of the waves to another, exclusive. */
function between(sizes: readonly number[], from: number, to: number): Slice[] {
  let start = 0
  return sizes.flatMap((entries, wave) => {
    const slice = { wave, from: Math.max(0, from - start), to: Math.min(entries, to - start) }
    start += entries
    return slice.from < slice.to ? [slice] : []
  })
}
