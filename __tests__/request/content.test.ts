import { execFileSync } from 'node:child_process'
import { realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { contentOf } from '../../src/request/call.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'
import { folderWith } from '../folders.ts'

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
        execFileSync('mkfifo', [file])
      },
      /it is not a regular file/,
    ],
  ])('is not sent if the file %s', async (_case, change, message) => {
    change()
    await expect(sent(multipart)).rejects.toThrow(message)
  })
})
