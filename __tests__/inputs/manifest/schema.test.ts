import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { parse } from 'yaml'
import { z } from 'zod'
import { readAction } from '../../../scripts/docs/action-tables.ts'
import { type Input, INPUTS as READ } from '../../../src/inputs/inputs.ts'
import { anyText } from '../../any-text.ts'
import { BAD_SHAPES, BAD_VALUES, BAD_WAVES, GOOD_VALUES, withWaves } from './bad-manifests.ts'
import { aWorkspace, one } from './workspace.ts'

const workspace = aWorkspace()
afterAll(workspace.end)

type Validate = (manifest: unknown) => boolean

function readSchema(file: string): Record<string, unknown> {
  const text = readFileSync(new URL(`../../../schemas/${file}.schema.json`, import.meta.url), 'utf8')
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}

const compiled = (file: string): Validate => new Ajv2020({ strict: true }).compile(readSchema(file))
const [validate, validateLangSmith] = [compiled('fleet'), compiled('fleet-langsmith')]

const ID = '123e4567-e89b-12d3-a456-426614174000'
const INPUTS = readAction('').inputs
/** Inputs that describe no deployment, beside those of the connection. */
const OTHERS = [
  ...['operation', 'deployment-id', 'confirm', 'dry-run', 'expect-plan', 'delete-tracing-project'],
  ...['wait', 'poll-interval', 'github-token', 'comment', 'environment', 'job-summary'],
  ...['preview', 'preview-label', 'max-previews', 'pull-request'],
]
const CONNECTION = INPUTS.filter(({ group }) => group === 'Control plane').map(({ name }) => name)
const DESCRIBING = INPUTS.map(({ name }) => name).filter(
  (name) => name !== 'name' && !OTHERS.includes(name) && !CONNECTION.includes(name),
)

/** A value that the reader of an input accepts, where its default is empty, and what it needs beside it. */
const VALUES: Record<string, unknown> = {
  source: 'git_host',
  'integration-id': ID,
  'repo-url': 'https://github.com/acme/agent',
  'deployment-type': 'prod',
  'build-on-push': true,
  'listener-id': ID,
  'resource-spec': { cpu: 1 },
  secrets: { KEY: '${KEY}' },
  variables: { LOG_LEVEL: 'info', PORT: 8000, DEBUG: true },
  'secret-references': { KEY: 'vault/key' },
  shareable: true,
  'route-through-gateway': false,
  'queue-timeout': '5m',
  'build-timeout': '5m',
  'deploy-timeout': 300,
  'verify-url': '{url}/ok',
  'verify-for': '1m',
  'verify-headers': { Accept: 'text/plain', 'X-Api-Key': '${KEY}', 'X-Version': 1.1 },
  'verify-body': { input: { key: '${KEY}' }, stream: false },
  'custom-url': 'https://agent.example',
  'image-uri': 'registry.example/agent:1',
}

const ADDRESS = { 'verify-url': '{url}/ok' }
/** The inputs without which one is refused. */
const NEEDED: Record<string, object> = {
  'verify-for': ADDRESS,
  'verify-headers': ADDRESS,
  'verify-body': { ...ADDRESS, 'verify-method': 'POST' },
}

describe('the inputs of a rollout', () => {
  it('are many', () => {
    expect(DESCRIBING.length).toBeGreaterThan(30)
    expect(CONNECTION.length).toBeGreaterThan(8)
  })

  it.each(DESCRIBING)(
    '%s is accepted in defaults and in an entry, by the reader and by the JSON Schema',
    async (name) => {
      const standard = INPUTS.find((input) => input.name === name)?.default
      const extra = NEEDED[name] ?? {}
      const given = { [name]: VALUES[name] ?? standard ?? 'a-text', ...extra }
      const entry = { version: 1, deployments: [{ name: 'a', ...given }] }
      const defaults = { version: 1, defaults: given, deployments: [{ name: 'a' }] }
      const api = name === 'template-id' ? 'langsmith' : 'agent-server'
      const readings = []
      for (const manifest of [entry, defaults]) {
        expect((api === 'langsmith' ? validateLangSmith : validate)(manifest)).toBe(true)
        readings.push(await workspace.read(JSON.stringify(manifest), { env: { KEY: 'value-1' }, api }))
      }
      expect(readings.map(({ lines }) => lines)).toEqual([[], []])
      const requests = readings.map(({ entries }) => entries[0])
      expect(requests[0]).toBeDefined()
      expect(requests[1]).toEqual(requests[0])
    },
  )

  it.each(CONNECTION)('%s is refused, because a fleet has one control plane', async (name) => {
    expect(await refusals(name)).toEqual(['is an input of the step: a fleet has one control plane'])
  })

  it.each(OTHERS)('%s is refused with its reason', async (name) => {
    const [reason, ...more] = await refusals(name)
    expect(reason).toMatch(/^is (not accepted: |an input of the step, for the whole fleet)/)
    expect(more).toEqual([])
  })
})

