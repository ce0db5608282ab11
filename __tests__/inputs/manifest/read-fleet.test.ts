import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { aWorkspace, one } from './workspace.ts'

const workspace = aWorkspace()
afterAll(workspace.end)

const EXAMPLE = `# yaml-language-server: $schema=../schemas/fleet.schema.json
version: 1
defaults:
  source: git_host
  app-config-path: agent.json
  verify-url: '{url}/ok'
  if-unchanged: skip
waves:
  - name: canary
    max-parallel: 1
    bake: 5m
  - name: everyone
    max-parallel: 50%
    max-failures: 5%
deployments:
  - name: agent-eu
    wave: canary
    repo-ref: main
    secrets:
      MODEL_API_KEY: \${MODEL_API_KEY_EU}
  - name: agent-us
`
const ENV = { MODEL_API_KEY_EU: 'eu-secret-1' }

it('reads the example of the specification', async () => {
  const { request, entries, problems, masked } = await workspace.read(EXAMPLE, { env: ENV })
  expect(problems).toEqual([])
  expect(request).toMatchObject({
    manifest: 'fleet.yml',
    requestsPerSecond: 10,
    timeoutMs: 7_200_000,
    dryRun: false,
    waves: [
      { name: 'canary', maxParallel: 1, maxFailures: 0, bakeMs: 300_000, entries: [{ name: 'agent-eu' }] },
      { name: 'everyone', maxParallel: 1, maxFailures: 0, bakeMs: 0, entries: [{ name: 'agent-us' }] },
    ],
  })
  expect(entries[0]).toMatchObject({
    target: { kind: 'name', name: 'agent-eu' },
    source: 'git_host',
    ifUnchanged: 'skip',
    wait: true,
    timeoutMs: 7_200_000,
    settings: {
      appConfigPath: 'agent.json',
      repoRef: 'main',
      secrets: [{ name: 'MODEL_API_KEY', value: 'eu-secret-1' }],
    },
    verification: { url: '{url}/ok' },
  })
  expect(entries[1]?.settings.secrets).toBeUndefined()
  expect(request?.shards).toEqual([
    { shard: '1/2', waves: ['canary'], deployments: 1 },
    { shard: '2/2', waves: ['everyone'], deployments: 1 },
  ])
  expect(masked).toContain('eu-secret-1')
})

