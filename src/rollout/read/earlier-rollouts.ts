import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import type { PhaseTimes } from '../outcome.ts'
import { EARLIER_REVISIONS } from '../timing.ts'

export class NotedPhases {
  #noted: readonly PhaseTimes[] = []

  /** The longest list that was found: the same one until a longer one is found. */
  list(): readonly PhaseTimes[] {
    return this.#noted
  }

  found(phases: readonly PhaseTimes[]): void {
    if (phases.length > this.#noted.length) this.#noted = phases
  }
}

const NOTED = 8
/** A shorter or longer phase is no sample. In milliseconds. */
const SHORTEST_MS = 100
const LONGEST_MS = 6 * 3_600_000

/** Seconds of queue, build and deploy, oldest first, as in `4.2/180/31.5 5/175.1/30`. */
export function formatPhases(phases: readonly PhaseTimes[]): string {
  const inSeconds = (ms: number): string => String(Math.round(ms / 100) / 10)
  return phases
    .filter(isPlausible)
    .slice(-NOTED)
    .map(({ queue, build, deploy }) => [queue, build, deploy].map(inSeconds).join('/'))
    .join(' ')
}

/** Reads a note that anyone may have changed: what is no plausible sample is dropped. */
export function parsePhases(text: string): PhaseTimes[] {
  const time = String.raw`(\d{1,5}(?:\.\d)?)`
  const entry = new RegExp(`^${time}/${time}/${time}$`)
  return text
    .slice(0, 500)
    .split(' ')
    .slice(-NOTED)
    .map((one) => {
      const [, ...seconds] = entry.exec(one) ?? []
      const [queue = NaN, build = NaN, deploy = NaN] = seconds.map((value) => Math.round(Number(value) * 1_000))
      return { queue, build, deploy }
    })
    .filter(isPlausible)
}

function isPlausible({ queue, build, deploy }: PhaseTimes): boolean {
  return [queue, build, deploy].every((ms) => ms >= SHORTEST_MS && ms <= LONGEST_MS)
}

/** The latest revisions of the deployment; none if the service does not return them. */
export async function readEarlier(controlPlane: ControlPlane, deploymentId: string): Promise<readonly Revision[]> {
  const limit = EARLIER_REVISIONS
  const listed = await ifReadable(async () => await controlPlane.listRevisions(deploymentId, { limit }, { retries: 0 }))
  // A service may ignore the limit. The newest come first.
  return listed?.slice(0, limit) ?? []
}

export type ReadEarlier = typeof readEarlier

/** The list is read once in a run, whatever number of revisions the run watches. */
export function readEarlierOnce(): ReadEarlier {
  let reading: ReturnType<ReadEarlier> | undefined
  return async (...given) => await (reading ??= readEarlier(...given))
}
