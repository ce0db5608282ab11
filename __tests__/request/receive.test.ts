import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import zlib from 'node:zlib'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { MAX_EXPLANATION_BYTES } from '../../src/http/limits.ts'
import { anAnswer } from '../an-answer.ts'
import { CallRedaction } from '../../src/request/call.ts'
import { findRoute, type RouteMatch } from '../../src/request/catalogue/find.ts'
import type { RequestEvent } from '../../src/request/event.ts'
import { receiveInto, type ReceivedBody } from '../../src/request/receive.ts'
import { aRun } from '../a-run.ts'
import { aCall } from './a-call.ts'
import { fakeClock } from '../builders.ts'
import type { NetworkAnswer } from '../../src/world.ts'
import { folderWith } from '../folders.ts'

let folder = ''
beforeEach(() => {
  folder = folderWith()
})

const JSON_TYPE = { 'content-type': 'application/json' }

const MATCHES: Record<string, RouteMatch> = {
  json: findRoute('GET', '/v2/deployments'),
  raw: findRoute('GET', '/v1/agentws/sandboxes/s/files/content'),
  unknown: { kind: 'unknown' },
}

function receiver(content: 'json' | 'raw' | 'unknown' = 'unknown') {
  const file = path.join(folder, 'response')
  const received: ReceivedBody[] = []
  const masks: string[] = []
  const call = aCall({ secrets: ['prod', 'hunter2'], match: MATCHES[content] ?? { kind: 'unknown' } })
  const credentials = { apiKey: 'sandbox-key', bearerToken: undefined, tenantId: undefined, tenantHeader: '' }
  const run = aRun<RequestEvent>({ credentials, mask: (values) => void masks.push(...values) })
  const receive = receiveInto(file, new CallRedaction(call, run), fakeClock(), (one) => received.push(one))
  let moves = 0
  return {
    file,
    received,
    masks,
    moves: () => moves,
    receiveAll: receive,
    receive: async (answer: NetworkAnswer) => (await receive(answer, () => void (moves += 1))).body,
  }
}

/** The file after one answer. */
async function fileAfter(
  status: number,
  pieces: readonly (string | Buffer)[],
  headers: IncomingHttpHeaders = JSON_TYPE,
  content: 'json' | 'raw' | 'unknown' = 'unknown',
): Promise<string> {
  const { file, receive } = receiver(content)
  await receive(anAnswer(status, pieces, headers))
  return readFileSync(file, 'utf8')
}

describe('the responses of several attempts', () => {
  it('are never mixed: one that broke off leaves the one before unchanged', async () => {
    const { file, received, receive } = receiver()
    expect(await receive(anAnswer(503, ['{"detail":', '"busy"}'], JSON_TYPE))).toBe('{"detail":"busy"}')
    await expect(receive(anAnswer(200, ['{"partial":true'], JSON_TYPE, new Error('cut')))).rejects.toThrow('cut')
    expect(received).toEqual([{ status: 503, bytes: 17, announcedBytes: undefined }])
    expect(readFileSync(file, 'utf8')).toBe('{"detail":"busy"}')
    expect(readdirSync(folder)).toEqual(['response'])
  })

  it('follow each other', async () => {
    const { file, received, receive } = receiver()
    await receive(anAnswer(503, ['{"detail":"busy"}'], JSON_TYPE))
    await receive(anAnswer(200, ['[]'], JSON_TYPE))
    expect(received.map(({ status }) => status)).toEqual([503, 200])
    expect(readFileSync(file, 'utf8')).toBe('[]')
  })

  it('leave nothing behind when there was none', async () => {
    const { file, receive } = receiver()
    await expect(receive(anAnswer(200, ['{'], JSON_TYPE, new Error('cut')))).rejects.toThrow('cut')
    expect(existsSync(file)).toBe(false)
  })
})

