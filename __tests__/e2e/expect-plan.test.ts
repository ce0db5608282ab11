import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { aManifest, idOf, IMAGE, NEXT_IMAGE, outcomesOf, resultsOf, rollOutFleet, writesOf } from './fleets.ts'
import { CREATE, everythingSaid, SECRET, step, theError, travel } from './stage.ts'

const SETTLED = { speed: 10 }
const CHANGED = { ...CREATE, 'build-on-push': true, variables: 'LOG_LEVEL=chatty-level' }

/** A deployment, and the digest of the plan that changes it. */
async function planned(inputs: Record<string, InputValue> = CHANGED): Promise<{ sandbox: Sandbox; digest: string }> {
  const { sandbox } = await travel({ inputs: CREATE, sandbox: SETTLED })
  const plan = await step(sandbox, { ...inputs, 'dry-run': true })
  expect(plan.outputs['plan-digest']).toMatch(/^plan1\.[0-9a-f]{64}\.[\w-]+$/)
  return { sandbox, digest: plan.outputs['plan-digest'] ?? '' }
}

/** The commit that the sandbox builds of main. */
const MAIN = { name: 'push' as const, sha: '6c7a2498cd95416b6dc54a9d5ae03c2153b17000' }
const AGAIN = { event: MAIN, env: { GITHUB_RUN_ATTEMPT: '2' } }

