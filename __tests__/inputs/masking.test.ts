import { expect, it, describe } from '@jest/globals'
import { maskInputs, onReportedSecrets } from '../../src/inputs/masking.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { aPush, aDeployment, aRequest, DEPLOYMENT_ID } from '../builders.ts'
import { aFleetRequest } from '../report/fleet/a-fleet.ts'
import type { Secret } from '../../src/control-plane/model.ts'
import { requestsOf, type RunnableStep } from '../../src/inputs/read-step.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const HEAD = 'fedcba9876543210fedcba9876543210fedcba98'

const INPUTS: Record<string, string> = {
  name: 'my-agent',
  'base-url': 'https://me:hunter22@cp.example:8443/token-of-a-gateway/api-host',
  'repo-url': 'https://github.com/other-owner/other-agent.git',
  'repo-ref': 'refs/tags/v1.2.3-rc1',
  environment: 'production',
  'image-uri': 'ghcr.io/acme/agent:2026.11',
  'custom-url': 'https://app.example/?token=in-the-query',
  'verify-url': 'https://check.example/with-a-token/ok?key=in-the-query',
}

const ENV = {
  GITHUB_SERVER_URL: 'https://github.example',
  GITHUB_REPOSITORY: 'acme-corp/the-agent',
  GITHUB_REPOSITORY_OWNER: 'acme-corp',
  GITHUB_REF: 'refs/heads/feature-1',
  GITHUB_HEAD_REF: 'head-of-it',
  GITHUB_RUN_ID: '1234567890',
  GITHUB_TOKEN: 'token-of-the-job',
}

/** Whether a value of `secrets` is public. */
function isPublic(value: string, preview = 'false'): boolean {
  const inputs: Record<string, string> = { ...INPUTS, preview, variables: 'A=shown-value' }
  const pullRequest = { number: 7, isClosed: false }
  const event = aPush({ runUrl: 'https://github.example/runs/1', runCommits: [HEAD, COMMIT], pullRequest })
  const redactor = new Redactor(() => undefined)
  maskInputs(redactor, (name) => (name === 'secrets' ? `KEY=${value}` : (inputs[name] ?? '')), event, ENV)
  expect(redactor.redact(value)).toBe(redactor.isPublic(value) ? value : '***')
  return redactor.isPublic(value)
}

it.each([
  ...['my-agent', 'My-Agent', 'production', 'shown-value', 'ghcr.io/acme/agent:2026.11'],
  ...['cp.example', 'cp.example:8443', 'https://cp.example:8443'],
  'https://cp.example:8443/token-of-a-gateway/api-host/',
  ...['refs/tags/v1.2.3-rc1', 'v1.2.3-rc1', 'feature-1', 'refs/heads/feature-1', 'head-of-it'],
  ...['other-owner', 'other-agent', 'other-owner/other-agent', 'https://github.com/other-owner/other-agent'],
  ...['github.com', 'acme-corp', 'the-agent', 'acme-corp/the-agent', 'https://github.example/acme-corp/the-agent'],
  ...[COMMIT, HEAD, HEAD.slice(0, 7), '1234567890', 'https://app.example', 'check.example'],
])('%s is public', (value) => expect(isPublic(value)).toBe(true))

it.each([
  ...['my-agent-key', 'my-agen', 'agent-key', 'token-of-the-job', 'hunter22', 'me:hunter22'],
  ...['with-a-token', 'token-of-a-gateway', 'token-of-a-gateway/api-host', 'in-the-query'],
  ...['my-agent-pr-7', HEAD.slice(0, 12)],
])('%s is not', (value) => expect(isPublic(value)).toBe(false))

it('the name of the preview is public, and of no other', () => {
  expect(isPublic('my-agent-pr-7', 'true')).toBe(true)
  expect(isPublic('my-agent-pr-8', 'true')).toBe(false)
})

