import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { setTimeout as pause } from 'node:timers/promises'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Fault } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { CREATE, endJourneys, requestsBesidePolls, SECRET, step, theError, travel } from './journey.ts'
import { aWorld, endWorlds, onPullRequest, warningsOf } from './world.ts'

const runs: ActionRun[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const run of runs.splice(0)) await run.dispose()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await endJourneys()
  await endWorlds()
})

async function again(...asked: Parameters<typeof step>): Promise<ActionRun> {
  const run = await step(...asked)
  runs.push(run)
  return run
}

async function seen(sandbox: Sandbox, route: RegExp): Promise<void> {
  while (!sandbox.requests.some((request) => route.test(request.route))) await pause(20)
}

const revisionsOf = (sandbox: Sandbox): Record<string, unknown>[] =>
  sandbox.revisions(String(sandbox.deployments()[0]?.['id']))

describe('a run that is run again', () => {
  it('re-attaches to the revision that is on its way, and makes no other', async () => {
    const { run, sandbox } = await travel({ sandbox: { speed: 2.5 }, inputs: { ...CREATE, wait: false } })
    const second = await again(sandbox, CREATE)
    expect(second.outputs).toMatchObject({
      outcome: 'deployed',
      change: 'resumed',
      'revision-id': run.outputs['revision-id'],
    })
    expect(second.raw).toContain('with the same configuration is on its way already')
    expect(revisionsOf(sandbox)).toHaveLength(1)
  })

  it('makes a revision of its own when that is asked for, or when something differs', async () => {
    for (const inputs of [{ resume: false }, { secrets: `MODEL_KEY=${SECRET}2` }]) {
      const { sandbox } = await travel({ sandbox: { speed: 2.5 }, inputs: { ...CREATE, wait: false } })
      const second = await again(sandbox, { ...CREATE, ...inputs })
      expect(second.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
      expect(revisionsOf(sandbox)).toHaveLength(2)
    }
  })

  it('and races with another one for the same name, leaves one deployment, and no error', async () => {
    const { sandbox } = await travel({ inputs: { name: 'other', source: 'internal_template' } })
    const both = await Promise.all(
      [1, 2, 3].map(async () => await again(sandbox, { ...CREATE, 'on-superseded': 'succeed' })),
    )
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    const named = sandbox.deployments().filter(({ name }) => name === 'hello-agent')
    expect(named).toHaveLength(1)
    const deployed = both
      .filter(({ outputs }) => outputs['outcome'] === 'deployed')
      .map(({ outputs }) => outputs['revision-id'])
    expect(deployed).toContain(named[0]?.['active_revision_id'])
  })
})

describe('an answer that was lost', () => {
  it.each<[string, string, string, Record<string, InputValue>]>([
    ['a create', 'POST', '/v2/deployments', { ...CREATE, name: 'fresh' }],
    ['a revision', 'POST', '/v2/deployments/{deployment_id}/revisions', { ...CREATE, resume: false }],
  ])('of %s is looked after, and nothing is made twice', async (_what, method, path, inputs) => {
    for (const effect of [
      { kind: 'drop', when: 'after' },
      { kind: 'truncate' },
      { kind: 'act-then-status', status: 500 },
    ] as const) {
      const { sandbox } = await travel({ inputs: CREATE })
      sandbox.setFaults([{ match: { method, path }, effect }])
      const run = await again(sandbox, inputs)
      expect(run.outputs['outcome']).toBe('deployed')
      const id = run.outputs['deployment-id'] ?? ''
      expect(sandbox.revisions(id)).toHaveLength(inputs['name'] === 'fresh' ? 1 : 2)
      expect(sandbox.deployments().filter(({ name }) => name === inputs['name'])).toHaveLength(1)
    }
  })
})

describe('protect-newer', () => {
  const OLD = { event: { name: 'push', sha: 'a'.repeat(40) } }
  const compare = /\/compare\//

  async function withDeployed() {
    const world = await aWorld()
    const first = await again(world.sandbox, CREATE)
    expect(first.outputs['outcome']).toBe('deployed')
    world.sandbox.requests.length = 0
    const around = { ...OLD, env: { GITHUB_API_URL: world.gitHub.url } }
    const inputs = { ...CREATE, 'github-token': world.gitHub.token }
    return { ...world, deployed: first.outputs['commit-sha'] ?? '', around, inputs }
  }

  it('writes nothing when our commit is an ancestor of the deployed one', async () => {
    const { sandbox, gitHub, deployed, around, inputs } = await withDeployed()
    gitHub.seedComparison(deployed, 'a'.repeat(40), 'behind')
    const run = await again(sandbox, inputs, around)
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'superseded', change: 'none' })
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
    const green = await again(sandbox, { ...inputs, 'on-superseded': 'succeed' }, around)
    expect(green.exitCode).toBe(0)
  })

  it.each(['ahead', 'diverged', 'identical'] as const)('goes ahead when it is %s', async (status) => {
    const { sandbox, gitHub, deployed, around, inputs } = await withDeployed()
    gitHub.seedComparison(deployed, 'a'.repeat(40), status)
    const run = await again(sandbox, inputs, around)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([])
  })

  it.each<[string, (world: Awaited<ReturnType<typeof withDeployed>>) => Record<string, InputValue>]>([
    ['there is no token', () => ({ 'github-token': '' })],
    ['GitHub does not know the commit', () => ({})],
    [
      'GitHub is in trouble',
      ({ gitHub }) => {
        gitHub.fail({ path: compare, status: 403 })
        return {}
      },
    ],
  ])('goes ahead with a warning when %s', async (_case, prepare) => {
    const world = await withDeployed()
    const run = await again(world.sandbox, { ...world.inputs, ...prepare(world) }, world.around)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run).join()).toContain('Whether a later commit is deployed already is not known')
  })

  it('asks nobody when it is off, or when the commit is the same', async () => {
    const { sandbox, gitHub, deployed, around, inputs } = await withDeployed()
    await again(sandbox, { ...inputs, 'protect-newer': false }, around)
    await again(sandbox, inputs, { ...around, event: { name: 'push', sha: deployed } })
    expect(gitHub.requests).toEqual([])
  })
})

