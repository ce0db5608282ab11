import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'

// A contributor starts each script by the launcher: without it, an old Node fails with an error of syntax.

const ROOT = path.join(import.meta.dirname, '../..')
const PLATFORM = `${process.platform}-${process.arch}`

/** A copy of the launcher in a project of its own, with a script. */
let project: string
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'a projéct '))
  for (const name of ['node24.mjs', 'node24/find-node.mjs'])
    cpSync(path.join(ROOT, 'scripts', name), path.join(project, 'scripts', name))
  writeFileSync(
    path.join(project, 'script.ts'),
    `const [what = '']: string[] = process.argv.slice(2)
    if (what === 'wait') {
      setTimeout(() => process.exit(8), 10_000)
      process.once('SIGTERM', () => process.exit(7))
      console.log('waiting')
    } else if (what === 'die') process.kill(process.pid, 'SIGTERM')
    else console.log(JSON.stringify([process.argv0, process.env['PATH'], process.execArgv, process.argv.slice(2)]))
    process.exitCode = 3`,
  )
})
afterEach(() => rmSync(project, { recursive: true }))

/** Makes the launcher believe that another version runs it; one without `process.execve`. */
const RUN_BY_NODE_20 = `data:text/javascript,${encodeURIComponent(
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
  delete process.execve`,
)}`
type RunBy = 'Node 24' | 'Node 20'

function argumentsOf(runBy: RunBy, ...given: string[]): string[] {
  const launcher = path.join(project, 'scripts/node24.mjs')
  return [...(runBy === 'Node 20' ? ['--import', RUN_BY_NODE_20] : []), launcher, ...given]
}

const launch = (runBy: RunBy, ...given: string[]) =>
  spawnSync(process.execPath, argumentsOf(runBy, ...given), { cwd: project, encoding: 'utf8' })

/** Puts this process's Node where npm installs the package; returns its path. */
function install(name: string): string {
  const folder = path.join(project, 'node_modules', name, 'bin')
  mkdirSync(folder, { recursive: true })
  symlinkSync(process.execPath, path.join(folder, 'node'))
  return path.join(folder, 'node')
}

const printed = z.tuple([z.string(), z.string(), z.array(z.string()), z.array(z.string())])
function expectRun(stdout: string, node: string, options: string[], args: string[]): void {
  const [argv0, PATH, execArgv, argv] = printed.parse(JSON.parse(stdout))
  expect([argv0, PATH.split(path.delimiter)[0], execArgv, argv]).toEqual([node, path.dirname(node), options, args])
}

describe('the launcher', () => {
  it('runs a script with the Node that runs it, if that is recent', () => {
    install(`node-${PLATFORM}`)
    const { status, stdout } = launch('Node 24', 'script.ts')
    expectRun(stdout, process.execPath, [], [])
    expect(status).toBe(3)
  })

  it.each([`node-${PLATFORM}`, `node-bin-${PLATFORM}`])('else with that of the package %s', (name) => {
    const node = install(name)
    const { status, stdout } = launch('Node 20', 'script.ts')
    expectRun(stdout, node, [], [])
    expect(status).toBe(3)
  })

  it('prints one sentence without any recent Node', () => {
    const { status, stdout, stderr } = launch('Node 20', 'script.ts')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'This is Node 20.20.2, and the project needs Node 24 or later: install it, or run `npm ci` with optional dependencies, which installs it on Linux, macOS and Windows.\n',
    )
  })

  it('prints one sentence for an installed Node that does not start', () => {
    const node = install(`node-${PLATFORM}`)
    rmSync(node)
    writeFileSync(node, 'not a program')
    const { status, stderr } = launch('Node 20', 'script.ts')
    expect(status).toBe(1)
    expect(stderr).toMatch(/node cannot be started \(spawn .*EACCES\): install Node 24 or later\.\n$/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe.each<RunBy>(['Node 24', 'Node 20'])('the launcher, run by %s,', (runBy) => {
  let node: string
  beforeEach(() => {
    const installed = install(`node-${PLATFORM}`)
    node = runBy === 'Node 20' ? installed : process.execPath
  })

  it('passes options of Node and arguments', () => {
    const { stdout } = launch(runBy, '--stack-size=900', 'script.ts', '--flag', 'two words', '')
    expectRun(stdout, node, ['--stack-size=900'], ['--flag', 'two words', ''])
  })

  it('passes a signal to the script, and its exit code back', async () => {
    const child = spawn(process.execPath, argumentsOf(runBy, 'script.ts', 'wait'), { cwd: project })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  it('ends by the signal that ends the script', () => {
    expect(launch(runBy, 'script.ts', 'die')).toMatchObject({ status: null, signal: 'SIGTERM' })
  })
})

describe('package.json', () => {
  const text = readFileSync(path.join(ROOT, 'package.json'), 'utf8')
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text))
  const commands = Object.values(scripts).flatMap((script) => script.split(' && '))

  it('runs every script with the launcher', () => {
    expect(commands.filter((command) => !/^(npm run|node scripts\/node24\.mjs) /.test(command))).toEqual([])
  })

  it('names programs that are there', () => {
    const programs = commands.flatMap((command) => /node24\.mjs (?:--\S+ )*(\S+)/.exec(command)?.[1] ?? [])
    expect(programs.filter((program) => !existsSync(path.join(ROOT, program)))).toEqual([])
  })
})
