import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ROW_OPTIONS, secondsSince, tryRow } from './try-row.ts'
import { inParallel } from './in-parallel.ts'
import { Bench } from './wine/bench.ts'
import { WinePrefix } from './wine/prefix.ts'
import { provideWindowsNode, provideWine } from './wine/provide.ts'
import { RUNS, type WindowsRun } from './wine/runs.ts'

/** Runs the built action on Windows' Node under Wine, against the sandbox. Exits 1 when a run fails. */

const HELP = `Usage: npm run e2e:wine -- [--only TEXT] [--required] [--verbose]

Runs dist/ with Node 22 for Windows under Wine, against a sandbox on loopback. npm fetches that Node to .cache/. The user
root installs Debian's packages wine and wine64; without them it prints that, and exits 0.

  --only TEXT  only the runs whose name contains TEXT
  --required   fail without Wine, or when Node for Windows cannot be fetched
  --verbose    show the log of every run
`

/** Runs at the same time. Each has a control plane of its own, and waits for half of its time. */
const AT_ONCE = 3
/** Of all runs together. It is printed only: how long they take is the machine's, too. */
const LIMIT_S = 60

const { values } = parseArgs({ options: ROW_OPTIONS })

interface Result {
  run: WindowsRun
  seconds: number
  wrong: string | undefined
}

async function runOne(run: WindowsRun, prefix: WinePrefix, folder: string): Promise<Result> {
  let bench: Bench | undefined
  const { seconds, wrong } = await tryRow(async () => {
    bench = await Bench.open(prefix, folder, run.sandbox)
    await run.run(bench)
  })
  await bench?.close()
  if (values.verbose || wrong !== undefined)
    for (const { shown } of bench?.runs ?? []) console.log(`\n${run.name}\n${shown.join('\n')}`)
  return { run, seconds, wrong }
}

async function runAll(runs: readonly WindowsRun[], programs: { loader: string; node: string }): Promise<Result[]> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rollout-wine-')))
  const startedAt = performance.now()
  const prefix = new WinePrefix(folder, programs)
  const clean = (): void => {
    prefix.close()
    rmSync(folder, { recursive: true, force: true })
  }
  // Wine's server is in a session of its own: no signal to this group reaches it.
  process.once('exit', clean)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  prefix.open()
  console.log(`The prefix was made in ${secondsSince(startedAt).toFixed(1)} s.`)
  return await inParallel(
    AT_ONCE,
    runs,
    async (run, place) => await runOne(run, prefix, path.join(folder, String(place))),
  )
}

function show(results: readonly Result[]): void {
  const width = Math.max(...results.map(({ run }) => run.name.length))
  console.log(`\n${'run'.padEnd(width)}  seconds  result  checked`)
  for (const { run, seconds, wrong } of results) {
    const verdict = wrong === undefined ? 'ok    ' : 'FAILED'
    console.log(`${run.name.padEnd(width)}  ${seconds.toFixed(1).padStart(7)}  ${verdict}  ${run.checked}`)
  }
  for (const { run, wrong } of results) if (wrong !== undefined) console.error(`\n${run.name}: ${wrong}`)
}

function notRun(because: string): number {
  console.error(`\n!!! THE ACTION WAS NOT RUN ON WINDOWS' NODE: ${because}.\n`)
  return values.required ? 1 : 0
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const runs = RUNS.filter(({ name }) => name.includes(values.only))
  if (runs.length === 0) throw new Error(`no run's name contains "${values.only}"`)
  const wine = provideWine()
  if (wine.kind === 'none') return notRun(wine.because)
  const node = await provideWindowsNode()
  if (node.kind === 'none') return notRun(node.because)
  const startedAt = performance.now()
  console.log(`${node.how}, in ${wine.how}`)
  const results = await runAll(runs, { loader: wine.path, node: node.path })
  show(results)
  const failed = results.filter(({ wrong }) => wrong !== undefined).length
  console.log(
    `\n${results.length - failed} of ${results.length} runs passed, in ${secondsSince(startedAt).toFixed(1)} s; all may take ${LIMIT_S} s.`,
  )
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
