import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { receiveInto, type ReceivedBody } from '../../src/request/receive.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'receive-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** An answer that comes in pieces, and may break off. */
function anAnswer(status: number, pieces: string[], headers: IncomingHttpHeaders = {}, isCut = false) {
  const message = new IncomingMessage(new Socket())
  message.statusCode = status
  message.headers = headers
  for (const piece of pieces) message.push(Buffer.from(piece))
  if (isCut) setImmediate(() => message.destroy(new Error('cut')))
  else message.push(null)
  return message
}

const JSON_TYPE = { 'content-type': 'application/json' }

function receiver() {
  const file = path.join(folder, 'response')
  const received: ReceivedBody[] = []
  const receive = receiveInto({
    file,
    secrets: [],
    mask: () => undefined,
    onReceived: (one) => received.push(one),
  })
  return {
    file,
    received,
    receive: async (message: IncomingMessage) => await receive(message, () => undefined),
  }
}

describe('the answers of several tries', () => {
  it('are never mixed: one that broke off leaves the one before as it was', async () => {
    const { file, received, receive } = receiver()
    expect(await receive(anAnswer(503, ['{"detail":', '"busy"}'], JSON_TYPE))).toBe('{"detail":"busy"}')
    await expect(receive(anAnswer(200, ['{"partial":true'], JSON_TYPE, true))).rejects.toThrow('cut')
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
    await expect(receive(anAnswer(200, ['{'], JSON_TYPE, true))).rejects.toThrow('cut')
    expect(existsSync(file)).toBe(false)
  })
})
