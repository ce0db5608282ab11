import { createHash } from 'node:crypto'
import { HELP, readCommand, type Command } from './command-line.ts'
import { runJobs } from './jobs.ts'
import { listCases, simulateCase } from './exhaustive.ts'
import { loadAction } from './load.ts'
import { sumOfCounts } from './operation.ts'
import { OPERATION_NAMES } from './operations.ts'
import { showReplay } from './replay/show-replay.ts'
import { simulate, type Simulated } from './simulate.ts'

const PROGRESS_MS = 60_000

/** Simulates runs of the action. See --help. */
async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2))
  if (command === undefined || command === 'help') {
    console.log(HELP)
    return command === 'help' ? 0 : 2
  }
  if (command.replay !== undefined) return await showReplay(command.replay, command.trace)
  if (command.run !== undefined) return await simulateOne(command, command.run)
  return await simulateMany(command.exhaustive ? { ...command, runs: await countCases(command) } : command)
}

async function countCases({ seed }: Command): Promise<number> {
  await loadAction()
  const { length } = await listCases(seed)
  console.error(`${length} runs`)
  return length
}

async function simulateOne({ seed, operation, trace, exhaustive, debug }: Command, number: number): Promise<number> {
  await loadAction()
  const one = exhaustive ? (await listCases(seed))[number] : undefined
  const run =
    one === undefined
      ? await simulate(seed, number, { operation, withTrace: trace, isDebug: debug })
      : await simulateCase(seed, number, one, trace)
  for (const line of run.trace) console.log(line)
  showRun(run)
  show([run], 1)
  return showUntrue([run], seed)
}

async function simulateMany(command: Command): Promise<number> {
  const startedAt = performance.now()
  const { runs, usedMs, peakMb } = await runJobs(command, command.jobs, progressOf(command.runs))
  const rollouts = runs.reduce((sum, run) => sum + run.rollouts, 0)
  for (const name of [...OPERATION_NAMES, 'exhaustive'])
    showOperation(
      name,
      runs.filter(({ operation }) => operation === name),
    )
  const wallS = (performance.now() - startedAt) / 1_000
  console.log(`\nwall time: ${wallS.toFixed(1)} s`)
  console.log(`processor: ${(usedMs / 1_000).toFixed(1)} s, ${(usedMs / rollouts).toFixed(1)} ms a rollout`)
  console.log(`memory: ${peakMb.toFixed(0)} MB at most, in ${command.jobs} processes`)
  show(runs, rollouts)
  return showUntrue(runs, command.seed)
}

/** A long simulation prints how far it is, on stderr, once a minute. */
function progressOf(total: number): (done: number) => void {
  let nextAt = performance.now() + PROGRESS_MS
  return (done) => {
    if (performance.now() < nextAt || done === total) return
    nextAt = performance.now() + PROGRESS_MS
    console.error(`${done} of ${total} runs`)
  }
}

function showOperation(name: string, runs: readonly Simulated[]): void {
  if (runs.length === 0) return
  console.log(`\n${name}: ${runs.length} runs, ${runs.reduce((sum, run) => sum + run.rollouts, 0)} rollouts`)
  for (const [kind, some = []] of Object.entries(Object.groupBy(runs, (run) => run.kind)).sort())
    console.log(
      `  ${kind.padEnd(24)} ${String(some.length).padStart(5)}  ${counts(some.map(({ end }) => ({ [end]: 1 })))}`,
    )
  console.log(`  faults and deeds: ${counts(runs.map(({ injected }) => injected))}`)
}

function counts(all: readonly Readonly<Record<string, number>>[]): string {
  // One by one: as arguments of one call, the runs of --exhaustive would exceed the stack.
  return Object.entries(all.reduce((sum, one) => sumOfCounts(sum, one), {}))
    .sort()
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')
}

function showRun({ kind, end, injected }: Simulated): void {
  console.log(`${kind}: ${end}; faults and deeds: ${counts([injected])}`)
}

function show(runs: readonly Simulated[], rollouts: number): void {
  const all = createHash('sha256')
  for (const { digest } of runs) all.update(digest)
  console.log(`rollouts: ${rollouts}`)
  console.log(`digest: ${all.digest('hex')}`)
}

function showUntrue(runs: readonly Simulated[], seed: string): number {
  const run = runs.find(({ untrue }) => untrue.length > 0)
  if (run === undefined) return 0
  const { number, operation, kind, end, untrue } = run
  console.error(`\nUNTRUE: run ${number} (${operation}, ${kind}: ${end})`)
  for (const one of untrue) console.error(`  ${one}`)
  console.error(
    `Replay it: npm run simulate -- --seed ${seed} ${operation === 'exhaustive' ? '--exhaustive' : `--operation ${operation}`} --run ${number} --trace`,
  )
  return 1
}

process.exitCode = await main()
