import type { PhaseTimes } from '../src/rollout/outcome.ts'
import { learn } from '../src/rollout/watch/knowledge.ts'
import { type Planner, plannerOf } from '../src/rollout/watch/next-poll.ts'
import { beginWatch, step, type Observation } from '../src/rollout/watch/step.ts'
import { aProject, aRollout, random, totalOf } from './rollouts.ts'
import { watchAsBefore } from './schedule-before.ts'

/**
 * Measures how late the watch sees the end of a rollout, and with how many requests, on a fake clock and with a fixed
 * seed. The watch is the one of the action: `step` with its bounds, its reads of the deployment and its random part.
 * Times are milliseconds.
 */

const PROJECTS = Number(process.argv[2] ?? 400)
const RUNS_PER_PROJECT = 6
const NOTED_ROLLOUTS = 8
const LISTED_ROLLOUTS = 3
const VARIATIONS = [0.1, 0.2, 0.3, 0.5]
/** The aims, for each variation. */
const AIMS = { totals: [4, 3.4, 2.9, 2.3], none: [3.4, 3.2, 2.9, 2.5], noted: [7, 5, 4, 2.8] }
const MOST_REQUESTS = 0.6
const WRONG = [0.1, 0.25, 0.5, 2, 4, 10]
const MOST_LAG_IF_WRONG = 1.5

interface Watched {
  lag: number
  requests: number
  times?: PhaseTimes | undefined
}

/** One rollout under the watch of the action. The service dates a change to the second, as its list does. */
function watch(rollout: PhaseTimes, planner: Planner): Watched {
  const { queue, build } = rollout
  const total = totalOf(rollout)
  const createdBefore = 200 + 800 * random()
  const readAt = (now: number): Observation => {
    const [status, since] =
      now >= total
        ? ['DEPLOYED', total]
        : now >= queue + build
          ? ['DEPLOYING', queue + build]
          : now >= queue
            ? ['BUILDING', queue]
            : ['QUEUED', -createdBefore]
    const [createdAt, updatedAt] = [0, Math.floor((since + createdBefore) / 1_000) * 1_000]
    const unknown = { statusMessage: undefined, repoCommitSha: undefined, settings: {} }
    return { kind: 'revision-read', revision: { id: 'ours', status, createdAt, updatedAt, ...unknown } }
  }
  let state = beginWatch({ pollInterval: 'auto', phaseLimits: {}, deadline: Infinity }, 0)
  let [now, requests] = [0, 0]
  let observation = readAt(now)
  let times: PhaseTimes | undefined
  for (;;) {
    const taken = step(state, observation, { now, random: random(), planner })
    const { next } = taken
    state = taken.state
    for (const event of taken.events) if (event.kind === 'phases-timed') times = event.times
    switch (next.kind) {
      case 'end':
        return { lag: now - total, requests, times }
      case 'wake':
        now = next.at
        observation = { kind: 'time-passed' }
        break
      case 'read-revision':
        now = next.at
        requests += 1
        observation = readAt(now)
        break
      case 'read-deployment':
        requests += 1
        observation = { kind: 'deployment-read', found: { kind: 'unknown' } }
    }
  }
}

function watchedBefore(rollout: PhaseTimes): Watched {
  const [building, total] = [rollout.queue, totalOf(rollout)]
  const { endSeenAt, requests } = watchAsBefore([building, building + rollout.build, total], random)
  return { lag: endSeenAt - total, requests }
}