describe('an entry', () => {
  it('skips what is unchanged, unless it says otherwise', async () => {
    const { entries } = await workspace.read(
      'version: 1\ndeployments: [{name: a}, {name: b, if-unchanged: revise}, {name: c, if-unchanged: ""}]',
    )
    expect(entries.map(({ ifUnchanged }) => ifUnchanged)).toEqual(['skip', 'revise', 'skip'])
  })

  it('overrides a default, and an empty text unsets it', async () => {
    const { entries } = await workspace.read(
      'version: 1\ndefaults: {repo-ref: main}\ndeployments: [{name: a}, {name: b, repo-ref: dev}, {name: c, repo-ref: ""}]',
    )
    expect(entries.map(({ settings }) => settings.repoRef)).toEqual(['main', 'dev', undefined])
  })

  it('merges its mappings over those of the defaults by their keys; a text replaces them', async () => {
    const text = `version: 1
defaults:
  secrets: { COMMON: '\${COMMON}', OWN: '\${COMMON}' }
  resource-spec: { cpu: 1, memory_mb: 1024 }
  secret-references: { A: vault/a }
  listener-id: 123e4567-e89b-12d3-a456-426614174000
deployments:
  - name: a
    secrets: { OWN: '\${OWN}' }
    resource-spec: { cpu: 2 }
    secret-references: { B: vault/b }
  - name: b
    secrets: '{}'
    resource-spec: 'cpu: 3'
    secret-references: C=vault/c
  - name: c
    secrets: unchanged
  - name: d
    secrets: {}
`
    const { entries, problems } = await workspace.read(text, { env: { COMMON: 'common-1', OWN: 'own-1' } })
    expect(problems).toEqual([])
    const secret = (name: string, value: string) => ({ name, value })
    const settings = entries.map((entry) => ({
      secrets: entry.settings.secrets,
      spec: entry.settings.resourceSpec,
      references: entry.settings.secretReferences?.map(({ name }) => name),
    }))
    const secrets = [secret('COMMON', 'common-1'), secret('OWN', 'own-1')]
    expect(settings).toEqual([
      { secrets, spec: { cpu: 2, memory_mb: 1024 }, references: ['A', 'B'] },
      { secrets: [], spec: { cpu: 3 }, references: ['C'] },
      { secrets: undefined, spec: { cpu: 1, memory_mb: 1024 }, references: ['A'] },
      { secrets: [], spec: { cpu: 1, memory_mb: 1024 }, references: ['A'] },
    ])
  })

  it('has a time limit of its own, at most that of the fleet', async () => {
    const { entries } = await workspace.read(
      'version: 1\ndefaults: {timeout: 10m}\ndeployments: [{name: a}, {name: b, timeout: 5h}, {name: c, timeout: 90}]',
      { inputs: { timeout: '1h' } },
    )
    expect(entries.map(({ timeoutMs }) => timeoutMs)).toEqual([600_000, 3_600_000, 90_000])
  })

  it('keeps a number as it is written', async () => {
    const { entries } = await workspace.read(
      one('    repo-ref: 1.10\n    build-on-push: False\n    verify-timeout: 90'),
    )
    expect(entries).toMatchObject([{ settings: { repoRef: '1.10', buildOnPush: false } }])
  })

  it('is planned only, in a dry run of the fleet', async () => {
    const { request, entries } = await workspace.read(one(''), { inputs: { 'dry-run': 'true' } })
    expect([request, ...entries]).toMatchObject([{ dryRun: true }, { dryRun: true }])
  })

  it('is not compared with the names of other deployments: a fleet has many that are similar', async () => {
    expect((await workspace.read(one(''))).entries).toMatchObject([{ warnsOfTypo: false }])
  })

  it("takes the event's repository, like a step", async () => {
    const repository = { repoUrl: 'https://github.com/acme/agent', repoRef: { kind: 'ref', ref: 'main' } }
    expect((await workspace.read(one(''))).entries).toMatchObject([{ repository }])
  })

  it("follows the service's names and rules", async () => {
    const good = await workspace.read(one('    source: github\n    deployment-type: serverless'), { api: 'langsmith' })
    expect(good.entries).toMatchObject([{ source: 'git_host', settings: { deploymentType: 'dev_zero' } }])
    const { lines } = await workspace.read(one('    deployment-type: small'), { api: 'langsmith' })
    expect(lines).toEqual([expect.stringMatching(/deployment-type .*"small" must be one of serverless, dedicated/)])
  })
})

