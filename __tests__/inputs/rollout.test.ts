import { afterAll, describe, expect, it } from '@jest/globals'
import { LANGSMITH } from '../../src/control-plane/api.ts'
import { variableNames } from '../../src/control-plane/settings.ts'
import { credentialTexts, maskInputs } from '../../src/inputs/masking.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { listing } from '../secrets/redactor-of.ts'
import { aPush } from '../builders.ts'
import { aWorkspace, one } from './manifest/workspace.ts'
import { problemsOfRollout as problemsOf, readRollout as read } from './rollouts.ts'

describe('variables', () => {
  it('are a part of the one list, whose names are known', async () => {
    const { settings, secretsInput } = await read({ secrets: 'KEY=s', variables: 'LEVEL: info\nURL: https://x?a=b' })
    expect(settings.secrets).toEqual([
      { name: 'KEY', value: 's' },
      { name: 'LEVEL', value: 'info', isVariable: true },
      { name: 'URL', value: 'https://x?a=b', isVariable: true },
    ])
    expect(variableNames(settings)).toEqual(new Set(['LEVEL', 'URL']))
    expect(secretsInput).toBe('secrets')
  })

  it.each<[string, Record<string, string>, unknown, string | undefined]>([
    ['neither is set', {}, undefined, undefined],
    ['variables alone', { variables: '{"A":"1"}' }, [{ name: 'A', value: '1', isVariable: true }], 'variables'],
    ['no variables', { variables: '{}' }, [], 'variables'],
    ['variables, and secrets that are none', { variables: 'A=1', secrets: '{}' }, [expect.anything()], 'secrets'],
    ['the same as a list', { variables: 'A=1', secrets: '[]' }, [expect.anything()], 'secrets'],
  ])('%s', async (_case, inputs, list, first) => {
    const { settings, secretsInput } = await read(inputs)
    expect(settings.secrets).toEqual(list)
    expect(secretsInput).toBe(first)
  })

  it('are not masked, except a login in an address', () => {
    const variables = 'APP=agent-of-acme\nDB=postgres://me:hunter2@db.example/x'
    const inputs: Record<string, string> = { variables, secrets: 'KEY=value-1' }
    const masked: string[] = []
    maskInputs(listing(masked), (name) => inputs[name] ?? '', aPush(), {})
    expect(masked).toContain('value-1')
    expect(masked).toContain('hunter2')
    expect(masked.join()).not.toContain('agent-of-acme')
  })

  it('must not have a name that another list has', async () => {
    const lists = { secrets: 'A=1\nB=2', variables: 'B=3\nC=4\nD=5', 'secret-references': 'A=x/y\nC=x/z' }
    expect(await problemsOf(lists)).toEqual([
      'variables: must not set B, which secrets sets as well',
      'secret-references: must not set A, which secrets sets as well',
      'secret-references: must not set C, which variables sets as well',
    ])
  })

  it('have the rules of secrets, and no problem shows their text', async () => {
    expect(await problemsOf({ variables: 'A=hunter2\nB' })).toEqual([expect.stringMatching(/^variables: has a line 2/)])
    expect(await problemsOf({ variables: 'A=' })).toEqual([
      expect.stringMatching(/^variables: has an empty value for A: .*name of the workflow's secret or variable/),
    ])
    expect(await problemsOf({ variables: 'A=key-123' })).toEqual([
      expect.stringContaining('own credentials on to the deployment: A (the value of api-key)'),
    ])
    expect((await read({ variables: 'A=', 'allow-empty-secrets': 'true' })).settings.secrets).toHaveLength(1)
  })

  it('may have the id of the tenant, which an agent needs to call the service of its own tenant', async () => {
    const { settings } = await read({ secrets: 'WORKSPACE=tenant-1', 'tenant-id': 'tenant-1' })
    expect(settings.secrets).toEqual([{ name: 'WORKSPACE', value: 'tenant-1' }])
  })
})

const TOKEN = 'ghp_a1B2c3D4e5F6g7H8'
const LOOKS =
  'looks like a secret: move it to secrets; if it is public after all, secrets takes it too, it is only not shown'
const SHOWN =
  'contains what looks like a secret, and a plan shows it: remove it, or write a placeholder such as $NAME in its place'

describe('what a plan would publish', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a key', { variables: 'LEVEL=info\nOPENAI_API_KEY=hunter2-hunter2' }, [`variables.OPENAI_API_KEY: ${LOOKS}`]],
    ['a password', { variables: 'DB_PASSWORD: x' }, [`variables.DB_PASSWORD: ${LOOKS}`]],
    ['a token', { variables: `{"MODE":"${TOKEN}"}` }, [`variables.MODE: ${LOOKS}`]],
    ['a login', { variables: 'DB=postgres://me:hunter2@db.example/x' }, [`variables.DB: ${LOOKS}`]],
    [
      'a token in a command',
      { 'install-command': `npm_config_token=${TOKEN} npm ci`, 'build-command': `x --key ${TOKEN}` },
      [`install-command: ${SHOWN}`, `build-command: ${SHOWN}`],
    ],
    [
      'a login in a command',
      { 'install-command': 'pip install --index-url https://me:hunter2@pypi.example/simple x' },
      [`install-command: ${SHOWN}`],
    ],
    [
      'a token of words in a command',
      { 'install-command': 'x --key sk-abc-hunter2 sk-test-hunter-abcdef' },
      [`install-command: ${SHOWN}`],
    ],
    [
      'a token in an address',
      { source: 'external_container', 'image-uri': 'a:1', 'custom-url': `https://a.example/${TOKEN}` },
      [`custom-url: ${SHOWN}`],
    ],
    [
      'a token in a label',
      { source: 'external_container', 'image-uri': 'a:1', 'resource-spec': `{labels: {team: ${TOKEN}}}` },
      [
        'resource-spec.labels.team: contains what looks like a secret, and a plan shows it: remove it, or set it in env of a container, whose values are not shown',
      ],
    ],
  ])('is refused, and not shown: %s', async (_case, inputs, expected) => {
    const problems = await problemsOf(inputs)
    expect(problems).toEqual(expected)
    expect(problems.join()).not.toMatch(/hunter|a1B2c3/)
  })

  it.each<[string, Record<string, string>]>([
    ['a key in secrets', { secrets: `OPENAI_API_KEY=hunter2-hunter2\nMODE=${TOKEN}\nDB_PASSWORD=x` }],
    ['a setting whose name ends in KEY', { variables: 'SORT_KEY=a1-b2-c3-d4\nCACHE_KEY=user_id\nMAX_TOKEN=40960000' }],
    ['a placeholder in a command', { 'install-command': 'npm_config_legacy_peer_deps=true npm ci --token $TOKEN' }],
    ['a login without a password', { 'install-command': 'pip install git+https://git:${TOKEN}@git.example/a' }],
    [
      'a host',
      { source: 'external_container', 'image-uri': 'a:1', 'custom-url': 'https://sk-telecom-agents-prod1.example' },
    ],
  ])('is not %s', async (_case, inputs) => {
    expect(await problemsOf(inputs)).toEqual([])
  })

  const maskedBy = (inputs: Record<string, string>): string[] => {
    const masked: string[] = []
    maskInputs(new Redactor((form) => masked.push(form)), (name) => inputs[name] ?? '', aPush(), {})
    return masked
  }

  it.each<[string, string, string]>([
    ['a key', 'OPENAI_API_KEY=hunter2-hunter2', 'hunter2-hunter2'],
    ['a key that another variable has', 'OPENAI_API_KEY=hunter2-hunter2\nA=hunter2-hunter2', 'hunter2-hunter2'],
    ['a token', `MODE=Bearer ${TOKEN}`, TOKEN],
    ['a token alone', `MODE=${TOKEN}`, TOKEN],
    ['a token in a list with a mistake', `MODE=1\n${TOKEN}`, TOKEN],
  ])('is masked before anything is printed: %s', (_case, variables, masked) => {
    expect(maskedBy({ variables })).toContain(masked)
  })

  it('is masked in the texts of other inputs', () => {
    const shown = ['custom-url', 'resource-spec', 'base-url', 'repo-url', 'image-uri', 'app-config-path', 'source-path']
    for (const input of [...shown, 'install-command', 'build-command', 'verify-url', 'verify-contains']) {
      const masked: string[] = []
      const raw = (name: string): string =>
        name === input ? `https://a.example/${TOKEN} npm_config_update_all_of_it` : ''
      listing(masked).learn(credentialTexts(raw, {}))
      expect([input, masked.filter((one) => one !== '')]).toEqual([input, [TOKEN]])
    }
  })

  it.each([
    [
      'image-uri',
      `Agent:${TOKEN.toUpperCase()}-${TOKEN}`,
      /^image-uri: has capitals in its path, which only a host and/,
    ],
    ['repo-url', `github.com/acme/${TOKEN}`, /^repo-url: must be the address of a repository, as in [^;]*$/],
    ['verify-url', `/${TOKEN}`, /^verify-url: must be a web address without user info, as in [^;]*$/],
    ['verify-contains', `$.key=${TOKEN}`, /^verify-contains: must be [^;]* as in \/ok=true\. To find this very text/],
    ['source-path', `.\\${TOKEN}`, /^source-path: /],
  ])('is in no hint of %s', async (input, text, message) => {
    const problems = await problemsOf({ 'verify-url': '{url}', [input]: text })
    expect(problems).toEqual([expect.stringMatching(message)])
    expect(problems.join()).not.toMatch(/a1B2c3/i)
  })

  it('is named by no problem of the same text, whatever is wrong with it', async () => {
    const text = `x ${TOKEN}\ty`
    const [problem = '', ...more] = await problemsOf({ name: text, 'install-command': text })
    expect([problem, ...more].join()).not.toContain('a1B2c3')
    const message = 'must be one line without control characters'
    expect([problem, ...more]).toEqual([`name: ${message}`, `install-command: ${message}`])
  })
})

