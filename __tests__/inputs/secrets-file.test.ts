import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readStep } from '../../src/inputs/read-step.ts'
import { describeProblem, InputError } from '../../src/problem.ts'
import { aPush } from '../builders.ts'
import { folderWith } from '../folders.ts'
import { AROUND } from '../here.ts'
import { listing } from '../secrets/redactor-of.ts'
import { aWorkspace } from './manifest/workspace.ts'

const VALUE = 'correct-horse-battery'

/** Reads a rollout in a workspace with these files. */
async function read(files: Record<string, string | Uint8Array>, inputs: Record<string, string> = {}) {
  const workspace = folderWith()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true })
    writeFileSync(path.join(workspace, name), content)
  }
  const given: Record<string, string> = { 'base-url': 'https://cp.example', 'api-key': 'key-1234', name: 'agent' }
  const set: Record<string, string> = { ...given, 'secrets-file': 'app.env', ...inputs }
  const masked: string[] = []
  const world = { ...AROUND, redactor: listing(masked), inputTexts: new Map(Object.entries(set)) }
  try {
    const step = await readStep((name) => set[name] ?? '', aPush({ workspace }), world)
    if (step.operation !== 'rollout') throw new Error('expected a rollout')
    const { settings, notes, warnings, secretsFiles, secretsInput, empty } = step.request
    const list = settings.secrets?.map(
      ({ name, value, isVariable }) => `${isVariable ? 'variable ' : ''}${name}=${value}`,
    )
    return { list, notes, warnings, secretsFiles, secretsInput, empty, problems: [], masked, workspace }
  } catch (thrown) {
    if (!(thrown instanceof InputError)) throw thrown
    return { problems: thrown.problems.map(describeProblem), masked, workspace }
  }
}

describe('secrets-file', () => {
  it('is a part of the one list, beside secrets and variables', async () => {
    const given = await read({ 'app.env': `A=${VALUE}\nB=x\nB=y` }, { secrets: 'C=z', variables: 'D=1' })
    expect(given.list).toEqual(['C=z', `A=${VALUE}`, 'B=y', 'variable D=1'])
    expect(given).toMatchObject({ notes: [], warnings: [], secretsInput: 'secrets' })
    expect(given.secretsFiles).toEqual([path.join(given.workspace, 'app.env')])
  })

  it('counts before variables, which are then not alone', async () => {
    expect(await read({ 'app.env': 'A=b' }, { variables: 'D=1' })).toMatchObject({ secretsInput: 'secrets-file' })
    expect(await read({}, { 'secrets-file': 'none' })).toMatchObject({ secretsInput: undefined, secretsFiles: [] })
  })

  it('has all its values masked, those of lines that are refused, too', async () => {
    const text = `A=${VALUE}\nPORT=reserved-value\nB="two\nlines of it"\n# C=in-a-comment\n`
    const { masked } = await read({ 'app.env': text }, { api: 'langsmith' })
    expect(masked).toEqual(expect.arrayContaining([VALUE, 'reserved-value', 'two\nlines of it', 'in-a-comment']))
    const broken = await read({ 'app.env': `A=${VALUE}#x\nhunter/two+2` })
    expect(broken.masked).toEqual(expect.arrayContaining([`${VALUE}#x`, 'hunter/two+2']))
  })

  it('has reserved names and empty values left away, with one note', async () => {
    const text = "A=b\nPORT=1\nLANGSMITH_API_KEY=key-1234\nEMPTY=\nBLANK=' '\nPORT=2"
    const { list, notes, warnings } = await read({ 'app.env': text }, { api: 'langsmith', 'base-url': '' })
    expect(list).toEqual(['A=b'])
    expect(notes).toEqual([
      'secrets-file: not sent are PORT, LANGSMITH_API_KEY (the service reserves such names) and EMPTY, BLANK (empty)',
    ])
    expect(warnings).toEqual([])
    const sent = await read({ 'app.env': 'A=b\nEMPTY=' }, { 'allow-empty-secrets': 'true' })
    expect(sent).toMatchObject({ list: ['A=b', 'EMPTY='], notes: [] })
  })

  it('names only the line of an empty value that may be the rest of a key', async () => {
    const { notes } = await read({ 'app.env': `A=${'x'.repeat(64)}\nzq7=\nB=` })
    expect(notes).toEqual(['secrets-file: not sent are line 2, B (empty)'])
  })

  const DASHES = 'that no environment variable can have'
  it.each<[string, string, Record<string, string>, string]>([
    ['a name in secrets', 'A=b', { secrets: 'A=c' }, 'secrets-file: must not set A, which secrets sets as well'],
    ['a name in variables', 'A=b', { variables: 'A=c' }, 'variables: must not set A, which secrets-file sets as well'],
    ['a name of a reference', 'A=b', { 'secret-references': 'A=x/y' }, 'secret-references: must not set A, which'],
    ['a name with a dot', 'A=b\na.b=c', {}, `secrets-file: "app.env" has a name in line 2 (a.b) ${DASHES}`],
    [
      'a name that may be the rest of a key',
      'A=b\nzq.7==',
      {},
      `secrets-file: "app.env" has a name in line 2 ${DASHES}`,
    ],
    ['a form of one package', 'A=b\nB=c#d', {}, 'secrets-file: "app.env" has in line 2 (B) a # without a blank'],
    ['the key of the step', 'A=key-1234', {}, `secrets-file: "app.env" must not pass this action's own credentials on`],
    ['what a log shows', 'A=***', {}, 'secrets-file: "app.env" has *** as the value of A'],
    ['no entry', '# none\n', {}, 'secrets-file: "app.env" sets no variable'],
    ['an empty text as the path', 'A=b', { 'secrets-file': '' }, 'secrets-file: is empty'],
    ['a missing file', 'A=b', { 'secrets-file': 'other.env' }, 'secrets-file: "other.env" does not exist'],
    ['a folder', 'A=b', { 'secrets-file': '.' }, 'secrets-file: "." cannot be read'],
    ['a path out of the workspace', 'A=b', { 'secrets-file': '..' }, 'secrets-file: ".." leads to'],
    ['secrets that are empty beside variables', 'A=b', { secrets: '', variables: 'C=d' }, 'secrets: is empty'],
  ])('refuses %s', async (_case, text, inputs, beginning) => {
    const { problems, empty } = await read({ 'app.env': text }, inputs)
    const all = [...problems, ...(empty?.always ?? []).map(describeProblem)]
    expect(all).toEqual([expect.stringMatching(/./)])
    expect(all[0]?.slice(0, beginning.length)).toBe(beginning)
  })

  it.each<[string, Uint8Array, string]>([
    ['no UTF-8', Buffer.from('A=\xff', 'latin1'), 'is not UTF-8 text'],
    ['UTF-16', Buffer.from('\ufeffA=b', 'utf16le'), 'is not UTF-8 text'],
    ['too large', Buffer.alloc(1024 * 1024 + 1, '#'), 'cannot be read (it is larger than 1 MB)'],
  ])('refuses a file that is %s', async (_case, bytes, message) => {
    const { problems } = await read({ 'app.env': bytes })
    expect(problems).toEqual([expect.stringContaining(`secrets-file: "app.env" ${message}`)])
  })

  it('may be anywhere by an absolute path, and by a link only inside the workspace', async () => {
    const outside = path.join(folderWith({ 'x.env': 'A=b' }), 'x.env')
    expect((await read({}, { 'secrets-file': outside })).list).toEqual(['A=b'])
    const workspace = folderWith({ 'real.env': 'A=b' })
    symlinkSync('real.env', path.join(workspace, 'inside.env'))
    symlinkSync(outside, path.join(workspace, 'outside.env'))
    const through = async (name: string): Promise<unknown> =>
      await AROUND.loadRest().then(async ({ openSecretsFile }) => await openSecretsFile(name, workspace, AROUND))
    expect(await through('inside.env')).toMatchObject({ real: path.join(workspace, 'real.env') })
    expect(await through('outside.env')).toMatch(/^leads to .*outside the workspace/)
  })

  it('beside empty secrets is the list, with a warning, also of a creation', async () => {
    const { warnings, empty, list } = await read({ 'app.env': 'A=b' }, { secrets: '' })
    expect(list).toEqual(['A=b'])
    expect(warnings).toEqual([
      expect.stringMatching(/^secrets is empty: secrets-file alone is the whole list\. If that/),
    ])
    expect(empty).toEqual({ always: [], container: [], creation: [] })
  })
})

