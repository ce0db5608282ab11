import { isDeepStrictEqual } from 'node:util'
import { toError } from '../clock.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { FleetEntry, FleetRequest } from './fleet-request.ts'
import { type Planned, answering } from './prepare.ts'
import type { Results, TimeLeft } from './results.ts'
import { type PlannedWave, type WaveInput, type WaveState, openWaves, stepWaves } from './schedule.ts'
import { type Shared, ofDeployment } from './shared.ts'
import type { Dependencies } from '../rollout/dependencies.ts'
import { type Executed, executeRollout } from '../rollout/execute.ts'
import { finish } from '../rollout/finish/finish.ts'
import { servingRevision } from '../rollout/finish/unchanged.ts'
import { failedBy, timedOutBy } from '../rollout/outcome-of-error.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { type ExecutablePlan, type Prepared, prepareRollout } from '../rollout/prepare.ts'
import { ageOf } from '../rollout/read/age.ts'
import { findByName } from '../rollout/read/find-deployment.ts'
import { ifThere } from '../rollout/read/if-there.ts'
import { nameOf } from '../rollout/rollout-request.ts'
import { FRESH_READ_MS } from '../rollout/timing.ts'
import type { EndedRevision } from '../rollout/watch/watched.ts'

/**
 * Executes the plans in waves.
 * @returns whether the time was up, and whether it was before the end of the checks that a wave needs
 * @throws the signal's reason when aborted
 */
export async function executeFleet(
  { waves }: FleetRequest,
  planned: ReadonlyMap<string, Planned>,
  results: Results,
  shared: Shared,
): Promise<TimeLeft> {
  const { clock, deadline, signal, emit } = shared
  const executed = new Map<string, Executed>()
  const ended = openInbox<WaveInput>(signal)
  const underWay = new Set<string>()

  const begin = async (name: string, parallel: number): Promise<void> => {
    underWay.add(name)
    try {
      emit({ kind: 'deployment-began', name })
      const one = planned.get(name)
      if (one?.kind !== 'ready') throw new Error(`no plan of the deployment ${name} is to be executed`)
      const end = await executeOne(one, parallel, shared)
      executed.set(name, end)
      results.end(name, end.outcome)
    } catch (thrown) {
      // An error of the step itself is the end of this one only.
      if (!signal.aborted) results.end(name, failedBy(thrown))
    }
    underWay.delete(name)
    ended.add({ kind: 'ended', name, hasFailed: results.hasFailed(name) })
  }
  const unchecked = new Set<number>()
  const bake = async (index: number, forMs: number, failed: number): Promise<WaveInput> => {
    const { entries = [], maxFailures = 0 } = waves[index] ?? {}
    const baked = entries.flatMap(({ name }): Baked | Baked[] => {
      const [one, end] = [planned.get(name), executed.get(name)]
      if (one === undefined) return []
      if (one.kind === 'ended') return bakedUnchanged(one)
      // Its rollout has just ended with that one check.
      if (forMs === 0 || end?.ended === undefined || end.outcome.kind !== 'deployed') return []
      return { entry: one.entry, ended: end.ended, outcome: end.outcome }
    })
    const end = await bakeWave(baked, forMs, maxFailures - failed, results, shared)
    if (end.isCut) unchecked.add(index)
    else unchecked.delete(index)
    return { kind: 'baked', failed: end.failed }
  }
  try {
    const inOrder = wavesOf(waves, planned, results, shared)
    for (const [index, { gateMs }] of inOrder.entries()) if (gateMs !== undefined) unchecked.add(index)
    let step = stepWaves(openWaves(inOrder), { kind: 'begin' })
    for (;;) {
      step.events.forEach(emit)
      const parallel = mostParallel(step.state)
      for (const name of step.start) begin(name, parallel).catch(ended.fail)
      const { next } = step
      if (next.kind === 'end') {
        const isUp = step.state.stopped === 'time' || clock.now() >= deadline
        return { isUp, hasUnchecked: unchecked.size > 0 }
      }
      const input = next.kind === 'bake' ? await bake(next.index, next.forMs, step.state.failed) : await ended.next()
      const { state } = clock.now() >= deadline ? stepWaves(step.state, { kind: 'time-is-up' }) : step
      step = stepWaves(state, input)
    }
  } catch (thrown) {
    if (signal.aborted) for (const name of underWay) results.end(name, { kind: 'cancelled' })
    throw thrown
  }
}

