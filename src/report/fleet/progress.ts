import type { FleetRecord, FleetWave } from './fleet-record.ts'
import { inWave, standingOf, tallyOf, waveWords } from './standing.ts'

/**
 * Where the wave under way is, as in `wave canary: 3 of 5 deployed, 1 under way, 0 failed, about 2 m left`; undefined if
 * none is.
 * @param at milliseconds since the epoch
 */
export function progressLine(record: FleetRecord, at: number): string | undefined {
  const index = record.waves.findIndex(({ beganAt, endedAt }) => beganAt !== undefined && endedAt === undefined)
  const wave = record.waves[index]
  if (wave === undefined) return undefined
  const { bakingSince, bakeMs, checks } = wave
  const left = bakingSince === undefined ? leftMs(record, index, at) : bakingSince + bakeMs - at
  const baking = bakingSince === undefined ? [] : [checks > 0 ? 'being checked' : 'pausing']
  // A check that has no time of its own lasts until it succeeds.
  const about = left === undefined || (bakingSince !== undefined && bakeMs === 0) ? [] : [`about ${roughly(left)} left`]
  return [waveCounts(record, index), ...baking, ...about].join(', ')
}

/** `wave canary: 3 of 5 deployed, 1 under way, 0 failed`. */
export function waveCounts(record: FleetRecord, index: number): string {
  const wave = record.waves[index]
  const tally = tallyOf(inWave(record, index))
  const { deployed, unchanged, passed, failed } = tally
  const counts = [
    `${deployed} of ${wave?.size ?? 0} deployed`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(passed > 0 ? [`${passed} ended otherwise`] : []),
    `${tally['under-way']} under way`,
    `${failed} failed`,
  ]
  return `${waveWords(wave ?? { name: undefined })}: ${counts.join(', ')}`
}

/**
 * How long a wave will take, bake included, in milliseconds: as if each rollout took the median time of those that were
 * deployed in this run. Undefined while there is none.
 */
export function leftMs(record: FleetRecord, index: number, at: number): number | undefined {
  const wave = record.waves[index]
  const usual = usualMs(record)
  if (wave === undefined || usual === undefined) return undefined
  const own = inWave(record, index)
  const underWay = own
    .filter((one) => standingOf(one) === 'under-way')
    .map(({ beganAt = at }) => Math.max(0, usual - (at - beganAt)))
  const waiting = record.isStopped ? 0 : tallyOf(own).waiting
  return afterMs(underWay, waiting, wave, usual) + (record.isStopped ? 0 : wave.bakeMs)
}

/** Rollouts of equal length begin as soon as an earlier one has ended: each place takes every n-th of them. */
function afterMs(underWay: number[], waiting: number, { maxParallel }: FleetWave, usual: number): number {
  const idle = Array.from({ length: Math.min(waiting, maxParallel - underWay.length) }, () => 0)
  const places = [...idle, ...underWay.toSorted((one, other) => one - other)]
  const ends = places.map((busy, place) => busy + usual * Math.ceil((waiting - place) / places.length))
  return Math.max(0, ...ends)
}

function usualMs({ deployments }: FleetRecord): number | undefined {
  const durations = [...deployments]
    .flatMap(({ outcome, beganAt, endedAt }) =>
      outcome?.kind === 'deployed' && beganAt !== undefined && endedAt !== undefined ? [endedAt - beganAt] : [],
    )
    .sort((one, other) => one - other)
  return durations[Math.floor(durations.length / 2)]
}

/** `40 s`, `2 m`, `3 h`: no more exact than an estimate is. */
function roughly(ms: number): string {
  if (ms < 90_000) return `${Math.max(5, Math.round(ms / 5_000) * 5)} s`
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} m` : `${Math.round(ms / 3_600_000)} h`
}
