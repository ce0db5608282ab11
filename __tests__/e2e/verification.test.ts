import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { pause } from '../places/here.ts'
import {
  aBadAddress,
  CREATE,
  revisionsOf,
  serve,
  step,
  type Surroundings,
  theError,
  travel,
  warningsOf,
} from './stage.ts'

async function seen(sandbox: Sandbox, route: RegExp): Promise<void> {
  while (!sandbox.requests.some((request) => route.test(request.route))) await pause(20)
}

describe('verification', () => {
  it('waits until the address answers as it should, without any credentials', async () => {
    const seen: string[][] = []
    let count = 0
    const url = await serve((request, response) => {
      seen.push(Object.keys(request.headers))
      count += 1
      if (request.url === '/start') response.writeHead(302, { location: '/ok' }).end()
      else response.writeHead(count < 4 ? 503 : 200).end('all is well')
    })
    const inputs = { ...CREATE, 'verify-url': `${url}/start`, 'verify-contains': 'is well' }
    const { run } = await travel({ inputs })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(seen.flat().filter((name) => /auth|key|tenant|cookie/i.test(name))).toEqual([])
  })

  describe('of a deployment that is unchanged', () => {
    const image = { name: 'agent', source: 'internal_container', 'image-uri': 'r.example/agent:v1' }

    /** A rollout whose check fails; then the same again, with `if-unchanged: skip`. */
    async function rerun(statusThen: number, inputs: Record<string, InputValue> = {}, around: Surroundings = {}) {
      const health = { status: 500, reads: 0 }
      const url = await serve((_request, response) => {
        health.reads += 1
        response.writeHead(health.status).end()
      })
      const verify = { 'verify-url': url, 'verify-timeout': '2s' }
      const { run, sandbox } = await travel({ inputs: { ...image, ...verify } })
      expect(run.outputs).toMatchObject({ outcome: 'unverified' })
      Object.assign(health, { status: statusThen, reads: 0 })
      const sent = sandbox.requests.length
      const second = await step(sandbox, { ...image, ...verify, 'if-unchanged': 'skip', ...inputs }, around)
      const writes = sandbox.requests.slice(sent).filter(({ method }) => method !== 'GET')
      return { run: second, writes, health }
    }

    it('still fails: a rerun does not make a failed check a success', async () => {
      const { run, writes } = await rerun(500, { rollback: 'on-failure' })
      expect(run.exitCode).toBe(1)
      expect(run.outputs).toMatchObject({ outcome: 'unverified', change: 'none', status: 'DEPLOYED' })
      expect(theError(run)).toMatch(/agent is unchanged, but the check of .* failed.*It answers HTTP 500, not 200/s)
      expect(theError(run)).toContain('a run with if-unchanged: revise creates a new revision')
      expect(run.summary).toContain('is unchanged, but the check of')
      expect(run.raw).not.toMatch(/rolled back/i)
      expect(writes).toEqual([])
    })

    it('ends with the job', async () => {
      const kill = { signal: 'SIGINT', whenLine: /Verifying/ } as const
      const { run, writes } = await rerun(500, { 'verify-timeout': '10m' }, { kill })
      expect(run.exitCode).toBe(1)
      expect(run.outputs).toMatchObject({ outcome: 'cancelled', change: 'none' })
      expect(theError(run)).toContain('had already ended DEPLOYED; the steps after it were not done')
      expect(writes).toEqual([])
    })

    it('succeeds once it answers', async () => {
      const { run, writes, health } = await rerun(200)
      expect(run.outputs).toMatchObject({ outcome: 'unchanged', change: 'none' })
      expect([writes, health.reads]).toEqual([[], 1])
    })
  })
})

