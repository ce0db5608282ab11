import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { locate } from '../../src/sources/workspace-path.ts'
import { FILES } from '../here.ts'
import { folderWith } from '../folders.ts'

/** Contains `outside/`, `workspace/` and `linked`, a link to the workspace. */
const files = ['outside/file', 'workspace/file', 'workspace/dir/file', 'workspace/.git/config', 'workspace-2/file']
const top = realpathSync(folderWith(Object.fromEntries(files.map((name) => [name, '']))))
beforeAll(() => {
  for (const folder of ['outside/deep', 'workspace/dir/sub', 'workspace/dir/.git', 'workspace/a..b'])
    mkdirSync(path.join(top, folder))
  const links = {
    linked: 'workspace',
    'workspace/in': 'dir',
    'workspace/in-absolute': path.join(top, 'workspace/dir'),
    'workspace/out': '../outside',
    'workspace/out-absolute': path.join(top, 'outside'),
    'workspace/chain': 'chain-2',
    'workspace/chain-2': 'dir/chain-3',
    'workspace/dir/chain-3': '../../outside/file',
    'workspace/and-back': '../outside/back/file',
    'outside/back': '../workspace/dir',
    'workspace/loop': 'loop-2',
    'workspace/loop-2': 'loop',
    'workspace/dangling': 'nowhere',
    'workspace/dangling-out': '../outside/nowhere',
    'workspace/self': '.',
    'workspace/token': '.git/config',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(top, name))
})

describe.each(['workspace', 'linked'])('a path relative to %s', (workspace) => {
  const place = (given: string) => locate(given, path.join(top, workspace), FILES)

  it.each([
    ['.', 'workspace'],
    ['./', 'workspace'],
    ['file', 'workspace/file'],
    ['./dir//file', 'workspace/dir/file'],
    ['dir/../file', 'workspace/file'],
    ['../workspace/file', 'workspace/file'],
    ['in', 'workspace/dir'],
    ['in/file', 'workspace/dir/file'],
    ['in-absolute/file', 'workspace/dir/file'],
    ['and-back', 'workspace/dir/file'],
    ['self/self/file', 'workspace/file'],
    ['a..b', 'workspace/a..b'],
  ])('%s leads to %s', async (given, real) => {
    expect(await place(given)).toEqual({
      kind: 'found',
      real: path.join(top, real),
      inside: path.relative('workspace', real),
    })
  })

  it.each([
    ['..', ''],
    ['../outside/file', 'outside/file'],
    ['../workspace-2/file', 'workspace-2/file'],
    ['dir/../../outside', 'outside'],
    ['out', 'outside'],
    ['out/file', 'outside/file'],
    ['out-absolute/deep', 'outside/deep'],
    ['out/deep/..', 'outside'],
    ['out/..', ''],
    ['chain', 'outside/file'],
    ['self/chain', 'outside/file'],
  ])('%s is refused because it leads to %s', async (given, real) => {
    const names = [path.join(top, real), path.join(top, 'workspace')].map((name) => JSON.stringify(name))
    expect(await place(given)).toEqual({
      kind: 'refused',
      message: `leads to ${names[0]}, outside the workspace ${names[1]}: use another path, or an absolute path if this is intended`,
    })
  })

  it.each(['.git', '.git/config', 'dir/.git', 'token', 'self/token'])(
    '%s is refused because it leads into .git',
    async (given) => {
      expect(await place(given)).toMatchObject({ kind: 'refused', message: expect.stringContaining('inside .git') })
    },
  )

  it.each(['nowhere', 'dangling', 'dangling-out', 'file/below', 'file/', '../nowhere'])(
    '%s is missing',
    async (given) => {
      expect(await place(given)).toEqual({ kind: 'missing' })
    },
  )

  it('is refused if it is a loop of links', async () => {
    expect(await place('loop')).toEqual({ kind: 'refused', message: 'cannot be resolved (ELOOP)' })
  })
})

describe('an absolute path', () => {
  it.each([
    ['outside/file', 'outside/file'],
    ['workspace/out/file', 'outside/file'],
    ['workspace/chain', 'outside/file'],
    ['workspace/token', 'workspace/.git/config'],
  ])('%s is followed to %s', async (given, real) => {
    expect(await locate(path.join(top, given), path.join(top, 'workspace'), FILES)).toEqual({
      kind: 'found',
      real: path.join(top, real),
      inside: /^workspace\/(.*)/.exec(real)?.[1],
    })
  })

  it('is missing if nothing is there', async () => {
    expect(await locate(path.join(top, 'nowhere'), path.join(top, 'workspace'), FILES)).toEqual({ kind: 'missing' })
  })
})

it('is missing in a workspace that does not exist', async () => {
  expect(await locate('.', path.join(top, 'no-workspace'), FILES)).toEqual({ kind: 'missing' })
})
