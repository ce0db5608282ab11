import { forEachOfFew, LongWork, oncePerKey } from '../async.ts'
import { decorated, type ControlPlane } from '../control-plane/client.ts'
import { BrokenContractError, RefusedError } from '../control-plane/errors.ts'
import { sameId, type Deployment, type Revision, type Settings, type PageQuery } from '../control-plane/model.ts'
import { readAll } from '../control-plane/many.ts'
import { InputError, type Problem } from '../problem.ts'
import { SourceUpload } from '../rollout/apply/source-upload.ts'
import type { PatchCount, Run } from '../rollout/dependencies.ts'
import { failedBy, timedOutBy, type RolloutOutcome } from '../rollout/outcome.ts'
import type { PlanOutline } from '../rollout/plan/approval-outline.ts'
import type { UnchangedPlan } from '../rollout/plan/plan.ts'
import { pick, REPORTED_BY_REVISION, setFields } from '../rollout/plan/settings.ts'
import { prepareRollout, type Prepared } from '../rollout/prepare.ts'
import { nameOf, type RolloutRequest } from '../rollout/rollout-request.ts'
import { openTurns } from './budget.ts'
import type { FleetEvent } from './event.ts'
import { type FleetEntry, type FleetRequest, OF_SAME_FLEET } from './fleet-request.ts'
import type { FleetWatch } from './watch.ts'

/** The parts that the rollouts of a fleet share: requests within a budget, gathered reads, and what each has learned. */
export interface Shared extends Run<FleetEvent> {
  watch: FleetWatch
  /** A deployment has one count: its rollout, and the rollback after a later check, are one run. */
  patchesOf: (name: string) => PatchCount
}

export function ofDeployment(name: string, shared: Shared): Run {
  const patches = shared.patchesOf(name)
  const emit: Run['emit'] = (event) => shared.emit({ kind: 'of-deployment', name, event })
  return shared.turns.forDeployment({ ...shared, patches, emit })
}

export type Planned =
  | { kind: 'ready'; entry: FleetEntry; prepared: Prepared }
  /** Nothing is to be done, or no plan could be made. `unchanged`: the plan, if the entry has a `verify-url`. */
  | {
      kind: 'ended'
      entry: FleetEntry
      outcome: RolloutOutcome
      unchanged?: UnchangedPlan | undefined
      outline?: PlanOutline
    }

/** Plans that are made at the same time: some wait for a revision to report its commit. */
const PLANS_AT_ONCE = 100
/** If this number of entries is refused and none is prepared, the credentials are refused. */
const REFUSALS = 3

/**
 * Makes all plans, by the names of the entries. A problem of one deployment only ends that one. Throws InputError with
 * every problem of every entry; ControlPlaneError when the deployments cannot be listed or the credentials are refused.
 */
export async function prepareFleet(
  request: FleetRequest,
  shared: Shared,
  sources: Sources,
  listing?: ListedNames,
): Promise<ReadonlyMap<string, Planned>> {
  const entries = request.waves.flatMap((wave) => wave.entries)
  const names = new Set(entries.map((entry) => nameOf(entry.request.target)))
  const foundNames = { ...(listing ?? (await listDeploymentsByName(names, shared))), inManifest: request.names }
  const existing = [...names].filter((name) => foundNames.byName.has(name)).length
  shared.emit({ kind: 'fleet-found', existing, missing: names.size - existing })
  const once = { ...shared, controlPlane: askedOnce(shared.controlPlane) }
  const planned = new Map<string, Planned>()
  const problems: Problem[] = []
  let refusals = 0
  /** Credentials that are refused are refused for all: one error says it. A few 403 may each be about one deployment. */
  const isForAll = (thrown: unknown): boolean =>
    thrown instanceof RefusedError &&
    (thrown.status === 401 || (refusals >= Math.min(REFUSALS, entries.length) && refusals > planned.size))
  const work = new LongWork(shared.clock)
  await forEachOfFew(entries, PLANS_AT_ONCE, async (entry) => {
    try {
      await work.giveWay()
      // A fleet waits for every rollout.
      const { dryRun, approved } = request
      const plannedEntry = { ...entry, request: { ...entry.request, dryRun, approved, wait: true } }
      planned.set(entry.name, await prepareEntry(plannedEntry, foundNames, once, sources))
    } catch (thrown) {
      if (thrown instanceof RefusedError && thrown.status === 403) refusals += 1
      if (shared.signal.aborted || isForAll(thrown)) throw thrown
      if (thrown instanceof InputError) problems.push(...prefixWithEntry(entry, thrown.problems))
      planned.set(entry.name, { kind: 'ended', entry, outcome: timedOutBy(thrown, shared) ?? failedBy(thrown) })
    }
  })
  if (problems.length > 0) throw new InputError(problems)
  return planned
}

async function prepareEntry(
  entry: FleetEntry,
  foundNames: ListedNames & { inManifest: FleetRequest['names'] },
  shared: Shared,
  sources: Sources,
): Promise<Planned> {
  const { name, request, refused } = entry
  if (refused !== undefined) return { kind: 'ended', entry, outcome: { kind: 'failed', because: refused } }
  const deps = ofDeployment(name, shared)
  const isKnown = foundNames.isComplete || foundNames.byName.has(nameOf(request.target))
  const controlPlane = isKnown ? answering(deps.controlPlane, request, foundNames) : deps.controlPlane
  const prepared = await prepareRollout(request, { ...deps, controlPlane }, sources.forRequest(request, deps))
  const { next, outline } = prepared
  const promoted = prepared.request.promotion?.from.name
  if (promoted !== undefined && foundNames.inManifest.has(promoted))
    throw new InputError([{ input: 'promote-from', value: promoted, message: OF_SAME_FLEET }])
  if (next.kind === 'end') {
    const unchanged = request.verification && next.plan?.kind === 'unchanged' ? next.plan : undefined
    return { kind: 'ended', entry, outline, outcome: next.outcome, unchanged }
  }
  return { kind: 'ready', entry, prepared: isKnown ? { ...prepared, readAt: foundNames.listedAt } : prepared }
}

