import createRules, { type Ignore } from 'ignore'
import { LongWork } from '../async.ts'
import type { FleetEvent } from '../fleet/event.ts'
import { fleet } from '../fleet/fleet.ts'
import type { FleetEntry, FleetRequest, PreviewFleet } from '../fleet/fleet-request.ts'
import { findNames, named } from '../fleet/prepare.ts'
import type { Run } from '../rollout/dependencies.ts'
import { unusableRef } from '../rollout/plan/defaults.ts'
import { previewsOf } from './choose-removals.ts'
import type { PreviewEvent } from './event.ts'
import { listAll, Listing } from './listing.ts'
import { beyondLimit, previewWhileOpen, withHead } from './preview.ts'
import { type Preview, teardownOfFleet } from './request.ts'
import type { TeardownRun } from './teardown.ts'

type FleetRun = Run<FleetEvent | PreviewEvent> & Pick<TeardownRun, 'later'>

/** Rolls out all entries of a manifest whose files the pull request changes, see `previewWhileOpen`. */
export async function fleetPreview(given: PreviewFleet, preview: Preview, deps: FleetRun) {
  const { api } = deps.controlPlane
  return await previewWhileOpen('fleet', preview, deps, async (asked) => {
    const found = await asked
    const request = withEntries(given, (one) => [{ ...one, request: withHead(one.request, found, preview) }])
    const entries = entriesOf(request)
    const names = new Set(entries.map(({ name }) => name))
    return {
      commit: entries[0]?.request.repository.commit,
      exists: async () => (await findNames(names, deps.controlPlane)).found.size > 0,
      problems: entries.flatMap((one) => named(one, unusableRef(one.request, api))),
      async rollOut() {
        const chosen = await withoutUntouched(request, deps)
        deps.emit({ kind: 'fleet-began', request: chosen, api: api.name })
        return { outcome: await fleet(await withRefused(chosen, preview, deps), deps), mayExist: !request.dryRun }
      },
      teardownFor: (end) => teardownOfFleet(request, preview, end),
    }
  })
}

function entriesOf({ waves }: FleetRequest): FleetEntry[] {
  return waves.flatMap(({ entries }) => entries)
}

/** A wave without entries is omitted. */
function withEntries(request: PreviewFleet, change: (entry: FleetEntry) => FleetEntry[]): PreviewFleet {
  const waves = request.waves.map((wave) => ({ ...wave, entries: wave.entries.flatMap(change) }))
  return { ...request, waves: waves.filter(({ entries }) => entries.length > 0) }
}

/** If GitHub does not report all files of the pull request, every entry takes part. */
async function withoutUntouched(request: PreviewFleet, deps: FleetRun): Promise<PreviewFleet> {
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

/**
 * Whether one of the files is of these patterns. Each has the form of a line of a .gitignore; the last one that matches a
 * file decides, and one that begins with `!` excepts it, as in `paths` of a workflow.
 */
export function touches(files: readonly string[], patterns: readonly string[]): boolean {
  const rules = patterns.map(ruleOf)
  return files.some((file) => rules.findLast(({ matcher }) => matcher.ignores(file))?.isException === false)
}

function ruleOf(given: string): { isException: boolean; matcher: Ignore } {
  const [, sign, rest = ''] = /^(!?)([^]*)$/.exec(given.trim()) ?? []
  const pattern = rest.trim().replace(/^\.\//, '/')
  // A # begins a comment there, and a further ! an exception.
  const escaped = pattern.replace(/^[#!]/, String.raw`\$&`)
  return {
    isException: sign === '!',
    matcher: createRules({ ignorecase: false, allowRelativePaths: true }).add(escaped),
  }
}

/** Those that would exceed the limit of their name are not rolled out. */
async function withRefused(request: PreviewFleet, { limit }: Preview, deps: FleetRun): Promise<PreviewFleet> {
  if (limit === undefined) return request
  const listing = new Listing(deps.controlPlane)
  const listed = await listAll(listing)
  const times = [listing.serverTime, deps.clock.wallTime()] as const
  return withEntries(request, (one) => {
    const others = previewsOf(listed, one.of?.name ?? one.name)
    return [{ ...one, refused: beyondLimit(limit.max, one.name, others, times) }]
  })
}
