import type { Executed } from '../../rollout/execute.ts'
import { servingRevision } from '../../rollout/finish/unchanged.ts'
import { failedBy } from '../../rollout/outcome-of-error.ts'
import { ageOf } from '../../rollout/read/age.ts'
import type { Shared } from '../dependencies.ts'
import type { FleetEntry, FleetRequest } from '../fleet-request.ts'
import type { Planned } from '../prepare/prepare.ts'
import type { Results, TimeLeft } from '../results.ts'
import { openWaves, stepWaves, type PlannedWave, type WaveInput, type WaveState } from '../waves/schedule.ts'
import { bakeWave, type Baked } from './bake.ts'
import { openInbox } from './inbox.ts'
import { executeOne } from './one.ts'

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
