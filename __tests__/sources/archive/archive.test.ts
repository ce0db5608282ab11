import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { list, type ReadEntry } from 'tar'
import { type Archive, type ArchiveRequest, packSource } from '../../../src/sources/archive/archive.ts'
import { packEntries, tarOf } from '../../../src/sources/archive/pack.ts'
import { loadIgnoreRules, walkSource } from '../../../src/sources/archive/walk.ts'
import { InputError, NothingToUploadError } from '../../../src/problem.ts'
import { FILES } from '../../here.ts'
import { folderWith, makePipes } from '../../folders.ts'

const TEMP = folderWith({})
/** A folder with these files, and with links by their names. */
function treeOf(files: Record<string, string>, links: Record<string, string>): string {
  const root = folderWith(files)
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name))
  return root
}

const NOT_ENDED = (): void => undefined
/** For code of a process of its own. */
const REAL_FILES = fileURLToPath(new URL('../../../src/real/world.ts', import.meta.url))

async function pack(
  root: string,
  over: Partial<ArchiveRequest> = {},
  limits?: Parameters<typeof packSource>[1],
): Promise<Archive> {
  const request = {
    sourcePath: '.',
    workspace: root,
    appConfigPath: undefined,
    tempDir: TEMP,
    files: FILES,
    checkEnd: NOT_ENDED,
    ...over,
  }
  return await packSource(request, limits)
}

async function entriesOf({ file }: Archive): Promise<ReadEntry[]> {
  const entries: ReadEntry[] = []
  await list({ file, onReadEntry: (entry) => entries.push(entry) })
  return entries
}

async function namesIn(root: string, over: Partial<ArchiveRequest> = {}): Promise<string[]> {
  const archive = await pack(root, over)
  const names = (await entriesOf(archive)).map((entry) => entry.path)
  await archive.remove()
  return names
}

async function problemsOf(packing: Promise<Archive>): Promise<string[]> {
  const error: unknown = await packing.catch((thrown: unknown) => thrown)
  if (!(error instanceof InputError)) throw new Error('expected an InputError', { cause: error })
  return error.message.split('\n')
}

