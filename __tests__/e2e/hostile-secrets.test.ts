import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { BEFORE, DEPLOYMENT, healthy, list, rollOut } from './hostile-server.ts'
import { serve } from './stage.ts'

const SECRET = 'hush-hush-value'
const SECRETIVE = { ...DEPLOYMENT, secrets: [{ name: 'KEY', value: SECRET }] }

describe('the secrets of a deployment that comes in another form', () => {
  it('are read by a rollout, too', async () => {
    const sent = gzipSync(Buffer.from(JSON.stringify(list({ ...BEFORE, secrets: SECRETIVE.secrets })), 'utf16le'))
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=utf-16le' }
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/v2/deployments?') !== true) healthy(request, response)
      else response.writeHead(200, headers).end(sent)
    })
    const run = await rollOut(url)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.masks).toContain(SECRET)
  })
})
