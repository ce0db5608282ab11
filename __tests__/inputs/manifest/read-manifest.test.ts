import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { BAD_SHAPES, BAD_WAVES, withWaves } from './bad-manifests.ts'
import { aWorkspace, one } from './workspace.ts'
import { makePipes } from '../../folders.ts'

const [workspace, outside] = [aWorkspace(), aWorkspace()]
afterAll(workspace.end)
afterAll(outside.end)

const problemsOf = async (text: string | Uint8Array): Promise<string[]> => {
  const { request, lines } = await workspace.read(text)
  if (lines.length > 0) expect(request).toBeUndefined()
  return lines
}

describe('the file of a manifest', () => {
  const GOOD = 'version: 1\ndeployments: [{ name: a }]'

  it.each<[string, string, RegExp]>([
    ['is not there', 'nowhere.yml', /^manifest: "nowhere\.yml" is no file of the workspace/],
    ['is a folder', 'folder', /cannot be read: it is not a regular file/],
    ['is a pipe', 'pipe', /cannot be read: it is not a regular file/],
    ['is a link to a file outside of the workspace', 'link.yml', /outside the workspace .*use another path/],
    ['is above the workspace', '../x/fleet.yml', /is no file of the workspace|outside the workspace/],
    ['is in .git', '.git/fleet.yml', /inside \.git, which can contain credentials/],
    ['is too large', 'large.yml', /cannot be read: it is larger than 5 MB/],
    ['has a name of two lines', 'a\nb.yml', /must be one line/],
  ])('is refused if it %s', async (_case, manifest, message) => {
    await outside.read(GOOD)
    const at = (name: string): string => path.join(workspace.folder, name)
    if (manifest === 'folder') mkdirSync(at('folder'))
    if (manifest === 'pipe') makePipes(at('pipe'))
    if (manifest === 'link.yml') symlinkSync(path.join(outside.folder, 'fleet.yml'), at('link.yml'))
    if (manifest === '.git/fleet.yml') mkdirSync(at('.git'))
    if (['.git/fleet.yml', 'large.yml'].includes(manifest)) writeFileSync(at(manifest), GOOD)
    if (manifest === 'large.yml') truncateSync(at('large.yml'), 6 * 1024 * 1024)
    const { request, problems } = await workspace.read(GOOD, { manifest })
    expect(request).toBeUndefined()
    expect(problems).toHaveLength(1)
    expect(`${problems[0]?.input}: "${problems[0]?.value}" ${problems[0]?.message}`).toMatch(message)
  })

  it('may be outside of the workspace by an absolute path, which the author of the workflow writes', async () => {
    await outside.read('version: 2')
    const manifest = path.join(outside.folder, 'fleet.yml')
    const { problems } = await workspace.read(GOOD, { manifest })
    expect(problems).toMatchObject([{ place: { file: manifest } }, { place: { file: manifest } }])
  })

  it('may be JSON, begin with a byte order mark and have line ends of Windows', async () => {
    expect(await problemsOf('{"version": 1, "deployments": [{"name": "a"}]}')).toEqual([])
    expect(await problemsOf('\u{feff}version: 1\r\ndeployments:\r\n  - name: a\r\n')).toEqual([])
  })
})