describe('an archive of the same files', () => {
  const files = { 'b.txt': 'b', 'a.txt': 'a', 'dir/c.txt': 'c', 'Z.txt': 'z', 'ä.txt': 'umlaut' }

  it('has the same bytes for any time, order and owner of the files', async () => {
    const one = folderWith(files)
    const other = folderWith(Object.fromEntries(Object.entries(files).reverse()))
    utimesSync(path.join(other, 'a.txt'), new Date(0), new Date(1_000_000))
    chmodSync(path.join(other, 'a.txt'), 0o600)
    chmodSync(path.join(one, 'b.txt'), 0o664)
    const [first, second] = [await pack(one), await pack(other)]
    expect(first.sha256).toBe(second.sha256)
    expect(first.bytes).toBe(second.bytes)
    expect(first.files).toBe(5)
  })

  it('is sorted, with fixed times, owners and modes', async () => {
    const root = folderWith({ ...files, 'run.sh': '#!/bin/sh' })
    chmodSync(path.join(root, 'run.sh'), 0o710)
    const entries = await entriesOf(await pack(root))
    const names = entries.map((entry) => entry.path)
    expect(names).toEqual(['Z.txt', 'a.txt', 'b.txt', 'dir/c.txt', 'run.sh', 'ä.txt'])
    expect(new Set(entries.map(({ mtime }) => mtime?.getTime())).size).toBe(1)
    expect(entries.map(({ mode }) => mode?.toString(8))).toEqual(['644', '644', '644', '644', '755', '644'])
    expect(entries.flatMap(({ uid, gid, uname, gname }) => [uid, gid, uname, gname]).filter(Boolean)).toEqual([])
  })

  it('changes with a content, a name and the right to execute', async () => {
    const base = (await pack(folderWith(files))).sha256
    expect((await pack(folderWith({ ...files, 'a.txt': 'A' }))).sha256).not.toBe(base)
    expect((await pack(folderWith({ ...files, 'd.txt': '' }))).sha256).not.toBe(base)
    const runnable = folderWith(files)
    chmodSync(path.join(runnable, 'a.txt'), 0o755)
    expect((await pack(runnable)).sha256).not.toBe(base)
  })

  it('keeps two names of one file as two files', async () => {
    const [linked, plain] = [folderWith({ a: 'x' }), folderWith({ a: 'x', b: 'x' })]
    linkSync(path.join(linked, 'a'), path.join(linked, 'b'))
    expect((await pack(linked)).sha256).toBe((await pack(plain)).sha256)
  })

  it('has the same bytes whatever the number of threads, and gzip reads them', () => {
    const root = folderWith({})
    for (const name of ['a', 'b', 'c'])
      writeFileSync(path.join(root, name), Array.from({ length: 300_000 }, (_, n) => `${name}${n % 997}`).join(' '))
    const module = fileURLToPath(new URL('../../../src/sources/archive/archive.ts', import.meta.url))
    const script = `
      const { packSource } = await import(${JSON.stringify(module)})
      const { systemFiles: files } = await import(${JSON.stringify(REAL_FILES)})
      const checkEnd = () => undefined
      const { file, sha256 } = await packSource({ sourcePath: '.', workspace: ${JSON.stringify(root)}, tempDir: ${JSON.stringify(TEMP)}, files, checkEnd })
      console.log(sha256, file)`
    const packed = ['1', '8'].map((threads) => {
      const env = { ...process.env, UV_THREADPOOL_SIZE: threads }
      const args = ['--input-type=module', '--eval', script]
      return execFileSync(process.execPath, args, { encoding: 'utf8', env }).trim().split(' ')
    })
    expect(packed[0]?.[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(packed[1]?.[0]).toBe(packed[0]?.[0])
    execFileSync('gzip', ['-t', packed[0]?.[1] ?? ''])
  })

  it('can be unpacked by any tar, names of any length and alphabet included', async () => {
    const names = ['@at', '-dash', '名前.txt', 'with blank', '..dots', 'c:foo', 'back\\slash']
    names.push(`${'long/'.repeat(60)}name`, 'x'.repeat(200))
    const root = folderWith(Object.fromEntries(names.map((name) => [name, name])))
    const { file } = await pack(root)
    const listed = execFileSync('tar', ['-tzf', file, '--quoting-style=literal'], { encoding: 'utf8' })
    expect(listed.trim().split('\n').sort()).toEqual([...names].sort())
  })

  it('contains all files of any tree', async () => {
    const name = fc.stringMatching(/^[A-Za-z0-9 _.@#+~-]{1,12}$/).filter((text) => !/^\.*$|^\.git/.test(text))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.string({ maxLength: 50 }), { minKeys: 1, maxKeys: 6 }), async (tree) => {
        const root = folderWith(tree)
        expect(await namesIn(root)).toEqual(Object.keys(tree).sort())
      }),
      { numRuns: 15 },
    )
  })
})

describe('an entry that is not packed', () => {
  it('is .git, as a directory or as a file, at any depth', async () => {
    const root = folderWith({ '.git/HEAD': 'x', 'sub/.git': 'gitdir: ..', 'sub/a': '', '.gitattributes': '' })
    expect(await namesIn(root)).toEqual(['.gitattributes', 'sub/a'])
  })

  it('is what .gitignore says, deeper ones having the last word', async () => {
    const root = folderWith({
      '.gitignore': '*.log\n/build\nnode_modules/\n!important.log\n',
      'a.log': '',
      'important.log': '',
      'build/x': '',
      'sub/build/x': '',
      'node_modules/m/index.js': '',
      'sub/.gitignore': '!kept.log\nlocal\n',
      'sub/kept.log': '',
      'sub/other.log': '',
      'sub/local': '',
      'other/local': '',
      'A.LOG': '',
    })
    expect(await namesIn(root)).toEqual([
      '.gitignore',
      'A.LOG',
      'important.log',
      'other/local',
      'sub/.gitignore',
      'sub/build/x',
      'sub/kept.log',
    ])
  })

  it('is not entered again when its directory is ignored', async () => {
    const root = folderWith({ '.gitignore': 'out/', 'out/.gitignore': '!*', 'out/a': '', b: '' })
    expect(await namesIn(root)).toEqual(['.gitignore', 'b'])
  })

  it('is what the .gitignore of the repository above says, and no further up', async () => {
    const top = folderWith({
      '.gitignore': 'never-read\n',
      'repo/.git/HEAD': '',
      'repo/.gitignore': '*.pyc\n/packages/agent/secret\n',
      'repo/packages/agent/a.pyc': '',
      'repo/packages/agent/secret': '',
      'repo/packages/agent/never-read': '',
      'repo/packages/agent/app.py': '',
    })
    const sourcePath = 'repo/packages/agent'
    expect(await namesIn(top, { sourcePath })).toEqual(['app.py', 'never-read'])
  })

  it('is not a directory that was named as the source, although it is ignored', async () => {
    const root = folderWith({ '.git/HEAD': '', '.gitignore': 'dist/\n', 'dist/app.js': '' })
    expect(await namesIn(root, { sourcePath: 'dist' })).toEqual(['app.js'])
  })

  it('matches .dockerignore: anchored, with exceptions also in ignored directories', async () => {
    const root = folderWith({
      '.dockerignore': '# comment\n*.md\n!README.md\ndocs\n!docs/keep.txt\n**/*.tmp\n/abs\n',
      'README.md': '',
      'CHANGES.md': '',
      'sub/NOTES.md': '',
      'docs/a.txt': '',
      'docs/keep.txt': '',
      'sub/deep/x.tmp': '',
      abs: '',
      'sub/.dockerignore': '*',
      'sub/b': '',
    })
    expect(await namesIn(root)).toEqual([
      '.dockerignore',
      'README.md',
      'docs/keep.txt',
      'sub/.dockerignore',
      'sub/NOTES.md',
      'sub/b',
    ])
  })
})

describe('.gitignore', () => {
  // Few names, and patterns that are about them: most rules then meet something, and one another.
  const part = fc.constantFrom('a', 'lib', 'x y', 'c.log')
  const folder = fc.constantFrom('.', 'a', 'lib', 'a/a', 'a/lib', 'lib/a')
  const file = fc.tuple(folder, part, part).map((parts) => parts.join('/'))
  const about = fc
    .tuple(fc.constantFrom('', '', '/', '**/', 'a/'), part, fc.constantFrom('', '', '/', '/*', '/**'))
    .map(([start, name, end]) => start + name.replace(' ', '\\ ') + end)
  const odd = fc.constantFrom('*', '*/', '/*', '*.log', '[ak]*', 'a/**/lib', '\\!a', '# a', '', '?', 'lib ')
  const pattern = fc
    .tuple(fc.constantFrom('', '!'), fc.oneof({ weight: 3, arbitrary: about }, odd))
    .map(([sign, text]) => sign + text)
  const ignores = fc.dictionary(folder, fc.array(pattern, { minLength: 1, maxLength: 3 }), { minKeys: 1 })
  const trees = fc.record({
    files: fc.array(file, { minLength: 6, maxLength: 16 }),
    ignores,
    source: fc.oneof({ weight: 3, arbitrary: fc.constant('.') }, folder),
  })

  function grow(root: string, { files, ignores }: { files: string[]; ignores: Record<string, string[]> }): void {
    const write = (at: string, content: string): void => {
      try {
        mkdirSync(path.dirname(path.join(root, at)), { recursive: true })
        writeFileSync(path.join(root, at), content, { flag: 'wx' })
      } catch {
        // A file stands where this one needs a directory, or the other way round.
      }
    }
    for (const [at, lines] of Object.entries(ignores)) write(`${at}/.gitignore`, lines.join('\n'))
    for (const one of files) write(one, 'x')
  }

  function listedByGit(cwd: string): string[] {
    const options = ['--others', '--exclude-per-directory=.gitignore', '-z']
    const listed = execFileSync('git', ['ls-files', ...options], { cwd, encoding: 'utf8' })
    return listed.split('\0').filter((name) => name !== '')
  }

  it('means what git takes it for, in any tree, from any directory of it', async () => {
    const repository = folderWith({})
    execFileSync('git', ['init', '-q'], { cwd: repository })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        const root = mkdtempSync(path.join(repository, 'tree-'))
        try {
          grow(root, tree)
          const from = path.join(root, tree.source)
          fc.pre(existsSync(from) && statSync(from).isDirectory())
          const expected = listedByGit(from)
          fc.pre(expected.length > 0)
          seen.add(JSON.stringify(tree))
          expect(await namesIn(from)).toEqual(expected.sort((one, other) => (one < other ? -1 : 1)))
        } finally {
          rmSync(root, { recursive: true })
        }
      }),
      { numRuns: 25 },
    )
    // A generator that goes round in circles proves little.
    expect(seen.size).toBeGreaterThan(22)
  })

  it.each<[string, Record<string, string>, string[]]>([
    ['a name of it', { '.gitignore': 'lib/', 'pkg/.gitignore': '!lib/', 'pkg/lib/a.py': '' }, ['pkg/lib/a.py']],
    ['any name', { '.gitignore': 'lib', 'pkg/.gitignore': '!lib', 'pkg/lib/x/a.py': '' }, ['pkg/lib/x/a.py']],
    ['its place', { '.gitignore': 'lib/', 'pkg/.gitignore': '!/lib/', 'pkg/lib/a.py': '' }, ['pkg/lib/a.py']],
    [
      'one of many',
      { '.gitignore': 'data/*', 'data/.gitignore': '!keep/\n!.gitignore', 'data/keep/a': '', 'data/b': '' },
      ['data/keep/a'],
    ],
    [
      'all but what is ignored by itself',
      { '.gitignore': 'lib/\n*.pyc', 'pkg/.gitignore': '!lib/', 'pkg/lib/a.pyc': '', 'pkg/lib/lib/b': '' },
      ['pkg/lib/lib/b'],
    ],
  ])('takes a directory back in by a deeper file: %s', async (_case, files, kept) => {
    const root = folderWith(files)
    const names = await namesIn(root)
    expect(names.filter((name) => !name.endsWith('.gitignore'))).toEqual(kept)
  })

  it('keeps its other rules for a source that a deeper file takes back in', async () => {
    const root = folderWith({
      '.git/HEAD': '',
      '.gitignore': 'lib/\n*.pyc\n',
      'pkg/.gitignore': '!lib/\n',
      'pkg/lib/a.py': '',
      'pkg/lib/a.pyc': '',
    })
    expect(await namesIn(root, { sourcePath: 'pkg/lib' })).toEqual(['a.py'])
  })
})