describe('a phase that takes too long', () => {
  it.each([
    ['queue', 'QUEUED'],
    ['build', 'BUILDING'],
    ['deploy', 'DEPLOYING'],
  ])('%s: says which, for how long, and how to re-attach', async (phase, status) => {
    const script = { statuses: [{ status, ms: Infinity }] }
    const { run } = await travel({ sandbox: { script }, inputs: { ...CREATE, [`${phase}-timeout`]: '1s' } })
    expect(run.outputs).toMatchObject({ outcome: 'timed-out', status })
    expect(theError(run)).toMatch(new RegExp(`The ${phase} phase ran out of its 1\\.0 s, after 1\\.\\d s`))
    expect(theError(run)).toContain(`re-attach to revision ${run.outputs['revision-id'] ?? ''}`)
  })
})

describe('a newer revision', () => {
  it('is noticed while ours is still being watched', async () => {
    const script = { statuses: [{ status: 'DEPLOYING', ms: Infinity }] }
    const { sandbox } = await travel({ sandbox: { script }, inputs: { ...CREATE, wait: false } })
    const watching = again(sandbox, CREATE)
    while (sandbox.requests.filter(({ route }) => route.endsWith('{revision_id}')).length < 2) await pause(10)
    const newer = await again(sandbox, { ...CREATE, wait: false, resume: false })
    const run = await watching
    expect(run.outputs['outcome']).toBe('superseded')
    expect(theError(run)).toContain(newer.outputs['revision-id'])
  })
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
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
      'another text',
      (_request, response) => response.end('nothing'),
      /the text that was asked for is not in it/,
    ],
    [
      'a redirect to another origin',
      (_request, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
      /redirects to another origin/,
    ],
    [
      'redirects without end',
      (_request, response) => response.writeHead(302, { location: '/again' }).end(),
      /again and again/,
    ],
  ])('fails with %s', async (_case, listener, words) => {
    const url = await serve(listener)
    const inputs = { ...CREATE, 'verify-url': url, 'verify-contains': 'well', 'verify-timeout': '1s' }
    const { run } = await travel({ inputs })
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'unverified', status: 'DEPLOYED' })
    expect(theError(run)).toMatch(words)
  })

  it('knows the address of the deployment as {url}', async () => {
    const inputs = {
      name: 't',
      source: 'internal_template',
      'verify-url': '{url}/ok',
      'verify-timeout': '1s',
    }
    const { run } = await travel({ inputs })
    expect(theError(run)).toContain('the control plane tells no address of the deployment')
  })
})

