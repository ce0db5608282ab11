import { parseArgs } from 'node:util'
import { countRequests, runCell, SCENARIOS, type Cell } from '../__tests__/faults/crash-matrix.ts'
import { ALL_CLASSES, isFaultClass } from '../__tests__/faults/fault-classes.ts'
import { countFleetRequests, FLEETS, runFleetCell } from '../__tests__/faults/fleet-matrix.ts'
import { FLEET_CLASSES, FLEET_SIZE, runFleetInStorm } from '../__tests__/faults/fleet-storm.ts'
import { isWrong, runInStorm, type StormRun } from '../__tests__/faults/storm.ts'
import { ALL_STORIES, isStory, STORIES } from '../__tests__/faults/stories.ts'
import { inParallel } from './in-parallel.ts'

/** The whole crash matrix and a storm of faults, as tables. Exits 1 when a report was untrue. */

const HELP = `Usage: npm run test:faults -- [--seed N]... [--runs N] [--at-once N] [--class NAME]... [--every N] [--no-matrix]

Kills the built action at each request of several rollouts and fleets, reruns it, and checks the result. Then runs
rollouts of several kinds in a storm of faults, and compares their reports with the state of the control plane. Then the
same for fleets of ${FLEET_SIZE}. Then runs beside which other clients act, and runs that are killed and rerun.

  --seed N      seed of a storm; the same seed gives the same storm (default 1); several seeds give several storms
  --runs N      number of rollouts in each storm (default 500), and of deployments in each storm of fleets
  --at-once N   number of rollouts at the same time (default 6)
  --class NAME  only faults of this class; several may be given:
                ${[...ALL_CLASSES, ...ALL_STORIES].map((name) => `'${name}'`).join('\n                ')}
  --each        --runs is the number for each class
  --every N     kill fleets only at every Nth of their requests (default 1)
  --no-matrix   only the storms
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true, default: ['1'] },
    runs: { type: 'string', default: '500' },
    'at-once': { type: 'string', default: '6' },
    class: { type: 'string', multiple: true, default: [...ALL_CLASSES, ...ALL_STORIES] },
    every: { type: 'string', default: '1' },
    each: { type: 'boolean', default: false },
    'no-matrix': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const seeds = values.seed.map(Number)
const [runs, atOnce, every] = [Number(values.runs), Number(values['at-once']), Number(values.every)]
const classes = values.class.filter(isFaultClass)
const stories = values.class.filter(isStory)
const areNumbers = [...seeds, runs, atOnce, every].every((number) => Number.isInteger(number) && number >= 0)
if (!areNumbers || atOnce === 0 || every === 0 || classes.length + stories.length < values.class.length) {
  console.error(HELP)
  process.exit(2)
}

// Each run of the action listens for the exit, and a rollout has two runs at most.
process.setMaxListeners(2 * atOnce + 10)

interface Killed {
  name: string
  count: (name: string) => Promise<number>
  run: typeof runCell
  /** From one request at which it is killed to the next. */
  step: number
}

async function showMatrix(): Promise<Cell[]> {
  const all: Killed[] = [
    ...Object.keys(SCENARIOS).map((name) => ({ name, count: countRequests, run: runCell, step: 1 })),
    ...Object.keys(FLEETS).map((name) => ({ name, count: countFleetRequests, run: runFleetCell, step: every })),
  ]
  const places = []
  for (const { name, count, run, step } of all) {
    const requests = await count(name)
    for (let request = 0; request < requests; request += step)
      for (const when of ['before', 'after'] as const) places.push({ name, request, when, run })
  }
  const cells = await inParallel(atOnce, places, async ({ name, request, when, run }) => await run(name, request, when))
  console.log('\nKilled at a request, and rerun\n')
  for (const { scenario, request, line, when, violations } of cells) {
    const fine = line === 'none' ? 'not reached' : 'ok'
    const verdict = violations.length === 0 ? fine : violations.join('; ')
    console.log(`${scenario.padEnd(17)} ${String(request).padStart(2)} ${when.padEnd(6)} ${line.padEnd(62)} ${verdict}`)
  }
  return cells.filter(({ violations }) => violations.length > 0)
}

async function showStorm(seed: number): Promise<StormRun[]> {
  const numbers = Array.from({ length: countFor(classes) }, (_, number) => number)
  const results = await inParallel(atOnce, numbers, async (number) => await runInStorm(seed, number, classes))
  return showResults(`A storm of ${numbers.length} rollouts, seed ${seed}`, results, classes)
}

async function showFleetStorm(seed: number): Promise<StormRun[]> {
  const own = FLEET_CLASSES.filter((name) => classes.includes(name))
  if (own.length === 0) return []
  const numbers = Array.from({ length: Math.ceil(countFor(own) / FLEET_SIZE) }, (_, number) => number)
  const results = await inParallel(atOnce, numbers, async (number) => await runFleetInStorm(seed, number, own))
  const title = `A storm of ${numbers.length} fleets of ${FLEET_SIZE}, seed ${seed}: each deployment is a run`
  return showResults(title, results.flat(), own)
}

async function showStories(seed: number): Promise<StormRun[]> {
  const each = stories.length === 0 ? 0 : countFor(stories) / stories.length
  const all = stories.flatMap((name) => {
    const { run, runs: many } = STORIES[name]
    return Array.from({ length: Math.ceil(each / many) }, (_, number) => async () => await run(seed, number))
  })
  const results = (await inParallel(atOnce, all, async (run) => await run())).flat()
  return showResults(`${results.length} rollouts with others, or with reruns, seed ${seed}`, results, stories)
}

function countFor(shown: readonly unknown[]): number {
  if (shown.length === 0) return 0
  return values.each ? runs * shown.length : runs
}

function showResults(title: string, results: readonly StormRun[], shown: readonly StormRun['faults'][]): StormRun[] {
  if (results.length === 0) return []
  console.log(`\n${title}\n`)
  console.log(`${'faults'.padEnd(24)} runs  untrue  second revisions  second deployments  outcomes`)
  for (const name of shown)
    showRow(
      name,
      results.filter(({ faults }) => faults === name),
    )
  showRow('all', results)
  console.log(`\ninjected: ${injectedIn(results).join(', ')}`)
  const wrong = results.filter(isWrong)
  for (const run of wrong) {
    const { number, faults, kind, outcome, violations, secondRevisions, secondDeployments, raw } = run
    const made = `${secondRevisions} second revisions, ${secondDeployments} second deployments`
    console.log(`\nWRONG: number ${number} (${faults}; ${kind}: ${outcome}): ${[made, ...violations].join('; ')}`)
    console.log(raw.replace(/^::(add-mask|group)::.*\n/gm, '').replace(/^/gm, '  '))
  }
  return wrong
}

/** How often each fault was injected, and each deed of others done. */
function injectedIn(results: readonly StormRun[]): string[] {
  const counts = new Map<string, number>()
  for (const [kind, count] of results.flatMap(({ injected }) => Object.entries(injected)))
    counts.set(kind, (counts.get(kind) ?? 0) + count)
  return [...counts].sort().map(([kind, count]) => `${kind} ${count}`)
}

function showRow(name: string, results: readonly StormRun[]): void {
  const sum = (count: (run: StormRun) => number): number => results.reduce((total, run) => total + count(run), 0)
  const byOutcome = Object.groupBy(results, ({ outcome }) => outcome)
  const outcomes = Object.entries(byOutcome)
    .sort()
    .map(([outcome, some]) => `${outcome} ${some?.length ?? 0}`)
  const counts = [
    String(results.length).padStart(4),
    String(sum(({ violations }) => Math.min(1, violations.length))).padStart(6),
    String(sum(({ secondRevisions }) => secondRevisions)).padStart(16),
    String(sum(({ secondDeployments }) => secondDeployments)).padStart(18),
  ]
  console.log(`${name.padEnd(24)} ${counts.join('  ')}  ${outcomes.join(', ')}`)
}

const wrongCells = values['no-matrix'] ? [] : await showMatrix()
const wrong: (Cell | StormRun)[] = [...wrongCells]
for (const seed of seeds)
  wrong.push(...(await showStorm(seed)), ...(await showFleetStorm(seed)), ...(await showStories(seed)))
if (wrong.length > 0) {
  console.error(`\n${wrong.length} violations; the same seed repeats those of a storm.`)
  process.exitCode = 1
}
