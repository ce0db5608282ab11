import type { RequestListener, ServerResponse } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { Fault } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { here, pause } from '../places/here.ts'
import { between, everywhere } from './between.ts'
import { startGateway } from './gateway.ts'
import { CREATE, endJourneys, theError, travel, type Surroundings } from './journey.ts'
import { aBadAddress, again, endRuns, revisionsOf } from './runs.ts'
import { endServers, serve } from './servers.ts'
import { warningsOf } from './world.ts'

afterAll(async () => {
  await endRuns()
  await endServers()
  await endJourneys()
})

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

  it.each<[string, RequestListener, RegExp]>([
    ['another status', (_request, response) => response.writeHead(500).end(), /it answers HTTP 500, not 200/],
    [
      'a path that is not there',
      (_request, response) => response.writeHead(404).end(),
      /it answers HTTP 404, not 200: correct what the app serves, or the path of verify-url\n/,
    ],
    ['another text', (_request, response) => response.end('nothing'), /its body lacks the text of verify-contains/],
    [
      'a redirect to another origin',
      (_request, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
      /redirects to another origin/,
    ],
    [
      'redirects without end',
      (_request, response) => response.writeHead(302, { location: '/again' }).end(),
      /it redirects too many times/,
    ],
  ])('fails with %s', async (_case, listener, words) => {
    const url = await serve(listener)
    const inputs = { ...CREATE, 'verify-url': url, 'verify-contains': 'well', 'verify-timeout': '4s' }
    const { run } = await travel({ inputs })
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'unverified', status: 'DEPLOYED' })
    expect(theError(run)).toMatch(words)
    expect(theError(run)).not.toContain('if-unchanged')
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
      const second = await again(sandbox, { ...image, ...verify, 'if-unchanged': 'skip', ...inputs }, around)
      const writes = sandbox.requests.slice(sent).filter(({ method }) => method !== 'GET')
      return { run: second, writes, health }
    }

    it('still fails: a rerun does not make a failed check a success', async () => {
      const { run, writes } = await rerun(500, { rollback: 'on-failure' })
      expect(run.exitCode).toBe(1)
      expect(run.outputs).toMatchObject({ outcome: 'unverified', change: 'none', status: 'DEPLOYED' })
      expect(theError(run)).toMatch(/agent is unchanged, but the check of .* failed.*it answers HTTP 500, not 200/s)
      expect(theError(run)).toContain('a run with if-unchanged: revise creates a new revision')
      expect(run.summary).toContain('is unchanged, but the check of')
      expect(run.raw).not.toMatch(/rolled back/i)
      expect(writes).toEqual([])
    })

    it('has no advice to create a revision if the check shows nothing against this one', async () => {
      const { run } = await rerun(200, { 'verify-url': 'http://no-such-host.invalid' })
      expect(run.outputs).toMatchObject({ outcome: 'unverified' })
      expect(theError(run)).not.toContain('if-unchanged')
    })

    it('lasts as long as verify-for wants', async () => {
      const { run, health } = await rerun(200, { 'verify-for': '3s' })
      expect(run.outputs).toMatchObject({ outcome: 'unchanged' })
      expect(run.raw).toMatch(/verified for 3/)
      expect(health.reads).toBeGreaterThan(3)
    })

    it('ends with the job', async () => {
      const kill = { signal: 'SIGINT', whenLine: /Verifying/ } as const
      const { run, writes } = await rerun(500, { 'verify-timeout': '10m' }, { kill })
      expect(run.exitCode).toBe(1)
      expect(run.outputs).toMatchObject({ outcome: 'cancelled', change: 'none' })
      expect(theError(run)).toContain('had already ended DEPLOYED; the steps after it were not done')
      expect(writes).toEqual([])
    })

    it('ends as superseded if another revision is active then', async () => {
      const { sandbox } = await travel({ inputs: image })
      const asked = Promise.withResolvers<undefined>()
      const url = await serve((_request, response) => {
        asked.resolve(undefined)
        response.writeHead(500).end()
      })
      const next = { ...image, 'image-uri': 'r.example/agent:v2' }
      const check = { 'verify-url': url, 'verify-timeout': '15s', 'if-unchanged': 'skip' }
      const checking = again(sandbox, { ...image, ...check })
      await asked.promise
      const other = await again(sandbox, next)
      const run = await checking
      expect(run.outputs).toMatchObject({ outcome: 'superseded', change: 'none' })
      expect(theError(run)).toContain(`superseded by revision ${String(other.outputs['revision-id'])}`)
    })

    it('takes custom-url for {url}', async () => {
      const health = { status: 200 }
      const url = await serve((request, response) =>
        response.writeHead(request.url === '/ok' ? health.status : 404).end(),
      )
      const box = { name: 'box', source: 'external_container', 'image-uri': 'r.example/agent:1', 'custom-url': url }
      const inputs = { ...box, 'verify-url': '{url}/ok', 'verify-timeout': '2s', 'if-unchanged': 'skip' }
      const { sandbox } = await travel({ inputs })
      expect((await again(sandbox, inputs)).outputs).toMatchObject({ outcome: 'unchanged', url })
      health.status = 503
      const run = await again(sandbox, inputs)
      expect(run.outputs).toMatchObject({ outcome: 'unverified', url })
      expect(theError(run)).toContain(`box is unchanged, but the check of ${url}/ok failed`)
    })

    it('succeeds once it answers', async () => {
      const { run, writes, health } = await rerun(200)
      expect(run.outputs).toMatchObject({ outcome: 'unchanged', change: 'none' })
      expect([writes, health.reads]).toEqual([[], 1])
    })

    it.each<[Record<string, InputValue>, string]>([
      [{ wait: false }, 'unchanged'],
      [{ 'dry-run': true }, 'planned'],
    ])('is left out with %j', async (inputs, outcome) => {
      const { run, health } = await rerun(500, inputs)
      expect([run.outputs['outcome'], health.reads]).toEqual([outcome, 0])
    })
  })

  const unknowable: [string, Record<string, InputValue>, RegExp][] = [
    ['internal_source', { 'app-config-path': 'agent.json' }, /internal_source: set a full addr/],
    ['external_container', { 'image-uri': 'r.example/agent:1' }, /set its custom-url, or a full address here/],
    ['internal_container', { 'image-uri': 'r.example/agent:1' }, /internal_container: set a full address here/],
    ['internal_template', {}, /internal_template: set a full address here/],
  ]

  it.each(unknowable)('refuses {url} for %s, whose address cannot be known', async (source, fields, words) => {
    const inputs = { name: 't', source, ...fields, 'verify-url': '{url}/ok' }
    const cwd = mkdtempSync(path.join(tmpdir(), 'verify-'))
    writeFileSync(path.join(cwd, 'agent.json'), '{}')
    const { run, sandbox } = await travel({ inputs, cwd })
    rmSync(cwd, { recursive: true })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toMatch(/verify-url: "{url}\/ok" needs the address of the deployment/)
    expect(theError(run)).toMatch(words)
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('refuses it for a deployment that exists, and in the action wait', async () => {
    const image = { name: 'box', source: 'internal_container', 'image-uri': 'r.example/agent:1' }
    const { sandbox } = await travel({ inputs: image })
    sandbox.requests.length = 0
    const verify = { 'verify-url': '{url}/ok', rollback: 'on-failure' }
    const run = await again(sandbox, { ...image, ...verify })
    expect(theError(run)).toContain('internal_container: set a full address here')
    const waiting = { operation: 'wait', name: 'box', 'verify-url': '{url}/ok' }
    const waited = await again(sandbox, waiting)
    expect(theError(waited)).toContain('internal_container: set a full address here')
    expect(sandbox.requests.map(({ method, route }) => `${method} ${route}`)).toEqual(
      Array<string>(2).fill('GET /v2/deployments'),
    )
    expect((await again(sandbox, { ...image, ...verify, wait: false })).outputs['outcome']).toBe('started')
  })

  it('takes custom-url for {url}', async () => {
    const url = await serve((request, response) => response.writeHead(request.url === '/ok' ? 200 : 500).end())
    const image = { name: 'box', source: 'external_container', 'image-uri': 'r.example/agent:1' }
    const { run } = await travel({ inputs: { ...image, 'custom-url': url, 'verify-url': '{url}/ok' } })
    expect(run.outputs['outcome']).toBe('deployed')
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

  it('ends as unverified after three failures in a row, and says what it saw and when', async () => {
    const url = await aSite(200, 200, 503)
    const { run } = await travel({ inputs: { ...image, ...bake, 'verify-url': url } })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toMatch(/failed 3 times in a row, \d+\.\d s after it had succeeded/)
    expect(theError(run)).toContain('it answers HTTP 503, not 200')
  })

  it.each<[string, (response: ServerResponse) => unknown, string]>([
    ['rolls back an app that breaks connections', (response) => response.req.socket.destroy(), 'rolled-back'],
    ['rolls back an app that hangs', () => undefined, 'rolled-back'],
    ['does not roll back for a proxy', (response) => response.writeHead(407).end(), 'unverified'],
  ])('%s', async (_case, fail, outcome) => {
    const { sandbox } = await travel({ inputs: image })
    let isSeen = false
    const url = await serve((_request, response) => {
      // The previous revision and the restored one are well.
      const isNew = revisionsOf(sandbox).length === 2
      if (isNew && isSeen) fail(response)
      else response.end()
      isSeen ||= isNew
    })
    const inputs = { ...next, ...bake, 'verify-url': url, rollback: 'on-failure' }
    const run = await again(sandbox, inputs)
    expect(run.outputs['outcome']).toBe(outcome)
    expect(revisionsOf(sandbox)).toHaveLength(outcome === 'rolled-back' ? 3 : 2)
  })

  it('notices a newer rollout, also while everything is well', async () => {
    const { sandbox } = await travel({ inputs: image })
    const looked = Promise.withResolvers<undefined>()
    const url = await serve((_request, response) => {
      if (revisionsOf(sandbox).length > 1) looked.resolve(undefined)
      response.end()
    })
    const ours = again(sandbox, { ...next, ...bake, 'verify-for': '80s', 'verify-url': url })
    await looked.promise
    const newer = await again(sandbox, { ...image, 'image-uri': 'registry.example/agent:3' })
    const run = await ours
    expect(run.outputs['outcome']).toBe('superseded')
    expect(theError(run)).toContain(newer.outputs['revision-id'])
  })

  it('works in the action wait, and needs verify-url', async () => {
    const { sandbox } = await travel({ inputs: image })
    const waiting = { operation: 'wait', name: 'box', ...bake }
    const waited = await again(sandbox, { ...waiting, 'verify-url': await aSite(200, 500) })
    expect(waited.outputs['outcome']).toBe('unverified')
    expect(theError(await again(sandbox, waiting))).toContain('verify-for: "12s" needs verify-url')
  })
})

describe('a custom-url that changes', () => {
  const image = { name: 'box', source: 'external_container', 'image-uri': 'r.example/agent:1', 'protect-newer': false }
  const verify = { 'verify-url': '{url}/ok', 'verify-timeout': '4s', rollback: 'on-failure' }

  it.each(['nowhere', 'in lists only'])('is the address for {url}, where the service reports it %s', async (where) => {
    const bad = await serve((_request, response) => response.writeHead(500).end())
    const good = await serve((_request, response) => response.end())
    const { sandbox } = await travel({ inputs: { ...image, 'custom-url': bad } })
    const base = await between(sandbox, ({ path, json }) => {
      const isHidden = where === 'nowhere' || !path.includes('?')
      return { json: everywhere(json, (one) => (isHidden && 'custom_url' in one ? { ...one, custom_url: null } : one)) }
    })
    const wanted = { ...image, ...verify, 'image-uri': 'r.example/agent:2', 'base-url': base }
    const run = await again(sandbox, { ...wanted, 'custom-url': good })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(revisionsOf(sandbox)).toHaveLength(2)
    if (where === 'nowhere') return
    // Back at the first address, which fails: the rollback is verified at the address that it restores.
    const rolledBack = await again(sandbox, { ...wanted, 'image-uri': 'r.example/agent:3', 'custom-url': bad })
    expect(rolledBack.outputs['outcome']).toBe('rolled-back')
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

  /** Answers once, and then closes its port. */
  async function anAddressThatCloses(): Promise<string> {
    const url = await serve((_request, response) => {
      here().end(url)
      response.setHeader('connection', 'close').end()
    })
    return url
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
    const run = await again(sandbox, { ...next, ...verify, 'custom-url': 'https://two.example' })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('rolled-back')
    const [first, second, third] = revisionsOf(sandbox)
    expect(run.outputs['revision-id']).toBe(second?.['id'])
    expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(third?.['id'])
    expect(third?.['source_revision_config']).toEqual(first?.['source_revision_config'])
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ custom_url: 'https://one.example' })
    expect(theError(run)).toMatch(/the check of \S+ failed/)
    expect(theError(run)).toContain('It was rolled back')
  })

  it.each<[string, Fault['effect']]>([
    ['broke off', { kind: 'drop', when: 'after' }],
    ['was cut', { kind: 'truncate' }],
    ['was a 502', { kind: 'act-then-status', status: 502 }],
  ])('adopts the revision that restores it when the response to its creation %s', async (_case, effect) => {
    const adopting = ['there', 'missing'].map(async (route) => {
      const { sandbox } = await travel({ inputs: image })
      const missing = { kind: 'status' as const, status: 404 }
      sandbox.setFaults(
        route === 'there'
          ? [{ match: { path: /redeploy/ }, effect }]
          : [
              { match: { path: /redeploy/ }, times: Infinity, effect: missing },
              { match: { method: 'POST', path: /revisions$/ }, skip: 1, effect },
            ],
      )
      const run = await again(sandbox, { ...next, ...(await anAddressThatRecovers(sandbox)) })
      expect(run.outputs['outcome']).toBe('rolled-back')
      expect(revisionsOf(sandbox)).toHaveLength(3)
    })
    await Promise.all(adopting)
  })

  const unproven: [string, () => Promise<string>][] = [
    ['a name that does not exist', () => Promise.resolve('http://agent.invalid/ok')],
    ['no answer in time', () => serve(() => undefined)],
    ['an address that is not plain', () => Promise.resolve('{url}/ok')],
  ]

  it.each(unproven)('touches nothing after %s', async (_case, address) => {
    const { sandbox } = await travel({ inputs: { ...image, 'custom-url': 'agent.example' } })
    sandbox.requests.length = 0
    const verify = { 'verify-url': await address(), 'verify-timeout': '4s' }
    const run = await again(sandbox, { ...next, ...verify })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('Not rolled back: the check received no answer')
    expect(theError(run)).toContain('Check verify-url, and that the runner reaches it')
    expect(revisionsOf(sandbox)).toHaveLength(2)
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  it('touches nothing when a git_host deployment never reports its address', async () => {
    const tagged = { ...CREATE, 'repo-ref': 'refs/tags/v1' }
    const { sandbox } = await travel({ inputs: tagged })
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) => ({ ...one, custom_url: null })),
    }))
    const verify = { 'base-url': base, 'verify-url': '{url}/ok', 'verify-timeout': '4s', rollback: 'on-failure' }
    const run = await again(sandbox, { ...tagged, 'repo-ref': 'refs/tags/v2', ...verify })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('the control plane reports no address for the deployment')
    expect(theError(run)).toContain('Not rolled back: the check received no answer')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })

  it.each(['refuses connections', 'breaks them'])('restores the previous revision when the app %s', async (how) => {
    const { sandbox } = await travel({ inputs: image })
    const isRefused = how === 'refuses connections'
    const breaking: RequestListener = (request, response) =>
      revisionsOf(sandbox).length > 1 ? request.socket.destroy() : response.end()
    const url = isRefused ? await anAddressThatCloses() : await serve(breaking)
    await again(sandbox, { ...next, 'verify-url': url, 'verify-timeout': '10s' })
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it('restores secrets by a revision, also if there is a route to deploy again', async () => {
    const { sandbox } = await travel({ inputs: { ...image, secrets: 'KEY=first-value' } })
    const verify = await anAddressThatRecovers(sandbox)
    const run = await again(sandbox, { ...next, ...verify, secrets: 'KEY=second-value' })
    expect(run.outputs['outcome']).toBe('rolled-back')
    expect(sandbox.deployments()[0]?.['secrets']).toEqual([{ name: 'KEY', value: 'first-value' }])
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it('lists what it does not restore, when a run that re-attached does not know the earlier value', async () => {
    const { sandbox } = await travel({
      sandbox: { speed: 0.8 },
      inputs: { ...image, 'custom-url': 'https://one.example' },
    })
    const digest = `registry.example/agent@sha256:${'a'.repeat(64)}`
    const wanted = { ...next, 'image-uri': digest, 'custom-url': 'https://two.example' }
    await again(sandbox, { ...wanted, wait: false })
    const verify = await anAddressThatRecovers(sandbox)
    const run = await again(sandbox, { ...wanted, ...verify })
    expect(run.outputs).toMatchObject({ change: 'resumed', outcome: 'rolled-back' })
    expect(theError(run)).toContain('Not restored, so these keep the value of this run: custom-url.')
  })

  it('lists what it has restored when the previous revision still serves', async () => {
    const { sandbox } = await travel({ inputs: { ...image, 'custom-url': 'https://one.example' } })
    sandbox.setScript({ ends: 'DEPLOY_FAILED' })
    const run = await again(sandbox, { ...next, 'custom-url': 'https://two.example' })
    expect(theError(run)).toMatch(/Not rolled back: .* serves\. Restored: custom-url\./)
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ custom_url: 'https://one.example' })
  })

  it('has time of its own, when the rollout has used all of its time', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setFaults([
      { match: { path: /redeploy/ }, effect: { kind: 'status', status: 429, headers: { 'retry-after': '0' } } },
      { match: { path: /redeploy/ }, skip: 1, effect: { kind: 'delay', ms: 1_200 } },
    ])
    const verify = { ...(await anAddressThatRecovers(sandbox)), 'verify-timeout': '2s' }
    const run = await again(sandbox, { ...next, ...verify, timeout: '1s' })
    expect(run.outputs['outcome']).toBe('rolled-back')
  })

  it.each(['never', 'on-failure'])(
    'never touches a newer rollout that came while the verification failed (%s)',
    async (rollback) => {
      const { sandbox } = await travel({ inputs: image })
      const looked = Promise.withResolvers<undefined>()
      const url = await serve((_request, response) => {
        const isNew = revisionsOf(sandbox).length > 1
        if (isNew) looked.resolve(undefined)
        response.writeHead(isNew ? 500 : 200).end()
      })
      const ours = again(sandbox, { ...next, rollback, 'verify-url': url, 'verify-timeout': '9s' })
      await looked.promise
      const newer = await again(sandbox, { ...image, 'image-uri': 'registry.example/agent:3' })
      expect(newer.outputs['outcome']).toBe('deployed')
      const run = await ours
      expect(run.outputs['outcome']).toBe('superseded')
      expect(theError(run)).toContain(newer.outputs['revision-id'])
      expect(revisionsOf(sandbox)).toHaveLength(3)
      expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(newer.outputs['revision-id'])
    },
  )

  it('says what continues when the run is cancelled during the rollback', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setFaults([{ match: { path: /redeploy/ }, effect: { kind: 'delay', ms: 30_000 } }])
    const begun = seen(sandbox, /redeploy$/)
    const run = await again(
      sandbox,
      { ...next, ...(await aBadAddress(sandbox)) },
      { kill: { signal: 'SIGINT', when: begun } },
    )
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(theError(run)).toMatch(/A rollback to revision \S+ had begun\. It continues on the control plane/)
  })

  it('does nothing when the failed revision never became active, and says so', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setScript({ ends: 'DEPLOY_FAILED' })
    const run = await again(sandbox, next)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('Not rolled back: the failed revision is not active, and revision')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })

  it('does nothing when the deployment did not exist before, or when a branch cannot be redeployed', async () => {
    const url = await serve((_request, response) => response.writeHead(500).end())
    const created = await travel({ inputs: { ...next, 'verify-url': url, 'verify-timeout': '4s' } })
    expect(created.run.outputs['outcome']).toBe('unverified')
    expect(theError(created.run)).toContain('Not rolled back: the deployment did not exist before')
    const { sandbox } = await travel({ inputs: CREATE })
    sandbox.setFaults([{ match: { path: /redeploy/ }, times: Infinity, effect: { kind: 'status', status: 405 } }])
    const run = await again(sandbox, {
      ...CREATE,
      ...(await aBadAddress(sandbox)),
      rollback: 'on-failure',
      resume: false,
    })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('of a branch, so only a redeploy restores it, and the control plane has no route')
    expect(theError(run)).toMatch(/roll out a tag of its commit [0-9a-f]{40}/)
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })

  it('says that verify-url may be wrong when the earlier configuration serves and fails it, too', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress(sandbox, '10s')
    const run = await again(sandbox, { ...next, ...bad })
    const [first, second, third] = revisionsOf(sandbox).map(({ id }) => String(id))
    expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(third)
    expect(run.outputs).toMatchObject({
      outcome: 'unverified',
      'revision-id': second,
      status: 'DEPLOYED',
      'restored-revision-id': third,
    })
    const headline = `box was rolled back to revision ${first}; it fails the same check, so verify-url itself may be wrong.`
    expect(theError(run)).toContain(headline)
    expect(theError(run)).toContain(`Revision ${third} serves, and its check failed as well.`)
    expect(run.summary).toContain(headline)
    expect(run.summary).toContain(`| Restored revision | \`${third}\` |`)
    expect(`${run.raw}${run.summary}`).not.toMatch(/is deployed/)
    const record: unknown = JSON.parse(readFileSync(run.outputs['record-path'] ?? '', 'utf8'))
    expect(record).toMatchObject({ headline, 'restored-revision-id': third, 'revision-id': second })
  })

  it('says when the revision of the rollback failed', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress(sandbox, '10s')
    sandbox.setScript((_deployment, number) => (number > 2 ? { ends: 'DEPLOY_FAILED' } : {}))
    const run = await again(sandbox, { ...next, ...bad })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toMatch(/The rollback to revision \S+ failed: revision \S+ ended failed/)
  })

  it('does not say that it failed when its revision exists and cannot be read', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress(sandbox, '10s')
    const match = { method: 'GET', path: '/v2/deployments/{deployment_id}/revisions/{revision_id}' }
    const effect = { kind: 'status' as const, status: 403, body: '{"detail":"No longer."}' }
    sandbox.setScript((_deployment, number) => {
      if (number > 2) sandbox.setFaults([{ match, times: Infinity, effect }])
      return {}
    })
    const run = await again(sandbox, { ...next, ...bad })
    expect(run.outputs['outcome']).toBe('unverified')
    const error = theError(run)
    expect(error).toContain('The rollback may have succeeded: ')
    expect(error).toContain(`Revision ${String(revisionsOf(sandbox)[2]?.['id'])} was created for it.`)
  })

  it('does not say that it failed when its end was not seen', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress(sandbox)
    sandbox.setScript((_deployment, number) =>
      number > 2 ? { statuses: [{ status: 'DEPLOYING', ms: Infinity }] } : {},
    )
    const run = await again(sandbox, { ...next, ...bad, timeout: '6s' })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toMatch(
      /The rollback to revision \S+ may have succeeded: the wait ended before revision \S+ did/,
    )
  })

  it.each<[string, number]>([
    ['a status of a gateway', 524],
    ['a conflict', 409],
  ])('creates no second revision after %s in place of the response to a redeploy', async (_case, status) => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setFaults([{ match: { path: /redeploy/ }, effect: { kind: 'act-then-status', status } }])
    const verify = { ...(await anAddressThatRecovers(sandbox)), 'verify-timeout': '3s' }
    const run = await again(sandbox, { ...next, ...verify })
    expect(run.outputs['outcome']).toBe('rolled-back')
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it("takes no other client's revision for the one of its redeploy, and leaves it in place", async () => {
    const { sandbox } = await travel({ inputs: image })
    const isRedeploy = (path: string): boolean => path.endsWith('/redeploy')
    const base = await startGateway(sandbox.url, {
      before: async ({ path }) => {
        const other = { ...image, 'image-uri': 'registry.example/agent:3', wait: false }
        if (isRedeploy(path)) await again(sandbox, other)
      },
      change: ({ path }, shown) => (isRedeploy(path) ? sandbox.deployments()[0] : shown),
    })
    const effect: Fault['effect'] = { kind: 'body', body: '{}', contentType: 'application/json' }
    sandbox.setFaults([{ match: { path: /redeploy/ }, effect }])
    const run = await again(sandbox, { ...next, ...(await aBadAddress(sandbox)), 'base-url': base })
    const [, , stranger] = revisionsOf(sandbox)
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain(
      `Not rolled back: revision ${String(stranger?.['id'])} is newer, and is not replaced`,
    )
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it('is made although a lagging replica shows the earlier revision as the active one', async () => {
    const { sandbox } = await travel({ inputs: image })
    let isChecked = false
    const url = await serve((_request, response) => {
      isChecked ||= revisionsOf(sandbox).length > 1
      response.writeHead(isChecked ? 500 : 200).end()
    })
    const earlier = revisionsOf(sandbox)[0]?.['id']
    let reads = 0
    const base = await between(sandbox, ({ method, path, json }) => {
      if (isChecked && method === 'GET' && /^\/v2\/deployments\/[^/]+$/.test(path)) reads += 1
      else return undefined
      const stale = { active_revision_id: earlier, latest_revision_id: earlier }
      // The first of these reads confirms that the revision is still active.
      return {
        json: everywhere(json, (one) => (reads === 2 && 'active_revision_id' in one ? { ...one, ...stale } : one)),
      }
    })
    const verify = { 'verify-url': url, 'verify-timeout': '4s', 'base-url': base, 'protect-newer': false }
    const run = await again(sandbox, { ...next, ...verify })
    expect(theError(run)).toContain('box was rolled back to revision')
    expect(revisionsOf(sandbox)).toHaveLength(3)
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
    const run = await again(sandbox, { ...next, 'verify-url': `${url}/helth` })
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

  it('does the same for refused connections', async () => {
    const { sandbox } = await travel({ inputs: image })
    const run = await again(sandbox, { ...next, 'verify-url': 'http://127.0.0.1:1/ok' })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(warningsOf(run)).toEqual([expect.stringContaining('before this rollout: it refuses the connection.')])
    expect(theError(run)).toContain('in the same way before this rollout (refused connections)')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })

  it.each<[string, number[]]>([
    ['another status', [404, 500, 200]],
    ['any status after a success', [200, 404, 200]],
  ])('does not keep a revision that fails with %s', async (_what, statuses) => {
    const { sandbox, url } = await aDeployment(...statuses)
    const run = await again(sandbox, { ...next, 'verify-url': url })
    expect(run.outputs['outcome']).toBe('rolled-back')
    expect(run.outputs['restored-revision-id']).toBe(revisionsOf(sandbox)[2]?.['id'])
  })

  it('proves nothing by the text of verify-contains', async () => {
    const { sandbox, url } = await aDeployment(200)
    const run = await again(sandbox, { ...next, 'verify-url': url, 'verify-contains': 'new' })
    expect(warningsOf(run)).toEqual([])
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it.each<[string, Record<string, InputValue>]>([
    ['a dry run', { 'dry-run': true }],
    ['a run that does not wait', { wait: false }],
    ['a run that changes nothing, before its check', { 'image-uri': image['image-uri'], 'if-unchanged': 'skip' }],
  ])('is not asked by %s', async (_what, inputs) => {
    const { sandbox, url, counts } = await aDeployment(404)
    const run = await again(sandbox, { ...next, ...inputs, 'verify-url': url })
    expect(warningsOf(run)).toEqual([])
    expect(counts.length > 0).toBe('if-unchanged' in inputs)
  })

  it('is not asked for a deployment that is created', async () => {
    const paths: string[] = []
    const url = await serve((request, response) => {
      paths.push(request.url ?? '')
      response.end()
    })
    const { run } = await travel({ inputs: { ...image, 'verify-url': url } })
    expect([run.outputs['outcome'], paths]).toEqual(['deployed', ['/']])
  })
})

describe('a health page that does not end', () => {
  it.each<[string, RequestListener]>([
    ['streams', (_request, response) => void response.writeHead(200).write('data: 1\n\n')],
    ['stops', (_request, response) => void response.writeHead(200, { 'content-length': 9 }).write('half')],
  ])('is well when its status is, if it %s', async (_how, listener) => {
    const url = await serve(listener)
    const { run } = await travel({ inputs: { ...CREATE, 'verify-url': url, 'verify-timeout': '4s' } })
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('is a lost answer when verify-contains needs its body, and rolls nothing back', async () => {
    const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
    const { sandbox } = await travel({ inputs: image })
    const url = await serve((_request, response) => void response.writeHead(200).write('half'))
    const verify = { 'verify-url': url, 'verify-contains': 'well', 'verify-timeout': '2s', rollback: 'on-failure' }
    const run = await again(sandbox, { ...image, 'image-uri': 'registry.example/agent:2', ...verify })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('no complete answer within')
    expect(theError(run)).toContain('Not rolled back: the check received no answer')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })
})