describe('rollback: on-failure', () => {
  const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  const next = { ...image, 'image-uri': 'registry.example/agent:2', rollback: 'on-failure' }

  async function aBadAddress(): Promise<Record<string, InputValue>> {
    const url = await serve((_request, response) => response.writeHead(500).end())
    return { 'verify-url': url, 'verify-timeout': '0.5' }
  }

  /** Answers well from the second time on: by then the old revision serves again. */
  async function anAddressThatRecovers(sandbox: () => Sandbox): Promise<Record<string, InputValue>> {
    const url = await serve((_request, response) => {
      const count = revisionsOf(sandbox()).length
      response.writeHead(count > 2 ? 200 : 500).end()
    })
    return { 'verify-url': url, 'verify-timeout': '1s' }
  }

  it.each([
    ['by the route for it', []],
    [
      'by a revision that repeats the configuration',
      [{ match: { path: /redeploy/ }, times: Infinity, effect: { kind: 'status' as const, status: 404 } }],
    ],
  ])('puts the revision before back, %s, and tells both stories', async (_how, faults) => {
    const { sandbox } = await travel({ inputs: { ...image, 'custom-url': 'https://one.example' } })
    sandbox.setFaults(faults)
    const verify = await anAddressThatRecovers(() => sandbox)
    const run = await again(sandbox, { ...next, ...verify, 'custom-url': 'https://two.example' })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('rolled-back')
    const [first, second, third] = revisionsOf(sandbox)
    expect(run.outputs['revision-id']).toBe(second?.['id'])
    expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(third?.['id'])
    expect(third?.['source_revision_config']).toEqual(first?.['source_revision_config'])
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ custom_url: 'https://one.example' })
    expect(theError(run)).toContain('does not answer as it should')
    expect(theError(run)).toContain('It was rolled back')
  })

  it.each<[string, Fault['effect']]>([
    ['broke off', { kind: 'drop', when: 'after' }],
    ['was cut', { kind: 'truncate' }],
    ['was a 502', { kind: 'act-then-status', status: 502 }],
  ])('adopts the revision that puts it back when the answer to it %s', async (_case, effect) => {
    for (const route of ['there', 'missing']) {
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
      const run = await again(sandbox, { ...next, ...(await anAddressThatRecovers(() => sandbox)) })
      expect(run.outputs['outcome']).toBe('rolled-back')
      expect(revisionsOf(sandbox)).toHaveLength(3)
    }
  })

  it('has time of its own, when the rollout has used up all of it', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setFaults([
      {
        match: { path: /redeploy/ },
        effect: { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      },
      { match: { path: /redeploy/ }, skip: 1, effect: { kind: 'delay', ms: 1_200 } },
    ])
    const verify = { ...(await anAddressThatRecovers(() => sandbox)), 'verify-timeout': '2s' }
    const run = await again(sandbox, { ...next, ...verify, timeout: '1s' })
    expect(run.outputs['outcome']).toBe('rolled-back')
  })

  it.each(['never', 'on-failure'])(
    'never touches a newer rollout that came while the verification failed (%s)',
    async (rollback) => {
      const { sandbox } = await travel({ inputs: image })
      const looked = Promise.withResolvers<undefined>()
      const url = await serve((_request, response) => {
        looked.resolve(undefined)
        response.writeHead(500).end()
      })
      const ours = again(sandbox, { ...next, rollback, 'verify-url': url, 'verify-timeout': '3s' })
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

  it('tells what goes on when it is cancelled in the middle of it', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setFaults([{ match: { path: /redeploy/ }, effect: { kind: 'delay', ms: 30_000 } }])
    const begun = seen(sandbox, /redeploy$/)
    const run = await again(
      sandbox,
      { ...next, ...(await aBadAddress()) },
      { kill: { signal: 'SIGINT', when: begun } },
    )
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(theError(run)).toMatch(/A rollback to revision \S+ had begun: it goes on remotely/)
  })

  it('does nothing when the failed revision never became active, and says so', async () => {
    const { sandbox } = await travel({ inputs: image })
    sandbox.setScript({ ends: 'DEPLOY_FAILED' })
    const run = await again(sandbox, next)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('Not rolled back: the failed revision is not active, and revision')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })

  it('does nothing when there is nothing to go back to, or when a branch cannot be pinned', async () => {
    const bad = await aBadAddress()
    const created = await travel({ inputs: { ...next, ...bad } })
    expect(created.run.outputs['outcome']).toBe('unverified')
    expect(theError(created.run)).toContain('Not rolled back: there was no deployment before')
    const { sandbox } = await travel({ inputs: CREATE })
    const run = await again(sandbox, { ...CREATE, ...bad, rollback: 'on-failure', resume: false })
    expect(theError(run)).toContain('a branch cannot be pinned to a commit')
  })

  it('says when what was active before is so again, and does not answer either', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress()
    const run = await again(sandbox, { ...next, ...bad })
    expect(run.outputs['outcome']).toBe('unverified')
    const [first, , third] = revisionsOf(sandbox)
    expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(third?.['id'])
    expect(theError(run)).toContain(
      `The rollback to revision ${String(first?.['id'])} is done: revision ${String(third?.['id'])} is active, but does not answer as it should either.`,
    )
    expect(theError(run)).not.toContain('did not succeed')
  })

  it('says when the revision that was to put it back failed', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress()
    sandbox.setScript((_deployment, number) => (number > 2 ? { ends: 'DEPLOY_FAILED' } : {}))
    const run = await again(sandbox, { ...next, ...bad })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toMatch(/The rollback to revision \S+ did not succeed: revision \S+ ended failed/)
  })

  it('does not say that it failed when its revision is there, and cannot be read', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress()
    const match = { method: 'GET', path: '/v2/deployments/{deployment_id}/revisions/{revision_id}' }
    const effect = { kind: 'status' as const, status: 403, body: '{"detail":"No longer."}' }
    sandbox.setScript((_deployment, number) => {
      if (number > 2) sandbox.setFaults([{ match, times: Infinity, effect }])
      return {}
    })
    const run = await again(sandbox, { ...next, ...bad })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain(
      `Whether the rollback succeeds is not known: revision ${String(revisionsOf(sandbox)[2]?.['id'])} was made for it, but`,
    )
  })

  it('does not say that it failed when its end was not seen', async () => {
    const { sandbox } = await travel({ inputs: image })
    const bad = await aBadAddress()
    sandbox.setScript((_deployment, number) =>
      number > 2 ? { statuses: [{ status: 'DEPLOYING', ms: Infinity }] } : {},
    )
    const run = await again(sandbox, { ...next, ...bad, timeout: '2s' })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toMatch(
      /Whether the rollback to revision \S+ succeeds is not known: the end of revision \S+ was not seen/,
    )
  })
})

