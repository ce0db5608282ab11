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
import { beforeEach, describe, expect, it } from '@jest/globals'
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
  it('waits for a moment that has passed without a warning of Node', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    await systemClock.sleep(-0.01, new AbortController().signal)
    await new Promise<void>((resolve) => void systemClock.after(-0.01, resolve))
    // Node emits a warning in a later turn.
    await systemClock.sleep(1, new AbortController().signal)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})