/** This run has written nothing of it, so that it has nothing to restore. */
function bakedUnchanged({ entry, unchanged }: Extract<Planned, { kind: 'ended' }>): Baked[] {
  if (unchanged === undefined) return []
  const ended = servingRevision(unchanged)
  const request = { ...entry.request, rollback: 'never' } as const
  return [{ entry: { ...entry, request }, ended, outcome: ended.outcome }]
}

function mostParallel({ waves, index }: WaveState): number {
  const { names, maxParallel } = waves[index] ?? { names: [], maxParallel: 1 }
  return Math.min(names.length, maxParallel)
}

function wavesOf(
  waves: FleetRequest['waves'],
  planned: ReadonlyMap<string, Planned>,
  results: Results,
  { clock, controlPlane, isFirstAttempt }: Pick<Shared, 'clock' | 'controlPlane' | 'isFirstAttempt'>,
): readonly PlannedWave[] {
  const serverTime = controlPlane.serverTime()
  const isReady = ({ name }: FleetEntry): boolean => planned.get(name)?.kind === 'ready'
  const last = waves.findLastIndex(({ entries }) => entries.some(isReady))
  /** What is left of the bake since the last update of the deployment, by the server's clock; all of it if that is unknown. */
  const gateOf = ({ name }: FleetEntry, bakeMs: number): number[] => {
    const one = planned.get(name)
    if (one?.kind !== 'ended' || one.unchanged === undefined) return []
    const age = ageOf([one.unchanged.deployment.updatedAt], serverTime, clock.wallTime())
    return [age.kind === 'known' ? Math.max(0, Math.min(bakeMs, bakeMs - age.ms)) : bakeMs]
  }
  return waves.map(({ entries, maxParallel, maxFailures, bakeMs }, index) => {
    const names = entries.map(({ name }) => name)
    const isGate = !isFirstAttempt || (bakeMs > 0 && index < last)
    const gates = isGate ? entries.flatMap((entry) => gateOf(entry, bakeMs)) : []
    return {
      names: entries.filter(isReady).map(({ name }) => name),
      gateMs: gates.length === 0 ? undefined : Math.max(...gates),
      failedBefore: names.filter(results.hasFailed).length,
      maxParallel,
      maxFailures,
      bakeMs,
    }
  })
}

/**
 * Executes one plan, within the time of the deployment and of the fleet. An error is its outcome.
 * @param parallel the most rollouts under way at the same time
 * @throws the signal's reason when aborted
 */
export async function executeOne(
  { entry, prepared }: Extract<Planned, { kind: 'ready' }>,
  parallel: number,
  shared: Shared,
): Promise<Executed> {
  const { lookout, ...alone } = shared
  const { clock, controlPlane, signal } = shared
  const deadline = Math.min(shared.deadline, clock.now() + entry.request.timeoutMs)
  const deps = ofDeployment(entry.name, alone)
  const learn = shared.pauses.learn()
  const emit: Dependencies['emit'] = (event) => {
    learn(event)
    deps.emit(event)
  }
  const timed = { ...deps, emit, deadline, controlPlane: controlPlane.within(deadline) }
  try {
    const fresh = await refreshed(prepared, timed)
    const isBegun = fresh.next.kind === 'execute' && fresh.next.plan.kind === 'resume'
    const pollInterval = shared.pauses.next(parallel, isBegun)
    const watched = { ...fresh, request: { ...fresh.request, pollInterval } }
    return await executeRollout(watched, pollInterval === 'auto' ? timed : { ...timed, lookout })
  } catch (thrown) {
    signal.throwIfAborted()
    return { outcome: timedOutBy(thrown, timed) ?? failedBy(thrown) }
  }
}

/**
 * A rollout may begin long after its plan was made. Reads the deployment again, and plans again if it has changed:
 * another client may have rolled out a newer commit, or given the name to another deployment.
 * @throws as prepareRollout
 */
