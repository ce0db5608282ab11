import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ignoreRulesOf, loadIgnoreRules, walkSource } from '../../../src/sources/archive/walk.ts'
import { folderWith } from '../../folders.ts'

const { posix, win32 } = path

const composed = (text: string): string => text.normalize('NFC')
const decomposed = (text: string): string => text.normalize('NFD')

const SYSTEMS = [
  { system: 'Windows', on: win32, top: 'D:\\work' },
  { system: 'others', on: posix, top: '/work' },
] as const

interface Source {
  on: path.PlatformPath
  top: string
  /** The texts of ignore files, by their paths. */
  texts: Readonly<Record<string, string>>
  /** The source, relative to the top of the repository. */
  source?: string
}

/** Whether the rules ignore a file of the source or a directory on the path to it. */
async function ignores(file: string, { on, top, texts, source = '' }: Source): Promise<boolean> {
  const byPath = new Map(Object.entries(texts).map(([name, text]) => [on.join(top, name), text]))
  const read = async (name: string): Promise<string | undefined> => await Promise.resolve(byPath.get(name))
  let rules = await ignoreRulesOf(on.join(top, source), top, { read, broughtBack: new Set() }, on)
  const folders = file.split('/')
  const name = folders.pop() ?? ''
  for (const folder of folders) {
    if (rules.ignoresDirectory(folder)) return true
    rules = await rules.within(folder)
  }
  return rules.ignoresFile(name)
}

/** Rules, a path, and whether they ignore it. */
type Row = readonly [situation: string, text: string, file: string, ignored: boolean]

const OF_BOTH: readonly Row[] = [
  ['a name', composed('größe.txt'), decomposed('größe.txt'), true],
  ['a name, the other way round', decomposed('größe.txt'), composed('größe.txt'), true],
  ['a name that mixes forms', composed('ü') + decomposed('ö'), decomposed('üö'), true],
  ['a path that mixes forms', composed('ü/ö'), decomposed('ü/') + composed('ö'), true],
  ['a folder on the path', composed('schlüssel/*.key'), decomposed('schlüssel/a.key'), true],
  ['a folder in the middle', composed('a/größe/b'), decomposed('a/größe/b'), true],
  ['a whole folder', composed('größe'), decomposed('größe/a/b'), true],
  ['a sign for any character', 'gr?n', decomposed('grün'), true],
  ['a set of characters in the rule', decomposed('[^ä].txt'), 'a.txt', true],
  ['another name', composed('größe.txt'), decomposed('grösse.txt'), false],
  ['an exact rule that brings it back', `${composed('grün')}\n!${decomposed('grün')}`, decomposed('grün'), false],
  ['an exact pattern that brings it back', `${composed('grün.md')}\n!*.md`, decomposed('grün.md'), false],
  [
    'an exact rule before one in another form',
    `!${decomposed('grün')}\n${composed('grün')}`,
    decomposed('grün'),
    false,
  ],
  ['an exact rule that ignores it', `*.md\n!${composed('grün.md')}`, decomposed('grün.md'), true],
  ['a rule that brings another file back', `${composed('grün')}\n*.md\n!README.md`, decomposed('grün'), true],
  ['a later rule in another form', `${composed('ü*')}\n!${composed('üö')}`, decomposed('üö'), false],
]

const ROWS: readonly (readonly [ignoreFile: string, ...Row])[] = [
  ...['.gitignore', '.dockerignore'].flatMap((ignoreFile) => OF_BOTH.map((row) => [ignoreFile, ...row] as const)),
  ['.gitignore', 'a folder with / at its end', composed('größe/'), decomposed('größe/a'), true],
  ['.gitignore', 'a path from the top', composed('/größe/build/'), decomposed('größe/build/a'), true],
  ['.dockerignore', 'a pattern for all folders', composed('**/größe\n!a'), decomposed('b/größe/c'), true],
]

describe.each(SYSTEMS)('names in another form of Unicode, on $system', ({ on, top }) => {
  it.each(ROWS)('%s: %s', async (ignoreFile, _situation, text, file, ignored) => {
    expect(await ignores(file, { on, top, texts: { [ignoreFile]: text } })).toBe(ignored)
  })

  const source = decomposed('größe')

  it.each([
    ['a file of it', composed('/größe/a.pem'), 'a.pem', true],
    ['a deeper file', composed('größe/b/*.pem'), 'b/a.pem', true],
    ['the source itself', composed('/größe/\n*.log'), 'a.log', false],
    ['another file', composed('/größe/a.pem'), 'b.pem', false],
  ])('a rule above the source, for %s', async (_situation, text, file, ignored) => {
    expect(await ignores(file, { on, top, source, texts: { '.gitignore': text } })).toBe(ignored)
  })

  it('a deeper .gitignore comes first in each form', async () => {
    const texts = { '.gitignore': composed('grün'), [decomposed('ü/.gitignore')]: composed('!grün') }
    expect(await ignores(decomposed('ü/grün'), { on, top, texts })).toBe(false)
    expect(await ignores(decomposed('grün'), { on, top, texts })).toBe(true)
  })
})

it('files that a rule ignores in the other form are not packed', async () => {
  const root = folderWith({
    '.git/HEAD': '',
    '.gitignore': composed('schlüssel/*.key\n'),
    '.dockerignore': composed('größe.txt\n*.md\n!README.md\n'),
    'README.md': '',
    [decomposed('größe.txt')]: '',
    [decomposed('schlüssel/a.key')]: '',
    [decomposed('schlüssel/a.py')]: '',
  })
  const { entries } = await walkSource(root, await loadIgnoreRules(root), () => undefined)
  expect(entries.map(({ path: file }) => file)).toEqual([
    '.dockerignore',
    '.gitignore',
    'README.md',
    decomposed('schlüssel/a.py'),
  ])
})