const EXAMPLE = `version: 1
defaults: { source: git_host, app-config-path: agent.json, verify-url: '{url}/ok', if-unchanged: skip }
waves:
  - { name: canary, max-parallel: 1, bake: 5m }
  - { name: everyone, max-parallel: 50%, max-failures: 5% }
deployments:
  - { name: agent-eu, wave: canary, repo-ref: main, secrets: { MODEL_API_KEY: '\${MODEL_API_KEY_EU}' } }
  - { name: agent-us, resource-spec: { cpu: 1 }, secret-references: { KEY: vault/key } }
`

describe('the JSON Schema of a manifest', () => {
  it('accepts what the reader accepts', () => {
    expect(validate(parse(EXAMPLE))).toBe(true)
  })

  it.each([
    '{}',
    'version: 2\ndeployments: [{ name: a }]',
    'version: 1\ndeployments: []',
    'version: 1\ndeployments: [{ source: git_host }]',
    'version: 1\ndeployments: [{ name: " " }]',
    'version: 1\ndeployments: [{ name: a, repo_ref: main }]',
    'version: 1\ndeployments: [{ name: a, repo-ref: [main] }]',
    'version: 1\ndeployments: [{ name: a, secrets: { KEY: literal } }]',
    'version: 1\ndeployments: [{ name: a, secrets: { 1KEY: "${KEY}" } }]',
    'version: 1\nwaves: []\ndeployments: [{ name: a }]',
    'version: 1\nwaves: [{ bake: 5m }]\ndeployments: [{ name: a }]',
    'version: 1\nsecrets: {}\ndeployments: [{ name: a }]',
  ])('rejects %j, as the reader does', async (text) => {
    expect(validate(parse(text))).toBe(false)
    expect((await workspace.read(text, { env: { KEY: 'value-1' } })).problems).not.toEqual([])
  })

  it('describes every key, which editors show', () => {
    const described = z.object({ description: z.string().min(5) })
    const references = z.object({ properties: z.record(z.string(), z.object({ $ref: z.string() })) })
    const top = z.object({
      $defs: z.record(z.string(), z.unknown()),
      properties: z.object({
        version: described,
        waves: described.extend({ items: z.object({ properties: z.record(z.string(), described) }) }),
        defaults: described.extend(references.shape),
        deployments: described.extend({ items: references }),
      }),
    })
    const { properties, $defs } = top.parse(readSchema('fleet'))
    const entry = properties.deployments.items.properties
    expect(Object.keys(properties.defaults.properties)).toHaveLength(DESCRIBING.length)
    expect(Object.keys(entry)).toHaveLength(DESCRIBING.length + 3)
    for (const { $ref } of Object.values({ ...properties.defaults.properties, ...entry }))
      expect(described.safeParse($defs[$ref.replace('#/$defs/', '')]).success).toBe(true)
  })
})

/** What only the whole manifest shows, or the event. */
const OF_SEVERAL = ['a name twice', 'a wave without deployments']

describe('a bad manifest of the tests', () => {
  const waves = BAD_WAVES.map(([what, text]) => [`${what} of waves`, withWaves(text)] as const)
  const all = [...BAD_SHAPES.map(([what, text]) => [what, text] as const), ...waves]

  it.each(all.filter(([what]) => !OF_SEVERAL.some((several) => what.startsWith(several))))(
    'is rejected by the schema, as by the reader: %s',
    (_what, text) => expect(validate(parse(text))).toBe(false),
  )

  it.each(all.filter(([what]) => OF_SEVERAL.some((several) => what.startsWith(several))))(
    'has a fault that no schema can see: %s',
    (_what, text) => expect(validate(parse(text))).toBe(true),
  )

  it.each(BAD_VALUES)('is rejected by both for %s', async (line) => {
    const text = one(`    ${line}\n`)
    expect(validate(parse(text))).toBe(false)
    const { problems } = await workspace.read(text, { env: { KEY: 'value-1' } })
    expect(problems.map(({ place }) => place?.line)).toEqual([4])
  })

  it.each(GOOD_VALUES)('is none for %s', async (line) => {
    const text = `version: 1\ndeployments:\n  - { name: 12 }\n  - name: a\n    ${line}\n`
    expect(validate(parse(text))).toBe(true)
    expect((await workspace.read(text, { env: { KEY: 'create' } })).lines).toEqual([])
  })
})