describe('hostile YAML', () => {
  const BOMB = `a: &a [${'x, '.repeat(200)}]\nb: &b [${'*a, '.repeat(200)}]\nc: [${'*b, '.repeat(200)}]`
  const LONG = `a: &a ${'x'.repeat(60_000)}\nb: [${'*a, '.repeat(100)}]`
  const MERGE = 'version: 1\ndeployments: [{ name: a, <<: { source: x } }]'
  const PROTOTYPE = 'version: 1\n__proto__: { a: 1 }\ndeployments: [{ name: a }]'

  it.each<[string, string | Uint8Array, RegExp]>([
    ['bytes that are not UTF-8', Buffer.from([0x76, 0xff, 0xfe]), /is not UTF-8/],
    ['no content', '', /^1 manifest: is empty: it needs version: 1 and a list of deployments$/],
    ['a scalar', 'hello', /^1 manifest: must be a mapping, not a string/],
    ['broken syntax', 'version: 1\n deployments: [', /^\d+ manifest: is not plain YAML: .* in line \d+/],
    ['two documents', 'version: 1\n---\nversion: 1', /^\d manifest: is not plain YAML: multiple docs in line/],
    ['a tag', 'version: !!js/function 1', /^1 manifest: is not plain YAML: tag resolve failed/],
    ['a mapping as a key', '? { a: 1 }\n: 2', /^1 manifest: has a mapping, a list or an alias as a key/],
    ['an alias without an anchor', 'version: *nowhere', /^1 manifest: has an alias that has no anchor/],
    ['an alias before its anchor', 'version: *a\ndefaults: &a {}', /^1 manifest: has an alias that has no anchor/],
    ['an alias of itself', 'a: 1\nb: &b { x: *b }', /^2 manifest: has an alias (of an alias|that has no anchor)/],
    ['too many keys', 'a: 1\n'.repeat(100_001), /^1 manifest: has more than 300,000 keys, values and signs/],
    [
      'too many deployments',
      `version: 1\ndeployments:\n${'- name: a\n'.repeat(30_001)}`,
      /^2 deployments: must have at most 30000 entries/,
    ],
    [
      'too many waves',
      `version: 1\nwaves:\n${'- name: a\n'.repeat(1_001)}deployments: [{ name: a }]`,
      /^2 waves: must have at most 1000 entries/,
    ],
    ['too many aliases', `a: &a 1\nb: [${'*a, '.repeat(20_001)}]`, /^1 manifest: has more than 20000 aliases/],
    ['aliases of aliases', BOMB, /^3 manifest: has an alias of an alias/],
    ['aliases of much text', LONG, /^1 manifest: is larger than 5 MB with its aliases/],
    ['much nesting', `version: ${'['.repeat(20_000)}`, /^1 manifest: (is nested too deeply|is not plain YAML)/],
    ['a merge', MERGE, /is not a key of a deployment: a manifest merges defaults only/],
    ['a prototype', PROTOTYPE, /__proto__.* is not a key of a manifest/],
  ])('with %s is refused', async (_case, text, message) => {
    const lines = await problemsOf(text)
    expect(lines[0]?.replace(/^- /, '')).toMatch(message)
    expect(lines.join('\n').length).toBeLessThan(20_000)
  })

  it('with keys that are set twice is refused, with each of them and both lines', async () => {
    const text = 'version: 1\nversion: 1\ndeployments:\n  - name: a\n  - name: b\n    source: x\n    "source": y\n'
    expect(await problemsOf(text)).toEqual([
      '2 version: is set twice, in lines 1 and 2',
      '7 deployments[1].source: is set twice, in lines 6 and 7',
    ])
  })

  it('is refused at the lines of values that a step refuses as well', async () => {
    const text = `version: 1
defaults: { verify-url: '{url}ok' }
deployments:
  - { name: a, repo-ref: tags/v1 }
  - name: b
    build-command: make \${{ vars.TARGET }}
    install-command: make $\${{ }}`
    expect(await problemsOf(text)).toEqual([
      '2 defaults.verify-url: "{url}ok" must have a /, ? or # after {url}, as in {url}/ok',
      '4 deployments[0].repo-ref (a): "tags/v1" must be a branch as main, or a tag as refs/tags/v1; did you mean refs/tags/v1?',
      expect.stringMatching(/^6 deployments\[1\]\.build-command \(b\): has an expression/),
    ])
  })

  it('repeats no key below secrets', async () => {
    const text = 'version: 1\ndeployments: [{ name: a, secrets: { "T=abc-1": "${A}", "T=abc-1": "${A}" } }]'
    expect(await problemsOf(text)).toEqual(['2 deployments[0].secrets[…]: is set twice, in lines 2 and 2'])
  })

  it('with very many keys of one mapping is refused', async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n')
    expect(await problemsOf(`${keys}\nk5: 1`)).toEqual(['20001 k5: is set twice, in lines 6 and 20001'])
  })

  it('with very many unknown keys is refused, with the first ones', async () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `repo-reff${index}: 1`).join(', ')
    const entries = Array.from({ length: 3_000 }, () => '  - { name: a, repo-reff: 1 }').join('\n')
    const lines = await problemsOf(`version: 1\ndefaults: { ${keys} }\ndeployments:\n${entries}`)
    expect(lines).toHaveLength(101)
    expect(lines[0]).toBe('2 defaults.repo-reff0: is not a key of defaults; did you mean repo-ref?')
  })

  it('may use an anchor for what entries share', async () => {
    const entries = Array.from({ length: 300 }, (_, index) => `  - { name: a${index}, resource-spec: *s }`)
    const text = `version: 1\ndeployments:\n  - { name: a, resource-spec: &s { cpu: 1 } }\n${entries.join('\n')}`
    const { entries: read, problems } = await workspace.read(text)
    expect(problems).toEqual([])
    expect(read.at(-1)?.settings.resourceSpec).toEqual({ cpu: 1 })
  })
})

describe('a manifest of another shape', () => {
  it.each(BAD_SHAPES)('%s', async (_case, text, expected) => {
    expect(await problemsOf(text)).toEqual(expected)
  })

  it.each(BAD_WAVES)('of waves: %s', async (_case, waves, expected) => {
    expect(await problemsOf(withWaves(waves))).toEqual(expected)
  })

  it.each([
    ["'!docs/**'", 'must have a pattern that does not begin with !'],
    ['../apps/**', 'without ..'],
    ["'apps/${NAME}/**'", 'no variable is replaced here'],
    ['apps\\search', 'folders are separated by /'],
    ['', 'must have at least one entry'],
  ])('with the paths [%s]', async (paths, words) => {
    const [problem, ...others] = await problemsOf(`version: 1\ndeployments:\n  - name: a\n    paths: [${paths}]`)
    expect([problem, others]).toEqual([expect.stringMatching(/^4 deployments\[0\]\.paths/), []])
    expect(problem).toContain(words)
  })

  it('with a wave that the manifest does not have', async () => {
    const text = 'version: 1\nwaves: [{ name: canary }]\ndeployments: [{ name: a, wave: canray }]'
    expect(await problemsOf(text)).toEqual([
      '3 deployments[0].wave (a): "canray" names no wave of the manifest; did you mean canary?',
    ])
    expect(await problemsOf('version: 1\ndeployments: [{ name: a, wave: canary }]')).toEqual([
      '2 deployments[0].wave (a): "canary" names a wave, and the manifest has no waves',
    ])
  })
})