function watchEvery(rollout: PhaseTimes, pause: () => number): Watched {
  const total = totalOf(rollout)
  let [now, requests] = [0, 0]
  while (now < total) {
    now += pause()
    requests += 1
  }
  return { lag: now - total, requests }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const lagOf = (all: readonly Watched[]): number => mean(all.map(({ lag }) => lag))
const requestsOf = (all: readonly Watched[]): number => mean(all.map(({ requests }) => requests))

/** The mean lag of the fixed interval that needs so many requests on average for these rollouts. */
function lagOfFixed(rollouts: readonly PhaseTimes[], requests: number): number {
  const totals = rollouts.map(totalOf)
  let [low, high] = [100, 600_000]
  while (high / low > 1.000_01) {
    const middle = Math.sqrt(low * high)
    if (mean(totals.map((total) => Math.ceil(total / middle))) > requests) low = middle
    else high = middle
  }
  return mean(totals.map((total) => Math.ceil(total / high) * high - total))
}

let missed = 0
function verdict(isMet: boolean): string {
  if (!isMet) missed += 1
  return isMet ? 'met' : 'MISSED'
}
const show = (...cells: string[]): void =>
  console.log(cells.map((cell, n) => (n === 0 ? cell.padEnd(34) : cell.padStart(12))).join(''))
const figure = (value: number): string => value.toFixed(2)
const withList = (one: Watched): Watched => ({ ...one, requests: one.requests + 1 })

const blind = plannerOf(learn({ totals: [], phases: [] }))
const certain = (phases: readonly PhaseTimes[]): Planner => plannerOf(learn({ totals: [], phases }))

/** The phases that the watch itself notes in rollout after rollout. */
function noteRollouts(project: PhaseTimes, variation: number): PhaseTimes[] {
  const noted: PhaseTimes[] = []
  for (let rollout = 0; rollout < NOTED_ROLLOUTS; rollout++) {
    const { times } = watch(aRollout(project, variation), noted.length === 0 ? blind : certain(noted))
    if (times !== undefined) noted.push(times)
  }
  return noted
}

function measure(variation: number, at: number): void {
  const seen = { totals: Array<Watched>(), none: Array<Watched>(), noted: Array<Watched>() }
  const rollouts: PhaseTimes[] = []
  const before: Watched[] = []
  for (let project = 0; project < PROJECTS; project++) {
    const medians = aProject()
    const listed = Array.from({ length: LISTED_ROLLOUTS }, () => totalOf(aRollout(medians, variation)))
    const byTotals = plannerOf(learn({ totals: listed, phases: [] }))
    const byPhases = certain(noteRollouts(medians, variation))
    for (let run = 0; run < RUNS_PER_PROJECT; run++) {
      const rollout = aRollout(medians, variation)
      rollouts.push(rollout)
      before.push(watchedBefore(rollout))
      seen.totals.push(withList(watch(rollout, byTotals)))
      seen.none.push(withList(watch(rollout, blind)))
      seen.noted.push(withList(watch(rollout, byPhases)))
    }
  }
  for (const name of ['totals', 'none', 'noted'] as const) {
    const [lag, requests] = [lagOf(seen[name]), requestsOf(seen[name])]
    const ratio = lagOfFixed(rollouts, requests) / lag
    const aim = AIMS[name][at] ?? 0
    const relative = requests / requestsOf(before)
    const cells = [
      figure(ratio),
      figure(aim),
      verdict(ratio >= aim),
      figure(relative),
      verdict(relative <= MOST_REQUESTS),
    ]
    show(`${name}, variation ${variation}`, ...cells, figure(lag / lagOf(before)))
  }
  const [lag, requests] = [lagOf(before), requestsOf(before)]
  show(`before, variation ${variation}`, figure(lagOfFixed(rollouts, requests) / lag), '', '', '1.00', '', '1.00')
}

function measureWrong(factor: number): void {
  const [seen, before]: [Watched[], Watched[]] = [[], []]
  for (let project = 0; project < PROJECTS; project++) {
    const medians = aProject()
    const listed = Array.from({ length: LISTED_ROLLOUTS }, () => factor * totalOf(aRollout(medians, 0.2)))
    const rollout = aRollout(medians, 0.2)
    seen.push(withList(watch(rollout, plannerOf(learn({ totals: listed, phases: [] })))))
    before.push(watchedBefore(rollout))
  }
  const [lag, requests] = [lagOf(seen) / lagOf(before), requestsOf(seen) / requestsOf(before)]
  show(
    `totals × ${factor}`,
    figure(lag),
    figure(MOST_LAG_IF_WRONG),
    verdict(lag <= MOST_LAG_IF_WRONG),
    figure(requests),
    verdict(requests <= 1),
  )
}

function compare(name: string, pause: () => number): void {
  const [theirs, ours]: [Watched[], Watched[]] = [[], []]
  for (let project = 0; project < PROJECTS; project++) {
    const medians = aProject()
    const listed = Array.from({ length: LISTED_ROLLOUTS }, () => totalOf(aRollout(medians, 0.2)))
    const rollout = aRollout(medians, 0.2)
    ours.push(withList(watch(rollout, plannerOf(learn({ totals: listed, phases: [] })))))
    theirs.push(watchEvery(rollout, pause))
  }
  const [lag, requests] = [lagOf(theirs) / lagOf(ours), requestsOf(theirs) / requestsOf(ours)]
  show(name, figure(lag), figure(requests), figure(lag * requests))
}

console.log(`${PROJECTS} projects, seed fixed; each request counts: polls, the list, reads of the deployment`)
show('\nknowledge', 'fixed/ours', 'aim', '', 'requests', '≤ 0.60', 'lag/before')
VARIATIONS.forEach(measure)
show('\nwrong knowledge, variation 0.2', 'lag/before', 'at most', '', 'requests', '≤ 1.00')
WRONG.forEach(measureWrong)
show('\nbeside it, variation 0.2, totals', 'lag', 'requests', 'product')
for (const seconds of [3, 5, 60]) compare(`${seconds} s fixed`, () => seconds * 1_000)
compare('15–120 s at random', () => (15 + 105 * random()) * 1_000)

const timed = plannerOf(learn({ totals: [300_000], phases: [] }))
const [decisions, startedAt] = [2_000, performance.now()]
for (let n = 0; n < decisions; n++) timed({ elapsedMs: 1_000 * (n % 400), phase: 'build', began: [0, 900] })
console.log(`\na decision takes ${((performance.now() - startedAt) / decisions).toFixed(3)} ms`)
if (missed > 0) {
  console.log(`${missed} aims missed`)
  process.exitCode = 1
}
