import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ignoreRulesOf, topOf, type RuleReader } from '../../src/sources/archive/walk.ts'
import { differInSpelling, linkTarget, pathInside } from '../../src/sources/disk-path.ts'
import { locate } from '../../src/sources/workspace-path.ts'

const { posix, win32 } = path

/** The same tree on each system: `/` becomes the separator, below a top of the system. */
const SYSTEMS = [
  { system: 'Windows', on: win32, at: (name: string) => win32.join('D:\\work', name) },
  { system: 'others', on: posix, at: (name: string) => posix.join('/work', name) },
] as const

describe.each(SYSTEMS)('on $system', ({ on, at }) => {
  it.each([
    ['a/b.json', 'a/b.json'],
    ['', ''],
    ['..b/c', '..b/c'],
    ['../work-2/a', undefined],
    ['..', undefined],
  ])('%j of a folder is inside as %j', (name, inside) => {
    expect(pathInside(at(''), at(name), on)).toBe(inside)
  })

  /** The disk has these names, with their links followed. */
  const realPath = async (file: string): Promise<string> => await Promise.resolve(on.normalize(file))

  it('a path of the workspace has / in annotations', async () => {
    const place = await locate('ops/fleet.yml', at('hello'), { realPath }, on)
    expect(place).toEqual({ kind: 'found', real: at('hello/ops/fleet.yml'), inside: 'ops/fleet.yml' })
  })

  it.each([
    ['../other/a', 'outside the workspace'],
    ['a/.git/config', 'inside .git'],
  ])('%s is refused, and an absolute path to there is not', async (written, problem) => {
    expect(await locate(written, at('hello'), { realPath }, on)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(problem),
    })
    const real = at(on.join('hello', written))
    expect(await locate(real, at('hello'), { realPath }, on)).toMatchObject({ kind: 'found', real })
  })

  it.each([
    ['../lib/x.py', { kind: 'inside', target: '../lib/x.py' }],
    ['../../x', { kind: 'outside' }],
  ])('a link to %s has a target with / in the archive', (target, expected) => {
    const place = { folder: at('src'), root: at('') }
    expect(linkTarget(target.replaceAll('/', on.sep), place, on)).toEqual(expected)
  })

  it('a link to an absolute path is none to the inside', () => {
    expect(linkTarget(at('a'), { folder: at(''), root: at('') }, on)).toEqual({ kind: 'absolute' })
  })

  it('the top of the repository is the nearest folder above with .git, up to the root of the drive', () => {
    const isGit = (file: string): boolean => file === at('.git')
    expect(topOf(at('a/b'), on, isGit)).toBe(at(''))
    expect(topOf(at('a/b'), on, () => false)).toBe(at('a/b'))
  })

  it('the rules of every folder from the top of the repository to the source apply', async () => {
    const texts = new Map([
      [at('.gitignore'), '*.log\r\n/apps/one/only-here\n'],
      [at('apps/one/.gitignore'), 'of-one'],
      [at('apps/one/src/.gitignore'), '!kept.log'],
      [at('apps/one/.dockerignore'), 'src/of-docker'],
    ])
    const read: RuleReader['read'] = async (file) => await Promise.resolve(texts.get(file))
    const rules = await ignoreRulesOf(at('apps/one'), at(''), { read, broughtBack: new Set() }, on)
    const inSource = await rules.within('src')
    const ignored = ['a.log', 'only-here', 'of-one', 'main.py'].filter((name) => rules.ignoresFile(name))
    expect(ignored).toEqual(['a.log', 'only-here', 'of-one'])
    expect(['a.log', 'kept.log', 'of-docker', 'of-one'].filter((name) => inSource.ignoresFile(name))).toEqual([
      'a.log',
      'of-docker',
      'of-one',
    ])
  })
})

describe('a name in another form', () => {
  const [composed, decomposed] = ['b\u00e4r', 'ba\u0308r']

  it.each([
    ['Agent.json', 'agent.json', true],
    [composed, decomposed, true],
    ['agent.json', 'agent.json', false],
    ['agent.json', 'agents.json', false],
  ])('%s and %s are one file of a disk without cases, and two of the build: %s', (name, otherName, expected) => {
    expect(differInSpelling(name, otherName)).toBe(expected)
  })
})

describe('on Windows', () => {
  it.each([
    ['D:\\Work\\Hello', 'd:\\WORK\\hello\\src\\a.json', 'src/a.json'],
    ['D:\\work', 'E:\\work\\a.json', undefined],
    ['\\\\server\\share\\work', '\\\\SERVER\\share\\work\\a.json', 'a.json'],
  ])('letters are compared without their case, and drives are kept apart: %s, %s', (top, file, inside) => {
    expect(pathInside(top, file, win32)).toBe(inside)
  })

  it.each(['C:secret', '.git::$INDEX_ALLOCATION/config', 'agent.json:stream'])(
    'a relative path with a : is refused, as it leads elsewhere: %s',
    async (written) => {
      const realPath = async (file: string): Promise<string> => await Promise.resolve(file)
      const refused = { kind: 'refused', message: 'has a :, which is in no name of a file on Windows' }
      expect(await locate(written, 'D:\\work', { realPath }, win32)).toEqual(refused)
      expect(await locate(written, '/work', { realPath }, posix)).toMatchObject({ kind: 'found' })
    },
  )
})
