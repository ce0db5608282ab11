import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { list } from 'tar'
import { InputError } from '../../../src/problem.ts'
import { type Archive, type ArchiveRequest, packSource } from '../../../src/sources/archive/archive.ts'
import { USUAL, Remarks } from '../../../src/sources/archive/remarks.ts'
import { folderWith, makePipes } from '../../folders.ts'
import { FILES } from '../../here.ts'

const TEMP = folderWith({})

async function pack(root: string, over: Partial<ArchiveRequest> = {}): Promise<Archive & { names: string[] }> {
  const place = { sourcePath: '.', workspace: root, tempDir: TEMP, files: FILES }
  const archive = await packSource({ ...place, appConfigPath: undefined, checkEnd: () => undefined, ...over })
  const names: string[] = []
  await list({ file: archive.file, onReadEntry: (entry) => names.push(entry.path) })
  return { ...archive, names }
}

describe('what is not packed by default', () => {
  const FOLDERS = [
    'node_modules',
    '.venv',
    'venv',
    '__pycache__',
    '.tox',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
  ]

  it.each(FOLDERS)('is %s, at any depth', async (name) => {
    const root = folderWith({ 'a.py': '', [`${name}/x.js`]: '', [`web/app/${name}/deep/y.js`]: '', 'web/b.py': '' })
    const { names, files, notes } = await pack(root)
    expect([names, files]).toEqual([['a.py', 'web/b.py'], 2])
    expect(notes).toEqual([`source-path: by default, "${name}/", "web/app/${name}/" are not packed`])
  })

  it.each(['.env', '.env.local', '.env.production.local', '.env.a.b.local'])('is %s', async (name) => {
    const { names, notes, warnings } = await pack(folderWith({ 'a.py': '', [name]: 'A=b', [`web/${name}`]: 'A=b' }))
    expect(names).toEqual(['a.py'])
    expect(notes).toEqual([`source-path: by default, "${name}", "web/${name}" are not packed`])
    expect(warnings).toEqual([])
  })

  it('is no other name, but .git', async () => {
    const others = ['.env-x', '.envrc', 'env', 'my.env', 'node_modules2', 'venv.txt', '.git2']
    const files = Object.fromEntries(others.map((name) => [name, '']))
    const { names, notes } = await pack(folderWith({ ...files, '.git/config': 'token' }))
    expect([names, notes]).toEqual([others.toSorted(), []])
  })

  it('is not entered', async () => {
    const root = folderWith({ 'a.py': '', 'node_modules/x.js': '' })
    symlinkSync('/', path.join(root, 'node_modules/outside'))
    mkdirSync(path.join(root, 'venv'))
    makePipes(path.join(root, 'venv/pipe'))
    symlinkSync('/usr', path.join(root, '.venv'))
    chmodSync(path.join(root, 'venv'), 0o000)
    try {
      const { names, notes } = await pack(root)
      expect(names).toEqual(['a.py'])
      expect(notes).toEqual(['source-path: by default, ".venv", "node_modules/", "venv/" are not packed'])
    } finally {
      chmodSync(path.join(root, 'venv'), 0o700)
    }
  })

  it('is named up to five times', async () => {
    const files = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`p${n}/venv/x`, '']))
    const { notes } = await pack(folderWith({ ...files, 'a.py': '' }))
    expect(notes).toEqual([
      'source-path: by default, "p0/venv/", "p1/venv/", "p2/venv/", "p3/venv/", "p4/venv/" and 2 more are not packed',
    ])
  })

  it('does not depend on the path of the source itself', async () => {
    const root = folderWith({ 'web/node_modules/lib/index.js': '' })
    expect((await pack(root, { sourcePath: 'web/node_modules' })).names).toEqual(['lib/index.js'])
  })

  it.each<[string, string, string]>([
    ['.gitignore', '!node_modules', 'node_modules/x'],
    ['.gitignore', '*.log\r\n!venv/  \r\n', 'venv/x'],
    ['.dockerignore', '!.env', '.env'],
    ['.dockerignore', '!.env.prod.local', 'web/.env.prod.local'],
  ])('comes back by a line of %s in the root: %j', async (file, rules, name) => {
    const { names, notes } = await pack(folderWith({ [file]: rules, [name]: '' }))
    expect(names).toEqual([file, name])
    expect(notes).toEqual([])
  })

  it.each<[string, string]>([
    ['.gitignore', '!*/\n!node*\n!/node_modules\n!node_modules/x\n# !node_modules\n !node_modules'],
    ['.gitignore', 'node_modules'],
    ['web/.gitignore', '!node_modules'],
    ['web/.dockerignore', '!node_modules'],
  ])('does not come back by %s: %j', async (file, rules) => {
    const { names } = await pack(
      folderWith({ 'a.py': '', [file]: rules, 'node_modules/x': '', 'web/node_modules/x': '' }),
    )
    expect(names.toSorted()).toEqual([file, 'a.py'].toSorted())
  })

  it('never comes back if it is .git or the file of secrets', async () => {
    const root = folderWith({ 'a.py': '', '.gitignore': '!.git\n!app.env', '.git/config': '', 'deploy/app.env': 'A=b' })
    const secretsFiles = [path.join(root, 'deploy/app.env')]
    const { names, notes } = await pack(root, { secretsFiles })
    expect(names).toEqual(['.gitignore', 'a.py'])
    expect(notes).toEqual(['source-path: by default, "deploy/app.env" is not packed'])
    const ofFolder = await pack(root, { secretsFiles, sourcePath: 'deploy' }).catch((thrown: unknown) => thrown)
    expect(ofFolder).toBeInstanceOf(InputError)
  })

  it.each(['venv/agent.json', '.env'])('has no file for the build: %s', async (appConfigPath) => {
    const packing = pack(folderWith({ 'a.py': '', 'venv/agent.json': '{}', '.env': '' }), { appConfigPath })
    await expect(packing).rejects.toThrow(/is not packed: by default, no archive contains "(?:venv\/|\.env)"/)
  })
})

