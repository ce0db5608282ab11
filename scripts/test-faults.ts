import { parseArgs } from 'node:util'
import { countRequests, runCell, SCENARIOS, type Cell } from '../__tests__/faults/crash-matrix.ts'
import { runInStorm, type StormRun } from '../__tests__/faults/storm.ts'

/** The whole crash matrix and a storm of faults, as tables. Exits 1 when a report was untrue. */

const HELP = `Usage: npm run test:faults -- [--seed N] [--runs N] [--at-once N]

Kills the built action at each request of several rollouts, reruns it, and checks the result. Then runs rollouts of
several kinds in a storm of faults, and compares their reports with the state of the control plane.

  --seed N     seed of the storm; the same seed gives the same storm (default 1)
  --runs N     number of rollouts in the storm (default 500)
  --at-once N  number of rollouts at the same time (default 6)
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '500' },
    'at-once': { type: 'string', default: '6' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const [seed, runs, atOnce] = [Number(values.seed), Number(values.runs), Number(values['at-once'])]
if (![seed, runs, atOnce].every((number) => Number.isInteger(number) && number >= 0) || atOnce === 0) {
  console.error(HELP)
  process.exit(2)
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = [...items.entries()]
  const results: R[] = []
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

async function showMatrix(): Promise<Cell[]> {
  const places = []
  for (const name of Object.keys(SCENARIOS)) {
    const count = await countRequests(name)
    for (let request = 0; request < count; request++)
      for (const when of ['before', 'after'] as const) places.push({ name, request, when })
  }
  const cells = await inParallel(places, async ({ name, request, when }) => await runCell(name, request, when))
  console.log('\nKilled at a request, and rerun\n')
  for (const { scenario, request, line, when, violations } of cells) {
    const fine = line === 'none' ? 'not reached' : 'ok'
    const verdict = violations.length === 0 ? fine : violations.join('; ')
    console.log(`${scenario.padEnd(17)} ${String(request).padStart(2)} ${when.padEnd(6)} ${line.padEnd(62)} ${verdict}`)
  }
  return cells.filter(({ violations }) => violations.length > 0)
}

async function showStorm(): Promise<StormRun[]> {
  const numbers = Array.from({ length: runs }, (_, number) => number)
  const results = await inParallel(numbers, async (number) => await runInStorm(seed, number))
  console.log(`\nA storm of ${runs} rollouts, a fault at every fifth request, seed ${seed}\n`)
  const ends = Object.groupBy(results, ({ kind, outcome }) => `${kind.padEnd(17)} ${outcome.padEnd(12)}`)
  for (const [end, some] of Object.entries(ends).sort()) console.log(`${end} ${String(some?.length ?? 0).padStart(5)}`)
  const untrue = results.filter(({ violations }) => violations.length > 0)
  for (const { number, kind, outcome, violations, raw } of untrue) {
    console.log(`\nUNTRUE: rollout ${number} (${kind}: ${outcome}): ${violations.join('; ')}`)
    console.log(raw.replace(/^::(add-mask|group)::.*\n/gm, '').replace(/^/gm, '  '))
  }
  console.log(`${'untrue'.padEnd(30)} ${String(untrue.length).padStart(5)}`)
  return untrue
}

const wrong = [...(await showMatrix()), ...(await showStorm())]
if (wrong.length > 0) {
  console.error(`\n${wrong.length} violations; --seed ${seed} repeats those of the storm.`)
  process.exitCode = 1
}