describe('secrets-file of a manifest', () => {
  it("is read once, an entry's in place of that of the defaults, and no source of the fleet packs one", async () => {
    const workspace = aWorkspace()
    try {
      writeFileSync(path.join(workspace.folder, 'all.env'), `A=${VALUE}\n`)
      writeFileSync(path.join(workspace.folder, 'own.env'), 'B=own-value-of-it\n')
      const { entries, lines, masked } = await workspace.read(
        'version: 1\ndefaults: { secrets-file: all.env }\ndeployments:\n  - { name: a }\n  - { name: b, secrets-file: own.env }\n  - { name: c, secrets-file: none }\n  - { name: d }',
      )
      expect(lines).toEqual([])
      const lists = entries.map(({ settings }) => settings.secrets?.map(({ name }) => name))
      expect(lists).toEqual([['A'], ['B'], undefined, ['A']])
      const both = ['all.env', 'own.env'].map((name) => path.join(workspace.folder, name))
      expect(entries.map(({ secretsFiles }) => secretsFiles)).toEqual([both, both, both, both])
      expect(masked).toEqual(expect.arrayContaining([VALUE, 'own-value-of-it']))
    } finally {
      workspace.end()
    }
  })

  it('has at most 10 MB with all others, and a mistake has the place of the entry', async () => {
    const workspace = aWorkspace()
    try {
      const entries = Array.from({ length: 11 }, (_, index) => {
        writeFileSync(path.join(workspace.folder, `${index}.env`), `A=b\n${'#'.repeat(1024 * 1024 - 10)}`)
        return `  - { name: a${index}, secrets-file: ${index}.env }`
      })
      const { problems } = await workspace.read(`version: 1\ndeployments:\n${entries.join('\n')}`)
      expect(problems).toMatchObject([
        {
          input: 'deployments[10].secrets-file (a10)',
          message: expect.stringContaining('more than 10 MB together'),
          place: { file: 'fleet.yml', line: 13 },
        },
      ])
    } finally {
      workspace.end()
    }
  })
})
