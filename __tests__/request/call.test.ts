import { realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { CallRedaction, contentOf } from '../../src/request/call.ts'
import type { RequestEvent } from '../../src/request/event.ts'
import { FoundSecrets } from '../../src/secrets/json.ts'
import { aCall } from './a-call.ts'
import { aRun } from '../a-run.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'
import { folderWith, makePipes } from '../folders.ts'

function dependencies() {
  const events: RequestEvent[] = []
  return { deps: aRun<RequestEvent>({ emit: (event) => void events.push(event) }), events }
}

describe('the secrets that are found in the responses to one call', () => {
  const REMOVED = { kind: 'credentials-removed', kept: 1_000 }

  it.each([
    [999, 999, []],
    [1_000, 1_000, [REMOVED]],
    [1_001, 1_000, [REMOVED]],
  ])('of %d different ones, %d are masked, and the log says when it is the most', (found, kept, said) => {
    const { deps, events } = dependencies()
    const redaction = new CallRedaction(aCall(), deps)
    const { secrets } = redaction
    for (let count = 0; count < found; count++) secrets.responseSecrets.add(`secret-${count}`)
    redaction.warnIfFull()
    expect([secrets.responseSecrets.all.length, events]).toEqual([kept, said])
  })

  it('are masked up to 256 kB of text: the one that reaches it is the last', () => {
    const { deps, events } = dependencies()
    const redaction = new CallRedaction(aCall(), deps)
    const { secrets } = redaction
    secrets.responseSecrets.add('a'.repeat(256 * 1024 - 1))
    redaction.warnIfFull()
    expect(events).toEqual([])
    for (const last of ['b', 'c']) secrets.responseSecrets.add(last)
    redaction.warnIfFull()
    expect([secrets.responseSecrets.all.length, events]).toEqual([2, [REMOVED]])
  })

  it('count once, however often they occur', () => {
    const found = new FoundSecrets(2, 10)
    for (let count = 0; count < 9; count++) found.add('secret')
    expect([found.isFull, found.all]).toEqual([false, ['secret']])
  })
})

let folder = ''
let file = ''
beforeEach(() => {
  folder = realpathSync(folderWith())
  file = path.join(folder, 'data.bin')
  writeFileSync(file, 'content')
})

async function sent(multipart: boolean): Promise<string> {
  const given = { kind: 'file', file, name: 'given".bin', bytes: 7, multipart } as const
  const content = contentOf(given, { clock: fakeClock(), random: NO_LUCK })
  const body = content?.open() ?? ''
  if (typeof body === 'string') throw new Error('expected a stream')
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  const whole = Buffer.concat(pieces)
  expect(whole).toHaveLength(content?.bytes ?? 0)
  return whole.toString()
}

describe.each([false, true])('the content of a file (multipart: %s)', (multipart) => {
  it('has the announced length', async () => {
    const text = await sent(multipart)
    expect(text).toContain('content')
    expect(text.includes('filename="given_.bin"')).toBe(multipart)
  })

  it.each<[string, () => void, RegExp]>([
    ['has grown', () => writeFileSync(file, 'content and more'), /its size has changed/],
    ['has shrunk', () => writeFileSync(file, ''), /its size has changed/],
    ['has disappeared', () => rmSync(file), /ENOENT/],
    [
      'has become a link',
      () => {
        rmSync(file)
        symlinkSync('/etc/hostname', file)
      },
      /ELOOP/,
    ],
    [
      'has become a pipe',
      () => {
        rmSync(file)
        makePipes(file)
      },
      /it is not a regular file/,
    ],
  ])('is not sent if the file %s', async (_case, change, message) => {
    change()
    await expect(sent(multipart)).rejects.toThrow(message)
  })
})
