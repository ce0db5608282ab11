import { addAbortListener } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { toError } from '../clock.ts'
import type { Run } from '../rollout/dependencies.ts'
import { type Executed, executeRollout } from '../rollout/execute.ts'
import { finish, servingRevision } from '../rollout/finish.ts'
import { failedBy, failsStep, timedOutBy, type RolloutOutcome } from '../rollout/outcome.ts'
import { checkUnmoved } from '../rollout/before-plan.ts'
import { type Prepared, prepareRollout } from '../rollout/prepare.ts'
import { ageOf } from '../rollout/read/age.ts'
import { findDeployment } from '../rollout/read/find-deployment.ts'
import { FRESH_READ_MS } from '../rollout/timing.ts'
import type { EndedRevision } from '../rollout/watch/watched.ts'
import type { EmitFleet, FleetOutcome } from './event.ts'
import type { FleetEntry, FleetRequest, Wave } from './fleet-request.ts'
import { ofDeployment, type Planned, type Shared } from './prepare.ts'
import { beginWaves, type PlannedWave, stepWaves, type WaveInput, type WaveState, type WaveStep } from './schedule.ts'
import { isWatchedTogether } from './watch.ts'

/** `hasUnchecked`: a bake had to end, or an unchanged deployment had to be checked, and the time was over first. */
interface TimeLeft {
  isUp: boolean
  hasUnchecked: boolean
}

export class Results {
  readonly #outcomes = new Map<string, RolloutOutcome>()
  readonly #onSuperseded: ReadonlyMap<string, 'fail' | 'succeed'>
  readonly #dryRun: boolean
  readonly #emit: EmitFleet

  constructor({ waves, dryRun }: FleetRequest, emit: EmitFleet) {
    const entries = waves.flatMap((wave) => wave.entries)
    this.#onSuperseded = new Map(entries.map(({ name, request }) => [name, request.onSuperseded]))
    this.#dryRun = dryRun
    this.#emit = emit
  }

  /** Emits the end. A deployment that stops answering after its rollout ends once more. */
  end(name: string, outcome: RolloutOutcome): void {
    this.#outcomes.set(name, outcome)
    this.#emit({ kind: 'deployment-ended', name, outcome })
  }

