import { forEachOfFew, LongWork } from '../../async.ts'
import { RefusedError } from '../../control-plane/errors.ts'
import { InputError, type Problem } from '../../problem.ts'
import type { Outcome } from '../../rollout/outcome.ts'
import { failedBy, timedOutBy } from '../../rollout/outcome-of-error.ts'
import type { UnchangedPlan } from '../../rollout/plan/types.ts'
import { prepareRollout, type Prepared } from '../../rollout/prepare.ts'
import { nameOf } from '../../rollout/rollout-request.ts'
import { ofDeployment, type Shared } from '../dependencies.ts'
import type { FleetEntry, FleetRequest } from '../fleet-request.ts'
import { PLANS_AT_ONCE } from '../timing.ts'
import { askedOnce } from './asked-once.ts'
import { answering, findNames, type FoundNames } from './find.ts'
import { showing } from './shown-revision.ts'
import type { Sources } from './sources.ts'

/** What is to be done for a deployment. */
export type Planned =
  /** It has a plan that writes something. */
  | { kind: 'ready'; entry: FleetEntry; prepared: Prepared }
  /** Nothing is to be done, or no plan could be made. `unchanged`: its plan, if it has a `verify-url`. */
  | { kind: 'ended'; entry: FleetEntry; outcome: Outcome; unchanged?: UnchangedPlan }

/**
 * Makes the plans of all deployments. Writes nothing. The record of a deployment that cannot be read ends only that one.
 * @returns by the names of the entries
 * @throws InputError with every problem of every entry; ControlPlaneError when the deployments cannot be listed, or the
 * credentials are refused
 */
export async function prepareFleet(
  request: FleetRequest,
  shared: Shared,
  sources: Sources,
): Promise<ReadonlyMap<string, Planned>> {
  const entries = request.waves.flatMap((wave) => wave.entries)
  const names = new Set(entries.map((entry) => nameOf(entry.request.target)))
  const listedAt = shared.clock.now()
  const known = { ...(await findNames(names, shared.controlPlane)), listedAt }
  shared.emit({ kind: 'fleet-found', existing: known.found.size, missing: names.size - known.found.size })
  const once = { ...shared, controlPlane: askedOnce(shared.controlPlane) }
  const planned = new Map<string, Planned>()
  const problems: Problem[] = []
  let refusals = 0
  /** Credentials that are refused are refused for all: one error says it. A single 403 may be about one deployment. */
  const isAboutCredentials = (thrown: unknown): boolean => {
    if (!(thrown instanceof RefusedError)) return false
    if (thrown.status === 403) refusals += 1
    return thrown.status === 401 || (refusals >= Math.min(REFUSALS, entries.length) && refusals > planned.size)
  }
  const work = new LongWork(shared.clock)
  await forEachOfFew(entries, PLANS_AT_ONCE, async (entry) => {
    try {
      await work.giveWay()
      planned.set(entry.name, await prepareEntry(forFleet(entry, request), known, once, sources))
    } catch (thrown) {
      if (shared.signal.aborted || isAboutCredentials(thrown)) throw thrown
      if (thrown instanceof InputError) problems.push(...named(entry, thrown.problems))
      planned.set(entry.name, { kind: 'ended', entry, outcome: timedOutBy(thrown, shared) ?? failedBy(thrown) })
    }
  })
  if (problems.length > 0) throw new InputError(problems)
  return planned
}

/** A fleet waits for every rollout. */
function forFleet(entry: FleetEntry, { dryRun }: FleetRequest): FleetEntry {
  return { ...entry, request: { ...entry.request, dryRun, wait: true } }
}

async function prepareEntry(
  entry: FleetEntry,
  { found, isComplete, listedAt }: FoundNames & { listedAt: number },
  shared: Shared,
  sources: Sources,
): Promise<Planned> {
  const { name, request } = entry
  const deps = ofDeployment(name, shared)
  const wanted = nameOf(request.target)
  const isKnown = isComplete || found.has(wanted)
  const deployment = found.get(wanted)
  const asked = showing(deps.controlPlane, deployment, request)
  const controlPlane = isKnown ? answering(asked, wanted, deployment) : asked
  const prepared = await prepareRollout(request, { ...deps, controlPlane }, sources.of(request, deps))
  const { next } = prepared
  if (next.kind === 'end') return { kind: 'ended', entry, outcome: next.outcome }
  if (next.kind === 'verify') return { kind: 'ended', entry, outcome: { kind: 'unchanged' }, unchanged: next.plan }
  return { kind: 'ready', entry, prepared: isKnown ? { ...prepared, readAt: listedAt } : prepared }
}

/** With so many entries refused and none prepared, the credentials are refused. */
const REFUSALS = 3

function named({ name, place }: FleetEntry, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, place: problem.place ?? place, input: `${name}: ${problem.input}` }))
}