/** Texts and other scalars near those that inputs take. */
const nearly = fc.oneof(
  fc.constantFrom('${KEY}', ' ${KEY} ', '$${KEY}', '${', '${{ x }}', '$', '', ' ', 'a\nb', ' a ', '{url}/ok', '{url}x'),
  fc.constantFrom(...Object.values<Input>(READ).flatMap(({ takes }) => takes?.form.words ?? []), 'True'),
  fc.constantFrom('github', 'git_host', 'external_docker', 'serverless', 'prod', 'http:', 'HTTPS://a.example'),
  fc.constantFrom(
    'agent:',
    'agent@',
    'Agent',
    'a:b/c',
    '[::1]:5000/a',
    'src/',
    '.',
    '/a.json',
    'a/b',
    'git@h:a//b',
    'h:a',
  ),
  fc.constantFrom('https:///a', 'https:/a', 'https://h//a', 'https://h/a/', 'h.example/a', '{url}', 'https://{url}'),
  fc.constantFrom('tags/v1', 'refs/heads/a', 'refs/tags/v1', 'refs/heads/heads/a', ID, ID.toUpperCase()),
  fc.constantFrom('5 min', '1h30m', '0s', '1.5h', '0.2'),
  fc.stringMatching(/^[ 0]?\d{0,3}(?:\.\d{1,4})?[hmsd%]?$/),
  fc.double({ min: -1, max: 90_000, noNaN: true }),
  fc.constantFrom(0, -0, 1, 200, 599, 600, 86_400, 86_400.0004, 86_400.1, 1e21),
  fc.boolean(),
  anyText({ maxLength: 6 }),
)

describe('what the schema rejects the reader refuses, at its place', () => {
  const services = [
    ['agent-server', validate],
    ['langsmith', validateLangSmith],
  ] as const

  it.each(services)('in an entry and in defaults, of %s', async (api, isValid) => {
    let rejected = 0
    const property = fc.asyncProperty(fc.constantFrom(...DESCRIBING), nearly, async (name, value) => {
      const given = { ...NEEDED[name], [name]: value }
      const manifest = { version: 1, deployments: [{ name: 'a', ...given }] }
      if (isValid(manifest)) return
      rejected++
      const { problems } = await workspace.read(JSON.stringify(manifest), { env: { KEY: 'value-1' }, api })
      expect(problems.map(({ input }) => input)).toContainEqual(expect.stringContaining(`.${name}`))
      expect(isValid({ version: 1, defaults: given, deployments: [{ name: 'a' }] })).toBe(false)
    })
    await fc.assert(property, { numRuns: 250 })
    expect(rejected).toBeGreaterThan(20)
  })

  it('in a wave, and in names', async () => {
    const keys = fc.constantFrom('name', 'max-parallel', 'max-failures', 'bake', 'wave', 'entry')
    const property = fc.asyncProperty(keys, nearly, async (key, value) => {
      const ofWave = key === 'wave' || key === 'entry' ? {} : { [key]: value }
      const entry = { name: key === 'entry' ? value : 'a', wave: key === 'wave' ? value : 'w' }
      const manifest = { version: 1, waves: [{ name: 'w', ...ofWave }], deployments: [entry] }
      if (validate(manifest)) return
      const { problems } = await workspace.read(JSON.stringify(manifest))
      const places: Record<string, string> = { wave: '].wave', entry: 'deployments[0].name' }
      const place = places[key] ?? `waves[0].${key}`
      expect(problems.map(({ input }) => input)).toContainEqual(expect.stringContaining(place))
    })
    await fc.assert(property, { numRuns: 150 })
  })
})

/** The different messages about an input in defaults and in an entry. */
async function refusals(name: string): Promise<string[]> {
  const manifest = { version: 1, defaults: { [name]: 'x' }, deployments: [{ name: 'a', [name]: 'x' }] }
  expect(validate(manifest)).toBe(false)
  const { problems } = await workspace.read(JSON.stringify(manifest))
  expect(problems.map(({ input }) => input)).toEqual([`defaults.${name}`, `deployments[0].${name} (a)`])
  return [...new Set(problems.map(({ message }) => message))]
}
