import { expect, it } from '@jest/globals'
import { aManifest, NEXT_IMAGE, outcomesOf, resultsOf, rollOutFleet, writesOf } from './fleets.ts'
import { aSandbox, CREATE, step, travel } from './stage.ts'

const SETTLED = { speed: 10 }

it('an approved plan passes, and a rerun of the job makes no second revision', async () => {
  const changed = { ...CREATE, 'build-on-push': true, variables: 'LOG_LEVEL=chatty-level' }
  const { sandbox } = await travel({ inputs: CREATE, sandbox: SETTLED })
  const { outputs } = await step(sandbox, { ...changed, 'dry-run': true })
  const before = writesOf(sandbox).length
  const inputs = { ...changed, 'expect-plan': outputs['plan-digest'] ?? '' }
  expect((await step(sandbox, inputs)).outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
  expect(writesOf(sandbox)).toHaveLength(before + 2)
  // The commit that the sandbox builds of main.
  const event = { name: 'push' as const, sha: '6c7a2498cd95416b6dc54a9d5ae03c2153b17000' }
  const rerun = await step(sandbox, inputs, { event, env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect(rerun.outputs).toMatchObject({ outcome: 'unchanged', change: 'none' })
  expect(writesOf(sandbox)).toHaveLength(before + 2)
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
