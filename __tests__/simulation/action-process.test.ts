import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, it } from '@jest/globals'
import { ActionProcess } from '../../simulation/action-process.ts'
import { SimulatedFiles } from '../../simulation/files.ts'
import { Scene } from '../../simulation/scene.ts'
import { readText } from '../../src/http/body.ts'

const ORIGIN = 'https://server.example'

it('time stands still while a process unpacks an answer', async () => {
  const scene = new Scene('test', 1)
  const text = randomBytes(1_000_000).toString('hex')
  const headers = { 'content-encoding': 'gzip' }
  scene.network.serve(ORIGIN, async () => await Promise.resolve(new Response(gzipSync(text), { headers })))
  const client = new ActionProcess({
    who: 'client',
    env: {},
    files: new SimulatedFiles({}),
    time: scene.time,
    network: scene.network,
    trace: scene.trace,
    random: scene.chance('client'),
    onLine: () => undefined,
  })
  const moments: number[] = []
  const exitCode = await scene.time.run(
    async () =>
      await client.run(async ({ network, clock, signal }) => {
        const answer = await network.send({ method: 'GET', url: new URL(ORIGIN), headers: {}, body: '', signal })
        moments.push(clock.now())
        clock.after(1, () => undefined)
        const { body } = await readText(answer)
        moments.push(clock.now())
        return body === text ? 0 : 1
      }),
  )
  expect(exitCode).toBe(0)
  expect(moments[1]).toBe(moments[0])
})