describe('warnings of the lists', () => {
  it('are in the plan, with the name of the input', async () => {
    const { warnings } = await read({ secrets: 'A="x\\ny"', variables: 'B=$X\nC=1 # y' })
    expect(warnings.map((one) => one.replace(/(?:, (?:in which|which)|:).*/, ''))).toEqual([
      'secrets has an escape such as \\n or \\\\ in the double quotes of A',
      'variables has a # behind a blank in the value of C',
      'variables has a value of the form $NAME for B',
    ])
  })
})

describe('reserved names', () => {
  const CLOUD = { api: 'langsmith', 'base-url': 'https://eu.api.host.langchain.com' }
  const SELF_HOSTED = { api: 'langsmith', 'base-url': 'https://host.example/api-host' }
  const { reservedNames: RESERVED_NAMES } = LANGSMITH
  const lines = RESERVED_NAMES.map((name) => `${name}=x`).join('\n')

  it('are 40, all of which an input must not set', async () => {
    expect(new Set(RESERVED_NAMES).size).toBe(40)
    const [problem = '', ...more] = await problemsOf({ ...CLOUD, secrets: lines })
    expect(more).toEqual([])
    expect(problem).toMatch(/^secrets: must not set .*: the service reserves such names for itself; remove them/)
    for (const name of RESERVED_NAMES) expect(problem).toMatch(new RegExp(`\\b${name}\\b`))
  })

  it.each(['secrets', 'variables'])('are found in %s, and in secret-references', async (input) => {
    const inputs = { ...CLOUD, [input]: 'MODE=x\nPORT=8000\nLOG_JSON=1', 'secret-references': 'PATH=a/b' }
    expect(await problemsOf(inputs)).toEqual([
      expect.stringMatching(new RegExp(`^${input}: must not set PORT, LOG_JSON: the`)),
      expect.stringMatching(/^secret-references: must not set PATH: the/),
    ])
  })

  it('are fewer where the service is self-hosted', async () => {
    expect(await problemsOf({ ...SELF_HOSTED, secrets: 'PORT=1\nLANGSMITH_API_KEY=x' })).toEqual([])
    expect(await problemsOf({ ...SELF_HOSTED, secrets: 'PORT=1\nPOSTGRES_URI=x' })).toEqual([
      expect.stringContaining('must not set POSTGRES_URI: the'),
    ])
  })

  it('are none of another service, nor of one that is not known', async () => {
    expect(await problemsOf({ secrets: lines })).toEqual([])
    expect(await problemsOf({ api: 'langgraph', secrets: lines })).toEqual([expect.stringMatching(/^api: /)])
  })
})

