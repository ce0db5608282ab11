import { finish } from '../../rollout/finish/finish.ts'
import type { Outcome } from '../../rollout/outcome.ts'
import { failedBy } from '../../rollout/outcome-of-error.ts'
import type { EndedRevision } from '../../rollout/watch/watched.ts'
import { ofDeployment, type Shared } from '../dependencies.ts'
import type { FleetEntry } from '../fleet-request.ts'
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
