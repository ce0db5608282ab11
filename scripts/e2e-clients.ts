import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startForwardProxy } from './act/network.ts'
import { Bench, type BenchOptions, environment, WrongExit, type Row, type Turns } from './clients/bench.ts'
import { CASES } from './clients/cases.ts'
import { CLIENTS, install, type Client } from './clients/install.ts'

/**
 * Runs the public service's own clients, unmodified, against the sandbox below /langsmith, in turn with the built action.
 * Exits 1 on a mismatch.
 */

const HELP = `Usage: npm run e2e:clients -- [--only TEXT] [--required]

Installs the clients of LangSmith Deployment below .cache/ and runs them against the sandbox. They reach loopback only:
a proxy refuses every other host, and the command fails if one of them asked for one. There is no Docker daemon: where
a client builds or pushes an image, it runs a stand-in that records its commands and pushes nothing. The action that
revises deployments in turn with each client is the one in dist/.

  --only TEXT  only the clients whose name contains TEXT
  --required   fail if a client cannot be installed, such as without Python
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    required: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** For all clients together, without their installation. */
const LIMIT_MS = 900_000

interface Failure {
  client: string
  name: string
  why: string
}

interface Result {
  rows: Row[]
  turns: Turns[]
  failures: Failure[]
  cases: number
}

async function runClient(client: Client, options: BenchOptions): Promise<Result> {
  const bench = await Bench.open(client, options)
  const failures: Failure[] = []
  const cases = CASES.filter(({ appliesTo }) => appliesTo(bench))
  try {
    for (const { name, run } of cases) {
      try {
        await run(bench)
      } catch (thrown) {
        const why = thrown instanceof WrongExit ? thrown.message : thrown instanceof Error ? thrown.stack : undefined
        failures.push({ client: client.name, name, why: why ?? String(thrown) })
      }
    }
    return { rows: bench.rows, turns: bench.turns, failures, cases: cases.length }
  } finally {
    await bench.close()
  }
}

/** Whether the proxy sees requests to other hosts, of Python and of Node. Without this, its silence would mean nothing. */
async function isWatched(programs: readonly string[][], env: Record<string, string>, asked: readonly string[]) {
  for (const [program = '', ...args] of programs) await once(spawn(program, args, { env, stdio: 'ignore' }), 'close')
  return asked.length >= programs.length
}

function controls(isPythonThere: boolean): string[][] {
  const other = 'https://elsewhere.invalid/'
  const python = `import urllib.request\ntry: urllib.request.urlopen('${other}')\nexcept OSError: pass`
  const node = `fetch('${other}').catch(() => {})`
  return [[process.execPath, '--eval', node], ...(isPythonThere ? [['python3', '-c', python]] : [])]
}

function show(rows: readonly Row[]): void {
  const wide = Math.max(...rows.map(({ command }) => command.length), 7)
  const narrow = Math.max(...rows.map(({ client }) => client.length), 6)
  console.log(`\n${'client'.padEnd(narrow)}  ${'command'.padEnd(wide)}  exit  requests  seconds`)
  for (const { client, command, exitCode, requests, seconds, wrong } of rows) {
    const figures = `${String(exitCode).padStart(4)}  ${String(requests).padStart(8)}  ${seconds.toFixed(1).padStart(7)}`
    console.log(`${client.padEnd(narrow)}  ${command.padEnd(wide)}  ${figures}${wrong === undefined ? '' : '  WRONG'}`)
  }
}

/** One line for each deployment that a client and the action have revised in turn. */
function showInterplay(turns: readonly Turns[]): void {
  console.log('\nInterplay: who has made the revisions of one deployment, oldest first. Each was deployed.')
  for (const { client, name, makers } of turns)
    console.log(`${name.padEnd(15)}  ${makers.map((maker) => (maker === 'client' ? client : maker)).join(' ─▶ ')}`)
}

async function main(): Promise<number> {
  const startedAt = performance.now()
  const found = CLIENTS.filter(({ name }) => name.includes(values.only)).map((client) => ({
    client,
    installed: install(client),
  }))
  if (found.length === 0) throw new Error(`no client's name contains "${values.only}"`)
  const missing = found.flatMap(({ client, installed }) =>
    installed.kind === 'none' ? [`${client.name} (${installed.because})`] : [],
  )
  const folder = mkdtempSync(path.join(tmpdir(), 'rollout-clients-'))
  const proxy = await startForwardProxy('user:password', { isKnown: () => false, port: 0 })
  const address = `http://127.0.0.1:${proxy.port}`
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      stopping.abort(new Error(`stopped by ${name}`))
    })
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    const isPythonThere = found.some(
      ({ client, installed }) => client.language === 'Python' && installed.kind === 'found',
    )
    const isGuarded = await isWatched(controls(isPythonThere), environment(folder, address), proxy.asked)
    const askedBefore = proxy.asked.length
    const results = await Promise.all(
      found.flatMap(({ client, installed }, n) =>
        installed.kind === 'none'
          ? []
          : [
              runClient(client, {
                command: installed.command,
                folder: path.join(folder, String(n)),
                proxy: address,
                signal,
              }),
            ],
      ),
    )
    const elsewhere = proxy.asked.slice(askedBefore)
    const rows = results.flatMap((result) => result.rows)
    const failures = results.flatMap((result) => result.failures)
    show(rows)
    showInterplay(results.flatMap((result) => result.turns))
    const sum = (figure: (row: Row) => number): number => rows.reduce((total, row) => total + figure(row), 0)
    const cases = results.reduce((total, result) => total + result.cases, 0)
    console.log(
      `\n${results.length} clients, ${cases} cases, ${rows.length} commands, ${sum(({ requests }) => requests)} requests, ` +
        `${sum(({ seconds }) => seconds).toFixed(0)} s of commands in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; ` +
        `${failures.length} failed. Requests to other hosts: ${elsewhere.length}.`,
    )
    console.log('Images were pushed with a stand-in for docker: no image was built or pushed.')
    for (const { client, name, why } of failures) console.error(`\n${client}: ${name}\n${why}`)
    if (elsewhere.length > 0) console.error(`\nThe clients asked for other hosts: ${elsewhere.join(', ')}`)
    if (!isGuarded) console.error('\nThe proxy did not see a request to another host: its count means nothing.')
    if (missing.length > 0) console.error(`\n!!! CLIENTS THAT WERE NOT RUN: ${missing.join('; ')}.\n`)
    const isWrong = failures.length > 0 || elsewhere.length > 0 || !isGuarded
    return isWrong || (missing.length > 0 && values.required) ? 1 : 0
  } finally {
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.help) console.log(HELP)
else process.exitCode = await main()
