import { createServer, connect } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { CREATE, step } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { keepUntilEnd, listen } from './listening.ts'

await overSockets()

const sandboxes: Sandbox[] = []
// The tests wait for their processes, all at once.
afterAll(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
})

async function aSandbox(speed: number): Promise<Sandbox> {
  const sandbox = await startSandbox({ speed })
  sandboxes.push(sandbox)
  return sandbox
}

const IMAGE = { name: 'agent', source: 'internal_container', 'image-uri': 'registry.example/agent:1' }

/** A run whose control plane has another address. */
async function runVia(url: string, ...[sandbox, inputs, around]: Parameters<typeof step>): Promise<ActionRun> {
  const run = await step(sandbox, { 'base-url': url, 'allow-http': true, ...inputs }, around)
  await run.dispose()
  return run
}

/**
 * Passes each connection on to the sandbox, and notes the method of its first request, and the heads of all.
 * @param keeps requests of one connection; the next one closes it, and is not passed on
 */
async function countingConnections(to: Sandbox, keeps = Infinity) {
  const methods: string[] = []
  const heads: string[] = []
  const server = createServer((socket) => {
    const target = connect(Number(new URL(to.url).port), '127.0.0.1')
    keepUntilEnd(target)
    for (const one of [socket, target]) one.on('error', () => undefined)
    let count = 0
    socket.on('data', (bytes) => {
      const head = bytes.toString('latin1')
      if (/^[A-Z]+ \//.test(head)) {
        if (count === 0) methods.push(head.split(' ')[0] ?? '')
        count += 1
        heads.push(head)
      }
      if (count > keeps) socket.destroy()
      else target.write(bytes)
    })
    socket.on('end', () => target.end())
    target.pipe(socket)
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, methods, heads }
}

describe('the connections of one run', () => {
  it.concurrent('are one for all reads and one for each write, in a rollout that is verified', async () => {
    const sandbox = await aSandbox(400)
    await (await step(sandbox, CREATE)).dispose()
    const before = sandbox.requests.length

    const { url, methods, heads } = await countingConnections(sandbox)
    const run = await runVia(url, sandbox, {
      ...CREATE,
      'build-on-push': true,
      // The sandbox answers that there is no such page.
      'verify-url': `${sandbox.url}/ok`,
      'verify-status': 404,
      'verify-timeout': '10m',
    })
    expect(run.outputs['outcome']).toBe('deployed')
    const sent = sandbox.requests.slice(before).map(({ method }) => method)
    expect(sent.filter((method) => method === 'GET').length).toBeGreaterThan(5)
    expect(sent.filter((method) => method !== 'GET')).toEqual(['PATCH', 'POST'])
    expect(methods.toSorted()).toEqual(['GET', 'PATCH', 'POST'])
    const isPacked = (head: string): boolean => /^accept-encoding: gzip\r$/im.test(head)
    expect(heads.filter((head) => head.startsWith('GET ')).every(isPacked)).toBe(true)
    expect(heads.filter((head) => !head.startsWith('GET ')).some(isPacked)).toBe(false)
  })

  it.concurrent('are replaced without a retry or a pause when the server closes them', async () => {
    const sandbox = await aSandbox(10)
    const { url, methods } = await countingConnections(sandbox, 2)
    const run = await runVia(url, sandbox, { ...IMAGE, 'max-retries': 0 })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).not.toMatch(/trying again|Retry/i)
    expect(methods.filter((method) => method === 'GET').length).toBeGreaterThan(1)
  })

  it.concurrent('are one for the reads and the deletion of a teardown', async () => {
    const sandbox = await aSandbox(400)
    await (await step(sandbox, IMAGE)).dispose()
    const { url, methods } = await countingConnections(sandbox)
    await runVia(url, sandbox, { name: 'agent' }, { action: 'teardown' })
    expect(sandbox.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    expect(methods).toEqual(['GET'])
  })

  it.concurrent('are one for a deletion whose first connection the server had closed', async () => {
    const sandbox = await aSandbox(40)
    await (await step(sandbox, IMAGE)).dispose()
    const { url, methods } = await countingConnections(sandbox, 1)
    const run = await runVia(url, sandbox, { name: 'agent', 'max-retries': 0 }, { action: 'teardown' })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(methods.filter((method) => method === 'DELETE')).toHaveLength(1)
  })
})