describe('symlinks', () => {
  it('stay when they lead to somewhere inside, also when nothing is there', async () => {
    const links = { 'b/c/link': '../../a/file', broken: 'nowhere', directory: 'a' }
    const archive = await pack(treeOf({ 'a/file': 'x', 'b/c/d': '' }, links))
    const packed = (await entriesOf(archive)).filter(({ type }) => type === 'SymbolicLink')
    expect(packed.map((entry) => [entry.path, entry.linkpath])).toEqual(Object.entries(links))
  })

  it('that leave the directory are refused, all of them, by name', async () => {
    const outside = folderWith({ secret: 'x' })
    const up = { absolute: '/etc/passwd', 'sub/up': '../../elsewhere' }
    const links = { ...up, hop: outside, 'over-hop': 'hop/secret', loop: 'loop' }
    const problems = await problemsOf(pack(treeOf({ 'sub/a': '', a: '' }, links)))
    expect(problems).toHaveLength(5)
    for (const name of Object.keys(links))
      expect(problems.filter((problem) => problem.includes(`contains "${name}", a symlink`))).toHaveLength(1)
  })

  it('do not matter when they are ignored', async () => {
    const root = treeOf({ '.gitignore': 'link', a: '' }, { link: '/etc/passwd' })
    expect(await namesIn(root)).toEqual(['.gitignore', 'a'])
  })

  it('may not lead the source out of the workspace', async () => {
    const outside = folderWith({ secret: 'x' })
    const root = treeOf({ a: '' }, { linked: outside })
    expect((await problemsOf(pack(root, { sourcePath: 'linked' }))).join()).toMatch(
      /^source-path: "linked" leads to ".*", outside the workspace/,
    )
    expect(await namesIn(root, { sourcePath: path.join(root, 'linked') })).toEqual(['secret'])
  })

  it('may not replace a directory between the walk and the packing', async () => {
    const outside = folderWith({ a: 'secret' })
    const root = folderWith({ 'dir/a': 'a' })
    const { entries } = await walkSource(root, await loadIgnoreRules(root), NOT_ENDED)
    rmSync(path.join(root, 'dir'), { recursive: true })
    symlinkSync(outside, path.join(root, 'dir'))
    expect(() => [...tarOf(root, entries)]).toThrow('"dir/a" cannot be read (a link has replaced a part of its path)')
  })

  it('may be the source itself', async () => {
    const root = folderWith({ 'real/a': '' })
    symlinkSync('real', path.join(root, 'linked'))
    expect(await namesIn(root, { sourcePath: 'linked' })).toEqual(['a'])
  })
})

