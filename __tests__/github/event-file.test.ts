import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { eventReader } from '../../src/github/event.ts'
import { MAX_EVENT_BYTES } from '../../src/http/limits.ts'
import { FILES } from '../here.ts'
import { folderWith } from '../folders.ts'

const readEvent = eventReader(FILES)
let folder = ''
beforeEach(() => {
  folder = folderWith()
})

const ofSize = (bytes: number) => (file: string) => {
  writeFileSync(file, '')
  truncateSync(file, bytes)
}

describe('the file of the event', () => {
  it('is read as JSON, and closed', async () => {
    const file = path.join(folder, 'event.json')
    writeFileSync(file, '{"number":7,"title":"ä"}')
    const open = readdirSync('/dev/fd').length
    for (let read = 0; read < 100; read++) expect(await readEvent(file)).toEqual({ number: 7, title: 'ä' })
    // Others open and close files meanwhile.
    expect(readdirSync('/dev/fd').length).toBeLessThan(open + 50)
  })

  it.each<[string, string, (file: string) => void]>([
    ['it is not a regular file', 'a folder', mkdirSync],
    ['it is not a regular file', 'a pipe without a writer', (file) => execFileSync('mkfifo', [file])],
    ['it is not JSON', 'empty', ofSize(0)],
    ['it is not JSON', 'as large as it may be', ofSize(MAX_EVENT_BYTES)],
    ['it is larger than 25 MB', 'larger', ofSize(MAX_EVENT_BYTES + 1)],
    ['it has far too many values', 'bloated', (file) => writeFileSync(file, `[${'1,'.repeat(300_000)}1]`)],
  ])('is refused, as %s, if it is %s', async (message, _case, create) => {
    const file = path.join(folder, 'event.json')
    create(file)
    await expect(readEvent(file)).rejects.toThrow(message)
  })
})
