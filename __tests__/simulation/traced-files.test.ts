import { afterEach, describe, expect, it } from '@jest/globals'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { TracedFiles } from '../../simulation/replay/traced-files.ts'
import type { Surroundings } from '../../src/trace/format.ts'

const opened: TracedFiles[] = []
afterEach(() => {
  for (const files of opened.splice(0)) files.dispose()
})

function open(over: Partial<Surroundings> = {}): TracedFiles {
  const files = new TracedFiles({
    kind: 'surroundings',
    env: { GITHUB_WORKSPACE: '/work', 'INPUT_APP-CONFIG-PATH': 'config/agent.json' },
    paths: [
      { path: '/work', real: '/work' },
      { path: '/work/app', real: '/work/app' },
      { path: 'gone', failure: { name: 'Error', message: 'no such file', code: 'ENOENT' } },
    ],
    files: [{ path: '/work/fleet.yml', text: 'version: 1' }],
    random: [],
    proxied: [],
    ...over,
  })
  opened.push(files)
  return files
}

describe('the files of a trace', () => {
  it('are as they were read, also below the folder that stands in for the workspace', async () => {
    const files = open()
    const top = await files.realPath('/work')
    expect((await files.readWhole('/work/fleet.yml', 100)).toString()).toBe('version: 1')
    expect((await files.readWhole(`${top}/fleet.yml`, 100)).toString()).toBe('version: 1')
    await expect(files.realPath('gone')).rejects.toMatchObject({ code: 'ENOENT', message: 'no such file' })
    await expect(files.readWhole('/work/fleet.yml', 5)).rejects.toThrow('larger than 5 bytes')
  })

  it('are no others of this machine', async () => {
    const here = import.meta.filename
    const files = open({ env: { GITHUB_WORKSPACE: '/nowhere' }, paths: [{ path: 'mine', real: here }] })
    await expect(files.realPath(here)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await files.realPath('mine')).toBe(here)
    await expect(files.readWhole(here, 100_000)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('have a source with the configuration, in a folder that goes at the end', async () => {
    const files = open()
    const folder = await files.realPath(`${await files.realPath('/work')}/app`)
    expect(readFileSync(path.join(folder, 'config/agent.json'), 'utf8')).toContain('"graphs"')
    files.dispose()
    expect(existsSync(path.dirname(folder))).toBe(false)
  })

  it('are written below that folder only', async () => {
    const name = `../../escaped-${process.pid}.json`
    const files = open({ env: { GITHUB_WORKSPACE: '/work', 'INPUT_APP-CONFIG-PATH': name } })
    const folder = await files.realPath('/work/app')
    expect(existsSync(folder)).toBe(true)
    expect(existsSync(path.join(folder, name))).toBe(false)
  })
})
