import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import { CREATE, endJourneys, requestsBesidePolls, type Surroundings } from './journey.ts'
import { again, endRuns } from './runs.ts'
import { MOST_RUNS, runBundle, type TestRunOptions } from './shared-process.ts'
import { aWorld, closed, endWorlds, HURRIED, namesIn, onPullRequest, type World } from './world.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

let action = ''
beforeAll(() => {
  action = mkdtempSync(path.join(tmpdir(), 'shared-'))
  writeFileSync(
    path.join(action, 'action.yml'),
    'name: x\ndescription: x\nruns: { using: node24, main: main.mjs, post: main.mjs }\n',
  )
  writeFileSync(
    path.join(action, 'main.mjs'),
    `process.once('exit', () => console.log('exit listener'))
    console.log(JSON.stringify({ pid: process.pid, own: process.env.OWN ?? '', cwd: process.cwd(), shared: process.connected === true }))
    await eval('(async () => {' + (process.env.SCRIPT ?? '') + '})()')
    process.exit()`,
  )
})
afterAll(() => rmSync(action, { recursive: true, force: true }))
afterEach(endRuns)
afterEach(endJourneys)
afterEach(endWorlds)

const NAME = { name: CREATE['name'] ?? '' }
const STEPS: readonly [string, (world: World, around: Surroundings) => Promise<ActionRun>][] = [
  ['rollout', async ({ sandbox }, around) => await again(sandbox, CREATE, around)],
  ['dry run', async ({ sandbox }, around) => await again(sandbox, { ...CREATE, 'dry-run': true }, around)],
  ['wait', async ({ sandbox }, around) => await again(sandbox, NAME, { ...around, action: 'wait' })],
  ['rollback', async ({ sandbox }, around) => await again(sandbox, NAME, { ...around, action: 'rollback' })],
  ['request', async ({ sandbox }, around) => await again(sandbox, REQUEST, { ...around, action: 'request' })],
  ['teardown', async ({ sandbox }, around) => await again(sandbox, NAME, { ...around, action: 'teardown' })],
  ['an error in the inputs', async ({ sandbox }, around) => await again(sandbox, { ...CREATE, wait: 'no' }, around)],
  ['preview', async (world, around) => await onPullRequest(world, {}, around)],
  ['closed preview', async (world, around) => await onPullRequest(world, {}, { ...around, ...closed })],
]
const REQUEST: Record<string, InputValue> = { path: '/v2/deployments', query: 'limit=1' }

it('a run in a process that has run the bundle before does and says the same as one in its own', async () => {
  const journeys = [true, false].map(async (ownProcess) => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const seen = []
    for (const [step, start] of STEPS) {
      if (step === 'closed preview') await world.gitHub.closePullRequest(7)
      const { exitCode, outputs, annotations, shown } = await start(world, { ownProcess, ...HURRIED })
      const sent = requestsBesidePolls(world.sandbox)
      // Asked beside the polls, in no order.
      const isBeside = (line: string): boolean => line.startsWith('GET ') && line.endsWith('/revisions')
      const requests = [...sent.filter((line) => !isBeside(line)), ...sent.filter(isBeside)]
      world.sandbox.requests.splice(0)
      // Which phases a run sees depends on its polls.
      const said = shown.filter((line) => !/^ +\S+ m?s +[A-Z_]+\b/.test(line))
      seen.push({ step, exitCode, outputs: Object.keys(outputs), annotations, said, requests })
    }
    return { seen, names: namesIn(world), comments: (await world.gitHub.comments(7)).length }
  })
  const [own, shared] = await Promise.all(journeys)
  expect(alike(shared)).toEqual(alike(own))
})

/** Without what differs from run to run: ids, names of hosts, folders and times. */
function alike(seen: unknown): unknown {
  return JSON.parse(
    JSON.stringify(seen)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      .replace(/(action-run|request)-\w{6}/g, 'FOLDER')
      .replace(/-[0-9a-f]{8}\.agents/g, '.agents')
      .replace(/[\d.]+ (ms|s|min)\b/g, 'TIME'),
  )
}

const place = z.object({ pid: z.number(), own: z.string(), cwd: z.string(), shared: z.boolean() })

async function runScript(script: string, options: Partial<TestRunOptions> = {}) {
  const run = await runBundle({ action, inputs: {}, ...options, env: { SCRIPT: script, ...options.env } })
  await run.dispose()
  return { ...run, ...place.parse(JSON.parse(run.shown[0] ?? '')), workspace: run.files.workspace }
}

/** A script that opens a connection. */
const connected = (port: number): string =>
  `const socket = process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', () => setImmediate(resolve)))
  socket`

/** A server, until its first connection is closed. */
async function listen(): Promise<{ port: number; closed: Promise<unknown> }> {
  const { promise: closed, resolve } = Promise.withResolvers<unknown>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => server.close(resolve))
    socket.resume()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, closed }
}