export async function refreshed(prepared: Prepared, deps: Dependencies): Promise<Prepared> {
  const { request, next, source } = prepared
  const readAt = deps.clock.now()
  if (next.kind !== 'execute' || readAt - prepared.readAt <= FRESH_READ_MS) return prepared
  const name = nameOf(request.target)
  const planned = next.plan.kind === 'create' ? undefined : next.plan.deployment
  const now = await readPresent(next.plan, name, deps)
  if (isDeepStrictEqual(now, planned)) return { ...prepared, readAt }
  const isNamed = now?.name === name
  const controlPlane = isNamed ? answering(deps.controlPlane, name, now) : deps.controlPlane
  return await prepareRollout(request, { ...deps, controlPlane }, source)
}

async function readPresent(
  plan: ExecutablePlan,
  name: string,
  { controlPlane }: Dependencies,
): Promise<Deployment | undefined> {
  if (plan.kind === 'create') return await findByName(name, controlPlane)
  return await ifThere(async () => await controlPlane.getDeployment(plan.deployment.id))
}

/** A deployment that the wave has rolled out. */
export interface Baked {
  entry: FleetEntry
  ended: EndedRevision
  outcome: Outcome
}

/**
 * Waits for the time of the bake, and reads the addresses of the wave meanwhile, as a single rollout does with
 * `verify-for`: a deployment that stops answering as expected is rolled back where its request wants that.
 * @param forMs at most until the deadline, which ends every check. If more deployments fail than `allowed`, the rest of the
 * time is not waited for, as nothing more can begin
 * @returns how many deployments have failed, and whether the deadline comes first
 * @throws the signal's reason when aborted
 */
export async function bakeWave(
  wave: readonly Baked[],
  forMs: number,
  allowed: number,
  results: Results,
  shared: Shared,
): Promise<{ failed: number; isCut: boolean }> {
  const { clock, deadline, signal } = shared
  const beganAt = clock.now()
  const endsAt = Math.min(beganAt + forMs, deadline)
  const leftMs = Math.max(0, endsAt - beganAt)
  const bakeOne = async ({ entry: { name, request }, ended, outcome }: Baked): Promise<boolean> => {
    const { verification } = request
    if (verification === undefined) return false
    const after = await outcomeOf(async () => {
      const baking = { ...request, verification: { ...verification, forMs: leftMs > 0 ? leftMs : undefined } }
      return await finish({ ...ended, outcome }, baking, ofDeployment(name, shared))
    }, signal)
    // One that answered to the end has not failed.
    if (after.kind === 'deployed' || (after.kind === 'unverified' && after.cutWhile === 'passing')) return false
    results.end(name, after)
    return results.hasFailed(name)
  }
  const failures = await Promise.all(wave.map(bakeOne))
  const failed = failures.filter((hasFailed) => hasFailed).length
  if (failed <= allowed) await clock.sleep(Math.max(0, endsAt - clock.now()), signal)
  return { failed, isCut: deadline < beganAt + forMs }
}

/** An error of one deployment is its outcome. */
async function outcomeOf(end: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  try {
    return await end()
  } catch (thrown) {
    signal.throwIfAborted()
    return failedBy(thrown)
  }
}

/** Takes in values that are read one by one. What comes in while no call of `next` waits is kept. */
export interface Inbox<T> {
  add: (one: T) => void
  /** One call of `next` rejects with the error. */
  fail: (thrown: unknown) => void
  /** Waits for the first that is not taken yet. Rejects with the signal's reason when aborted. */
  next: () => Promise<T>
}

/** @param signal ends the wait */
export function openInbox<T>(signal: AbortSignal): Inbox<T> {
  const kept: Promise<T>[] = []
  let arrival = Promise.withResolvers<undefined>()
  const keep = (one: Promise<T>): void => {
    one.catch(() => undefined)
    kept.push(one)
    arrival.resolve(undefined)
  }
  signal.addEventListener('abort', () => keep(Promise.reject(toError(signal.reason))), { once: true })
  return {
    add: (one) => keep(Promise.resolve(one)),
    fail: (thrown) => keep(Promise.reject(toError(thrown))),
    async next() {
      for (;;) {
        signal.throwIfAborted()
        const first = kept.shift()
        if (first !== undefined) return await first
        arrival = Promise.withResolvers()
        await arrival.promise
      }
    },
  }
}
