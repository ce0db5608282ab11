import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import timers from 'node:timers/promises'
import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import { systemClock, systemFiles as files } from '../../src/real/world.ts'
import { folderWith } from '../folders.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(folderWith({}))
})

describe('the real files', () => {
  it('resolve links, and report what is missing by its code', async () => {
    mkdirSync(path.join(folder, 'real'))
    symlinkSync('real', path.join(folder, 'link'))
    expect(await files.realPath(path.join(folder, 'link'))).toBe(path.join(folder, 'real'))
    await expect(files.realPath(path.join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('make a folder of their own each time, in the given one or in that of the system', async () => {
    const made = [await files.makeFolder('a-', folder), await files.makeFolder('a-', folder)]
    expect(new Set(made.map((one) => path.dirname(one)))).toEqual(new Set([folder]))
    expect(new Set(made).size).toBe(2)
    const other = await files.makeFolder('a-', undefined)
    expect(path.dirname(other)).toBe(tmpdir())
    rmSync(other, { recursive: true })
  })

  it('write for this user only', async () => {
    const file = path.join(folder, 'record.json')
    await files.write(file, ['{"a":', '1}'])
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('add lines to a file that exists, and create none', () => {
    const file = path.join(folder, 'state')
    expect(() => files.addLine(file, 'a=1')).toThrow('Missing file')
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, '')
    files.addLine(file, 'a=1')
    files.addLine(file, 'b=2')
    expect(readFileSync(file, 'utf8')).toBe('a=1\nb=2\n')
  })
})

describe('the real clock', () => {
  // Node prints a warning about a negative time, but only once in a process.
  it('waits for a moment that has passed without a negative time', async () => {
    const spies = [jest.spyOn(timers, 'setTimeout'), jest.spyOn(globalThis, 'setTimeout')]
    await systemClock.sleep(-0.01, new AbortController().signal)
    await new Promise<void>((resolve) => void systemClock.after(-0.01, resolve))
    const times = spies.map(({ mock }) => mock.calls.map(([one, other]) => (typeof one === 'number' ? one : other)))
    for (const spy of spies) spy.mockRestore()
    expect(times).toEqual([[0], [0]])
  })
})
