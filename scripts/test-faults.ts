import { parseArgs } from 'node:util'
import { countRequests, runCell, SCENARIOS, type Cell } from '../__tests__/faults/crash-matrix.ts'
import { ALL_CLASSES, isFaultClass } from '../__tests__/faults/fault-classes.ts'
import { isWrong, runInStorm, type StormRun } from '../__tests__/faults/storm.ts'

/** The whole crash matrix and a storm of faults, as tables. Exits 1 when a report was untrue. */

const HELP = `Usage: npm run test:faults -- [--seed N]... [--runs N] [--at-once N] [--class NAME]... [--no-matrix]

Kills the built action at each request of several rollouts, reruns it, and checks the result. Then runs rollouts of
several kinds in a storm of faults, and compares their reports with the state of the control plane.

  --seed N      seed of a storm; the same seed gives the same storm (default 1); several seeds give several storms
  --runs N      number of rollouts in each storm (default 500)
  --at-once N   number of rollouts at the same time (default 6)
  --class NAME  only faults of this class; several may be given:
                ${ALL_CLASSES.join(', ')}
  --no-matrix   only the storms
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true, default: ['1'] },
    runs: { type: 'string', default: '500' },
    'at-once': { type: 'string', default: '6' },
    class: { type: 'string', multiple: true, default: [...ALL_CLASSES] },
    'no-matrix': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const seeds = values.seed.map(Number)
const [runs, atOnce] = [Number(values.runs), Number(values['at-once'])]
const classes = values.class.filter(isFaultClass)
const areNumbers = [...seeds, runs, atOnce].every((number) => Number.isInteger(number) && number >= 0)
if (!areNumbers || atOnce === 0 || classes.length < values.class.length) {
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

async function showStorm(seed: number): Promise<StormRun[]> {
  const numbers = Array.from({ length: runs }, (_, number) => number)
  const results = await inParallel(numbers, async (number) => await runInStorm(seed, number, classes))
  console.log(`\nA storm of ${runs} rollouts, seed ${seed}\n`)
  console.log(`${'faults'.padEnd(24)} runs  untrue  second revisions  second deployments  outcomes`)
  for (const name of classes)
    showRow(
      name,
      results.filter(({ faults }) => faults === name),
    )
  showRow('all', results)
  const wrong = results.filter(isWrong)
  for (const run of wrong) {
    const { number, faults, kind, outcome, violations, secondRevisions, secondDeployments, raw } = run
    const made = `${secondRevisions} second revisions, ${secondDeployments} second deployments`
    console.log(`\nWRONG: rollout ${number} (${faults}; ${kind}: ${outcome}): ${[made, ...violations].join('; ')}`)
    console.log(raw.replace(/^::(add-mask|group)::.*\n/gm, '').replace(/^/gm, '  '))
  }
  return wrong
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
for (const seed of seeds) wrong.push(...(await showStorm(seed)))
if (wrong.length > 0) {
  console.error(`\n${wrong.length} violations; the same seed repeats those of a storm.`)
  process.exitCode = 1
}
