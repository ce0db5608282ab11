import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readCheckout } from '../../src/app-config/checkout.ts'
import { readGitSettings, readHead, readIndex } from '../../src/app-config/git-folder.ts'
import { folderWith } from '../folders.ts'

function git(cwd: string, ...args: string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.hooksPath=/dev/null']
  execFileSync('git', [...author, ...args], { cwd, stdio: 'ignore' })
}

/** Names of many lengths, as the padding depends on them. */
const NAMES = Array.from({ length: 20 }, (_, index) => `${'d'.repeat(index + 1)}/ü-${'f'.repeat(index * 3)}`)

function repositoryOf(names: readonly string[], ...init: string[]): string {
  const cwd = folderWith(Object.fromEntries(names.map((name) => [name, ''])))
  symlinkSync(path.dirname(names[0] ?? ''), path.join(cwd, 'current'))
  git(cwd, 'init', '-q', '-b', 'main', ...init)
  git(cwd, 'remote', 'add', 'origin', 'https://github.com/acme/agent')
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '-m', 'x')
  return cwd
}

const indexOf = (cwd: string): Buffer => readFileSync(path.join(cwd, '.git/index'))

describe('readIndex', () => {
  it.each([2, 3, 4])('lists what git lists, in version %d', (version) => {
    const cwd = repositoryOf(NAMES)
    // Only version 3 and later have this flag.
    if (version > 2) git(cwd, 'add', '-A', '--intent-to-add')
    git(cwd, 'update-index', '--index-version', String(version))
    const index = readIndex(indexOf(cwd), 20)
    expect(index?.files.toSorted()).toEqual(NAMES.toSorted())
    expect(index?.links).toEqual(['current'])
  })

  it('lists the files of a repository with hashes of 32 bytes', () => {
    const cwd = repositoryOf(NAMES, '--object-format=sha256')
    expect(readIndex(indexOf(cwd), 32)?.files).toHaveLength(NAMES.length)
  })

  it('is undefined for what is no index, or is cut', () => {
    const bytes = indexOf(repositoryOf(NAMES))
    for (const cut of [0, 4, 11, 100, 500]) expect(readIndex(bytes.subarray(0, cut), 20)).toBeUndefined()
    expect(readIndex(Buffer.from('DIRC\0\0\0\x05\0\0\0\0'), 20)).toBeUndefined()
    expect(readIndex(Buffer.from('XXXX\0\0\0\x02\0\0\0\0'), 20)).toBeUndefined()
    expect(readIndex(Buffer.from('DIRC\0\0\0\x02\0\0\0\0'), 20)).toEqual({ files: [], links: [], submodules: [] })
  })

  it('is undefined if a file is not checked out', () => {
    const cwd = repositoryOf(NAMES)
    git(cwd, 'update-index', '--skip-worktree', NAMES[3] ?? '')
    expect(readIndex(indexOf(cwd), 20)).toBeUndefined()
  })
})

describe('readGitSettings', () => {
  it.each<[string, string | undefined]>([
    ['[remote "origin"]\n\turl = https://github.com/acme/agent\n', 'https://github.com/acme/agent'],
    ['[remote "other"]\nurl=git@github.com:acme/agent.git', 'git@github.com:acme/agent.git'],
    ['[remote "a"]\n\turl = x\n[remote "b"]\n\turl = y\n', undefined],
    ['[remote "a"]\n\turl = x\n[remote "origin"]\n\turl = y\n', 'y'],
    ['[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic x\n[branch "main"]\n\turl = z\n', undefined],
    ['', undefined],
  ])('reads the address in %j', (text, url) => {
    expect(readGitSettings(text)).toEqual({ url, isSparse: false })
  })

  it.each<[string, boolean]>([
    ['[core]\n\tsparseCheckout = true\n', true],
    ['[core] sparsecheckout = true\n', true],
    ['[core]\n\tsparseCheckout = false\n', false],
    ['[other]\n\tsparseCheckout = true\n', false],
  ])('reads whether a checkout is sparse in %j', (text, isSparse) => {
    expect(readGitSettings('', text).isSparse).toBe(isSparse)
  })
})

describe('readHead', () => {
  const COMMIT = 'a'.repeat(40)
  const head = async (files: Record<string, string>): Promise<string | undefined> =>
    await readHead((file) => Promise.resolve(files[file]))

  it('reads a commit, a branch, and a branch in packed-refs', async () => {
    const main = { HEAD: 'ref: refs/heads/main\n' }
    expect(await head({ HEAD: `${COMMIT}\n` })).toBe(COMMIT)
    expect(await head({ ...main, 'refs/heads/main': `${COMMIT}\n` })).toBe(COMMIT)
    expect(
      await head({ ...main, 'packed-refs': `# pack\n${'b'.repeat(40)} refs/heads/other\n${COMMIT} refs/heads/main\n` }),
    ).toBe(COMMIT)
    expect(await head(main)).toBeUndefined()
    expect(await head({})).toBeUndefined()
    expect(await head({ HEAD: 'ref: refs/../../x', 'refs/../../x': COMMIT })).toBeUndefined()
  })
})

describe('readCheckout', () => {
  it('has the files, the links and the commit of the workspace', async () => {
    const cwd = repositoryOf(NAMES)
    const checkout = await readCheckout(cwd)
    expect(checkout).toMatchObject({ url: 'https://github.com/acme/agent', top: cwd, submodules: [] })
    expect(checkout?.commit).toMatch(/^[0-9a-f]{40}$/)
    expect(checkout?.tree.resolve('', `current/${path.basename(NAMES[0] ?? '')}`)).toEqual({
      kind: 'file',
      at: NAMES[0],
    })
  })

  it('is undefined without a folder of git', async () => {
    expect(await readCheckout(folderWith({ '.git': 'gitdir: elsewhere' }))).toBeUndefined()
    expect(await readCheckout(folderWith())).toBeUndefined()
    expect(await readCheckout('/nowhere')).toBeUndefined()
  })
})
