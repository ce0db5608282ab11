import type { Api } from '../../control-plane/api.ts'
import type { FleetRequest, Shard, Wave } from '../../fleet/fleet-request.ts'
import type { WorkflowEvent } from '../../github/event.ts'
import type { Preview } from '../../previews/request.ts'
import type { Problem } from '../../problem.ts'
import { FLEET } from '../inputs.ts'
import * as accept from '../parsers.ts'
import { readPathOf } from '../paths.ts'
import type { InputReader } from '../reader.ts'
import { readApproved } from '../expect-plan.ts'
import { readManifest, type ManifestWorld } from './read-manifest.ts'
import { failuresOf, parallelOf, PART, type ManifestWave, countShards, cutShards, type Slice } from './waves.ts'

/**
 * Reads the request of operation `fleet`; `undefined` if the manifest cannot be rolled out.
 * @param at `preview`: set if every entry is one. `onlyIfMerged`: see `RolloutRequest`. `onBroken`: set if a manifest with problems counts as an empty one
 */
export async function readFleet(
  read: InputReader,
  event: WorkflowEvent,
  at: {
    api: Api
    world: ManifestWorld
    preview?: Preview | undefined
    onlyIfMerged?: Problem | undefined
    onBroken?: ((problems: readonly Problem[]) => void) | undefined
  },
): Promise<FleetRequest | undefined> {
  const named = read.optional('manifest')
  const manifest = named && readPathOf(read, 'manifest', named, at.world.env)
  const limits = { maxParallel: read.defaulted('max-parallel'), maxFailures: read.defaulted('max-failures') }
  const matrix = readMatrix(read)
  // A deletion removes all previews, whatever shard the step rolls out.
  const part = at.onBroken === undefined ? read.optional('shard') : undefined
  const common = readCommon(read)
  const { world, api, preview, onlyIfMerged, onBroken } = at
  if (preview !== undefined && part !== undefined)
    read.refuse('shard', 'must not be set together with preview: one run has all previews of a pull request', part)
  if (read.isUnset('manifest')) read.refuse('manifest', 'is required: the path of a file, as in deploy/fleet.yml')
  if (manifest === undefined) return undefined
  const { timeoutMs } = common
  const context = { step: read.raw, event, preview, onlyIfMerged, api, timeoutMs, world }
  const reading = await readManifest(manifest, context)
  if (Array.isArray(reading)) {
    if (onBroken === undefined) read.problems.push(...reading)
    onBroken?.(reading)
    return onBroken && { manifest, shard: part, waves: [], names: new Set(), shards: [], ...common }
  }
  const { waves } = reading
  const slices = chooseSlices(read, part, waves)
  const shards = preview === undefined ? describeShards(waves, matrix, part) : []
  const names = new Set(reading.entries.map(({ name }) => name))
  return { manifest, shard: part, waves: cutWaves(reading, slices, limits), names, shards, ...common }
}

interface Matrix {
  size: number
  jobs: number | undefined
}

function readMatrix(read: InputReader): Matrix {
  const matrix = { size: read.defaulted('matrix-size'), jobs: read.optional('matrix-jobs') }
  const isSized = !['', FLEET['matrix-size'].standard].includes(read.raw('matrix-size').trim())
  if (isSized && matrix.jobs !== undefined) read.refuse('matrix-jobs', 'must not be set together with matrix-size')
  return matrix
}

function readCommon(read: InputReader) {
  return {
    requestsPerSecond: read.defaulted('requests-per-second'),
    timeoutMs: read.optional('timeout') ?? accept.duration(FLEET.timeout.standard),
    dryRun: read.defaulted('dry-run'),
    approved: readApproved(read),
  }
}

function cutWaves(
  { waves, entries }: { waves: readonly ManifestWave[]; entries: Wave['entries'] },
  slices: readonly Slice[],
  step: { maxParallel: accept.Limit; maxFailures: accept.Limit },
): Wave[] {
  return slices.flatMap(({ wave, from, to }) => {
    const whole = waves[wave]
    if (whole === undefined) return []
    const { name, bakeMs, maxParallel, maxFailures } = whole
    const own = whole.entries.slice(from, to).flatMap((index) => entries[index] ?? [])
    return {
      name,
      bakeMs,
      entries: own,
      maxParallel: parallelOf(maxParallel ?? step.maxParallel, own.length),
      maxFailures: failuresOf(maxFailures ?? step.maxFailures, own.length),
    }
  })
}

/** Returns the entries of this run, or none if `shard` cannot be used. */
function chooseSlices(read: InputReader, part: string | undefined, waves: readonly ManifestWave[]): Slice[] {
  const whole = waves.map(({ entries }, wave) => ({ wave, from: 0, to: entries.length }))
  if (part === undefined) return whole
  const [, digits, countDigits] = PART.exec(part) ?? []
  if (digits === undefined) {
    const slices = whole.filter(({ wave }) => waves[wave]?.name === part)
    if (slices.length > 0) return slices
    const names = waves.flatMap(({ name }) => name ?? [])
    const choices = names.length === 0 ? 'and the manifest has no waves' : `or a wave: ${names.join(', ')}`
    read.refuse('shard', `must be a part, as in 1/3, ${choices}`, part)
    return []
  }
  const [index, count] = [Number(digits), Number(countDigits)]
  if (index < 1 || index > count || count > MAX_SHARDS) {
    read.refuse('shard', `must be a part from 1/n to n/n, where n is at most ${MAX_SHARDS}`, part)
    return []
  }
  return cutShards(sizesOf(waves), count)[index - 1] ?? []
}

const MAX_SHARDS = 100_000

/** The matrix of the whole fleet, or of the wave that `part` names. `jobs`: the largest number of shards. */
function describeShards(waves: readonly ManifestWave[], { size, jobs }: Matrix, part: string | undefined): Shard[] {
  const sizes = sizesOf(waves)
  const only = waves.find(({ name }) => name !== undefined && name === part)
  const ofJob = jobs === undefined || only === undefined ? size : Math.ceil(only.entries.length / jobs)
  const count = jobs !== undefined && only === undefined ? jobs : countShards(sizes, ofJob)
  const shards = cutShards(sizes, count).map((slices, index) => ({
    shard: `${index + 1}/${count}`,
    waves: slices.flatMap(({ wave }) => waves[wave]?.name ?? []),
    deployments: slices.reduce((sum, { from, to }) => sum + to - from, 0),
  }))
  return shards.filter(({ waves: names }) => only?.name === undefined || names.includes(only.name))
}

function sizesOf(waves: readonly ManifestWave[]): number[] {
  return waves.map(({ entries }) => entries.length)
}