describe('the values of entries', () => {
  it('are reported together, with the line of each, in the order of the file', async () => {
    const text = `version: 1
defaults:
  verify-status: 1000
  app-config-path: agent.json
deployments:
  - name: a
    source: external_container
    resource-spec: { cpus: 1 }
  - name: b
    source: external_container
  - name: c
    source: git_host
    repo-ref: main
    tmeout: 5m
  - name: d
    resource-spec:
      cpu: 1
      memory_mb: 100
`
    expect(await problemsOf(text)).toEqual([
      '3 defaults.verify-status: "1000" must be a whole number from 100 to 599',
      expect.stringMatching(/^4 defaults\.app-config-path \(a and 1 more\): /),
      '8 deployments[0].resource-spec.cpus (a): is not a field of resource-spec; did you mean cpu?',
      '14 deployments[2].tmeout (c): is not a key of a deployment; did you mean timeout?',
      '18 deployments[3].resource-spec.memory_mb (d): must be a multiple of 128 (MB), not 100',
    ])
  })

  it('below secret-references are reported once each, at the line of the value', async () => {
    const text = `version: 1
defaults:
  secret-references:
    A: vault/a
    B: vault
deployments:
  - name: a
    secret-references:
      C: vault/c
      D: vault/d/e
      E: ''
      F: \${MISSING}
  - name: b
    secret-references:
      G: 7
`
    expect(await problemsOf(text)).toEqual([
      '5 defaults.secret-references.B: must have the form secret-name/key',
      '10 deployments[0].secret-references.D (a): must have the form secret-name/key',
      '11 deployments[0].secret-references.E (a): must have the form secret-name/key',
      expect.stringMatching(/^12 deployments\[0\]\.secret-references\.F \(a\): names the variable MISSING/),
      '15 deployments[1].secret-references.G (b): must be a string, not a number',
    ])
  })

  it('of a file have its place', async () => {
    writeFileSync(path.join(workspace.folder, 'spec.yml'), 'cpu: 1\ncpus: 2\n')
    const { problems } = await workspace.read('version: 1\ndeployments: [{ name: a, resource-spec: spec.yml }]')
    expect(problems).toMatchObject([
      { input: 'deployments[0].resource-spec.cpus (a)', place: { file: 'spec.yml', line: 2 } },
    ])
  })

  it('are not reported without end', async () => {
    const entries = Array.from({ length: 1_000 }, (_, index) => `  - { name: a${index}, source: x${index}, bad: 1 }`)
    const { problems } = await workspace.read(`version: 1\ndeployments:\n${entries.join('\n')}`)
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toMatchObject({ input: 'manifest', count: 1_900 })
  })
})

describe('an expression of GitHub in a manifest', () => {
  const EXPRESSION =
    'has an expression ${{ … }}, which GitHub evaluates in workflows only: set it in env of the step, and write ${NAME} here'

  it.each<[string, string, string]>([
    ['as a secret', 'secrets: { A: "${{ secrets.A }}" }', `4 deployments[0].secrets.A (a): ${EXPRESSION}`],
    ['in lines of secrets', 'secrets: "A=${{ secrets.A }}"', `4 deployments[0].secrets (a): ${EXPRESSION}`],
    ['as all secrets', 'secrets: ${{ secrets.ALL }}', `4 deployments[0].secrets (a): ${EXPRESSION}`],
    ['in braces, without quotes', 'secrets: { A: ${{ secrets.A }} }', `4 manifest: ${EXPRESSION}`],
  ])('%s is distinguished from a literal value', async (_case, line, problem) => {
    expect(await problemsOf(one(`    ${line}\n`))).toEqual([problem])
  })

  it('is no reason for other problems of YAML', async () => {
    const text = one('    secrets: { A: ${A} }\n    secrets: [ ${{ x }}\n')
    const [first, second] = await problemsOf(text)
    expect(first).toBe(
      '4 manifest: is not plain YAML: inside { } and [ ], ${NAME} must be in quotes: unexpected token in line 4, column 20',
    )
    expect(second).toBe(`5 manifest: ${EXPRESSION}`)
    expect((await problemsOf('a: {b\n'))[0]).toMatch(/^\d manifest: is not plain YAML: [a-z ]+ in line \d, column \d+$/)
  })
})