describe('the secrets of an entry', () => {
  const KEY = { A: 'value-of-a', B: 'value-of-b', ALL: 'X=one-1\nY=two-2' }

  it.each<[string, string, Record<string, string>]>([
    ['a mapping', '{ X: "${A}", Y: "${B}" }', { X: 'value-of-a', Y: 'value-of-b' }],
    ['lines', '"X=${A}\\nY=${B}"', { X: 'value-of-a', Y: 'value-of-b' }],
    ['JSON', `'{"X": "\${A}"}'`, { X: 'value-of-a' }],
    ['one variable with all of them', '${ALL}', { X: 'one-1', Y: 'two-2' }],
  ])('may be %s', async (_form, given, expected) => {
    const { entries, problems } = await workspace.read(one(`    secrets: ${given}`), { env: KEY })
    expect(problems).toEqual([])
    const secrets = Object.entries(expected).map(([name, value]) => ({ name, value }))
    expect(entries.map(({ settings }) => settings.secrets)).toEqual([secrets])
  })

  it('masks each secret of a variable that has all of them', async () => {
    const { masked } = await workspace.read(one('    secrets: ${ALL}'), { env: KEY })
    expect(masked).toEqual(expect.arrayContaining(['one-1', 'two-2']))
  })

  it.each<[string, string]>([
    ['a mapping', '{ X: literal-1 }'],
    ['a mapping with a part that is a variable', '{ X: "a${A}" }'],
    ['a number', '{ X: 12345 }'],
    ['lines', 'X=literal-1'],
    ['lines with more than the variable', 'X=${A}-literal-1'],
    ['a line behind that of a variable', '"Y=${A}\\nX=literal-1"'],
    ['JSON', `'{"X": "literal-1"}'`],
    ['a line without a name', 'literal-1'],
    ['a list', '[literal-1]'],
  ])('must not be literal: %s', async (_form, secrets) => {
    const ofDefaults = `version: 1\ndeployments: [{name: a}]\ndefaults:\n  secrets: ${secrets}`
    const texts: [string, RegExp][] = [
      [one(`    secrets: ${secrets}`), /^deployments\[0\]\.secrets(\.X)? \(a\)$/],
      [ofDefaults, /^defaults\.secrets(\.X)?$/],
    ]
    for (const [text, input] of texts) {
      const { request, problems } = await workspace.read(text, { env: KEY })
      expect(request).toBeUndefined()
      expect(problems).toHaveLength(1)
      const [problem] = problems
      expect(problem?.input).toMatch(input)
      expect(problem?.place).toEqual({ file: 'fleet.yml', line: 4 })
      expect(JSON.stringify(problem)).not.toMatch(/literal-1|12345/)
      if (!secrets.startsWith('[')) expect(problem?.message).toContain('write ${NAME}, and set NAME in env of the step')
    }
  })

  it('must not hold a credential of the step', async () => {
    const { lines } = await workspace.read(one('    secrets: { X: "${A}" }'), { env: { A: 'the-key-of-the-step' } })
    expect(lines).toEqual([expect.stringMatching(/^4 deployments\[0\]\.secrets \(a\): .* X \(the value of api-key\)/)])
  })

  it('are set beside variables, whatever their form', async () => {
    const given = { '': 'variables', '    secrets: { X: "${A}" }\n': 'secrets', '    secrets: "X=${A}"\n': 'secrets' }
    for (const [secrets, secretsInput] of Object.entries(given)) {
      const { entries } = await workspace.read(one(`${secrets}    variables: { B: b }`), { env: KEY })
      expect(entries).toMatchObject([{ secretsInput }])
    }
  })

  it('must not name one twice', async () => {
    const { lines } = await workspace.read(one('    secrets: "X=${A}\\nX=${B}"'), { env: KEY })
    expect(lines).toEqual(['4 deployments[0].secrets (a): names X twice, in entries 1 and 2'])
  })

  it('shows no key that may be a value', async () => {
    const { lines } = await workspace.read(one('    secrets: { "TOKEN=literal-1": "${A}" }'), { env: KEY })
    expect(lines).toEqual([
      '4 deployments[0].secrets[…] (a): has a name that no environment variable can have: use letters, digits and _ only, and no digit first, as in MY_KEY in place of my-key',
    ])
  })

  it('sends a reference of one line only', async () => {
    const text = one('    secret-references: { X: "${A}" }')
    const { lines } = await workspace.read(text, { env: { A: 'vault/a\nY=vault/b' } })
    expect(lines).toEqual(['4 deployments[0].secret-references.X (a): must have the form secret-name/key'])
  })
})

