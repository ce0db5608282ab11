import { finish } from '../../rollout/finish/finish.ts'
import type { Outcome } from '../../rollout/outcome.ts'
import type { EndedRevision } from '../../rollout/watch/watched.ts'
import { ofDeployment, type Shared } from '../dependencies.ts'
import type { FleetEntry } from '../fleet-request.ts'
import { failedBy } from '../prepare/prepare.ts'
import type { Results } from '../results.ts'

/** A deployment that the wave has rolled out. */
export interface Baked {
  entry: FleetEntry
  ended: EndedRevision
  outcome: Outcome
}

/**
 * Waits for the time of the bake, and reads the addresses of the wave meanwhile, as a single rollout does with
 * `verify-for`: a deployment that stops answering as expected is rolled back where its request wants that.
 * @param forMs at most until the deadline
 * @returns how many deployments have failed
 * @throws the signal's reason when aborted
 */
export async function bakeWave(
  wave: readonly Baked[],
  forMs: number,
  results: Results,
  shared: Shared,
): Promise<number> {
  const { clock, deadline, signal } = shared
  const leftMs = Math.max(0, Math.min(forMs, deadline - clock.now()))
  const bakeOne = async ({ entry: { name, request }, ended, outcome }: Baked): Promise<boolean> => {
    const { verification } = request
    if (verification === undefined) return false
    const after = await outcomeOf(async () => {
      const baking = { ...request, verification: { ...verification, forMs: leftMs > 0 ? leftMs : undefined } }
      return await finish({ ...ended, outcome }, baking, ofDeployment(name, shared))
    }, signal)
    if (after.kind === 'deployed') return false
    results.end(name, after)
    return results.hasFailed(name)
  }
  const [, ...failures] = await Promise.all([clock.sleep(leftMs, signal), ...wave.map(bakeOne)])
  return failures.filter((hasFailed) => hasFailed).length
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