describe('a source that cannot be packed', () => {
  it.each<[string, Record<string, string>, Partial<ArchiveRequest>, RegExp]>([
    ['is not there', { a: '' }, { sourcePath: 'nowhere' }, /source-path: "nowhere" does not exist/],
    ['is a file', { a: '' }, { sourcePath: 'a' }, /is not a directory/],
    ['holds nothing', { '.gitignore': '*' }, {}, /has no files to upload/],
    [
      'is empty',
      {},
      { appConfigPath: 'app.json' },
      /^source-path: "\." is an empty directory: is the repository checked out\?$/,
    ],
    ['is in an empty workspace', {}, { sourcePath: 'app' }, /does not exist: is the repository checked out/],
    [
      'has no app config',
      { a: '' },
      { appConfigPath: 'app.json' },
      /app-config-path: "app.json" is not in source-path, to which it is relative: is the repository checked out\?$/,
    ],
    [
      'has the app config at a path that is relative to the workspace',
      { 'apps/a/app.json': '{}' },
      { sourcePath: 'apps/a', appConfigPath: 'apps/a/app.json' },
      /is not in source-path, to which it is relative: did you mean "app\.json"\?$/,
    ],
    [
      'has app configs elsewhere',
      { 'a/app.json': '{}', 'b/app.json': '', 'c/app.json': '', 'd/app.json': '', 'other/json': '' },
      { appConfigPath: 'app.json' },
      /did you mean "a\/app\.json" or "b\/app\.json" or "c\/app\.json"\?$/,
    ],
    [
      'has the app config in another case of letters',
      { 'src/agent.json': '{}', 'agent.json': '' },
      { appConfigPath: 'src/Agent.json' },
      /is not in source-path, to which it is relative: did you mean "src\/agent\.json"\?$/,
    ],
    [
      'has the app config in another form of Unicode',
      { 'ba\u0308r.json': '{}' },
      { appConfigPath: 'b\u00e4r.json' },
      /did you mean "ba\u0308r\.json" in the other form of Unicode \(NFD\)\?$/,
    ],
    [
      'has the app config in another form and another case',
      { 'B\u00e4r.json': '{}' },
      { appConfigPath: 'ba\u0308r.json' },
      /did you mean "B\u00e4r\.json" in the other form of Unicode \(NFC\)\?$/,
    ],
    [
      'is named in another form of Unicode',
      { 'apps/ba\u0308r/a': '' },
      { sourcePath: 'apps/b\u00e4r' },
      /^source-path: "apps\/b\u00e4r" does not exist in this form of Unicode \(NFC\), only in the other one \(NFD\): write its name as it is on the disk$/,
    ],
    ['has a directory for one', { 'app/a': '' }, { appConfigPath: 'app' }, /is a directory/],
    ['ignores it', { '.gitignore': 'app.json', 'app.json': '{}' }, { appConfigPath: 'app.json' }, /ignores it/],
    ['has it outside', { 'a/b': '' }, { sourcePath: 'a', appConfigPath: '../app.json' }, /inside source-path/],
    ['has it anywhere', { a: '' }, { appConfigPath: '/etc/passwd' }, /inside source-path/],
  ])('because it %s is refused', async (_case, files, over, message) => {
    const problems = await problemsOf(pack(folderWith(files), over))
    expect(problems.join('\n')).toMatch(message)
  })

  it.each<[string, Record<string, string>, Partial<ArchiveRequest>, boolean]>([
    ['an empty directory', {}, {}, true],
    ['no directory in an empty workspace', {}, { sourcePath: 'app' }, true],
    ['no directory in a workspace with files', { a: '' }, { sourcePath: 'app' }, false],
    ['a directory whose files are ignored', { '.gitignore': '*', a: '' }, {}, true],
    ['a directory without the app config', { a: '' }, { appConfigPath: 'app.json' }, false],
  ])('%s may have nothing to upload', async (_case, files, over, isNothing) => {
    const thrown = await pack(folderWith(files), over).catch((one: unknown) => one)
    expect(thrown).toBeInstanceOf(InputError)
    expect(thrown instanceof NothingToUploadError).toBe(isNothing)
  })

  it('because it holds a pipe is refused', async () => {
    const root = folderWith({ a: '' })
    makePipes(path.join(root, 'pipe'))
    expect((await problemsOf(pack(root))).join()).toContain('contains "pipe", which is neither a file')
  })

  it('because a pipe has replaced a file is refused at once', () => {
    const root = folderWith({})
    makePipes(path.join(root, 'a'))
    expect(() => [...tarOf(root, [{ path: 'a' }])]).toThrow('"a" cannot be read (it is not a regular file)')
  })

  describe.each(['.gitignore', '.dockerignore', 'sub/.gitignore'])('because of its %s', (name) => {
    it.each<[string, (file: string) => void, RegExp]>([
      ['is a pipe', makePipes, /it is not a regular file/],
      ['is a device', (file) => symlinkSync('/dev/zero', file), /it is not a regular file/],
      ['is a directory', (file) => mkdirSync(file), /it is not a regular file/],
      ['is a loop of links', (file) => symlinkSync(path.basename(file), file), /ELOOP/],
      ['is too large', (file) => writeFileSync(file, '#'.repeat(1_100_000)), /it is larger than 1 MB/],
    ])('that %s, it is refused at once', async (_case, make, reason) => {
      const root = folderWith({ a: '', 'sub/a': '' })
      make(path.join(root, name))
      const problems = await problemsOf(pack(root))
      expect(problems).toEqual([expect.stringMatching(reason)])
      expect(problems[0]).toContain(
        `has the ignore file ${JSON.stringify(path.join(root, name))}, which cannot be read`,
      )
    })
  })

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from('\uFEFF!a\n.env\r\n*.é\r\n')],
    ['UTF-16, as PowerShell writes it', Buffer.from('\uFEFF!a\n.env\r\n*.é\r\n', 'utf16le')],
    ['UTF-16 in the other order of bytes', Buffer.from('\uFEFF!a\n.env\r\n*.é\r\n', 'utf16le').swap16()],
  ])('is packed by ignore files in %s with a byte order mark', async (_charset, bytes) => {
    for (const name of ['.gitignore', '.dockerignore', 'sub/.gitignore']) {
      const folder = name.startsWith('sub/') ? 'sub/' : ''
      const root = folderWith({ [`${folder}.env`]: 'KEY=secret', [`${folder}b.é`]: '', a: '', 'sub/a': '' })
      writeFileSync(path.join(root, name), bytes)
      const archive = await pack(root)
      expect((await entriesOf(archive)).map((entry) => entry.path)).toEqual([name, 'a', 'sub/a'].sort())
      expect(archive.warnings).toEqual([])
    }
  })

  it.each(['.gitignore', '.dockerignore', 'sub/.gitignore'])('because of NUL bytes in %s is refused', async (name) => {
    const rules = Buffer.from('.env\n', 'utf16le')
    for (const bytes of [rules, Buffer.concat([Buffer.from('\uFEFF', 'utf16le'), rules, Buffer.alloc(2)])]) {
      const root = folderWith({ '.env': 'KEY=secret', 'sub/a': '' })
      writeFileSync(path.join(root, name), bytes)
      const file = JSON.stringify(path.join(root, name))
      expect(await problemsOf(pack(root))).toEqual([
        `source-path: "." has the ignore file ${file}, which has NUL bytes: save it as UTF-8 text`,
      ])
    }
  })

  it('is packed with a warning about ignore files that are not UTF-8, a few of which are named', async () => {
    const root = folderWith({ a: '', '.env': '' })
    const at = (folder: string): string => path.join(root, folder, '.gitignore')
    const latin1 = Buffer.from('# caf\xe9\n.env\n', 'latin1')
    writeFileSync(at(''), latin1)
    const one = await pack(root)
    expect((await entriesOf(one)).map((entry) => entry.path)).toEqual(['.gitignore', 'a'])
    const which = JSON.stringify(at(''))
    const effect = 'rules with other characters than ASCII may ignore nothing'
    expect(one.warnings).toEqual([
      `source-path has an ignore file that is not UTF-8 (${which}): ${effect}; save it as UTF-8`,
    ])
    // The last of them is cut within a character.
    for (const [folder, bytes] of Object.entries({ b: latin1, c: latin1, d: Buffer.from([0xff, 0xfe, 0x61]) })) {
      mkdirSync(path.join(root, folder))
      writeFileSync(at(folder), bytes)
    }
    const [several] = (await pack(root)).warnings
    expect(several).toMatch(
      /^source-path has ignore files that are not UTF-8 \(.* and 1 more\): .*; save them as UTF-8$/,
    )
  })

  it('is packed with a .gitignore that leads to nothing', async () => {
    const root = treeOf({ a: '' }, { '.gitignore': 'nowhere' })
    expect(await namesIn(root)).toEqual(['.gitignore', 'a'])
  })

  it('because of a name that is not UTF-8 is refused, and shows the name', async () => {
    const root = folderWith({ a: '', '.gitignore': '*.log' })
    const odd = (name: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')])
    writeFileSync(odd('caf\xe9'), '')
    writeFileSync(odd('\xff.log'), 'ignored')
    mkdirSync(odd('d\xff'))
    writeFileSync(odd('d\xff/inside'), '')
    symlinkSync('a', odd('link\xfe'))
    symlinkSync(odd('caf\xe9').subarray(root.length + 1), path.join(root, 'to'))
    const problems = await problemsOf(pack(root))
    expect(problems.map((problem) => problem.replace(/^.* contains /, ''))).toEqual([
      '"caf\\xe9", whose name is not UTF-8',
      '"d\\xff", whose name is not UTF-8',
      '"link\\xfe", whose name is not UTF-8',
      '"to", a symlink to "caf\\xe9", which is not UTF-8',
    ])
  })

  it('because a link vanishes while it is looked at is refused by its name', async () => {
    const root = treeOf({ a: '' }, { link: 'a' })
    const rules = await loadIgnoreRules(root)
    const vanishing = {
      ...rules,
      ignoresFile: (name: string) => {
        rmSync(path.join(root, 'link'), { force: true })
        return rules.ignoresFile(name)
      },
    }
    const { problems } = await walkSource(root, vanishing, NOT_ENDED)
    expect(problems).toEqual(['contains "link", which cannot be read (ENOENT)'])
  })

  it('because a file has vanished since it was seen is refused by its name', async () => {
    const root = folderWith({ a: '' })
    const entries = [{ path: 'a' }, { path: 'gone' }]
    const packing = packEntries(root, entries, { file: path.join(root, 'out'), maxBytes: 1000, checkEnd: NOT_ENDED })
    await expect(packing).rejects.toThrow('"gone" cannot be read (ENOENT)')
  })

  it.each<[string, (file: string) => void]>([
    ['is written to', (file) => utimesSync(file, 1, 1)],
    ['grows', (file) => appendFileSync(file, 'x')],
    ['shrinks', (file) => truncateSync(file, 1)],
  ])('because a file %s while it is read is refused by its name', (_case, change) => {
    const root = folderWith({ a: 'before' })
    const pieces = tarOf(root, [{ path: 'a' }])
    pieces.next()
    change(path.join(root, 'a'))
    expect(() => [...pieces]).toThrow('"a" cannot be read (it changed while it was read)')
  })

  it('leaves no file open', async () => {
    const root = folderWith({ a: 'x'.repeat(3_000_000), b: 'y' })
    const open = (): number => readdirSync('/dev/fd').length
    const before = open()
    await pack(root)
    await problemsOf(pack(root, {}, { warnBytes: 1, maxBytes: 12 }))
    expect(open()).toBe(before)
  })

  it('reports problems of its links and of its app config together', async () => {
    const root = treeOf({ a: '' }, { etc: '/etc' })
    const problems = await problemsOf(pack(root, { appConfigPath: 'app.json' }))
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['source-path', 'app-config-path'])
  })

  const isMissing = (target: string): string => `resolves by a symlink to "${target}", which does not exist`
  const isOut = 'app-config-path: "app.json" is outside source-path'

  it.each<[string, Record<string, string>, Record<string, string>, string, string | RegExp]>([
    ['a link to nothing', {}, { 'app.json': 'missing.json' }, 'app.json', isMissing('missing.json')],
    [
      'a link to what is ignored',
      { 'gen/app.json': '', '.gitignore': 'gen' },
      { 'app.json': 'gen/app.json' },
      'app.json',
      'resolves by a symlink to "gen/app.json", which .gitignore or .dockerignore ignores',
    ],
    [
      'below an ignored link',
      { 'cfg/app.json': '', '.gitignore': 'link' },
      { link: 'cfg' },
      'link/app.json',
      'is in source-path, but .gitignore or .dockerignore ignores it',
    ],
    [
      'a link to a directory',
      { 'cfg/app.json': '' },
      { 'app.json': 'cfg' },
      'app.json',
      '"app.json" is a directory, not a file',
    ],
    ['not there, below a link', { 'cfg/a': '' }, { link: 'cfg' }, 'link/app.json', isMissing('cfg/app.json')],
    ['below a file', { 'app.json': '' }, {}, 'app.json/x', 'is not in source-path'],
    ['a file with a slash', { 'app.json': '' }, {}, 'app.json/', 'is not in source-path'],
    ['a link that leads out', {}, { 'app.json': '/etc/hostname' }, 'app.json', isOut],
    ['a loop', {}, { 'app.json': 'b', b: 'app.json' }, 'app.json', /app-config-path: .* cannot be resolved/],
  ])('refuses an app config that is %s', async (_case, files, links, appConfigPath, message) => {
    const root = treeOf({ other: '', ...files }, links)
    expect((await problemsOf(pack(root, { appConfigPath }))).join('\n')).toMatch(message)
  })

  it.each<[string, Record<string, string>, string]>([
    ['is a link', { 'app.json': 'cfg/app.json' }, 'app.json'],
    ['is below a link', { link: 'cfg' }, 'link/app.json'],
    ['is behind several links', { 'x/app.json': '../link/app.json', link: './cfg/' }, 'x/app.json'],
    ['is behind a link that goes up', { 'x/up': '..' }, 'x/up/x/../cfg/app.json'],
  ])('accepts an app config that %s', async (_case, links, appConfigPath) => {
    const root = treeOf({ 'cfg/app.json': '{}', 'x/a': '' }, links)
    expect((await pack(root, { appConfigPath })).files).toBe(2 + Object.keys(links).length)
  })

  it('accepts an app config in other words', async () => {
    const archive = await pack(folderWith({ 'conf/app.json': '{}' }), { appConfigPath: './conf/../conf/app.json' })
    expect(archive.files).toBe(1)
  })
})