const connection: RunnableStep['connection'] = {
  baseUrl: new URL('https://cp.example'),
  credentials: { apiKey: 'key-1', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' },
  requestTimeoutMs: 1,
  maxRetries: 0,
  service: { api: AGENT_SERVER, deletesTracingProjects: false },
}
const gitHub = { token: undefined, commentOn: undefined, keepsComments: false, environment: undefined }

const rollout = (over: Partial<RolloutRequest>): RunnableStep => ({
  operation: 'rollout',
  request: aRequest(over),
  connection,
  gitHub,
  preview: undefined,
})

function opened(step: RunnableStep, publicTexts: string[] = []) {
  const redactor = new Redactor(() => undefined)
  redactor.allow(publicTexts)
  const named: string[][] = []
  const onSecrets = onReportedSecrets(requestsOf(step), redactor, (names) => named.push(names))
  const report = (...secrets: Secret[]): void => {
    const values = secrets.flatMap(({ value }) => value ?? [])
    onSecrets(values, aDeployment({ name: 'my-agent', settings: { secrets } }))
  }
  const { redact, redactFreeText } = redactor
  return { redact, redactFreeText, redactor, named, onSecrets, report }
}

const secret = (name: string, value: string): Secret => ({ name, value })
const variable = (name: string, value: string): Secret => ({ name, value, isVariable: true })

it('public values of secrets that the input variables would refuse are not to be moved there', () => {
  const secrets = [secret('CACHE_KEY', 'release-2026'), secret('MODE', 'release-2026')]
  expect(opened(rollout({ settings: { secrets } }), ['release-2026']).named).toEqual([['MODE']])
})

describe('the values that the control plane reports', () => {
  it('are secrets, except of the names in variables', () => {
    const { report, redact } = opened(rollout({ settings: { secrets: [variable('REGION', 'new-region')] } }))
    report(secret('REGION', 'old-region'), secret('KEY', 'correct-horse'))
    expect(redact('old-region correct-horse')).toBe('old-region ***')
  })

  it('are secrets in a fleet if another deployment has the name in secrets', () => {
    const requests = [[variable('REGION', 'a-region')], [secret('REGION', 'b-region')]].map((secrets) =>
      aRequest({ settings: { secrets } }),
    )
    const place = { file: 'fleet.yml', line: 1 }
    const entries = requests.map((request, index) => ({ name: `agent-${index}`, place, request }))
    const wave = { name: undefined, maxParallel: 1, maxFailures: 0, bakeMs: 0, entries }
    const request = { ...aFleetRequest({ waves: [] }), waves: [wave] }
    const { report, redact } = opened({ operation: 'fleet', request, connection, gitHub })
    report(secret('REGION', 'old-region'))
    expect(redact('old-region')).toBe('***')
  })

  it('are learnt without another look at all requests of a fleet', () => {
    let looks = 0
    const request = {
      ...aFleetRequest({ waves: [] }),
      get waves() {
        looks++
        return []
      },
    }
    const { report } = opened({ operation: 'fleet', request, connection, gitHub })
    const before = looks
    report(secret('KEY', 'correct-horse'))
    expect(looks).toBe(before)
  })

  it.each(['my-agent', DEPLOYMENT_ID, 'acme', 'acme/agent', 'github.com', 'https://app.example'])(
    'are none where they are public of that deployment: %s',
    (value) => {
      const { onSecrets, redact, named } = opened(rollout({}))
      const settings = { secrets: [secret('A', value)], customUrl: 'https://app.example/x' }
      onSecrets([value], aDeployment({ name: 'my-agent', settings }))
      expect(redact(value)).toBe(value)
      expect(named).toEqual([])
    },
  )

  it('are what they are without a deployment', () => {
    const { onSecrets, redact } = opened(rollout({}))
    onSecrets(['signature-of-an-upload'])
    expect(redact('signature-of-an-upload')).toBe('***')
  })
})

describe('the names in secrets whose values are public', () => {
  const secrets = [secret('APP_NAME', 'my-agent'), secret('KEY', 'correct-horse'), variable('NAME', 'my-agent')]

  it('are named once', () => {
    const { named, report } = opened(rollout({ settings: { secrets } }), ['my-agent'])
    report()
    expect(named).toEqual([['APP_NAME']])
  })

  it('are named when the name becomes known by the id', () => {
    const target = { kind: 'id', id: DEPLOYMENT_ID.toUpperCase() } as const
    const { redactor, report, named, redact } = opened(rollout({ target, settings: { secrets } }))
    redactor.learnValues(['my-agent', 'correct-horse'])
    expect(redact('my-agent correct-horse')).toBe('*** ***')
    report()
    report()
    expect(redact('my-agent correct-horse')).toBe('my-agent ***')
    expect(named).toEqual([['APP_NAME']])
  })

  const byId = { kind: 'id', id: DEPLOYMENT_ID } as const
  const tokens = ['9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c', '1c9e6679-7425-40de-944b-e07fc1f90ae7']
  it.each(['Correct_Horse', ...tokens, 'sk-proj-qhwjzkxnvbpmrtsdlfgcy', '12345678'])(
    'are not named because the control plane gives the secret %s for a name',
    (value) => {
      const settings = { secrets: [secret('KEY', value)] }
      const { redactor, onSecrets, named, redact } = opened(rollout({ target: byId, settings }))
      redactor.learnValues([value])
      onSecrets([], aDeployment({ name: value }))
      expect([redact(value), named]).toEqual(['***', []])
    },
  )

  it.each(['3klife-agent', 'my-agent2', 'agent-pr-1234', 'api'])('are named by an id if the name is %s', (name) => {
    const settings = { secrets: [secret('APP_NAME', name)] }
    const { onSecrets, named } = opened(rollout({ target: byId, settings }))
    onSecrets([], aDeployment({ name }))
    expect(named).toEqual([['APP_NAME']])
  })

  it('are not named because another deployment than that of the id has the name', () => {
    const target = { kind: 'id', id: DEPLOYMENT_ID.replace(/.$/, (last) => (last === '0' ? '1' : '0')) } as const
    const { report, named } = opened(rollout({ target, settings: { secrets: [secret('APP_NAME', 'my-agent')] } }))
    report()
    expect(named).toEqual([])
  })

  it('are not named because the control plane reports another name than that of the step', () => {
    const { redactor, report, redact, named } = opened(rollout({ settings: { secrets } }))
    redactor.learnValues(['my-agent'])
    report()
    expect([redact('my-agent'), named]).toEqual(['***', []])
  })
})

it('takes the word of a default neither for a secret nor for a name', () => {
  const words = { secrets: 'unchanged', variables: 'unchanged', 'image-uri': 'current', 'promote-from': 'none' }
  const raw = (inputs: Record<string, string>) => (name: string) => inputs[name] ?? ''
  const redactor = new Redactor(() => undefined)
  maskInputs(redactor, raw(words), aPush(), {})
  expect(redactor.redact('unchanged current none')).toBe('unchanged current none')
  const other = new Redactor(() => undefined)
  maskInputs(other, raw({ ...words, 'promote-from': 'current', secrets: 'KEY=none-such' }), aPush(), {})
  const isPublic = (text: string): boolean => other.isPublic(text)
  expect(['unchanged', 'none', 'current'].filter(isPublic)).toEqual(['current'])
})
