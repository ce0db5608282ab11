import type { Api } from '../../control-plane/api.ts'
import type { ChangedSince, Choice, FleetRequest, OfferedWave, ShardPart } from '../../fleet/fleet-request.ts'
import type { Limit } from '../../fleet/limits.ts'
import { isNamedBy, type Only, patternsWithoutName } from '../../fleet/only.ts'
import { selectFrom, shardsWith } from '../../fleet/selection.ts'
import type { WorkflowEvent } from '../../github/event.ts'
import type { Preview } from '../../previews/request.ts'
import { listNames, MAX_NAMED, type Problem } from '../../problem.ts'
import { nearestNames } from '../../sources/findings.ts'
import { FLEET } from '../inputs.ts'
import * as accept from '../parsers.ts'
import { readPathOf } from '../paths.ts'
import type { InputReader } from '../reader.ts'
import { readApproved } from '../expect-plan.ts'
import { type Manifest, readManifest, type ManifestWorld } from './read-manifest.ts'
import { readTexts, textsIn } from './texts.ts'
import { PART, type ManifestWave, countShards, cutShards, type Slice } from './waves.ts'

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
  const { only, since } = readChoice(read, { isOfPreviews: preview !== undefined, isDeletion: onBroken !== undefined })
  if (preview !== undefined && part !== undefined)
    read.refuse('shard', 'must not be set together with preview: one run has all previews of a pull request', part)
  if (read.isUnset('manifest')) read.refuse('manifest', 'is required: the path of a file, as in deploy/fleet.yml')
  if (manifest === undefined) return undefined
  const { timeoutMs } = common
  const comparesFiles = since !== undefined
  const context = { step: read.raw, event, preview, onlyIfMerged, api, timeoutMs, world, only, comparesFiles }
  const reading = await readManifest(manifest, context)
  if (Array.isArray(reading)) {
    if (onBroken === undefined) read.problems.push(...reading)
    onBroken?.(reading)
    return onBroken && { manifest, shard: part, waves: [], names: new Set(), shards: [], ...common }
  }
  if (only !== undefined) refuseUnmatched(read, only, reading.names)
  const offered = cutWaves(reading, chooseSlices(read, part, reading.waves), limits, only)
  const parts = preview === undefined ? describeShards(reading, matrix, part) : []
  const changedSince =
    since === undefined ? undefined : readChangedSince(since, { event, world, reading, offered, parts, only })
  return { manifest, shard: part, ...selectedBy(only, { reading, offered, parts }), changedSince, ...common }
}

/** Selects by `only` within the shard: shards are cut from the whole manifest first. */
function selectedBy(
  only: Only | undefined,
  { reading, offered, parts }: { reading: Manifest; offered: readonly OfferedWave[]; parts: readonly ShardPart[] },
) {
  const isNamed = (name: string): boolean => only === undefined || isNamedBy(only, name)
  // A preview has a name of its own.
  const names = new Set(reading.names.map((name, index) => reading.entries[index]?.name ?? name))
  return { ...selectFrom(offered), names, shards: shardsWith(parts, isNamed) }
}

/** The inputs of a step that select entries of a fleet, beside the shard. */
interface ChoiceOfStep {
  only: Only | undefined
  since: string | undefined
}

const NOT_WITH_PREVIEW = 'must not be set together with preview'

/** A deletion removes all previews. */
function readChoice(
  read: InputReader,
  { isOfPreviews, isDeletion }: { isOfPreviews: boolean; isDeletion: boolean },
): ChoiceOfStep {
  if (!isOfPreviews) return { only: read.optional('only'), since: read.optional('changed-since') }
  if (!isDeletion) {
    read.refuseSet('only', `${NOT_WITH_PREVIEW}: one run has all previews of a pull request`)
    read.refuseSet('changed-since', `${NOT_WITH_PREVIEW}: paths decide by the files of the pull request`)
  }
  return { only: undefined, since: undefined }
}

function refuseUnmatched(read: InputReader, only: Only, names: readonly string[]): void {
  for (const pattern of patternsWithoutName(only, names)) {
    read.refuse('only', `matches no deployment of the manifest; ${hintFor(pattern, names)}`, pattern)
  }
}

function hintFor(pattern: string, names: readonly string[]): string {
  // Beside other lines, the word is no longer the value of the input.
  if (pattern === FLEET.only.standard) return 'for all deployments, write * or only lines with !'
  const [, sign = '', name = ''] = /^(!?)([^]*)$/.exec(pattern) ?? []
  const near = nearestNames(name, names).slice(0, MAX_NAMED.clause)
  return near.length > 0
    ? `did you mean ${near.map((one) => sign + one).join(' or ')}?`
    : `they are ${listNames(names, MAX_NAMED.part)}`
}

function readChangedSince(
  since: string,
  at: {
    event: WorkflowEvent
    world: ManifestWorld
    reading: Manifest
    offered: readonly OfferedWave[]
    parts: readonly ShardPart[]
    only: Only | undefined
  },
): ChangedSince {
  const { event, world, reading, offered, parts, only } = at
  const { file, value } = reading
  const mayBeSelected = (name: string): boolean => only === undefined || isNamedBy(only, name)
  return {
    since,
    repository: event.repository,
    environment: undefined,
    file,
    waves: offered,
    entries: new Map(
      reading.entries.flatMap((entry) => (entry && mayBeSelected(entry.name) ? [[entry.name, entry]] : [])),
    ),
    parts,
    texts: textsIn(value) ?? { defaults: undefined, entries: new Map() },
    readTexts: async (text) => await readTexts(text, file, world.clock),
  }
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
  { waves, entries, names }: Manifest,
  slices: readonly Slice[],
  step: { maxParallel: Limit; maxFailures: Limit },
  only: Only | undefined,
): OfferedWave[] {
  const choose = (index: number): Choice[] => {
    const [entry, name = ''] = [entries[index], names[index]]
    if (only !== undefined && !isNamedBy(only, name)) return [{ kind: 'not-selected', name, because: { kind: 'only' } }]
    return entry === undefined ? [] : [{ kind: 'selected', entry }]
  }
  return slices.flatMap(({ wave, from, to }) => {
    const whole = waves[wave]
    if (whole === undefined) return []
    const { name, bakeMs, maxParallel = step.maxParallel, maxFailures = step.maxFailures } = whole
    return { name, bakeMs, maxParallel, maxFailures, entries: whole.entries.slice(from, to).flatMap(choose) }
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
function describeShards({ waves, names }: Manifest, { size, jobs }: Matrix, part: string | undefined): ShardPart[] {
  const sizes = sizesOf(waves)
  const ownWave = waves.find(({ name }) => name !== undefined && name === part)
  const ofJob = jobs === undefined || ownWave === undefined ? size : Math.ceil(ownWave.entries.length / jobs)
  const count = jobs !== undefined && ownWave === undefined ? jobs : countShards(sizes, ofJob)
  const parts = cutShards(sizes, count).map((slices, index) => ({
    shard: `${index + 1}/${count}`,
    waves: slices.map(({ wave, from, to }) => ({
      name: waves[wave]?.name,
      names: (waves[wave]?.entries.slice(from, to) ?? []).flatMap((entry) => names[entry] ?? []),
    })),
  }))
  return parts.filter((one) => ownWave === undefined || one.waves.some(({ name }) => name === ownWave.name))
}

function sizesOf(waves: readonly ManifestWave[]): number[] {
  return waves.map(({ entries }) => entries.length)
}
