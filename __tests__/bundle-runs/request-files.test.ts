import { statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { folderWith } from '../folders.ts'
import { act, API_KEY, serve } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()
const folder = folderWith()

it('a large body of a request comes out of a file, and its answer goes into one, whole', async () => {
  const file = path.join(folder, 'large.bin')
  writeFileSync(file, '')
  truncateSync(file, 80_000_000)
  let received = 0
  const piece = Buffer.alloc(1024 * 1024, 'a')
  const url = await serve((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (received += chunk.length))
    incoming.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      let sent = 0
      const more = (): void => {
        for (;;) {
          if (sent++ === 80) return void response.end()
          if (!response.write(piece)) return void response.once('drain', more)
        }
      }
      more()
    })
  })
  const run = await act({
    action: path.resolve('request'),
    inputs: {
      'base-url': url,
      'api-key': API_KEY,
      method: 'POST',
      path: '/v1/agentws/sandboxes/s1/files',
      query: 'path=/data.bin',
      file: 'large.bin',
    },
    cwd: folder,
  })
  expect(run.outputs).toMatchObject({ outcome: 'answered', 'response-status': '200' })
  expect(received).toBeGreaterThan(80_000_000)
  expect(run.outputs['response-body']).toBeUndefined()
  expect(statSync(run.outputs['response-path'] ?? '').size).toBe(80 * 1024 * 1024)
})
