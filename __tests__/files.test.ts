import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import {
  NoTemporaryFolderError,
  openRegularFile,
  openRegularFileAtOnce,
  readWhole,
  withTemporaryFolders,
} from '../src/files.ts'
import type { Files } from '../src/world.ts'
import { FILES } from './here.ts'
import { folderWith, makePipes } from './folders.ts'

let folder = ''
beforeAll(() => {
  folder = realpathSync(folderWith({ file: 'content' }))
  mkdirSync(path.join(folder, 'directory'))
  makePipes(path.join(folder, 'pipe'))
  symlinkSync('file', path.join(folder, 'link'))
})

const at = (name: string): string => path.resolve(folder, name)
const MB = 1024 * 1024

const openers: [string, (real: string) => Promise<unknown>][] = [
  ['openRegularFile', openRegularFile],
  ['openRegularFileAtOnce', async (real) => await Promise.resolve(openRegularFileAtOnce(real))],
]

describe.each(openers)('%s', (_name, open) => {
  it.each(['directory', 'pipe', '/dev/zero', '/dev/null'])('refuses %s at once', async (name) => {
    await expect(open(at(name))).rejects.toThrow('it is not a regular file')
  })

  it('refuses a pipe with a writer', async () => {
    const writer = spawn('sh', ['-c', 'exec cat "$0" > "$1"', at('file'), at('pipe')])
    try {
      await expect(open(at('pipe'))).rejects.toThrow('it is not a regular file')
    } finally {
      writer.kill()
    }
  })

  it('leaves no refused file open', async () => {
    await expect(open(at('pipe'))).rejects.toThrow()
    const pipe = statSync(at('pipe'))
    const opened = readdirSync('/dev/fd').map((fd) => statSync(`/dev/fd/${fd}`, { throwIfNoEntry: false })?.ino)
    expect(opened).not.toContain(pipe.ino)
  })

  it('refuses a link that has replaced the file', async () => {
    await expect(open(at('link'))).rejects.toThrow('ELOOP')
  })

  it('refuses a file below a link that has replaced a directory', async () => {
    rmSync(at('before'), { force: true })
    rmSync(at('after'), { force: true, recursive: true })
    mkdirSync(at('before'))
    writeFileSync(at('before/file'), '')
    renameSync(at('before'), at('after'))
    symlinkSync('after', at('before'))
    await expect(open(at('before/file'))).rejects.toThrow('a link has replaced a part of its path')
  })
})

describe('readWhole', () => {
  it('reads a file of the largest size, and no larger one', async () => {
    expect((await readWhole(at('file'), 7)).toString()).toBe('content')
    await expect(readWhole(at('file'), 6)).rejects.toThrow(/^it is larger than/)
    writeFileSync(at('large'), Buffer.alloc(MB + 1))
    await expect(readWhole(at('large'), MB)).rejects.toThrow('it is larger than 1 MB')
  })

  it('reads an empty file', async () => {
    writeFileSync(at('empty'), '')
    expect(await readWhole(at('empty'), MB)).toHaveLength(0)
  })
})

describe('temporary folders', () => {
  /** The folder of the system is a folder of the test. */
  const open = (system = at('system')) => {
    const warnings: string[] = []
    const makeFolder: Files['makeFolder'] = async (prefix, parent = system) => await FILES.makeFolder(prefix, parent)
    mkdirSync(at('system'), { recursive: true })
    return { warnings, ...withTemporaryFolders({ ...FILES, makeFolder }, (sentence) => void warnings.push(sentence)) }
  }
  const consequence = (): string =>
    `temporary files, such as the record, are in ${at('system')}. The runner does not empty it. Correct RUNNER_TEMP on the runner.`

  it('are in the folder of the runner, or of the system where the runner names none', async () => {
    const { makeFolder, warnings } = open()
    expect(path.dirname(await makeFolder('a-', folder))).toBe(folder)
    expect(path.dirname(await makeFolder('a-', undefined))).toBe(at('system'))
    expect(warnings).toEqual([])
  })

  it.each([
    ['nowhere', 'which does not exist'],
    ['file', 'in which no folder can be made (ENOTDIR)'],
  ])('are in that of the system if the runner names %s, with one warning', async (name, why) => {
    const { makeFolder, warnings } = open()
    const made = [await makeFolder('a-', at(name)), await makeFolder('b-', at(name))]
    expect(made.map((one) => path.dirname(one))).toEqual([at('system'), at('system')])
    expect(warnings).toEqual([`RUNNER_TEMP names ${at(name)}, ${why}: ${consequence()}`])
  })

  it('that cannot be made anywhere are an error of their own, which names each', async () => {
    const { makeFolder, warnings } = open(at('nowhere/system'))
    const making = makeFolder('a-', at('file'))
    await expect(making).rejects.toThrow(NoTemporaryFolderError)
    await expect(making).rejects.toThrow(/ENOTDIR.*file\/a-.*; ENOENT.*nowhere\/system\/a-/)
    await expect(makeFolder('a-', undefined)).rejects.toThrow(NoTemporaryFolderError)
    expect(warnings).toEqual([])
  })
})