describe('runs that share a process', () => {
  it('have an environment, a folder, listeners and an exit code of their own', async () => {
    const first = await runScript(`process.exitCode = 3; process.env.LEFT = 'x'`, { env: { OWN: 'mine' } })
    const second = await runScript(`console.log(process.env.LEFT)`)
    expect(second.pid).toBe(first.pid)
    expect([first.own, second.own]).toEqual(['mine', ''])
    expect([first.exitCode, second.exitCode]).toEqual([3, 0])
    expect([first.cwd, second.cwd]).toEqual([first.workspace, second.workspace])
    expect(second.shown.slice(1)).toEqual(['undefined', 'exit listener'])
  })

  it('end with the code that they exit with', async () => {
    const first = await runScript('process.exit(3); await new Promise(() => undefined)')
    const second = await runScript('')
    expect([first.exitCode, second.exitCode]).toEqual([3, 0])
    expect(second.pid).toBe(first.pid)
  })

  it('end the timers that do not keep a process alive', async () => {
    const first = await runScript(`setTimeout(() => console.log('late'), 50).unref()`)
    const second = await runScript(`await new Promise((resolve) => setTimeout(resolve, 100))`)
    expect(second.pid).toBe(first.pid)
    expect(second.raw).not.toContain('late')
  })

  it.each([
    ['exits while something is under way', `setInterval(() => undefined, 10); process.exitCode = 4`, 4],
    ['throws where nothing catches it', `setTimeout(() => { throw new Error('x') }); await new Promise(() => {})`, 1],
    ['waits for nothing', `await new Promise(() => undefined)`, 13],
    ['is killed', `process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)`, null],
  ])('end with their process if one %s', async (_case, script, exitCode) => {
    const first = await runScript(script)
    expect(first.exitCode).toBe(exitCode)
    expect(first.signal).toBe(exitCode === null ? 'SIGKILL' : null)
    expect((await runScript('')).pid).not.toBe(first.pid)
  })

  it('end with their process at their limit', async () => {
    const stuck = await runScript(`await new Promise((resolve) => setTimeout(resolve, 60_000))`, { limitMs: 500 })
    expect(stuck).toMatchObject({ limitReached: true, signal: 'SIGKILL', conclusion: 'failure' })
  })

  it('take off the listeners of a run, and close its connections', async () => {
    const { port, closed } = await listen()
    const first = await runScript(`process.on('exit', () => console.log('left behind')); ${connected(port)}.unref()`)
    expect(first.raw).toContain('left behind')
    await closed
    const second = await runScript('')
    expect(second.pid).toBe(first.pid)
    expect(second.raw).not.toContain('left behind')
  })

  it('end with their process if one leaves a connection open', async () => {
    const { port, closed } = await listen()
    const first = await runScript(`${connected(port)}; process.exitCode = 5`)
    await closed
    expect(first.exitCode).toBe(5)
    expect((await runScript('')).pid).not.toBe(first.pid)
  })

  it('stay in their process after one that is about to close a file', async () => {
    const open = `const file = await process.getBuiltinModule('node:fs/promises').open(process.execPath)`
    const first = await runScript(`${open}; await new Promise(setImmediate); void file.close()`)
    expect((await runScript('')).pid).toBe(first.pid)
  })

  it('end as their process does if one does not exit', async () => {
    const first = await runScript(`process.exit = () => undefined`)
    expect(first.exitCode).toBe(0)
    expect((await runScript('')).pid).not.toBe(first.pid)
  })

  it('show all that one writes, whatever looks like its end', async () => {
    const fake = String.raw`process.stdout.write('\u00009 other'); process.stdout.write(' and more')`
    const first = await runScript(`${fake}; process.exitCode = 2`)
    expect(first.exitCode).toBe(2)
    expect(first.raw).toContain('9 other and more')
    expect(first.shown.join()).toContain('and more')
    const cut = String.raw`await new Promise((done) => process.stdout.write('\u0000cut off', done))`
    const killed = await runScript(`${cut}; process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined)`)
    expect(killed.shown.join()).toContain('cut off')
  })

  it('use no process that has ended', async () => {
    const first = await runScript('')
    process.kill(first.pid)
    await runScript('', { ownProcess: true })
    expect((await runScript('')).pid).not.toBe(first.pid)
  })

  it('have a clock of their own', async () => {
    const took = async (clockSpeed: number) => {
      const script = `const from = [performance.now(), Date.now()]
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        console.log((performance.now() - from[0]) / (Date.now() - from[1]), Date.now() - from[1])`
      const { pid, shown } = await runScript(script, { clockSpeed })
      const [speed = 0, ms = 0] = (shown[1] ?? '').split(' ').map(Number)
      return { pid, speed, ms }
    }
    const [fast, slow] = [await took(20), await took(2)]
    expect(slow.pid).toBe(fast.pid)
    expect([Math.round(fast.speed / 4), Math.round(slow.speed)]).toEqual([5, 2])
    expect(slow.ms).toBeGreaterThanOrEqual(499)
    expect(fast.ms).toBeLessThan(500)
  })

  it('get a new process after the most that one makes', async () => {
    const counts = new Map<number, number>()
    for (let run = 0; run <= MOST_RUNS; run++) {
      const { pid } = await runScript('')
      counts.set(pid, (counts.get(pid) ?? 0) + 1)
    }
    expect(counts.size).toBeGreaterThan(1)
  })

  it('run side by side in different processes', async () => {
    const pause = `await new Promise((resolve) => setTimeout(resolve, 200))`
    const [one, other] = await Promise.all([runScript(pause), runScript(pause)])
    expect(one.pid).not.toBe(other.pid)
  })
})

it.each<[string, Partial<TestRunOptions>]>([
  ['asks for it', { ownProcess: true }],
  ['may get a signal', { kill: { signal: 'SIGINT', afterMs: 60_000 } }],
  ['is the step after the job', { phase: 'post' }],
  ['sets an option of Node', { env: { NODE_OPTIONS: '--no-warnings' } }],
  ['is started with an option of Node', { nodeArgs: ['--no-warnings'] }],
])('a run that %s has a process of its own', async (_case, options) => {
  expect((await runScript('', options)).shared).toBe(false)
  expect((await runScript('')).shared).toBe(true)
})