describe('variables of a manifest', () => {
  const workspace = aWorkspace()
  afterAll(workspace.end)
  const ENV = {
    LEVEL: 'info-1',
    KEY: 'key-1',
    ALL: 'A=1\nB=2',
    LOGIN: 'postgres://me:hunter2@db.example',
    TWO: 'x\nB=y',
  }

  it.each<[string, string, Record<string, string>]>([
    ['a mapping of literals', '{ A: x, B: 1.10, C: True, D: 0x1F }', { A: 'x', B: '1.10', C: 'True', D: '0x1F' }],
    ['variables of the step', '{ A: "${LEVEL}", B: "a ${LEVEL} $${b}" }', { A: 'info-1', B: 'a info-1 ${b}' }],
    ['lines', '"A=x\\nB=${LEVEL}"', { A: 'x', B: 'info-1' }],
    ['lines with colons', '"A: x=y\\nB: ${TWO}"', { A: 'x=y', B: 'x\nB=y' }],
    ['JSON', `'{"A":"x"}'`, { A: 'x' }],
    ['one variable that has them all', '${ALL}', { A: '1', B: '2' }],
  ])('may be %s', async (_case, given, expected) => {
    const { entries, problems, masked } = await workspace.read(one(`    variables: ${given}`), { env: ENV })
    expect(problems).toEqual([])
    const settings = entries[0]?.settings ?? {}
    expect(Object.fromEntries((settings.secrets ?? []).map(({ name, value }) => [name, value]))).toEqual(expected)
    expect(variableNames(settings)).toEqual(new Set(Object.keys(expected)))
    expect(masked).toEqual([])
  })

  it('are merged over those of the defaults, and are beside secrets', async () => {
    const text =
      'version: 1\ndefaults: { variables: { A: x, B: y } }\ndeployments:\n  - { name: a, variables: { B: z }, secrets: { K: "${KEY}" } }'
    const { entries, masked } = await workspace.read(text, { env: ENV })
    const [entry] = entries
    expect(entry?.settings.secrets?.map(({ name, value }) => `${name}=${value}`)).toEqual(['K=key-1', 'A=x', 'B=z'])
    expect(entry?.secretsInput).toBe('secrets')
    expect(masked).toContain('key-1')
  })

  it('are masked where secrets have the same value, and of addresses only the login', async () => {
    const text = one('    variables: { A: "${KEY}", B: "${LOGIN}" }\n    secrets: { C: "${KEY}" }')
    const { masked } = await workspace.read(text, { env: ENV })
    expect(masked).toEqual(expect.arrayContaining(['key-1', 'hunter2']))
    expect(masked).not.toContain(ENV.LOGIN)
  })

  const IN_MANIFEST =
    'looks like a secret: move it to secrets as ${NAME}, and set NAME in env of the step; if it is public after all, secrets takes it too, it is only not shown'

  it.each<[string, string, string[]]>([
    [
      'literal',
      one('    variables:\n      A: x\n      API_KEY: hunter2-1'),
      ['6 deployments[0].variables.API_KEY (a)'],
    ],
    [
      'of the step',
      one('    variables:\n      A: x\n      API_KEY: "${TOKEN}"'),
      ['6 deployments[0].variables.API_KEY (a)'],
    ],
    ['in a line', one('    variables: "A=x\\nAPI_KEY=hunter2-1"'), ['4 deployments[0].variables.API_KEY (a)']],
    ['in the whole list', one('    variables: "${LIST}"'), ['4 deployments[0].variables.API_KEY (a)']],
    [
      'of the defaults',
      'version: 1\ndefaults:\n  variables:\n    API_KEY: hunter2-1\ndeployments: [{ name: a }, { name: b }]',
      ['4 defaults.variables.API_KEY'],
    ],
  ])('must not look like a secret: %s', async (_case, text, places) => {
    const env = { TOKEN: 'hunter2-1', LIST: 'API_KEY=hunter2-1' }
    const { lines, masked } = await workspace.read(text, { env })
    const message = text.includes('LIST') ? LOOKS : IN_MANIFEST
    expect(lines).toEqual(places.map((place) => `${place}: ${message}`))
    expect(masked).toContain('hunter2-1')
  })

  it('may be public and look like a secret: secrets takes them as variables', async () => {
    const text = one('    secrets: { API_KEY: "${API_KEY}" }\n    variables: { A: "$${A}", B: $A }')
    const { entries, problems } = await workspace.read(text, { env: { API_KEY: 'hunter2-1' } })
    expect(problems).toEqual([])
    expect(entries[0]?.warnings).toEqual([
      'variables has a value of the form $NAME for B, in which no variable is replaced. Write ${NAME} for the value of a variable',
    ])
  })

  it.each(['install-command', 'build-command'])(
    '%s must not contain a secret, literal or of the step',
    async (input) => {
      for (const text of [`npm ci ${TOKEN}`, 'npm ci ${TOKEN}']) {
        const { lines, masked } = await workspace.read(one(`    ${input}: "${text}"`), { env: { TOKEN } })
        expect(lines).toEqual([`4 deployments[0].${input} (a): ${SHOWN}`])
        expect(masked).toContain(TOKEN)
      }
    },
  )

  it('labels must not contain a secret', async () => {
    const text = one(`    resource-spec:\n      labels:\n        team: ${TOKEN}`)
    const { lines, masked } = await workspace.read(text)
    expect(lines).toEqual([expect.stringMatching(/^6 .*labels\.team \(a\): contains what looks like a secret, and a/)])
    expect(lines.join()).not.toContain(TOKEN)
    expect(masked).toContain(TOKEN)
  })

  it.each<[string, string, RegExp]>([
    ['a name of secrets', '{ C: x }\n    secrets: { C: "${KEY}" }', /^4 .*variables \(a\): must not set C, which/],
    ['a list', '[x]', /^4 .*must be a mapping or a string, not a list/],
    ['a value that is a mapping', '{ A: { B: x } }', /^4 .*variables\.A \(a\): must be a string, a number, true or/],
    ['lines of two forms', '"A=x\\nB: y"', /^4 .*has a line 2 of the form NAME: value/],
    ['a bad name', '{ a-b: x }', /^4 .*has a name that no environment variable can have/],
    ['an unknown variable', '{ A: "${NONE}" }', /^4 .*variables\.A \(a\): names the variable NONE, which is not set/],
  ])('must not be %s', async (_case, given, message) => {
    const { lines } = await workspace.read(one(`    variables: ${given}`), { env: ENV })
    expect(lines).toEqual([expect.stringMatching(message)])
  })

  it('are what a literal value in secrets should be', async () => {
    const { lines } = await workspace.read(one('    secrets: { A: info }'), { env: ENV })
    expect(lines).toEqual([
      expect.stringMatching(/has a literal value.*; a value that is no secret belongs in variables$/),
    ])
  })
})

describe('a rollout that does not wait', () => {
  const CHECK = { 'verify-url': '{url}/ok' }
  const warningAbout = (idle: string): string =>
    `wait is false, so nothing is checked. Without effect: ${idle}. Set wait: true, or set verify-url on the action wait`

  it.each<[Record<string, string>, string]>([
    [CHECK, 'verify-url'],
    [{ ...CHECK, 'verify-for': '5m' }, 'verify-url, verify-for'],
    [{ ...CHECK, rollback: 'on-failure' }, 'verify-url, rollback'],
    [{ rollback: 'on-failure' }, 'rollback'],
  ])('warns that nothing is checked: %p', async (inputs, idle) => {
    expect((await read({ ...inputs, wait: 'false' })).warnings).toEqual([warningAbout(idle)])
  })

  it('does not warn if nothing was to be checked, nor if it waits', async () => {
    expect((await read({ wait: 'false', rollback: 'never' })).warnings).toEqual([])
    expect((await read({ ...CHECK, 'verify-for': '5m', rollback: 'on-failure' })).warnings).toEqual([])
  })
})