describe('an answer that is JSON', () => {
  const secret = '{"secrets":[{"name":"A","value":"hush-hush"}]}'

  it.each<[string, IncomingHttpHeaders]>([
    ['says so', JSON_TYPE],
    ['says so in another way', { 'content-type': 'text/json; charset=utf-8' }],
    ['is called a problem', { 'content-type': 'application/problem+json' }],
    ['says nothing of its kind', {}],
    ['says so in capital letters, between blanks', { 'content-type': ' Application/JSON ' }],
    ['is one of many lines', { 'content-type': 'application/x-ndjson' }],
    ['is called so otherwise', { 'content-type': 'application/jsonl; charset=utf-8' }],
  ])('loses the values of secrets if it %s', async (_case, headers) => {
    expect(await fileAfter(200, [' \n', ` ${secret}`], headers)).toBe(` \n ${secret.replace('hush-hush', '***')}`)
  })

  it('loses them if its route returns JSON, whatever its type', async () => {
    expect(await fileAfter(200, [secret], { 'content-type': 'text/plain' }, 'json')).toBe(
      secret.replace('hush-hush', '***'),
    )
  })

  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
  const named = (charset: string): IncomingHttpHeaders => ({ 'content-type': `application/json; charset=${charset}` })

  it.each<[string, string, Buffer, IncomingHttpHeaders[]]>([
    ['UTF-16', secret, utf16(secret), [named('utf-16le')]],
    ['UTF-16 after blanks', `   ${secret}`, utf16(`   ${secret}`), [named('utf-16')]],
    ['UTF-16 with the larger byte first', secret, utf16(secret).swap16(), [named('utf-16be')]],
    ['UTF-16 with a mark', secret, utf16(`\ufeff${secret}`), [named('utf-16')]],
    ['Latin 1', secret, Buffer.from(secret), [named('iso-8859-1')]],
    ['UTF-8 with a mark', `\ufeff${secret}`, Buffer.from(`\ufeff${secret}`), [{}, JSON_TYPE]],
  ])('loses them in %s, too', async (_charset, text, sent, types) => {
    const bytes = Array.from(sent, (byte) => Buffer.from([byte]))
    for (const headers of types)
      for (const pieces of [[sent], bytes]) {
        expect(await fileAfter(200, pieces, headers)).toBe(text.replace('hush-hush', '***'))
      }
  })

  it.each<[string, Buffer]>([
    ['UTF-16', utf16(secret)],
    ['UTF-16 with the larger byte first', utf16(secret).swap16()],
    ['UTF-16 with a mark', utf16(`\ufeff${secret}`)],
  ])('is refused in %s that its type does not name', async (_charset, sent) => {
    for (const headers of [{}, JSON_TYPE]) {
      const { receive } = receiver()
      await expect(receive(anAnswer(200, [sent], headers))).rejects.toThrow('text in UTF-16 or UTF-32, which its type')
    }
  })

  it('may be a text in UTF-16, if it says that it is JSON', async () => {
    expect(await fileAfter(200, [utf16('"text"')], named('utf-16le'))).toBe('"text"')
  })

  it('is in a file that only its owner reads', async () => {
    const { file, receive } = receiver()
    await receive(anAnswer(200, [secret], JSON_TYPE))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('loses them inside the call of a function', async () => {
    expect(await fileAfter(200, [`callback(${secret})`])).toBe(`callback(${secret.replace('hush-hush', '***')})`)
  })

  it.each([0, 10, 4_095, 4_096, 9_000])('keeps its %d blanks, and moves with each piece', async (blanks) => {
    const long = `${' '.repeat(blanks)}${secret}${' '.repeat(200)}${secret}`
    for (const size of [7, 63, 64, 65, 4_096, 20_000]) {
      const { file, receive, moves } = receiver()
      const pieces = Array.from({ length: Math.ceil(long.length / size) }, (_, n) =>
        long.slice(n * size, (n + 1) * size),
      )
      await receive(anAnswer(200, pieces, JSON_TYPE))
      expect(readFileSync(file, 'utf8')).toBe(long.replaceAll('hush-hush', '***'))
      expect(moves()).toBeGreaterThanOrEqual(pieces.length)
    }
  })

  it.each<[string, string | Buffer]>([
    ['bytes that are no text, in place of JSON', zlib.gzipSync(secret)],
    ['JSON inside a JSON string', JSON.stringify(secret)],
    ['JSON inside a JSON string', JSON.stringify(`\n ${secret}`)],
    ['JSON inside a JSON string', `"\\u000A${JSON.stringify(secret).slice(1)}`],
    ['JSON inside a JSON string', `${' '.repeat(5_000)}${JSON.stringify(`\n ${secret}`)}`],
    ['JSON that is nested more than 1000 levels deep', '['.repeat(1_001)],
    ['JSON that is nested more than 1000 levels deep', `[${'['.repeat(1_000)}${']'.repeat(1_000)},[]]`],
    ['JSON that is nested more than 1000 levels deep', `${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`],
  ])('is refused as %s', async (message, sent) => {
    const bytes = Array.from(Buffer.from(sent), (byte) => Buffer.from([byte]))
    const quote = sent.indexOf('"') + 1
    for (const pieces of [[sent], bytes, [sent.slice(0, quote), sent.slice(quote)]]) {
      const { file, receive } = receiver()
      await expect(receive(anAnswer(200, pieces, JSON_TYPE))).rejects.toThrow(message)
      expect(existsSync(file)).toBe(false)
    }
  })

  it.each([`${'['.repeat(1_000)}${']'.repeat(1_000)}`, '[[]]'.repeat(600), 'a "{ b'])(
    'is not refused as something like that: %s',
    async (sent) => {
      expect(await fileAfter(200, [sent])).toBe(sent)
    },
  )

  it('has its secrets and tokens masked in the log', async () => {
    const { masks, receive } = receiver()
    await receive(anAnswer(200, ['{"secrets":["hush-hush"],"token":"t-1"}'], JSON_TYPE))
    expect(masks).toEqual(['hush-hush', 't-1'])
  })

  it('may be a number that ends with the answer', async () => {
    expect(await fileAfter(200, ['1', '2'])).toBe('12')
  })

  it.each(['application/octet-stream', 'image/png'])('is not redacted as %s', async (type) => {
    expect(await fileAfter(200, [secret], { 'content-type': type })).toBe(secret)
  })
})

describe('an answer that is not JSON, although its type is', () => {
  it.each(['[link](http://x) it\'s "open', '[1] 12', '{"a":"\\', '[tr', '{"pro', '["hunter', '[":sandbox-ke'])(
    'loses nothing: %s',
    async (text) => {
      const { file, receive } = receiver()
      for (const pieces of [[text], text.match(/./gs) ?? []]) {
        await receive(anAnswer(200, pieces, JSON_TYPE))
        expect(readFileSync(file, 'utf8')).toBe(text)
      }
    },
  )

  it('hides a secret that was cut off', async () => {
    expect(await fileAfter(200, ['{"secrets":["hush'])).toBe('{"secrets":["***')
  })
})

describe('an answer that is a download', () => {
  const text = 'sandbox-key hunter2 {"value":"hunter2"}'

  it.each<[string, IncomingHttpHeaders, string, boolean]>([
    ['it is no JSON', { 'content-type': 'text/plain' }, text, false],
    ['it says that it is none', { 'content-type': 'application/octet-stream' }, `[${JSON.stringify(text)}]`, false],
    ['it is called a plain text', { 'content-type': 'text/plain' }, '{"secrets":["hunter2"]}', false],
    ['it is Markdown', { 'content-type': 'text/markdown' }, '[link](http://x) it\'s "a sandbox-key here', false],
    ['it is a log', { 'content-type': 'text/plain' }, '[a]\nx=1 {"secrets":["plain text no', false],
    ['it looks like JSON by its type only', { 'content-type': 'text/x+jsonish' }, '["sandbox-key"]', false],
    ['its route gives raw bytes', JSON_TYPE, '{"secrets":["hunter2"]}', true],
  ])('is not touched when %s', async (_case, headers, sent, isRaw) => {
    expect(await fileAfter(206, [sent], headers, isRaw ? 'raw' : 'unknown')).toBe(sent)
  })

  it.each<[string, IncomingHttpHeaders]>([
    ['a type', { 'content-type': 'text/plain' }],
    ['no type', {}],
  ])('is not converted to UTF-8 with %s', async (_case, headers) => {
    const sent = Buffer.from('\ufeffä text', 'utf16le')
    const { file, receive } = receiver()
    await receive(anAnswer(200, [sent], headers))
    expect(readFileSync(file)).toEqual(sent)
  })

  it.each([true, false])('is none when it is an error (raw: %s)', async (isRaw) => {
    expect(await fileAfter(500, [text, ' prod'], { 'content-type': 'text/plain' }, isRaw ? 'raw' : 'unknown')).toBe(
      '*** *** {"value":"***"} ***',
    )
  })

  it('is none when it is an error that begins like JSON', async () => {
    const { file, receive } = receiver()
    const shown = await receive(anAnswer(500, ['[auth] key=sandbox-key'], { 'content-type': 'text/plain' }))
    expect(shown).toBe('[auth] key=***')
    expect(readFileSync(file, 'utf8')).toBe('[auth] key=***')
  })

  it('is shown without the secrets of an error, whatever its type', async () => {
    const { masks, receive } = receiver()
    const shown = await receive(anAnswer(500, ['{"secrets":["hush"]}'], { 'content-type': 'text/plain' }))
    expect(shown).toBe('{"secrets":["***"]}')
    expect(masks).toContain('hush')
  })

  it('is none when its route gives raw bytes and it is an error in JSON', async () => {
    expect(await fileAfter(404, ['{"secrets":["x"],"prod":"prod"}'], JSON_TYPE, 'raw')).toBe(
      '{"secrets":["***"],"prod":"***"}',
    )
  })
})

describe('an answer of more than 16 MB', () => {
  const PIECE_BYTES = 64 * 1024
  const secret = '{"secrets":[{"name":"A","value":"hush-hush"}]}'
  const sent = Buffer.from(`[${secret},"${'x'.repeat(17 * 1024 * 1024)}",${secret}]`)
  const pieces = Array.from({ length: Math.ceil(sent.length / PIECE_BYTES) }, (_, at) =>
    sent.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  )

  it.each<[string, string, string]>([
    ['loses its secrets if it is JSON', 'application/json', sent.toString().replaceAll('hush-hush', '***')],
    ['is unchanged if it is a download', 'application/octet-stream', sent.toString()],
  ])('%s', async (_case, type, expected) => {
    // A difference of 17 MB would be printed for minutes.
    expect((await fileAfter(200, pieces, { 'content-type': type })) === expected).toBe(true)
  })
})

describe('an error', () => {
  it.each<[string, string[], IncomingHttpHeaders]>([
    ['an encoding that is not read', ['hunter2'], { 'content-encoding': 'compress' }],
    ['nested too deeply', [`[${'1,'.repeat(100_000)}`, ' '.repeat(100_000), '['.repeat(1_001)], JSON_TYPE],
  ])('is received without its body if that is %s', async (_case, sent, headers) => {
    const { file, received, receive } = receiver()
    expect(await receive(anAnswer(500, sent, headers))).toBe('')
    const { unread } = await receiver().receiveAll(anAnswer(500, sent, headers), () => undefined)
    expect(unread).toBeDefined()
    expect(received).toEqual([{ status: 500, announcedBytes: undefined, bytes: 0 }])
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('is converted from UTF-16, and not received in UTF-16 that its type does not name', async () => {
    const sent = Buffer.from('no key sandbox-key', 'utf16le')
    const headers = { 'content-type': 'text/plain; charset=utf-16le' }
    expect(await receiver().receive(anAnswer(500, [sent], headers))).toBe('no key ***')
    const { file, receive } = receiver()
    expect(await receive(anAnswer(500, [sent]))).toBe('')
    expect(readFileSync(file)).toHaveLength(0)
  })

  it('is not received if its connection broke', async () => {
    await expect(receiver().receive(anAnswer(500, ['a'], {}, new Error('cut')))).rejects.toThrow('cut')
  })

  it('is shown without what only looks like JSON, and that is masked', async () => {
    const { receive } = receiver()
    expect(await receive(anAnswer(500, ['[auth] key=sandbox-key'], JSON_TYPE))).toBe('[auth] key=***')
  })
})

describe('the text of an answer that is shown', () => {
  it.each<[string, number, boolean]>([
    ['the limit', MAX_EXPLANATION_BYTES, true],
    ['more than the limit', MAX_EXPLANATION_BYTES + 1, false],
  ])('of %s', async (_case, bytes, isShown) => {
    for (const status of [200, 500]) {
      const { received, receive } = receiver()
      const shown = await receive(anAnswer(status, ['a'.repeat(bytes)], { 'content-length': String(bytes) }))
      expect(shown).toHaveLength(isShown ? bytes : 0)
      expect(received).toEqual([{ status, announcedBytes: bytes, bytes }])
    }
  })
})
