import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import { here, until } from '../places/here.ts'
import { aManifest, idOf, NEXT_IMAGE, outcomesOf, resultsOf, rollOutFleet, writesOf } from './fleets.ts'
import { API_KEY, aSandbox, CREATE, SECRET, step, theError, travel } from './stage.ts'

const SETTLED = { speed: 10 }

const CHANGED = { ...CREATE, 'build-on-push': true, variables: 'LOG_LEVEL=chatty-level' }

it('an approved plan passes, and a rerun of the job makes no second revision', async () => {
  const { sandbox } = await travel({ inputs: CREATE, sandbox: SETTLED })
  const { outputs } = await step(sandbox, { ...CHANGED, 'dry-run': true })
  const before = writesOf(sandbox).length
  const inputs = { ...CHANGED, 'expect-plan': outputs['plan-digest'] ?? '' }
  expect((await step(sandbox, inputs)).outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
  expect(writesOf(sandbox)).toHaveLength(before + 2)
  // The commit that the sandbox builds of main.
  const event = { name: 'push' as const, sha: '6c7a2498cd95416b6dc54a9d5ae03c2153b17000' }
  const rerun = await step(sandbox, inputs, { event, env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect(rerun.outputs).toMatchObject({ outcome: 'unchanged', change: 'none' })
  expect(rerun.outputs['plan-markdown']).toContain('what was approved is active already')
  expect(writesOf(sandbox)).toHaveLength(before + 2)
})

const SPEC = { source: 'external_container', 'image-uri': NEXT_IMAGE, 'verify-url': 'none' }
const sidecar = (value: string): string =>
  JSON.stringify({
    sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1', env: [{ name: 'UPSTREAM', value }] }],
  })

it.each<[string, Record<string, string>, Record<string, string>]>([
  [
    'beside a hidden part',
    { variables: 'DB=postgres://u:your-password@db-approved/x' },
    { variables: 'DB=postgres://u:your-password@db-other/x' },
  ],
  ['with a secret inside', { 'repo-ref': 'release-2025-1' }, { 'repo-ref': 'release-2025-2' }],
  [
    'of a container',
    { ...SPEC, 'resource-spec': sidecar('http://approved') },
    { ...SPEC, 'resource-spec': sidecar('http://other') },
  ],
])('a value %s that was not approved is refused, and never shown', async (_where, approved, other) => {
  const sandbox = await aSandbox(SETTLED)
  const secrets = 'PART=release-2025'
  const inputs = approved['source'] === undefined ? { ...CREATE, secrets } : { name: 'hello-agent', secrets }
  const { outputs } = await step(sandbox, { ...inputs, ...approved, 'dry-run': true })
  const digest = outputs['plan-digest'] ?? ''
  const refused = await step(sandbox, { ...inputs, ...other, 'expect-plan': digest })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
  expect(theError(refused)).toMatch(/Since the approval: .*\(hash [0-9a-f]{16}\) → .*\(hash [0-9a-f]{16}\)/)
  expect(theError(refused)).not.toMatch(/your-password|release-2025|http:\/\//)
  expect(writesOf(sandbox)).toEqual([])
  const applied = await step(sandbox, { ...inputs, ...approved, 'expect-plan': digest })
  expect(applied.outputs).toMatchObject({ outcome: 'deployed' })
})

describe('a digest that has only a hash', () => {
  async function planned() {
    const { sandbox } = await travel({ inputs: CREATE, sandbox: SETTLED })
    const { outputs } = await step(sandbox, { ...CHANGED, 'dry-run': true })
    const digest = (outputs['plan-digest'] ?? '').replace(/[^.]+$/, 'hash-only')
    return { sandbox, digest, before: writesOf(sandbox) }
  }

  it('lets its plan pass, and no other', async () => {
    const { sandbox, digest, before } = await planned()
    const other = { ...CHANGED, variables: 'LOG_LEVEL=quiet', 'expect-plan': digest }
    for (const inputs of [other, { ...other, 'dry-run': true }]) {
      const run = await step(sandbox, inputs)
      expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
      expect(theError(run)).toContain('Since the approval: the hash of the plan, and the digest has nothing else;')
      expect(theError(run)).toContain('Nothing was written.')
    }
    expect(writesOf(sandbox)).toEqual(before)
    const run = await step(sandbox, { ...CHANGED, 'if-unchanged': 'revise', 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
  })

  it('is compared again if somebody acts before a write', async () => {
    const { sandbox, digest } = await planned()
    const theirs = { source_revision_config: { repo_ref: 'main', agent_config_path: 'agent.json' } }
    const visit = { kind: 'revise', name: 'hello-agent', body: theirs, script: { durationMs: 1 } } as const
    sandbox.setFaults([{ match: { method: 'PATCH' }, effect: { kind: 'status', status: 429 } }])
    sandbox.setVisits([{ match: { method: 'PATCH' }, acts: [visit] }])
    const run = await step(sandbox, { ...CHANGED, 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toContain('Since the approval: the active revision')
  })
})

it('a fleet whose digest has only a hash is compared again if somebody acts before a write', async () => {
  const next = aManifest(3, { image: NEXT_IMAGE })
  const sandbox = await aSandbox(SETTLED)
  await rollOutFleet(sandbox, aManifest(3))
  const digest = (await rollOutFleet(sandbox, next, { 'dry-run': true })).outputs['plan-digest'] ?? ''
  const body = { source_revision_config: { image_uri: 'registry.example/theirs:1' } }
  const acts = next.deployments.map(({ name }) => ({ kind: 'revise', name, body, script: { durationMs: 1 } }) as const)
  sandbox.setFaults([{ match: { method: 'POST' }, effect: { kind: 'status', status: 429 } }])
  sandbox.setVisits([{ match: { method: 'POST' }, acts }])
  const inputs = { 'expect-plan': digest.replace(/[^.]+$/, 'hash-only'), 'max-parallel': 1 }
  const run = await rollOutFleet(sandbox, next, inputs)
  expect(outcomesOf(run)['agent-1']).toBe('failed')
  expect(resultsOf(run)[0]?.reason).toContain('Since the approval: the active revision')
})

it('the names of a fleet may have a secret inside, which no digest has', async () => {
  const name = `agent-${SECRET}`
  const manifest = { ...aManifest(1), deployments: [{ name }, { name: `${name}-2` }] }
  const sandbox = await aSandbox(SETTLED)
  const { outputs } = await rollOutFleet(sandbox, manifest, { 'dry-run': true })
  const digest = outputs['plan-digest'] ?? ''
  expect(inflateRawSync(Buffer.from(digest.split('.')[2] ?? '', 'base64url')).toString()).not.toContain(SECRET)
  const run = await rollOutFleet(sandbox, manifest, { 'expect-plan': digest })
  expect(run.outputs['outcome']).toBe('deployed')
})

const ONE_MORE = { secrets: [{ name: 'DATABASE_URL', value: 'postgres-of-somebody-else' }] }
const MADE = { source_config: { build_command: 'make' } }

it.each<[string, object, RolloutScript]>([
  ["the deployment's build-command (none) → make", MADE, {}],
  ['one secret more in the deployment: DATABASE_URL', ONE_MORE, { ends: 'DEPLOY_FAILED' }],
  ['one secret more in the deployment: DATABASE_URL', ONE_MORE, { durationMs: 36_000_000 }],
])('a plan is refused that would keep what was changed since: %s', async (words, body, theirs) => {
  const inputs = { ...CREATE, secrets: 'unchanged' }
  const { sandbox } = await travel({ inputs, sandbox: SETTLED })
  const id = idOf(sandbox, 'hello-agent')
  sandbox.setScript(theirs)
  const asked = { ...inputs, 'build-on-push': true }
  const digest = (await step(sandbox, { ...asked, 'dry-run': true })).outputs['plan-digest'] ?? ''
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify(body) }
  expect((await here().fetch(`${sandbox.url}/v2/deployments/${id}`, init)).status).toBe(200)
  const isSo = () => theirs.ends === undefined || sandbox.revisions(id).at(-1)?.['status'] === theirs.ends
  await here().spend(async () => await until(isSo))
  const before = writesOf(sandbox)
  const run = await step(sandbox, { ...asked, 'expect-plan': digest })
  expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
  expect(theError(run)).toContain(`Since the approval: ${words}.`)
  expect(writesOf(sandbox)).toEqual(before)
})