  hasFailed(name: string): boolean {
    const outcome = this.#outcomes.get(name)
    return outcome !== undefined && failsStep(outcome, this.#onSuperseded.get(name) ?? 'fail')
  }

  outcome({ isUp, hasUnchecked }: TimeLeft): FleetOutcome {
    const outcomes = [...this.#outcomes.values()]
    const names = [...this.#onSuperseded.keys()]
    const failed = names.filter((name) => this.hasFailed(name)).length
    const notStarted = this.#dryRun ? 0 : names.length - outcomes.length
    const isLate = hasUnchecked || notStarted > 0 || outcomes.some(isCut)
    if (isUp && isLate) return { kind: 'timed-out', lastTrouble: undefined }
    if (failed + notStarted > 0) return { kind: 'failed', because: { kind: 'fleet', failed, notStarted } }
    if (this.#dryRun) return { kind: 'planned' }
    return { kind: outcomes.some(({ kind }) => kind === 'deployed') ? 'deployed' : 'unchanged' }
  }
}

/** Whether the time has ended what was under way. */
function isCut(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'timed-out' || (outcome.kind === 'unverified' && outcome.cutWhile !== undefined)
}

export class FleetExecution {
  readonly #waves: FleetRequest['waves']
  readonly #planned: ReadonlyMap<string, Planned>
  readonly #results: Results
  readonly #shared: Shared
  readonly #underWay = new Set<string>()
  readonly #executed = new Map<string, Executed>()
  /** The waves with a check that has not lasted to its end. */
  readonly #unchecked = new Set<number>()
  readonly #end = Promise.withResolvers<TimeLeft>()
  #state: WaveState = beginWaves([]).state

  constructor({ waves }: FleetRequest, planned: ReadonlyMap<string, Planned>, results: Results, shared: Shared) {
    this.#waves = waves
    this.#planned = planned
    this.#results = results
    this.#shared = shared
  }

  /** @throws the signal's reason when aborted */
  async run(): Promise<TimeLeft> {
    const { signal } = this.#shared
    const waves = this.#inOrder()
    for (const [index, { remainingBakeMs: remainingBakeMs }] of waves.entries())
      if (remainingBakeMs !== undefined) this.#unchecked.add(index)
    using _listening = addAbortListener(signal, () => this.#end.reject(toError(signal.reason)))
    try {
      this.#advance(beginWaves(waves))
      return await this.#end.promise
    } catch (thrown) {
      if (signal.aborted) for (const name of this.#underWay) this.#results.end(name, { kind: 'cancelled' })
      throw thrown
    }
  }

  #advance({ state, start, events, next }: WaveStep): void {
    const { clock, deadline, emit } = this.#shared
    this.#state = state
    events.forEach(emit)
    const { names, maxParallel } = state.waves[state.index] ?? { names: [], maxParallel: 1 }
    const parallel = Math.min(names.length, maxParallel)
    for (const name of start) void this.#follow(this.#begin(name, parallel))
    if (next.kind === 'bake') void this.#follow(this.#bake(next.index, next.forMs, state.failed))
    if (next.kind !== 'end') return
    this.#end.resolve({ isUp: clock.now() >= deadline, hasUnchecked: this.#unchecked.size > 0 })
  }

  /** Takes the next step when the work has ended. After a cancellation, there is none. */
  async #follow(work: Promise<WaveInput>): Promise<void> {
    const { clock, deadline, signal } = this.#shared
    try {
      const input = await work
      if (signal.aborted) return
      const isLate = clock.now() >= deadline
      this.#advance(stepWaves(this.#state, input, isLate))
    } catch (thrown) {
      this.#end.reject(toError(thrown))
    }
  }

  #inOrder(): readonly PlannedWave[] {
    const serverTime = this.#shared.controlPlane.serverTime()
    const isReady = ({ name }: FleetEntry): boolean => this.#planned.get(name)?.kind === 'ready'
    const last = this.#waves.findLastIndex(({ entries }) => entries.some(isReady))
    return this.#waves.map((wave, index) => {
      const { entries, bakeMs } = wave
      const isGate = !this.#shared.isFirstAttempt || (bakeMs > 0 && index < last)
      return {
        ...wave,
        names: entries.filter(isReady).map(({ name }) => name),
        remainingBakeMs: isGate ? this.#remainingBakeOf(wave, serverTime) : undefined,
        failedBefore: entries.filter(({ name }) => this.#results.hasFailed(name)).length,
      }
    })
  }

  /** The rest of the bake since the last update of an unchanged deployment; undefined if none is to be checked. */
  #remainingBakeOf({ entries, bakeMs }: Wave, serverTime: number | undefined): number | undefined {
    const gates = entries.flatMap(({ name }): number[] => {
      const planned = this.#planned.get(name)
      if (planned?.kind !== 'ended' || planned.unchanged === undefined) return []
      const age = ageOf([planned.unchanged.deployment.updatedAt], serverTime, this.#shared.clock.wallTime())
      return [age.kind === 'known' ? Math.max(0, Math.min(bakeMs, bakeMs - age.ms)) : bakeMs]
    })
    return gates.length === 0 ? undefined : Math.max(...gates)
  }

  async #begin(name: string, parallel: number): Promise<WaveInput> {
    const { clock, emit, signal } = this.#shared
    this.#underWay.add(name)
    let { deadline } = this.#shared
    try {
      emit({ kind: 'deployment-began', name })
      const planned = this.#planned.get(name)
      if (planned?.kind !== 'ready') throw new Error(`no plan of the deployment ${name} is to be executed`)
      deadline = Math.min(deadline, clock.now() + planned.entry.request.timeoutMs)
      const end = await executeOne(planned, parallel, deadline, this.#shared)
      this.#executed.set(name, end)
      this.#results.end(name, end.outcome)
    } catch (thrown) {
      // An error of one deployment is the end of this one only.
      if (!signal.aborted) this.#results.end(name, timedOutBy(thrown, { clock, deadline }) ?? failedBy(thrown))
    }
    this.#underWay.delete(name)
    return { kind: 'ended', name, hasFailed: this.#results.hasFailed(name) }
  }

  /** The deadline ends every check, and too many failures end the rest of the bake. Throws the signal's reason. */
  async #bake(index: number, forMs: number, failedBefore: number): Promise<WaveInput> {
    const { clock, deadline, signal } = this.#shared
    const { entries = [], maxFailures = 0 } = this.#waves[index] ?? {}
    const beganAt = clock.now()
    const endsAt = Math.min(beganAt + forMs, deadline)
    const leftMs = Math.max(0, endsAt - beganAt)
    const failures = await Promise.all(entries.map(async ({ name }) => await this.#bakeOne(name, forMs, leftMs)))
    const failed = failures.filter((hasFailed) => hasFailed).length
    if (failedBefore + failed <= maxFailures) await clock.sleep(Math.max(0, endsAt - clock.now()), signal)
    if (deadline < beganAt + forMs) this.#unchecked.add(index)
    else this.#unchecked.delete(index)
    return { kind: 'baked', failed }
  }

  #revisionToCheck(name: string, forMs: number): EndedRevision | undefined {
    const planned = this.#planned.get(name)
    if (planned?.kind === 'ended') return planned.unchanged && servingRevision(planned.unchanged)
    const end = this.#executed.get(name)
    // The rollout has just ended with the single check that a bake of no length makes.
    if (forMs === 0 || end?.ended === undefined || end.outcome.kind !== 'deployed') return undefined
    return { ...end.ended, outcome: end.outcome }
  }

  /** Checks a deployment as `verify-for` does, and rolls it back. An error is its outcome. Returns whether it has failed. */
  async #bakeOne(name: string, forMs: number, leftMs: number): Promise<boolean> {
    const ended = this.#revisionToCheck(name, forMs)
    const request = this.#planned.get(name)?.entry.request
    if (ended === undefined || request?.verification === undefined) return false
    const verification = { ...request.verification, forMs: leftMs > 0 ? leftMs : undefined }
    const baking = { ...request, verification }
    const after = await finish(ended, baking, ofDeployment(name, this.#shared)).catch(
      (thrown: unknown): RolloutOutcome => {
        this.#shared.signal.throwIfAborted()
        return failedBy(thrown)
      },
    )
    // A deployment that answered until the check was cut has not failed.
    if (after.kind === 'deployed' || (after.kind === 'unverified' && after.cutWhile === 'passing')) return false
    this.#results.end(name, after)
    return this.#results.hasFailed(name)
  }
}

/** @param parallel the most rollouts under way at once */
async function executeOne(
  { entry, prepared }: Extract<Planned, { kind: 'ready' }>,
  parallel: number,
  deadline: number,
  shared: Shared,
): Promise<Executed> {
  const deps = ofDeployment(entry.name, shared)
  const turns = isWatchedTogether(parallel) ? { ...deps.turns, watch: shared.watch } : deps.turns
  const timed = { ...deps, deadline, controlPlane: deps.controlPlane.within(deadline), turns }
  return await executeRollout(await refreshed(prepared, timed), timed)
}

/** Plans again if the deployment of an old plan has changed, or another one has the name. Throws as prepareRollout. */
export async function refreshed(prepared: Prepared, deps: Run): Promise<Prepared> {
  const { request, next, source } = prepared
  const readAt = deps.clock.now()
  if (next.kind !== 'execute' || readAt - prepared.readAt <= FRESH_READ_MS) return prepared
  const planned = next.plan.kind === 'create' ? undefined : next.plan.deployment
  const now = await findDeployment(request.target, deps, planned?.id)
  if (isDeepStrictEqual(now, planned)) {
    await checkUnmoved(request, deps)
    return { ...prepared, readAt }
  }
  return await prepareRollout(request, deps, source, () => Promise.resolve(now))
}
