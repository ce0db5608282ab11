import { createServer, connect, type Server, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { CREATE, step } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const sockets = new Set<Socket>()
const servers: Server[] = []
const sandboxes: Sandbox[] = []
// The tests wait for their processes, all at once.
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
})

/**
 * Passes each connection on to the sandbox, and notes the method of its first request, and the heads of all.
 * @param keeps requests of one connection; the next one closes it, and is not passed on
 */
async function countingConnections(to: Sandbox, keeps = Infinity) {
  const methods: string[] = []
  const heads: string[] = []
  const server = createServer((socket) => {
    const target = connect(Number(new URL(to.url).port), '127.0.0.1')
    for (const one of [socket, target]) {
      sockets.add(one)
      one.on('error', () => undefined)
    }
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
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`, methods, heads }
}

describe('the connections of one run', () => {
  it.concurrent('are one for all reads and one for each write, in a rollout that is verified', async () => {
    const sandbox = await startSandbox({ speed: 400 })
    sandboxes.push(sandbox)
    await (await step(sandbox, CREATE)).dispose()
    const before = sandbox.requests.length

    const { url, methods, heads } = await countingConnections(sandbox)
    const run = await step(sandbox, {
      ...CREATE,
      'build-on-push': true,
      'base-url': url,
      'allow-http': true,
      // The sandbox answers that there is no such page.
      'verify-url': `${sandbox.url}/ok`,
      'verify-status': 404,
      'verify-timeout': '10m',
    })
    await run.dispose()
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
    const sandbox = await startSandbox({ speed: 10 })
    sandboxes.push(sandbox)
    const { url, methods } = await countingConnections(sandbox, 2)
    const run = await step(sandbox, {
      name: 'agent',
      source: 'internal_container',
      'image-uri': 'registry.example/agent:1',
      'base-url': url,
      'allow-http': true,
      'max-retries': 0,
    })
    await run.dispose()
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).not.toMatch(/trying again|Retry/i)
    expect(methods.filter((method) => method === 'GET').length).toBeGreaterThan(1)
  })

  it.concurrent('are one for the reads and the deletion of a teardown', async () => {
    const sandbox = await startSandbox({ speed: 400 })
    sandboxes.push(sandbox)
    const image = { name: 'agent', source: 'internal_container', 'image-uri': 'registry.example/agent:1' }
    await (await step(sandbox, image)).dispose()
    const { url, methods } = await countingConnections(sandbox)
    const inputs = { name: 'agent', 'base-url': url, 'allow-http': true }
    const run = await step(sandbox, inputs, { action: 'teardown' })
    await run.dispose()
    expect(sandbox.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    expect(methods).toEqual(['GET'])
  })

  it.concurrent('are one for a deletion whose first connection the server had closed', async () => {
    const sandbox = await startSandbox({ speed: 40 })
    sandboxes.push(sandbox)
    const image = { name: 'agent', source: 'internal_container', 'image-uri': 'registry.example/agent:1' }
    await (await step(sandbox, image)).dispose()
    const { url, methods } = await countingConnections(sandbox, 1)
    const inputs = { name: 'agent', 'base-url': url, 'allow-http': true, 'max-retries': 0 }
    const run = await step(sandbox, inputs, { action: 'teardown' })
    await run.dispose()
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(methods.filter((method) => method === 'DELETE')).toHaveLength(1)
  })
})