describe('verify-for', () => {
  const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  const next = { ...image, 'image-uri': 'registry.example/agent:2' }
  const bake = { 'verify-timeout': '10s', 'verify-for': '12s' }

  /** One response for each request; the last one stays. `undefined`: the connection breaks. */
  async function aSite(...statuses: (number | undefined)[]): Promise<string> {
    return await serve((request, response) => {
      const status = statuses.length > 1 ? statuses.shift() : statuses[0]
      if (status === undefined) request.socket.destroy()
      else response.writeHead(status).end()
    })
  }

  it('keeps checking, and counts failures that recover', async () => {
    const url = await aSite(500, 200, 500, undefined, 200)
    const { run } = await travel({ inputs: { ...image, ...bake, 'verify-url': url } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).toMatch(/answers as expected\. It must keep doing so for 12 s/)
    expect(run.raw).toMatch(/check 1 of 3 in a row failed: it answers HTTP 500, not 200/)
    expect(run.raw).toMatch(/the check succeeds again after 2 of 3 failures/)
    expect(run.raw).toMatch(/verified for 1\d s \(\d checks, of which 2 failed\)/)
  })

  it('notices a newer rollout, also while everything is well', async () => {
    const { sandbox } = await travel({ inputs: image })
    const looked = Promise.withResolvers<undefined>()
    const url = await serve((_request, response) => {
      if (revisionsOf(sandbox).length > 1) looked.resolve(undefined)
      response.end()
    })
    const ours = step(sandbox, { ...next, ...bake, 'verify-for': '80s', 'verify-url': url })
    await looked.promise
    const newer = await step(sandbox, { ...image, 'image-uri': 'registry.example/agent:3' })
    const run = await ours
    expect(run.outputs['outcome']).toBe('superseded')
    expect(theError(run)).toContain(newer.outputs['revision-id'])
  })

  it('works in the action wait, and needs verify-url', async () => {
    const { sandbox } = await travel({ inputs: image })
    const waiting = { operation: 'wait', name: 'box', ...bake }
    const waited = await step(sandbox, { ...waiting, 'verify-url': await aSite(200, 500) })
    expect(waited.outputs['outcome']).toBe('unverified')
    expect(theError(await step(sandbox, waiting))).toContain('verify-for: "12s" needs verify-url')
  })
})

describe('rollback: on-failure', () => {
  const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  const next = { ...image, 'image-uri': 'registry.example/agent:2', rollback: 'on-failure' }

  /** Fails while there are two revisions: after a third one, the earlier configuration serves again. */
  async function anAddressThatRecovers(sandbox: Sandbox): Promise<Record<string, InputValue>> {
    const url = await serve((_request, response) =>
      response.writeHead(revisionsOf(sandbox).length === 2 ? 500 : 200).end(),
    )
    return { 'verify-url': url, 'verify-timeout': '10s' }
  }

  it.each([
    ['by the route for it', []],
    [
      'by a revision that repeats the configuration',
      [{ match: { path: /redeploy/ }, times: Infinity, effect: { kind: 'status' as const, status: 404 } }],
    ],
  ])('restores the previous revision, %s, and reports both results', async (_how, faults) => {
    const { sandbox } = await travel({ inputs: { ...image, 'custom-url': 'https://one.example' } })
    sandbox.setFaults(faults)
    const verify = await anAddressThatRecovers(sandbox)
    const run = await step(sandbox, { ...next, ...verify, 'custom-url': 'https://two.example' })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('rolled-back')
    const [first, second, third] = revisionsOf(sandbox)
    expect(run.outputs['revision-id']).toBe(second?.['id'])
    expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(third?.['id'])
    expect(third?.['source_revision_config']).toEqual(first?.['source_revision_config'])
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ custom_url: 'https://one.example' })
    expect(theError(run)).toMatch(/the check of \S+ failed/)
    expect(theError(run)).toContain('was rolled back to the previous revision: the check of')
  })

  it('says what continues when the run is cancelled during the rollback', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setFaults([{ match: { path: /redeploy/ }, effect: { kind: 'delay', ms: 30_000 } }])
    const begun = seen(sandbox, /redeploy$/)
    const run = await step(
      sandbox,
      { ...next, ...(await aBadAddress(sandbox)) },
      { kill: { signal: 'SIGINT', when: begun } },
    )
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(theError(run)).toMatch(/A rollback to revision \S+ had begun\. It continues on the control plane/)
  })
})

describe('verify-url before the first write', () => {
  const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  const next = { ...image, 'image-uri': 'registry.example/agent:2', rollback: 'on-failure', 'verify-timeout': '3s' }

  /** A deployment, and its address: one status while the first revision serves, another one for each later revision. */
  async function aDeployment(...statuses: number[]) {
    const { sandbox } = await travel({ inputs: image })
    const counts: number[] = []
    const url = await serve((_request, response) => {
      const { length } = revisionsOf(sandbox)
      counts[length] = (counts[length] ?? 0) + 1
      response.writeHead(statuses[Math.min(length, statuses.length) - 1] ?? 0).end()
    })
    return { sandbox, url, counts }
  }

  it('warns when it fails, and does not roll back what fails in the same way', async () => {
    const { sandbox, url, counts } = await aDeployment(404)
    const run = await step(sandbox, { ...next, 'verify-url': `${url}/helth` })
    expect(run.outputs).toMatchObject({ outcome: 'unverified', status: 'DEPLOYED' })
    expect(run.outputs).not.toHaveProperty('restored-revision-id')
    expect(revisionsOf(sandbox)).toHaveLength(2)
    expect(counts[1]).toBe(1)
    expect(warningsOf(run)).toEqual([
      `The check of ${url}/helth fails already, before this rollout: it answers HTTP 404, not 200. Check verify-url. If the new revision fails in the same way, that is no reason for a rollback.`,
    ])
    expect(run.raw.indexOf('fails already')).toBeLessThan(run.raw.indexOf('Created revision'))
    expect(theError(run)).toContain(
      'Not rolled back: the check failed in the same way before this rollout (HTTP 404), so verify-url itself may be wrong.',
    )
    expect(run.summary).toContain('How to go back')
  })
})
