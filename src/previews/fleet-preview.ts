import type { FleetEvent } from '../fleet/event.ts'
import { fleet } from '../fleet/fleet.ts'
import { fleetName, type FleetEntry, type FleetRequest, type PreviewFleet } from '../fleet/fleet-request.ts'
import { findNames, prefixWithEntry } from '../fleet/prepare.ts'
import type { Run } from '../rollout/dependencies.ts'
import { unusableRef } from '../rollout/plan/defaults.ts'
import { previewsOf } from './choose-removals.ts'
import type { PreviewEvent } from './event.ts'
import { listAll, Listing } from './listing.ts'
import { beyondLimit, previewWhileOpen, withHead } from './preview.ts'
import { type Preview, teardownOfFleet } from './request.ts'
import type { TeardownRun } from './teardown.ts'
import { findParts } from './untouched.ts'

type FleetRun = Run<FleetEvent | PreviewEvent> & Pick<TeardownRun, 'loadRest'>

/** Rolls out all entries of a manifest whose files the pull request changes, see `previewWhileOpen`. */
export async function fleetPreview(fleetRequest: PreviewFleet, preview: Preview, deps: FleetRun) {
  const { api } = deps.controlPlane
  return await previewWhileOpen('fleet', preview, deps, async (pullRequestRead) => {
    const pullRequest = await pullRequestRead
    const request = withEntries(fleetRequest, (entry) => [
      { ...entry, request: withHead(entry.request, pullRequest, preview) },
    ])
    const entries = entriesOf(request)
    const names = new Set(entries.map(({ name }) => name))
    return {
      commit: entries[0]?.request.repository.commit,
      exists: async () => (await findNames(names, deps.controlPlane)).byName.size > 0,
      problems: entries.flatMap((one) => prefixWithEntry(one, unusableRef(one.request, api))),
      async rollOut() {
        const chosen = asPreviews(await withoutUntouched(request, deps))
        deps.emit({ kind: 'fleet-began', request: chosen, api: api.name })
        return { outcome: await fleet(await withRefused(chosen, preview, deps), deps), mayExist: !request.dryRun }
      },
      teardownFor: (closedReason) => teardownOfFleet(request, preview, closedReason),
    }
  })
}

function entriesOf({ waves }: FleetRequest): FleetEntry[] {
  return waves.flatMap(({ entries }) => entries)
}

/** Changes the entries, and omits the waves that have none afterwards. */
function withEntries(request: PreviewFleet, change: (entry: FleetEntry) => FleetEntry[]): PreviewFleet {
  const waves = request.waves.map((wave) => ({ ...wave, entries: wave.entries.flatMap(change) }))
  return { ...request, waves: waves.filter(({ entries }) => entries.length > 0) }
}

async function withoutUntouched(request: PreviewFleet, deps: FleetRun): Promise<PreviewFleet> {
  const paths = new Map(
    entriesOf(request).map(({ previewOfEntry: entry, name }) => [entry?.name ?? name, entry?.paths]),
  )
  const parts = await findParts(paths, request.preview.pullRequest, 'so that all paths count as changed', deps)
  const untouched = new Set([...parts].filter(([, part]) => part === 'untouched').map(([name]) => name))
  const rest = withEntries(request, (one) => (untouched.has(one.previewOfEntry?.name ?? '') ? [] : [one]))
  return { ...rest, preview: { ...request.preview, untouched: [...untouched] } }
}

/** Makes each entry a preview, whose notes are in the comment of the fleet. */
function asPreviews(request: PreviewFleet): PreviewFleet {
  const { pullRequest, hasComment = false } = request.preview
  const names = entriesOf(request).map(({ name }) => name)
  const notes = hasComment ? { pullRequest, commentName: fleetName(request), environment: undefined, names } : undefined
  return withEntries(request, (one) => [{ ...one, request: { ...one.request, previewOf: { pullRequest, notes } } }])
}

/** Refuses the entries that would exceed the limit of previews of their name. */
async function withRefused(request: PreviewFleet, { limit }: Preview, deps: FleetRun): Promise<PreviewFleet> {
  if (limit === undefined) return request
  const listing = new Listing(deps.controlPlane)
  const listed = await listAll(listing)
  const times = [listing.serverTime, deps.clock.wallTime()] as const
  return withEntries(request, (entry) => {
    const others = previewsOf(listed, entry.previewOfEntry?.name ?? entry.name)
    return [{ ...entry, refused: beyondLimit(limit.max, entry.name, others, times) }]
  })
}