describe('why it failed', () => {
  it('stands in the summary: the end of the log, harmless, without secrets', async () => {
    const logs = [
      ...Array.from({ length: 80 }, (_, n) => `line ${n}`),
      '```',
      '::error::x',
      `key ${SECRET} <b>`,
    ]
    const { run } = await travel({ sandbox: { script: { ends: 'BUILD_FAILED', logs } }, inputs: CREATE })
    expect(run.summary).toContain('### The end of the build log')
    expect(run.summary).toContain('line 79')
    expect(run.summary).not.toContain('line 20')
    expect(run.summary).toMatch(/````+text[^]*key \*\*\* <b>\n````+/)
    expect(run.raw).not.toContain(SECRET + ' <b>')
  })

  it('is told without the log where the control plane has none', async () => {
    const sandbox = { script: { ends: 'DEPLOY_FAILED' as const }, optionalRoutes: false }
    const { run } = await travel({ sandbox, inputs: CREATE })
    expect(run.outputs['outcome']).toBe('failed')
    expect(run.summary).not.toContain('The end of the')
    expect(warningsOf(run)).toEqual([])
  })
})

describe('a run that is stopped', () => {
  const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }

  it('tells GitHub before it is gone, within three seconds', async () => {
    const world = await aWorld({ sandbox: { script } })
    await world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(
      world,
      { environment: 'preview' },
      { kill: { signal: 'SIGINT', afterMs: 5_000 } },
    )
    expect(run.durationMs).toBeLessThan(5_000 + 3_000)
    expect(run.outputs['outcome']).toBe('cancelled')
    const after = await onPullRequest(world, {}, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    const [comment] = await world.gitHub.comments(7)
    expect(comment?.body).toContain('The run was cancelled')
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe('error')
  })

  it('by force, is finished by the post step', async () => {
    const world = await aWorld({ sandbox: { script } })
    await world.gitHub.seedPullRequest(7)
    const inputs = { environment: 'preview', timeout: '60s' }
    const rolling = onPullRequest(world, inputs, { kill: { signal: 'SIGKILL', afterMs: 5_000 } })
    const run = await rolling
    expect(run.signal).toBe('SIGKILL')
    expect((await world.gitHub.comments(7))[0]?.body).toContain('is being rolled out')
    const after = await onPullRequest(world, inputs, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    const [comment, ...others] = await world.gitHub.comments(7)
    expect(others).toEqual([])
    expect(comment?.body).toContain('The rollout goes on remotely')
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe('error')
  })

  it('leaves the post step nothing to do when it ended by itself', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world)
    const count = world.gitHub.requests.length
    const after = await onPullRequest(world, {}, { phase: 'post', state: run.state })
    expect(after.raw.replace(/::add-mask::.*\n/g, '')).toBe('')
    expect(world.gitHub.requests).toHaveLength(count)
  })
})

describe('a rollout in the usual case', () => {
  it('sends no request more for all of this', async () => {
    const { sandbox } = await travel({ inputs: CREATE })
    sandbox.requests.length = 0
    const run = await again(sandbox, { name: 'hello-agent', 'protect-newer': false })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(
      requestsBesidePolls(sandbox).filter((line) => line !== 'GET /v2/deployments/{deployment_id}'),
    ).toEqual(['GET /v2/deployments', 'POST /v2/deployments/{deployment_id}/revisions'])
  })
})
