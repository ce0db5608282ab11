import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import { pause } from '../places/here.ts'
import { ask, BEFORE, DEPLOYMENT, endHostile, healthy, list, rollOut } from './hostile-server.ts'
import { everythingSaid, theError } from './journey.ts'
import { serve } from './servers.ts'

afterAll(endHostile)

const SECRET = 'hush-hush-value'
const SECRETIVE = { ...DEPLOYMENT, secrets: [{ name: 'KEY', value: SECRET }] }
const TEXT = JSON.stringify(SECRETIVE)
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const utf32 = (text: string): Buffer =>
  Buffer.concat(Array.from(text, (one) => Buffer.from([one.charCodeAt(0), 0, 0, 0])))
const packed = (name: string, body: Buffer, type = 'application/json') => ({
  headers: { 'content-type': type, 'content-encoding': name },
  body,
})
const typed = (type: string, body: Buffer) => ({ headers: { 'content-type': type }, body })

interface Sent {
  headers: Record<string, string>
  body: Buffer
}

/** Every file that the run left on disk. */
const filesOf = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(path.join(one.parentPath, one.name)))

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

  it.each<[string, string]>([
    ['a guard', `)]}',\n${TEXT}`],
    ['a call', `cb(${TEXT})`],
    ['an event', `data: ${TEXT}\n\n`],
    ['a part', `--x\r\ncontent-type: application/json\r\n\r\n${TEXT}\r\n--x--`],
    ['a blank of another kind', `\u3000${TEXT}`],
  ])('are removed inside %s', async (_case, text) => {
    const run = await ask(await serve(answering(200, typed('application/json', Buffer.from(text)))), {})
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    expect(file).toBe(text.replace(SECRET, '***'))
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.each<[string, number, string]>([
    ['a byte order mark and a blank', 200, '\ufeff\n'],
    ['the same in an error', 409, '\ufeff\n'],
    ['many blanks', 200, ' \n'.repeat(20_000)],
  ])('are removed after a piece of %s', async (_case, status, first) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).write(first)
      void pause(100).then(() => response.end(TEXT))
    })
    const run = await ask(url, {})
    for (const file of filesOf(run.files.temp)) expect(file.includes(SECRET)).toBe(false)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.each(['', 'Conflict with: '])('are removed from an error that calls itself a text: %s', async (before) => {
    const run = await ask(await serve(answering(409, typed('text/plain', Buffer.from(before + TEXT)))), {})
    for (const file of filesOf(run.files.temp)) expect(file.includes(SECRET)).toBe(false)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.each<[string, Sent, RegExp]>([
    ['gzip as a file', typed('application/gzip', gzipSync(bytes)), /bytes that are no text/],
    ['gzip as bytes', typed('application/octet-stream', gzipSync(bytes)), /bytes that are no text/],
    ['JSON in a string', typed('application/json', Buffer.from(JSON.stringify(TEXT))), /JSON inside a JSON string/],
    ['an unknown encoding', packed('compress', gzipSync(bytes)), /the Content-Encoding "compress"/],
    ['two encodings', packed('gzip, gzip', gzipSync(gzipSync(bytes))), /the Content-Encoding "gzip, gzip"/],
    ['broken gzip', packed('gzip', gzipSync(bytes).subarray(0, 40)), /broken gzip/],
    ['no gzip', packed('gzip', bytes), /broken gzip/],
    ['deflate', packed('deflate', deflateSync(bytes)), /the Content-Encoding "deflate"/],
    ['brotli', packed('br', brotliCompressSync(bytes)), /the Content-Encoding "br"/],
    ['zstd', packed('zstd', zstdCompressSync(bytes)), /the Content-Encoding "zstd"/],
    ['UTF-16 that nothing announces', typed('application/json', Buffer.from(TEXT, 'utf16le')), /UTF-16 or UTF-32/],
    ['UTF-16 without a type', { headers: {}, body: utf16be(TEXT) }, /UTF-16 or UTF-32/],
    ['UTF-16 in another order', typed('application/json; charset=utf-16', utf16be(TEXT)), /UTF-16 or UTF-32/],
    ['UTF-16 in gzip', packed('gzip', gzipSync(Buffer.from(TEXT, 'utf16le'))), /UTF-16 or UTF-32/],
    ['UTF-32', typed('application/json', utf32(TEXT)), /UTF-16 or UTF-32/],
    ['UTF-7', typed('application/json; charset=utf-7', bytes), /the character set utf-7/],
    ['gzip that nothing announces', typed('application/json', gzipSync(bytes)), /bytes that are no text/],
    ['gzip without a type', { headers: {}, body: gzipSync(bytes) }, /bytes that are no text/],
  ])('are refused by name: %s', async (_case, sent, words) => {
    const run = await ask(await serve(answering(200, sent)), { 'max-retries': 0 })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(words)
    expect(run.outputs['response-path']).toBeUndefined()
    for (const file of filesOf(run.files.temp)) expect(file.includes('secrets')).toBe(false)
  })

  it('do not stand in an error that cannot be read, whose status still counts', async () => {
    const run = await ask(await serve(answering(404, packed('compress', bytes))), {})
    expect(theError(run)).toContain('answered 404: a body that was not read (the Content-Encoding "compress"')
    expect(run.outputs).toMatchObject({ 'response-status': '404', 'response-bytes': '0' })
    expect(everythingSaid(run)).not.toContain(SECRET)
    for (const file of filesOf(run.files.temp)) expect(file.includes(SECRET)).toBe(false)
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

  it('stay where the response is a download, as the contract says', async () => {
    const body = gzipSync(bytes)
    const run = await ask(await serve(answering(200, typed('application/gzip', body))), { path: '/v2/moons' })
    expect(readFileSync(run.outputs['response-path'] ?? '').equals(body)).toBe(true)
  })
})
