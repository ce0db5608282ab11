import { addAbortListener } from 'node:events'
import { LongWork, oncePerKey } from '../async.ts'
import { GatheredReads, gathering } from '../control-plane/many.ts'
import type { EmitFleet, FleetEvent, FleetFailure, FleetOutcome } from './event.ts'
import { alone, type PatchCount, type Run } from '../rollout/dependencies.ts'
import { cutProblems, InputError, MAX_MANIFEST_PROBLEMS } from '../problem.ts'
import { hashOfAll } from '../rollout/plan/plan-digest.ts'
import { budgeted, type Load, openLoad, openTurns } from './budget.ts'
import { FleetExecution, Results } from './execute.ts'
import { selectChanged } from './changed-since.ts'
import type { FleetRequest, NotSelected } from './fleet-request.ts'
import { type ListedNames, prepareFleet, Sources, type Planned, type Shared } from './prepare.ts'
import { FleetWatch } from './watch.ts'

/** `load`: what the run has sent before. */
type FleetRun = Run<FleetEvent> & { load?: Load }

/**
 * The error of one deployment is its own outcome.
 * @throws InputError with every problem of every entry, before anything is written; ControlPlaneError when the
 * deployments cannot be listed or the credentials are refused; the signal's reason when aborted
 */
export async function fleet(stepRequest: FleetRequest, deps: FleetRun): Promise<FleetOutcome> {
  deps.signal.throwIfAborted()
  let isOver = false
  // Node never frees an `AbortSignal.any` that has a listener and does not abort.
  const controller = new AbortController()
  const { signal } = controller
  using _listening = addAbortListener(deps.signal, () => controller.abort(deps.signal.reason))
  // Work that ends late must add nothing to the record.
  const emit: EmitFleet = (event) => {
    if (!isOver) deps.emit(event)
  }
  const shared = openShared(stepRequest, { ...deps, emit, signal })
  const sources = new Sources()
  try {
    const { request, listing } = await selected(stepRequest, shared)
    const results = new Results(request, emit)
    // A shard without deployments sends nothing.
    const planned =
      request.waves.length === 0 ? new Map<string, Planned>() : await prepareFleet(request, shared, sources, listing)
    emit({ kind: 'fleet-planned' })
    const work = new LongWork(deps.clock)
    for (const entryPlan of planned.values()) {
      if (entryPlan.kind === 'ended') results.end(entryPlan.entry.name, entryPlan.outcome)
      await work.giveWay()
    }
    signal.throwIfAborted()
    const difference = differenceOfAll(request, [...planned.values()], shared)
    if (difference !== undefined) return { kind: 'failed', because: difference }
    if (request.dryRun) return results.outcome({ isUp: false, hasUnchecked: false })
    void showProgress(shared)
    return results.outcome(await new FleetExecution(request, planned, results, shared).run())
  } finally {
    isOver = true
    controller.abort()
    await sources.dispose()
  }
}

/** Leaves out what `changed-since` leaves out, if the step has it. Throws InputError if others lack a variable. */
async function selected(
  request: FleetRequest,
  shared: Shared,
): Promise<{ request: FleetRequest; listing?: ListedNames | undefined }> {
  const { changedSince } = request
  if (changedSince === undefined) return { request }
  const decided = await selectChanged(request, changedSince, shared)
  shared.emit({ kind: 'fleet-selected', selection: decided.selection })
  shared.emit({ kind: 'fleet-began', request: decided.request, api: shared.controlPlane.api.name })
  const unset = decided.request.waves.flatMap(({ entries }) => entries.flatMap((entry) => entry.unset ?? []))
  if (unset.length > 0) throw new InputError(cutProblems('manifest', unset, MAX_MANIFEST_PROBLEMS))
  return decided
}

/** Addresses that are read at the same time: a check of a thousand deployments opens no thousand connections at once. */
const PROBES_AT_ONCE = 100
/** How long the commit of a ref counts. */
const REF_READ_MS = 60_000

function countPerDeployment(): Shared['patchesOf'] {
  const counts = new Map<string, PatchCount>()
  return (name) => {
    const count = counts.get(name) ?? { sent: 0 }
    counts.set(name, count)
    return count
  }
}

export function openShared({ requestsPerSecond }: FleetRequest, run: FleetRun): Shared {
  const deps = budgeted(run.load ?? openLoad(requestsPerSecond, run.clock.now()), run)
  const { clock, deadline, gitHub, budget, controlPlane, turns } = deps
  const reads = new GatheredReads(controlPlane, deps)
  return {
    ...deps,
    endsAt: deadline,
    controlPlane: gathering(controlPlane, reads),
    watch: new FleetWatch(reads, budget, deps),
    // The log of a fleet has a progress line in place of heartbeats with an estimate.
    readEarlier: () => Promise.resolve([]),
    patchesOf: countPerDeployment(),
    gitHub: {
      ...gitHub,
      // One comment has the notes of all previews.
      previewNotes: oncePerKey(gitHub.previewNotes, (of) => JSON.stringify(of)),
      // Most deployments of a fleet have the same two commits.
      compareCommits: oncePerKey(gitHub.compareCommits, (deployed, ours) => `${deployed} ${ours}`),
      // A branch may move while a long fleet is under way.
      readCommit: oncePerKey(gitHub.readCommit, ({ repository, ref }) => {
        return `${repository} ${ref} ${Math.floor(clock.now() / REF_READ_MS)}`
      }),
    },
    turns: {
      ...turns,
      watch: alone(deps).watch,
      probe: openTurns(PROBES_AT_ONCE),
      promotedOnce: oncePerKey(turns.promotedOnce, (name) => name),
    },
  }
}

/** Before the first write: one plan that was not approved ends the run. A shard has some of the approved plans only. */
function differenceOfAll(
  { approved, names, notSelected = [] }: FleetRequest,
  all: readonly Planned[],
  { isFirstAttempt }: Pick<Shared, 'isFirstAttempt'>,
): FleetFailure | undefined {
  if (approved === undefined) return undefined
  const outlines = all.flatMap((one) => (one.kind === 'ready' ? one.prepared.outline : (one.outline ?? [])))
  if (typeof approved === 'string')
    return hashOfAll(outlines) === approved ? undefined : { kind: 'other-plans', others: 0, missing: [] }
  // A name with a secret inside is hidden in its outline.
  const named = new Set([...names, ...outlines.map(({ name }) => name)])
  const missing = [...approved.keys()].filter((name) => !named.has(name))
  // An earlier attempt may have rolled it out: it has the code of this run.
  const mayBeRolledOut = ({ because }: NotSelected): boolean =>
    !isFirstAttempt && because.kind === 'no-change' && because.isCurrent
  const dropped = notSelected.filter((one) => approved.has(one.name) && !mayBeRolledOut(one)).map(({ name }) => name)
  // A deployment without a plan cannot be the approved one.
  const others = all.filter(
    (one) => one.kind === 'ended' && (one.outline === undefined || one.outcome.kind === 'failed'),
  )
  if (others.length + missing.length + dropped.length === 0) return undefined
  const ofSelection = dropped.length > 0 && { notSelected: dropped }
  return { kind: 'other-plans', others: others.length, missing, ...ofSelection }
}

async function showProgress({ clock, signal, emit }: Shared): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(15_000, signal).catch(() => undefined)
    emit({ kind: 'fleet-progress' })
  }
}
