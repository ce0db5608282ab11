import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { z } from 'zod'
import { readAction } from '../../../scripts/docs/action-tables.ts'
import { aWorkspace, linesOf, type Workspace } from './workspace.ts'

let workspace: Workspace
beforeAll(() => {
  workspace = aWorkspace()
})
afterAll(() => workspace.end())

const SCHEMA = new URL('../../../schemas/fleet.schema.json', import.meta.url)
const validate = new Ajv2020({ allowUnionTypes: true }).compile(
  z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(SCHEMA, 'utf8'))),
)

const ID = '123e4567-e89b-12d3-a456-426614174000'
const INPUTS = readAction('').inputs
/** Inputs that describe no deployment, beside those of the connection. */
const OTHERS = [
  'operation',
  'deployment-id',
  'confirm',
  'wait',
  'poll-interval',
  'github-token',
  'preview',
  'preview-label',
  'max-previews',
  'pull-request',
  'comment',
  'environment',
  'job-summary',
  'dry-run',
  'expect-plan',
  'delete-tracing-project',
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
        expect(validate(manifest)).toBe(true)
        readings.push(await workspace.read(JSON.stringify(manifest), { env: { KEY: 'value-1' }, api }))
      }
      expect(readings.map(linesOf)).toEqual([[], []])
      const requests = readings.map(({ request }) => request?.waves[0]?.entries[0]?.request)
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
    const described = z.object({ properties: z.record(z.string(), z.object({ description: z.string().min(5) })) })
    const list = z.object({ items: described })
    const top = described.extend({ properties: z.looseObject({ defaults: described, waves: list, deployments: list }) })
    const { defaults, deployments } = top.parse(JSON.parse(readFileSync(SCHEMA, 'utf8'))).properties
    expect(Object.keys(defaults.properties)).toHaveLength(DESCRIBING.length)
    expect(Object.keys(deployments.items.properties)).toHaveLength(DESCRIBING.length + 2)
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