export function prefixWithEntry({ name, place }: FleetEntry, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, place: problem.place ?? place, input: `${name}: ${problem.input}` }))
}

export interface FoundNames {
  byName: ReadonlyMap<string, Deployment>
  /** Whether the deployment of a name that is not found certainly does not exist. */
  isComplete: boolean
}

/** `listedAt`: monotonic milliseconds at which the list began. */
export type ListedNames = FoundNames & { listedAt: number }

export async function listDeploymentsByName(
  names: ReadonlySet<string>,
  { clock, controlPlane }: Pick<Shared, 'clock' | 'controlPlane'>,
): Promise<ListedNames> {
  const listedAt = clock.now()
  return { ...(await findNames(names, controlPlane)), listedAt }
}

/** Finds deployments by their exact names: reads pages until all are found. Throws ControlPlaneError. */
export async function findNames(names: ReadonlySet<string>, controlPlane: ControlPlane): Promise<FoundNames> {
  const byName = new Map<string, Deployment>()
  try {
    for await (const deployment of readAll(async (query) => await controlPlane.listDeployments(query))) {
      const { name, isPreviewBuild } = deployment
      if (names.has(name) && !byName.has(name) && isPreviewBuild !== true) byName.set(name, deployment)
      if (byName.size === names.size) break
    }
    return { byName, isComplete: true }
  } catch (thrown) {
    // The record of one deployment can break the whole page: those that are not found are read by themselves later.
    if (thrown instanceof BrokenContractError) return { byName, isComplete: false }
    throw thrown
  }
}

/** The same control plane, which is not asked for a name that is known, nor for a revision that its deployment shows. */
function answering(
  controlPlane: ControlPlane,
  { target, settings }: RolloutRequest,
  { byName }: FoundNames,
): ControlPlane {
  const name = nameOf(target)
  const deployment = byName.get(name)
  const active = deployment && shownRevision(deployment, settings)
  return decorated(controlPlane, (inner) => ({
    listDeployments: async (query) => {
      if (query.nameContains !== name) return await inner.listDeployments(query)
      const resources = deployment === undefined || query.offset > 0 ? [] : [deployment]
      return { resources, offset: query.offset + resources.length }
    },
    getRevision: async (id, revisionId, options) => {
      const isShown = active !== undefined && sameId(id, deployment?.id) && sameId(revisionId, active.id)
      return isShown ? active : await inner.getRevision(id, revisionId, options)
    },
  }))
}

/**
 * The active revision, as its deployment shows it: if it is the latest one, the deployment shows its settings (contract,
 * "Deployment"), and it is DEPLOYED (contract notes, "Statuses").
 * @returns undefined if something that a plan compares is not shown
 */
export function shownRevision(
  { latestRevisionId, activeRevisionId, settings: reported, source, repoCommitSha, dropped }: Deployment,
  wanted: Settings,
): Revision | undefined {
  if (!activeRevisionId || !sameId(latestRevisionId, activeRevisionId) || dropped !== undefined) return undefined
  const settings = pick(reported, REPORTED_BY_REVISION)
  const compared = setFields(wanted, REPORTED_BY_REVISION)
  if (compared.some((field) => settings[field] === undefined)) return undefined
  // The ref of the event is compared, too.
  const isShort = source === 'git_host' && (settings.repoRef === undefined || repoCommitSha === undefined)
  if (isShort || setFields(settings).length === 0) return undefined
  const undated = { createdAt: undefined, updatedAt: undefined }
  return { id: activeRevisionId, status: 'DEPLOYED', statusMessage: undefined, repoCommitSha, settings, ...undated }
}

/** The same control plane, which is asked only once for what is the same for all deployments. */
function askedOnce(controlPlane: ControlPlane): ControlPlane {
  const inOneRow = (...keys: unknown[]): string => JSON.stringify(keys)
  const once: Partial<ControlPlane> = {
    listListeners: oncePerKey(async (query: PageQuery) => await controlPlane.listListeners(query), inOneRow),
    listIntegrations: oncePerKey(async () => await controlPlane.listIntegrations(), inOneRow),
    listRepositories: oncePerKey(async (id: string) => await controlPlane.listRepositories(id), inOneRow),
  }
  return decorated(controlPlane, () => once)
}

/** The sources of a fleet: deployments of the same directory share its archive. One is packed after another. */
export class Sources {
  readonly #packings = new Map<string, SourceUpload>()
  readonly #inTurn = openTurns(1)
  /** It reads the checkout of the workspace for all. */
  #first: SourceUpload | undefined

  /** The fleet disposes of it, not the rollout. */
  forRequest(request: RolloutRequest, deps: Run): SourceUpload {
    const { sourcePath, settings, checkAppConfig } = request
    const key = JSON.stringify([sourcePath, settings.appConfigPath, checkAppConfig])
    const packing = this.#packings.get(key) ?? new SourceUpload(request, deps)
    this.#packings.set(key, packing)
    const first = (this.#first ??= packing)
    return new SourceUpload(request, deps, {
      archive: async () => await this.#inTurn(async () => await packing.archive()),
      checkout: async () => await first.checkout(),
    })
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#packings.values()].map(async (packing) => await packing.dispose()))
  }
}
