import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { ask, BEFORE, DEPLOYMENT, healthy, list, rollOut } from './hostile-server.ts'
import { everythingSaid, serve } from './stage.ts'

const SECRET = 'hush-hush-value'
const SECRETIVE = { ...DEPLOYMENT, secrets: [{ name: 'KEY', value: SECRET }] }
const TEXT = JSON.stringify(SECRETIVE)
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const packed = (name: string, body: Buffer, type = 'application/json') => ({
  headers: { 'content-type': type, 'content-encoding': name },
  body,
})
const typed = (type: string, body: Buffer) => ({ headers: { 'content-type': type }, body })

interface Sent {
  headers: Record<string, string>
  body: Buffer
}

describe('the secrets of a deployment that comes in another form', () => {
  const answering =
    (status: number, { headers, body }: Sent): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end(body)
  const bytes = Buffer.from(TEXT)

  it.each<[string, Sent]>([
    ['gzip', packed('gzip', gzipSync(bytes))],
    ['x-gzip', packed('X-GZIP', gzipSync(bytes))],
    ['gzip without a type', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(bytes) }],
    ['UTF-16 as its type says', typed('application/json; charset="UTF-16LE"', Buffer.from(TEXT, 'utf16le'))],
    ['UTF-16 with a mark', typed('application/json; charset=utf-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le'))],
    ['big-endian UTF-16 as its type says', typed('application/json;charset=utf-16be', utf16be(TEXT))],
    ['UTF-8 with a mark', typed('application/json', Buffer.from(`\ufeff${TEXT}`))],
    ['Latin 1', typed('application/json; charset=iso-8859-1', bytes)],
    ['a text', typed('text/plain', bytes)],
    ['a page', typed('text/html', bytes)],
    ['bytes', typed('application/octet-stream', bytes)],
    ['UTF-16 as a text', typed('text/plain; charset=utf-16le', Buffer.from(TEXT, 'utf16le'))],
    ['two types', typed('text/plain, application/json', bytes)],
  ])('are removed: %s', async (_case, sent) => {
    const run = await ask(await serve(answering(200, sent)), {})
    expect(run.outputs['outcome']).toBe('answered')
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    expect(JSON.parse(file.replace(/^\ufeff/, ''))).toEqual({ ...DEPLOYMENT, secrets: [{ name: 'KEY', value: '***' }] })
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

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