describe('a variable', () => {
  it.each<[string, string, RegExp]>([
    ['not set', '${MISSING}', /names the variable MISSING, which is not set: set it in env of the step$/],
    ['a name of every object', '${toString}', /names the variable toString, which is not set/],
    ['empty', '${EMPTY}', /names the variable EMPTY, which is empty: .*typo in the name of the secret$/],
    ['blank', '${BLANK}', /names the variable BLANK, which is empty/],
    ['an expression of a workflow', '${{ secrets.KEY }}', /expression .* evaluates in workflows only/],
    ['one with such an expression', '${BAD}', /names the variable BAD, whose value has an expression \$\{\{ … \}\}/],
    ['malformed', '${KEY:-x}', /has a \$\{ that does not begin \$\{NAME\}/],
    ['never closed', 'a${KEY', /has a \$\{ that does not begin/],
    ['the runner', '${ACTIONS_RUNTIME_TOKEN}', /ACTIONS_RUNTIME_TOKEN, which belongs to the runner/],
    ['an input', '${INPUT_MANIFEST}', /INPUT_MANIFEST, which belongs to the runner/],
  ])('is a problem if it is %s', async (_case, text, message) => {
    const env = {
      EMPTY: '',
      BLANK: ' \n',
      KEY: 'value-1',
      BAD: '${{ value-1 }}',
      ACTIONS_RUNTIME_TOKEN: 'token-1',
      INPUT_MANIFEST: 'm',
    }
    const { problems } = await workspace.read(one(`    repo-ref: ${JSON.stringify(text)}`), { env })
    expect(problems).toMatchObject([{ input: 'deployments[0].repo-ref (a)', place: { line: 4 } }])
    expect(problems[0]?.message).toMatch(message)
    expect(JSON.stringify(problems)).not.toMatch(/value-1|token-1/)
  })

  it.each(['image-uri', 'repo-url', 'verify-url', 'custom-url', 'source', 'deployment-type', 'app-config-path'])(
    'is the only problem of its input: %s',
    async (input) => {
      const check = input === 'verify-url' ? '' : "\n    verify-url: '{url}'"
      const ofEntry = await workspace.read(one(`    ${input}: \${MISSING}\n    verify-for: 1m${check}`))
      expect(ofEntry.lines).toEqual([expect.stringMatching(/^4 .* names the variable MISSING, which is not set/)])
      const ofAll = `version: 1\ndefaults:\n  ${input}: \${MISSING}\ndeployments:\n  - name: a\n  - name: b\n`
      const { lines } = await workspace.read(ofAll)
      expect(lines).toEqual([expect.stringMatching(/^3 .* names the variable MISSING, which is not set/)])
    },
  )

  it('is replaced within a text and below a mapping, and once only', async () => {
    const text = one(
      '    repo-ref: release-${V}\n    resource-spec: { labels: { "a": "x-${V}", "b": "$${V}" } }\n    verify-contains: "$${V} ${NESTED}"',
    )
    const { entries, problems } = await workspace.read(text, { env: { V: '7.1', NESTED: '${V}' } })
    expect(problems).toEqual([])
    const settings = { repoRef: 'release-7.1', resourceSpec: { labels: { a: 'x-7.1', b: '${V}' } } }
    expect(entries).toMatchObject([{ settings }])
  })

  it('is not replaced in a resource-spec that is a text', async () => {
    const { lines } = await workspace.read(one('    resource-spec: "cpu: ${CPU}"'), { env: { CPU: '1' } })
    expect(lines).toEqual([expect.stringContaining('write it as a mapping to use ${NAME}')])
  })

  it.each<[string, string, RegExp]>([
    ['name', 'name: "a-${V}"', /^4 deployments\[0\]\.name: "a-\$\{V\}" must not contain \$\{/],
    ['wave', 'name: a, wave: "${V}"', /^4 deployments\[0\]\.wave \(a\): "\$\{V\}" names no wave/],
  ])('is not replaced in the %s, which identifies a deployment', async (_key, entry, line) => {
    const text = `version: 1\nwaves: [{name: w}]\ndeployments:\n  - { ${entry} }`
    expect((await workspace.read(text, { env: { V: 'w' } })).lines).toEqual([expect.stringMatching(line)])
  })

  it('is masked before any entry is checked, unless every log of GitHub shows it', async () => {
    const text = one('    source: nowhere\n    repo-ref: ${GITHUB_SHA}\n    install-command: run ${TOKEN}')
    const { masked } = await workspace.read(text, { env: { TOKEN: 'token-1', GITHUB_SHA: 'abc1234' } })
    expect(masked).toContain('token-1')
    expect(masked).not.toContain('abc1234')
  })
})

it('reads 1,000 entries, and a file that they name once', async () => {
  writeFileSync(path.join(workspace.folder, 'spec.yml'), 'cpu: 1\n')
  const names = Array.from({ length: 1_000 }, (_, index) => `agent-${index}`)
  const entries = names.map((name, index) => `  - { name: ${name}, secrets: { KEY: '\${KEY_${index}}' } }`)
  const text = `version: 1\ndefaults: { resource-spec: spec.yml }\ndeployments:\n${entries.join('\n')}`
  const env = Object.fromEntries(names.map((name, index) => [`KEY_${index}`, `secret-of-${name}`]))
  const { request, entries: read, problems, masked } = await workspace.read(text, { env })
  expect(problems).toEqual([])
  expect(request?.waves[0]?.entries.map(({ name }) => name)).toEqual(names)
  expect(new Set(read.map(({ settings }) => settings.resourceSpec)).size).toBe(1)
  expect(new Set(masked).size).toBe(1_000)
  expect(request?.shards).toHaveLength(10)
})

describe('shard', () => {
  const FLEET = `version: 1
waves: [{ name: canary }, { name: rest, max-parallel: 50%, max-failures: 30% }]
deployments: [{ name: c0, wave: canary }, ${Array.from({ length: 7 }, (_, index) => `{ name: r${index} }`).join(', ')}]`
  const namesIn = async (shard: string): Promise<string[][] | undefined> => {
    const { request } = await workspace.read(FLEET, { inputs: { shard } })
    return request?.waves.map(({ entries }) => entries.map(({ name }) => name))
  }

  it.each<[string, string[][]]>([
    ['', [['c0'], ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6']]],
    ['canary', [['c0']]],
    ['1/3', [['c0']]],
    ['2/3', [['r0', 'r1', 'r2', 'r3']]],
    ['3/3', [['r4', 'r5', 'r6']]],
    ['1/1', [['c0'], ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6']]],
    ['9/9', []],
  ])('%j covers %j', async (shard, names) => {
    expect(await namesIn(shard)).toEqual(names)
  })

  it('takes percentages of its own entries', async () => {
    const { request } = await workspace.read(FLEET, { inputs: { shard: '2/3' } })
    expect(request?.waves).toMatchObject([{ maxParallel: 2, maxFailures: 1 }])
  })

  it('lists the shards of the wave that it names', async () => {
    const inputs = { shard: 'rest', 'matrix-size': '3', 'dry-run': 'true' }
    const { request } = await workspace.read(FLEET, { inputs })
    expect(request?.shards).toEqual([
      { shard: '2/4', waves: ['rest'], deployments: 3 },
      { shard: '3/4', waves: ['rest'], deployments: 3 },
      { shard: '4/4', waves: ['rest'], deployments: 1 },
    ])
  })

  it.each<[string, string[]]>([
    ['', ['1/3 has 1', '2/3 has 4', '3/3 has 3']],
    ['rest', ['2/4 has 3', '3/4 has 3', '4/4 has 1']],
  ])('lists at most as many as there are jobs, of the wave %j', async (shard, expected) => {
    const inputs = { shard, 'matrix-jobs': '3', 'matrix-size': '100', 'dry-run': 'true' }
    const { request } = await workspace.read(FLEET, { inputs })
    expect(request?.shards.map((part) => `${part.shard} has ${part.deployments}`)).toEqual(expected)
  })

  it('are counted by one input: matrix-jobs is refused beside a matrix-size', async () => {
    const { problems } = await workspace.read(FLEET, { inputs: { 'matrix-jobs': '3', 'matrix-size': '3' } })
    expect(problems).toMatchObject([{ input: 'matrix-jobs', message: 'must not be set together with matrix-size' }])
  })

  it.each(['0/3', '4/3', '1/0', 'nowhere', '1/100001'])('refuses %s', async (shard) => {
    const { problems } = await workspace.read(FLEET, { inputs: { shard } })
    expect(problems).toMatchObject([{ input: 'shard', value: shard }])
  })
})

describe('inputs of the step', () => {
  it('are all checked, together with the manifest', async () => {
    const inputs = {
      'max-parallel': '0',
      'max-failures': '101%',
      'requests-per-second': '0',
      'matrix-size': '0',
      timeout: 'soon',
      'dry-run': 'maybe',
    }
    const { problems } = await workspace.read('version: 2\ndeployments: []', { inputs })
    const ofStep = ['max-parallel', 'max-failures', 'matrix-size', 'requests-per-second', 'timeout', 'dry-run']
    expect(problems.map(({ input }) => input)).toEqual([...ofStep, 'version', 'deployments'])
  })

  it('are a problem of the step alone, however many entries use them', async () => {
    const { problems } = await workspace.read(EXAMPLE, { env: ENV, inputs: { 'dry-run': 'perhaps' } })
    expect(problems.map(({ input, place }) => ({ input, place }))).toEqual([{ input: 'dry-run', place: undefined }])
  })

  it('need a manifest', async () => {
    const { problems } = await workspace.read('', { manifest: ' ' })
    expect(problems).toEqual([{ input: 'manifest', message: expect.stringContaining('is required') }])
  })

  it.each<[string, string, number, number]>([
    ['3', '2', 3, 2],
    ['30%', '30%', 3, 3],
    ['1%', '1%', 1, 0],
    ['100%', '100%', 10, 10],
  ])('limit a wave without limits of its own: %s, %s', async (maxParallel, maxFailures, parallel, failures) => {
    const text = `version: 1\ndeployments: [${Array.from({ length: 10 }, (_, index) => `{name: a${index}}`).join(', ')}]`
    const inputs = { 'max-parallel': maxParallel, 'max-failures': maxFailures }
    const { request } = await workspace.read(text, { inputs })
    expect(request?.waves).toMatchObject([{ name: undefined, maxParallel: parallel, maxFailures: failures }])
  })
})

describe('promote-from', () => {
  const manifest = (eu: string): string =>
    `version: 1\ndefaults: { promote-from: staging }\ndeployments: [{ name: agent-us }, { name: agent-eu${eu} }]`

  it('is a key of defaults and of entries, and none excepts one', async () => {
    const { entries, problems } = await workspace.read(manifest(', promote-from: none, source: internal_template'))
    expect(problems).toEqual([])
    expect(entries.map(({ promoteFrom }) => promoteFrom)).toEqual([{ kind: 'name', name: 'staging' }, undefined])
  })

  it('is no deployment of the same manifest, which may change in the same run', async () => {
    const { lines } = await workspace.read(manifest(', promote-from: agent-us'))
    expect(lines.join()).toMatch(
      /deployments\[1\]\.promote-from \(agent-eu\).*must not be a deployment of this manifest/,
    )
  })
})

describe('a key whose default has a word', () => {
  const KEYS = ['image-uri', 'promote-from', 'verify-url', 'secrets', 'variables'] as const
  const WORDS = {
    'image-uri': 'current',
    'promote-from': 'none',
    'verify-url': 'none',
    secrets: 'unchanged',
    variables: 'unchanged',
  }

  it.each(KEYS)('is not empty: %s', async (key) => {
    for (const text of ["''", '" "']) {
      const { lines } = await workspace.read(one(`    ${key}: ${text}\n`))
      expect(lines.map((line) => line.replace(/ " ?"(?= is)/, ''))).toEqual([
        `4 deployments[0].${key} (a): is empty: write ${WORDS[key]} to unset a default, or remove the line`,
      ])
    }
    const inDefaults = await workspace.read(`version: 1\ndefaults:\n  ${key}: ''\ndeployments: [{ name: a }]`)
    expect(inDefaults.lines.join()).toMatch(new RegExp(`^3 defaults\\.${key}:.* is empty: write ${WORDS[key]} `))
    expect((await workspace.read(one(`    ${key}:\n`))).lines.join()).toMatch(`; ${WORDS[key]} unsets a default`)
  })

  it.each(['written', 'the value of a variable'])('unsets a default by it, and hides nothing: %s', async (how) => {
    const own = KEYS.map((key) => `    ${key}: ${how === 'written' ? WORDS[key] : `\${${key.replace('-', '_')}}`}\n`)
    const values = Object.fromEntries(Object.entries(WORDS).map(([key, word]) => [key.replace('-', '_'), word]))
    const text = `version: 1
defaults:
  image-uri: registry.example/agent:1
  verify-url: '{url}/ok'
  secrets: { A: '\${A}' }
  variables: { B: b }
deployments:
  - name: a
${own.join('')}`
    const { entries, lines, masked } = await workspace.read(text, { env: { ...values, A: 'secret-a' } })
    expect(lines).toEqual([])
    expect(entries[0]).toMatchObject({
      verification: undefined,
      promoteFrom: undefined,
      settings: { imageUri: undefined, secrets: undefined },
    })
    expect(masked.filter((one) => Object.values(values).includes(one))).toEqual([])
    expect(masked).toContain('secret-a')
  })

  it('of shard is the name of no wave', async () => {
    const { lines } = await workspace.read(
      'version: 1\nwaves:\n  - name: " all"\n  - name: All\ndeployments: [{ name: a, wave: All }, { name: b, wave: all }]',
    )
    expect(lines).toEqual(['3 waves[0].name: " all" must not be all: in shard, that is the whole fleet'])
  })

  it('keeps a list empty that an entry sets to {}', async () => {
    const { entries } = await workspace.read(
      'version: 1\ndefaults: { variables: { A: a } }\ndeployments: [{ name: a, variables: {} }, { name: b }]',
    )
    expect(entries.map(({ settings }) => settings.secrets?.length)).toEqual([0, 1])
  })
})

describe('an entry that is not checked', () => {
  const CHECK =
    "version: 1\ndefaults:\n  verify-url: '{url}/ok'\n  verify-for: 5m\n  verify-headers: { X-Key: '${KEY}' }\n  verify-method: POST\n  verify-body: b\n"

  it('does not have what the defaults say about the check', async () => {
    const text = `${CHECK}deployments:\n  - { name: a, verify-url: none }\n  - name: b\n`
    const { entries, lines } = await workspace.read(text, { env: { KEY: 'key-123' } })
    expect(lines).toEqual([])
    expect(entries).toMatchObject([{ verification: undefined }, { verification: { forMs: 300_000 } }])
  })

  it('has nothing of its own about a check', async () => {
    const text = `${CHECK}deployments:\n  - { name: a, verify-url: none, verify-for: 1m }\n`
    const { lines } = await workspace.read(text, { env: { KEY: 'key-123' } })
    expect(lines).toEqual(['9 deployments[0].verify-for (a): "1m" needs verify-url'])
  })
})