describe('the size of an archive', () => {
  const noise = (): string => Array.from({ length: 5000 }, () => Math.random().toString(36)).join('')

  it('is warned of above one limit and refused above the other, and nothing is left of it', async () => {
    const root = folderWith({ a: noise(), b: noise() })
    const tempDir = folderWith({})
    const noted = await pack(root, { tempDir }, { warnBytes: 1000, maxBytes: 10_000_000 })
    expect(noted.warnings.join()).toContain('.gitignore or .dockerignore')
    await noted.remove()
    expect((await pack(root, { tempDir })).warnings).toEqual([])
    const before = readdirSync(tempDir).length
    const problems = await problemsOf(pack(root, { tempDir }, { warnBytes: 1, maxBytes: 20_000 }))
    expect(problems.join()).toContain('when packed: exclude')
    expect(readdirSync(tempDir)).toHaveLength(before)
  })
})

describe('a packing during which the run ends', () => {
  const cancelled = new Error('cancelled')
  const endAfter = (calls: number) => {
    const left = { calls }
    return () => {
      if (left.calls-- === 0) throw cancelled
    }
  }

  it('reads no further', async () => {
    const root = folderWith({ a: 'a' })
    const packing = packEntries(root, [{ path: 'a' }, { path: 'gone' }], {
      file: path.join(root, 'out'),
      maxBytes: 1000,
      checkEnd: endAfter(0),
    })
    await expect(packing).rejects.toBe(cancelled)
  })

  it('stops between two pieces of a large file, and leaves nothing behind', async () => {
    const root = folderWith({ large: '' })
    truncateSync(path.join(root, 'large'), 4_000_000_000)
    const tempDir = folderWith({})
    let calls = 0
    let isPacking = false
    const checkEnd = (): void => {
      if (isPacking && ++calls >= 100) throw cancelled
    }
    const onChecked = (): void => {
      isPacking = true
    }
    await expect(pack(root, { tempDir, checkEnd, onChecked })).rejects.toBe(cancelled)
    // Once more after the piece at which it has stopped.
    expect(calls).toBe(101)
    expect(readdirSync(tempDir)).toEqual([])
  })

  it('stops in the middle of a large directory, as signals arrive between its entries', async () => {
    const root = folderWith(Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => [`file-${n}`, ''])))
    const rules = await loadIgnoreRules(root)
    const cancel = new AbortController()
    let seen = 0
    const ignoresFile = (): boolean => {
      if (seen++ === 0) setImmediate(() => cancel.abort(cancelled))
      return false
    }
    const walking = walkSource(root, { ...rules, ignoresFile }, () => cancel.signal.throwIfAborted())
    await expect(walking).rejects.toBe(cancelled)
    expect(seen).toBeLessThan(1_200)
  })

  it('reads a large directory in batches, as signals do not arrive while one is read as a whole', async () => {
    const names = Array.from({ length: 1_600 }, (_, n) => `${'x'.repeat(100)}-${n}`)
    const root = folderWith(Object.fromEntries(names.map((name) => [name, ''])))
    const rules = await loadIgnoreRules(root)
    let seen = 0
    const ignoresFile = (): boolean => {
      if (seen++ === 0) for (const name of names) rmSync(path.join(root, name))
      return false
    }
    await walkSource(root, { ...rules, ignoresFile }, NOT_ENDED)
    expect(seen).toBeLessThan(1_600)
  })
})