describe('a warning about what is packed', () => {
  const warningsOf = async (files: Record<string, string>): Promise<string[]> =>
    (await pack(folderWith(files))).warnings

  it('names other files of values', async () => {
    expect(await warningsOf({ '.env.production': 'A=b', 'web/.env.example': '', '.env': '' })).toEqual([
      'source-path contains ".env.production", "web/.env.example": if a value in them is a secret, exclude them with .gitignore or .dockerignore',
    ])
  })

  it('names pointers of Git LFS, up to five', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n'
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`model${n}.bin`, pointer]))
    expect(await warningsOf({ ...files, 'long.txt': pointer.padEnd(2_000), 'other.txt': `x${pointer}` })).toEqual([
      'source-path contains pointers of Git LFS in place of files ("model0.bin", "model1.bin", "model2.bin", "model3.bin", "model4.bin" and 1 more): set lfs: true of actions/checkout',
    ])
  })

  it('names private keys, by their names and by what they contain', async () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nx\n'
    const plain = {
      'cert.pem': '-----BEGIN CERTIFICATE-----\nx',
      'a.py': `KEY = """\n${key}"""`,
      'id_rsa.pub': 'ssh-rsa x',
    }
    const keys = {
      'x/id_rsa': 'any',
      'deploy.txt': key,
      'bag.pem': `Bag Attributes\n${key}`,
      'k.key': key.replace('RSA ', ''),
    }
    expect(await warningsOf({ ...plain, ...keys })).toEqual([
      'source-path contains private keys ("bag.pem", "deploy.txt", "k.key", "x/id_rsa"): exclude them with .gitignore or .dockerignore, and replace a key that was uploaded',
    ])
  })

  it('names submodules of the repository that are empty', async () => {
    const modules =
      '[submodule "a"]\n\tpath = app/libs/a\n\turl = u\n[submodule "b"]\n\tpath = "app/libs/b"\n[submodule "c"]\n\tpath = other\n'
    const root = folderWith({ '.gitmodules': modules, '.git/HEAD': '', 'app/a.py': '', 'app/libs/b/x': '' })
    for (const name of ['app/libs/a', 'app/empty', 'other']) mkdirSync(path.join(root, name), { recursive: true })
    expect((await pack(root, { sourcePath: 'app' })).warnings).toEqual([
      'source-path contains submodules that are empty ("libs/a"): set submodules: true of actions/checkout',
    ])
    expect((await pack(root)).warnings.join()).toContain('("app/libs/a", "other")')
  })

  it('names the three largest folders of a large source, by files or by size', () => {
    const remarks = new Remarks({ files: 4, bytes: 1024 * 1024 })
    const add = (name: string, bytes = 1): void => remarks.add(name, bytes, new Uint8Array())
    for (const name of ['a/b/c/1', 'a/b/2', 'c/3', 'top']) add(name)
    expect(remarks.warnings([])).toEqual([])
    add('a/b/4')
    const begin =
      'before it is packed: exclude what the build does not need with .gitignore or .dockerignore. Its largest folders are'
    expect(remarks.warnings([])).toEqual([
      `source-path has 5 files, 0 MB ${begin} "a/b" (3 files, 0 MB), "c" (1 file, 0 MB), "." (1 file, 0 MB)`,
    ])
    add('d/large', 1024 * 1024)
    expect(remarks.warnings([])).toEqual([
      `source-path has 6 files, 1 MB ${begin} "d" (1 file, 1 MB), "a/b" (3 files, 0 MB), "c" (1 file, 0 MB)`,
    ])
    expect(USUAL).toEqual({ files: 10_000, bytes: 100 * 1024 * 1024 })
  })

  it('is absent from a plain source', async () => {
    expect(await warningsOf({ 'a.py': 'x', '.env': 'A=b', 'empty.txt': '' })).toEqual([])
  })
})
