import { expect, it } from '@jest/globals'
import { maskInputs } from '../../src/inputs/runner-inputs.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { aPush } from '../builders.ts'
import { quietMasks } from '../quiet-masks.ts'

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
  const pullRequest = { number: 7, closed: false }
  const event = aPush({ runUrl: 'https://github.example/runs/1', runCommits: [HEAD, COMMIT], pullRequest })
  const redactor = new Redactor()
  maskInputs(quietMasks(redactor), (name) => (name === 'secrets' ? `KEY=${value}` : (inputs[name] ?? '')), event, ENV)
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
  ...[
    'with-a-token',
    'token-of-a-gateway',
    'token-of-a-gateway/api-host',
    'in-the-query',
    'my-agent-pr-7',
    HEAD.slice(0, 12),
  ],
])('%s is not', (value) => expect(isPublic(value)).toBe(false))

it('the name of the preview is public, and of no other', () => {
  expect(isPublic('my-agent-pr-7', 'true')).toBe(true)
  expect(isPublic('my-agent-pr-8', 'true')).toBe(false)
})