describe('expect-plan', () => {
  it('lets the plan pass that was approved, also in a rerun of the job, which makes no second revision', async () => {
    const { sandbox, digest } = await planned()
    const before = writesOf(sandbox).length
    const inputs = { ...CHANGED, 'expect-plan': digest }
    const run = await step(sandbox, inputs)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(writesOf(sandbox).slice(before)).toEqual([
      'PATCH /v2/deployments/{deployment_id}',
      'POST /v2/deployments/{deployment_id}/revisions',
    ])
    const rerun = await step(sandbox, inputs, AGAIN)
    expect(rerun.raw).not.toContain('not the one that was approved')
    expect(rerun.outputs).toMatchObject({ outcome: 'unchanged', change: 'none' })
    expect(writesOf(sandbox)).toHaveLength(before + 2)
  })

  it('lets a creation pass, and a rerun after it', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, 'dry-run': true }, sandbox: SETTLED })
    const inputs = { ...CREATE, 'expect-plan': run.outputs['plan-digest'] ?? '' }
    expect((await step(sandbox, inputs)).outputs['outcome']).toBe('deployed')
    const rerun = await step(sandbox, inputs, AGAIN)
    expect(rerun.outputs).toMatchObject({ outcome: 'unchanged' })
    expect(writesOf(sandbox)).toEqual(['POST /v2/deployments'])
  })

  it.each([
    ['control plane', {}, true],
    ['workspace', { 'tenant-id': '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d' }, false],
  ] as const)(
    'is not applied to another %s, where it would create the deployment',
    async (_what, inputs, isElsewhere) => {
      const { run: plan, sandbox } = await travel({ inputs: { ...CREATE, 'dry-run': true }, sandbox: SETTLED })
      const other = isElsewhere ? (await travel({ inputs: { ...CREATE, 'dry-run': true } })).sandbox : sandbox
      const digest = plan.outputs['plan-digest'] ?? ''
      const run = await step(other, { ...CREATE, ...inputs, 'expect-plan': digest })
      expect(run.outputs['outcome']).toBe('failed')
      expect(theError(run)).toContain('Since the approval: another base-url or tenant-id.')
      expect(writesOf(other)).toEqual([])
    },
  )

  it('says what the inputs have added since, and writes nothing', async () => {
    const { sandbox, digest } = await planned()
    const before = writesOf(sandbox)
    const secrets = `${String(CREATE['secrets'])}\nDATABASE_URL=postgres-secret`
    const run = await step(sandbox, { ...CHANGED, secrets, variables: 'LOG_LEVEL=quiet', 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('The plan of hello-agent is not the one that was approved.')
    expect(theError(run)).toContain(
      'Since the approval: variable LOG_LEVEL chatty-level → quiet, and one secret more: DATABASE_URL.',
    )
    expect(theError(run)).toContain('Nothing was written.')
    expect(run.summary).toContain('one secret more: DATABASE&#95;URL.')
    expect(writesOf(sandbox)).toEqual(before)
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(everythingSaid(run)).not.toContain('postgres-secret')
  })

  it('finds what somebody else has rolled out since, and writes nothing', async () => {
    const { sandbox, digest } = await planned()
    await step(sandbox, { ...CREATE, 'install-command': 'npm ci' })
    const before = writesOf(sandbox)
    const run = await step(sandbox, { ...CHANGED, 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toMatch(/Since the approval: the active revision [\da-f-]+ → [\da-f-]+\./)
    expect(writesOf(sandbox)).toEqual(before)
  })

  it('is compared again if somebody acts between the plan and a write', async () => {
    const { sandbox, digest } = await planned()
    const theirs = { source_revision_config: { repo_ref: 'main', agent_config_path: 'agent.json' } }
    const visit = { kind: 'revise', name: 'hello-agent', body: theirs, script: { durationMs: 1 } } as const
    const faults = [{ match: { method: 'PATCH' }, effect: { kind: 'status', status: 429 } } as const]
    sandbox.setFaults(faults)
    sandbox.setVisits([{ match: { method: 'PATCH' }, acts: [visit] }])
    const before = writesOf(sandbox).length
    const run = await step(sandbox, { ...CHANGED, 'expect-plan': digest })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(run.raw).toMatch(/changed|became active|another client/)
    expect(theError(run)).toContain('is not the one that was approved')
    // The one that was answered with 429.
    expect(writesOf(sandbox)).toHaveLength(before + 1)
  })

  describe('of which the digest has only a hash', () => {
    const hashOnly = (digest: string): string => digest.replace(/[^.]+$/, 'hash-only')

    it('is applied, and writes nothing if anything is another', async () => {
      const { sandbox, digest } = await planned()
      const before = writesOf(sandbox)
      const other = { ...CHANGED, variables: 'LOG_LEVEL=quiet', 'expect-plan': hashOnly(digest) }
      for (const inputs of [other, { ...other, 'dry-run': true }]) {
        const run = await step(sandbox, inputs)
        expect(run.outputs['outcome']).toBe('failed')
        expect(theError(run)).toContain('Since the approval: the hash of the plan, and the digest has nothing else;')
        expect(theError(run)).toContain('Nothing was written.')
        expect(theError(run)).not.toContain('patched')
      }
      expect(writesOf(sandbox)).toEqual(before)
      const run = await step(sandbox, { ...CHANGED, 'if-unchanged': 'revise', 'expect-plan': hashOnly(digest) })
      expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    })

    it('is compared again if somebody acts before a write', async () => {
      const { sandbox, digest } = await planned()
      const theirs = { source_revision_config: { repo_ref: 'main', agent_config_path: 'agent.json' } }
      const visit = { kind: 'revise', name: 'hello-agent', body: theirs, script: { durationMs: 1 } } as const
      sandbox.setFaults([{ match: { method: 'PATCH' }, effect: { kind: 'status', status: 429 } }])
      sandbox.setVisits([{ match: { method: 'PATCH' }, acts: [visit] }])
      const run = await step(sandbox, { ...CHANGED, 'expect-plan': hashOnly(digest) })
      expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
      expect(theError(run)).toContain('Since the approval: the active revision')
    })
  })

  it('goes on in a rerun after its PATCH', async () => {
    const { sandbox, digest } = await planned()
    sandbox.setFaults([
      {
        match: { method: 'POST', path: '/v2/deployments/{deployment_id}/revisions' },
        effect: { kind: 'status', status: 400 },
      },
    ])
    const inputs = { ...CHANGED, 'expect-plan': digest }
    expect((await step(sandbox, inputs)).outputs).toMatchObject({ outcome: 'failed', change: 'patched' })
    const rerun = await step(sandbox, inputs, AGAIN)
    expect(rerun.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
  })
})

describe('expect-plan of a fleet', () => {
  const first = aManifest(3)
  const next = aManifest(3, { image: NEXT_IMAGE })

  it('is one digest for all, which also holds for a shard and for a rerun', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'dry-run': true }, sandbox: SETTLED })
    expect((await rollOutFleet(sandbox, first)).outputs['outcome']).toBe('deployed')
    const digest = (await rollOutFleet(sandbox, next, { 'dry-run': true })).outputs['plan-digest'] ?? ''
    const approved = { 'expect-plan': digest }
    expect((await rollOutFleet(sandbox, next, { ...approved, shard: '1/3' })).outputs['outcome']).toBe('deployed')
    const run = await rollOutFleet(sandbox, next, approved)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(Object.values(outcomesOf(run)).toSorted()).toEqual(['deployed', 'deployed', 'unchanged'])
    const ofShard = (await rollOutFleet(sandbox, first, { 'dry-run': true, shard: '2/3' })).outputs['plan-digest'] ?? ''
    expect((await rollOutFleet(sandbox, first, { 'expect-plan': ofShard, shard: '2/3' })).outputs['outcome']).toBe(
      'deployed',
    )
  })

  it('writes nothing if one plan is another, or one deployment is missing', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'dry-run': true }, sandbox: SETTLED })
    await rollOutFleet(sandbox, first)
    const digest = (await rollOutFleet(sandbox, next, { 'dry-run': true })).outputs['plan-digest'] ?? ''
    const before = writesOf(sandbox)
    const [one, ...others] = next.deployments
    const altered = {
      ...next,
      deployments: [{ name: 'agent-1', ...one, 'image-uri': IMAGE, shareable: true }, ...others],
    }
    const run = await rollOutFleet(sandbox, altered, { 'expect-plan': digest })
    expect(run.outputs['outcome']).toBe('failed')
    expect(outcomesOf(run)).toEqual({ 'agent-1': 'failed', 'agent-2': 'not-started', 'agent-3': 'not-started' })
    expect(resultsOf(run)[0]?.reason).toContain('Since the approval: image-uri')
    expect(run.raw).toContain('The plan of 1 deployment is not what was approved.')
    const less = await rollOutFleet(sandbox, { ...next, deployments: others }, { 'expect-plan': digest })
    expect(less.outputs['outcome']).toBe('failed')
    expect(theError(less)).toContain('Approved, and not in this fleet: agent-1.')
    expect(writesOf(sandbox)).toEqual(before)
    expect(idOf(sandbox, 'agent-1')).not.toBe('')
  })

  describe('of which the digest has only a hash', () => {
    async function approved() {
      const { sandbox } = await travel({ inputs: { ...CREATE, 'dry-run': true }, sandbox: SETTLED })
      await rollOutFleet(sandbox, first)
      const digest = (await rollOutFleet(sandbox, next, { 'dry-run': true })).outputs['plan-digest'] ?? ''
      return { sandbox, before: writesOf(sandbox), inputs: { 'expect-plan': digest.replace(/[^.]+$/, 'hash-only') } }
    }

    it('is applied', async () => {
      const { sandbox, inputs } = await approved()
      expect((await rollOutFleet(sandbox, next, inputs)).outputs['outcome']).toBe('deployed')
    })

    it('writes nothing if anything is another', async () => {
      const { sandbox, before, inputs } = await approved()
      for (const run of [
        await rollOutFleet(sandbox, first, inputs),
        await rollOutFleet(sandbox, next, { ...inputs, shard: '1/3' }),
      ]) {
        expect(run.outputs['outcome']).toBe('failed')
        expect(theError(run)).toContain(
          'The digest has only a hash of all plans. What an earlier attempt has written makes another one.',
        )
      }
      expect(writesOf(sandbox)).toEqual(before)
    })

    it('is compared again if somebody acts before a write', async () => {
      const { sandbox, inputs } = await approved()
      const theirs = { source_revision_config: { image_uri: 'registry.example/theirs:1' } }
      const acts = ['agent-1', 'agent-2', 'agent-3'].map(
        (name) => ({ kind: 'revise', name, body: theirs, script: { durationMs: 1 } }) as const,
      )
      sandbox.setFaults([{ match: { method: 'POST' }, effect: { kind: 'status', status: 429 } }])
      sandbox.setVisits([{ match: { method: 'POST' }, acts }])
      const run = await rollOutFleet(sandbox, next, { ...inputs, 'max-parallel': 1 })
      expect(run.outputs['outcome']).toBe('failed')
      expect(outcomesOf(run)['agent-1']).toBe('failed')
      expect(resultsOf(run)[0]?.reason).toContain('Since the approval: the active revision')
    })
  })
})
