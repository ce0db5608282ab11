import path, { type PlatformPath } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ignoreRulesOf, walkSource, type Child, type Disk } from '../../../src/sources/archive/walk.ts'

const { posix, win32 } = path

interface Tree {
  /** Paths of files with `/`. */
  files: readonly string[]
  /** The targets of links as the system has them, by their paths with `/`. */
  links?: Readonly<Record<string, string>>
}

/** The same tree on each system: `/` becomes the separator, below a top of the system. */
const SYSTEMS = [
  { system: 'Windows', on: win32, top: 'D:\\work', elsewhere: 'E:\\data' },
  { system: 'others', on: posix, top: '/work', elsewhere: '/data' },
] as const

async function* eachOf(children: readonly Child[]): AsyncGenerator<Child, void> {
  yield* await Promise.resolve(children)
}

/** A disk whose paths follow the rules of the system: another writing of a path leads to nothing. */
function diskWith({ files, links = {} }: Tree, on: PlatformPath, top: string): Disk {
  const targets = new Map(Object.entries(links).map(([at, target]) => [on.join(top, at), target]))
  const paths = [...files.map((file) => on.join(top, file)), ...targets.keys()]
  const childAt = (file: string): Child => ({
    name: Buffer.from(on.basename(file)),
    isDirectory: () => !paths.includes(file),
    isFile: () => paths.includes(file) && !targets.has(file),
    isSymbolicLink: () => targets.has(file),
  })
  const childrenOf = (folder: string): Child[] => {
    const below = paths.filter((file) => file.startsWith(folder + on.sep))
    const names = below.map((file) => file.slice(folder.length + 1).split(on.sep)[0] ?? '')
    return [...new Set(names)].map((name) => childAt(on.join(folder, name)))
  }
  const follow = (file: string): string => {
    const target = targets.get(file)
    return target === undefined ? file : on.resolve(on.dirname(file), target)
  }
  return {
    path: on,
    list: async (folder) => await Promise.resolve(eachOf(childrenOf(folder))),
    readLink: async (file) => await Promise.resolve(Buffer.from(targets.get(file) ?? '')),
    realPath: async (file) => await Promise.resolve(follow(file)),
  }
}

describe.each(SYSTEMS)('a walk on $system', ({ on, top, elsewhere }) => {
  const walk = async (tree: Tree, secretsFiles: readonly string[] = []) => {
    const read = async (): Promise<undefined> => await Promise.resolve(undefined)
    const rules = await ignoreRulesOf(top, top, { read, broughtBack: new Set() }, on)
    return await walkSource(top, rules, () => undefined, secretsFiles, diskWith(tree, on, top))
  }
  const native = (file: string): string => file.replaceAll('/', on.sep)

  it('lists files and links with /', async () => {
    const links = { 'src/lib/link': native('../main.py'), 'src/gone': native('./no/file') }
    const { entries, problems } = await walk({ files: ['agent.json', 'src/main.py'], links })
    expect(problems).toEqual([])
    expect(entries).toEqual([
      { path: 'agent.json' },
      { path: 'src/gone', target: './no/file' },
      { path: 'src/lib/link', target: '../main.py' },
      { path: 'src/main.py' },
    ])
  })

  it('leaves a file of secrets out', async () => {
    const { entries, leftOut } = await walk({ files: ['ops/a.secret', 'ops/b'] }, [on.join(top, 'ops', 'a.secret')])
    expect(leftOut).toEqual(['ops/a.secret'])
    expect(entries).toEqual([{ path: 'ops/b' }])
  })

  it.each([
    ['outside the directory', native('../../other/a')],
    ['an absolute path', on.join(elsewhere, 'a')],
  ])('refuses a link to %s', async (problem, target) => {
    const { entries, problems } = await walk({ files: ['a'], links: { 'src/link': target } })
    expect(entries).toEqual([{ path: 'a' }])
    expect(problems).toEqual([expect.stringMatching(`^contains "src/link", a symlink to .*${problem}`)])
  })
})
