import type { PhaseTimes } from '../outcome.ts'

/** So many rollouts are noted. */
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
    .flatMap((one) => {
      const [, ...seconds] = entry.exec(one) ?? []
      const [queue = NaN, build = NaN, deploy = NaN] = seconds.map((value) => Math.round(Number(value) * 1_000))
      return [{ queue, build, deploy }]
    })
    .filter(isPlausible)
}

function isPlausible({ queue, build, deploy }: PhaseTimes): boolean {
  return [queue, build, deploy].every((ms) => ms >= SHORTEST_MS && ms <= LONGEST_MS)
}
