import { LongWork } from '../async.ts'
import type { FleetEvent, FleetOutcome } from '../fleet/event.ts'
import { fleet } from '../fleet/fleet.ts'
import type { FleetEntry, FleetRequest, PreviewFleet } from '../fleet/fleet-request.ts'
import { findNames, named } from '../fleet/prepare.ts'
import { InputError } from '../problem.ts'
import type { Run } from '../rollout/dependencies.ts'
import { unusableRef } from '../rollout/plan/defaults.ts'
import { previewsOf } from './choose-removals.ts'
import type { PreviewEvent, TeardownOutcome } from './event.ts'
import { listAll, Listing } from './listing.ts'
import { beyondLimit, overAfter, stateBefore, withHead } from './preview.ts'
import { type Over, type Preview, teardownOfFleet } from './request.ts'
import { tearDownInstead, type TeardownRun } from './teardown.ts'
import { touches } from './touched.ts'

type FleetPreviewEnd = { of: 'fleet'; outcome: FleetOutcome } | { of: 'teardown'; outcome: TeardownOutcome }

type Deps = Run<FleetEvent | PreviewEvent> & Pick<TeardownRun, 'later'>

/**
 * The same as `rolloutPreview`, of all entries of a manifest whose files the pull request changes.
 * @throws what a fleet and a teardown throw; InputError when it is unknown whether the pull request has the label
 */
export async function fleetPreview(request: PreviewFleet, preview: Preview, deps: Deps): Promise<FleetPreviewEnd> {
  const { pullRequest, gate } = preview
  if (gate?.change?.kind === 'unlabeled' && !gate.change.ours)
    return { of: 'fleet', outcome: { kind: 'skipped', because: 'other-label' } }
  const before = await deps.gitHub.readPullRequest(pullRequest)
  const all = withEntries(request, (one) => [{ ...one, request: withHead(one.request, before, preview) }])
  const entries = entriesOf(all)
  deps.emit({ kind: 'head-read', commit: entries[0]?.request.repository.commit })
  const names = new Set(entries.map(({ name }) => name))
  const exists = async (): Promise<boolean> => (await findNames(names, deps.controlPlane)).found.size > 0
  const state = await stateBefore(before, preview, exists)
  if (state === undefined) return { of: 'fleet', outcome: { kind: 'skipped', because: 'unlabeled' } }
  const end = state === 'open' ? await rollOutWhileOpen(all, preview, deps) : state
  if (end !== 'closed' && end !== 'unlabeled') return { of: 'fleet', outcome: end }
  return await tearDownInstead(teardownOfFleet(all, preview, end), end, pullRequest, deps)
}

function entriesOf({ waves }: FleetRequest): FleetEntry[] {
  return waves.flatMap(({ entries }) => entries)
}

/** A wave without entries is omitted. */
function withEntries(request: PreviewFleet, change: (entry: FleetEntry) => FleetEntry[]): PreviewFleet {
  const waves = request.waves.map((wave) => ({ ...wave, entries: wave.entries.flatMap(change) }))
  return { ...request, waves: waves.filter(({ entries }) => entries.length > 0) }
}

async function rollOutWhileOpen(request: PreviewFleet, preview: Preview, deps: Deps): Promise<FleetOutcome | Over> {
  const problems = entriesOf(request).flatMap((one) => named(one, unusableRef(one.request, deps.controlPlane.api)))
  if (problems.length > 0) throw new InputError(problems)
  const chosen = await withoutUntouched(request, deps)
  deps.emit({ kind: 'fleet-began', request: chosen, api: deps.controlPlane.api.name })
  const outcome = await fleet(await withRefused(chosen, preview, deps), deps)
  if (request.dryRun) return outcome
  return (await overAfter(preview, deps)) ?? outcome
}

/** If GitHub does not report all files of the pull request, every entry takes part. */
async function withoutUntouched(request: PreviewFleet, deps: Deps): Promise<PreviewFleet> {
  const hasPaths = entriesOf(request).some(({ of }) => of?.paths !== undefined)
  const files = hasPaths ? await deps.gitHub.pullRequestFiles(request.preview.pullRequest) : undefined
  const untouched = new Set<string>()
  const work = new LongWork(deps.clock)
  for (const { of } of entriesOf(request)) {
    if (of?.paths !== undefined && files !== undefined && !touches(files, of.paths)) untouched.add(of.name)
    await work.giveWay()
  }
  const rest = withEntries(request, (one) => (untouched.has(one.of?.name ?? '') ? [] : [one]))
  return { ...rest, preview: { ...request.preview, untouched: [...untouched] } }
}

/** Those that would exceed the limit of their name are not rolled out. */
async function withRefused(request: PreviewFleet, { limit }: Preview, deps: Deps): Promise<PreviewFleet> {
  if (limit === undefined) return request
  const listing = new Listing(deps.controlPlane)
  const listed = await listAll(listing)
  const times = [listing.serverTime, deps.clock.wallTime()] as const
  return withEntries(request, (one) => {
    const others = previewsOf(listed, one.of?.name ?? one.name)
    return [{ ...one, refused: beyondLimit(limit.max, one.name, others, times) }]
  })
}
