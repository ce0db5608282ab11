import { afterAll, describe, expect, it } from '@jest/globals'
import { summaryToHtml } from '../../demo/summary-page.ts'
import { PUSH_TO_MAIN } from '../faults/others.ts'
import { here, until } from '../places/here.ts'
import {
  API_KEY,
  CREATE,
  endJourneys,
  everythingSaid,
  requestsBesidePolls,
  SECRET,
  step,
  theError,
  travel,
} from './journey.ts'
import { endServers, serve } from './servers.ts'

afterAll(endJourneys)
afterAll(endServers)

describe('a revision that ends badly', () => {
  it.each([
    ['CREATE_FAILED', 'failed', 'failed with CREATE_FAILED'],
    ['BUILD_FAILED', 'failed', 'failed with BUILD_FAILED'],
    ['DEPLOY_FAILED', 'failed', 'failed with DEPLOY_FAILED'],
    ['SKIPPED', 'skipped', 'skipped this revision'],
    ['INTERRUPTED', 'interrupted', 'was interrupted'],
  ] as const)('%s: the step fails with outcome %s', async (ends, outcome, headline) => {
    const statusMessage = 'The exact reason, in the words of the server.'
    const { run } = await travel({ sandbox: { script: { ends, statusMessage } }, inputs: CREATE })
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome, status: ends, change: 'created', 'status-message': statusMessage })
    expect(run.outputs['revision-id']).toBeDefined()
    expect(theError(run)).toContain(headline)
    expect(theError(run)).toContain(statusMessage)
    expect(run.annotations.find(({ level }) => level === 'error')?.title).toBe(`hello-agent: ${ends}`)
    expect(run.summary).toContain(statusMessage)
    // It never ran, so its address leads nowhere.
    expect(run.summary).not.toContain('agents.example')
    expect(run.raw).not.toMatch(/^\s+at /m)
    const mayHaveSuccessor = ends === 'SKIPPED' || ends === 'INTERRUPTED'
    const waiting = /does not report a newer revision yet: waiting for one for up to \d/
    expect(waiting.test(run.raw)).toBe(mayHaveSuccessor)
  })

  it('leaves the previous revision serving, and the summary says so with its address and the commit', async () => {
    const { sandbox } = await travel({ inputs: CREATE })
    sandbox.setScript({ ends: 'BUILD_FAILED' })
    const run = await step(sandbox, CREATE)
    const url = run.outputs['url'] ?? ''
    expect(run.summary).toContain(`The previous revision is still serving. <${url}`)
    expect(theError(run)).toContain('The previous revision is still serving.')
    const commit = run.outputs['commit-sha'] ?? ''
    const address = `https://github.com/octo-org/hello-agent/commit/${commit}`
    expect(run.summary).toContain(`[\`main@${commit.slice(0, 7)}\`](<${address}>)`)
    expect(run.summary.match(/<summary>(Plan|Timeline|Ids)</g)).toHaveLength(3)
    await run.dispose()
  })

  it('is superseded when a newer revision has replaced it, and passes if on-superseded is succeed', async () => {
    for (const [onSuperseded, exitCode] of [
      ['fail', 1],
      ['succeed', 0],
    ] as const) {
      const { sandbox } = await travel({ inputs: CREATE })
      sandbox.setScript({
        statuses: [
          { status: 'QUEUED', ms: 400 },
          { status: 'AWAITING_DEPLOY', ms: 100 },
        ],
      })
      const older = step(sandbox, { name: 'hello-agent', 'on-superseded': onSuperseded })
      await until(() => sandbox.requests.some(({ route }) => route.endsWith('/revisions')))
      const newer = await step(sandbox, { name: 'hello-agent', wait: false, resume: false })
      const run = await older
      expect(run.outputs['outcome']).toBe('superseded')
      expect(run.exitCode).toBe(exitCode)
      expect(everythingSaid(run)).toContain(newer.outputs['revision-id'])
      await run.dispose()
      await newer.dispose()
    }
  })
})

describe('a rollout that takes too long', () => {
  it('times out, and says that the revision continues', async () => {
    const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }
    const { run } = await travel({ sandbox: { script }, inputs: { ...CREATE, timeout: '4s' } })
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'timed-out', status: 'BUILDING' })
    expect(theError(run)).toMatch(/ timeout: 4 is seconds; for minutes, set timeout: 4m\.$/)
    expect(theError(run)).toContain('Timed out after 4.0 s')
    expect(theError(run)).toContain('continues on the control plane')
    expect(theError(run)).toContain(run.outputs['revision-id'])
  })
})

describe('a control plane that refuses', () => {
  it('an integration-id that it does not know: says what the input must be', async () => {
    const { run } = await travel({ inputs: { ...CREATE, 'integration-id': '00000000-0000-4000-8000-000000000000' } })
    expect(theError(run)).toMatch(
      /answered 400: Integration ID .* not found\.\nCorrect integration-id: it must be the id/,
    )
  })

  it('404 of a path without an id: says that the path prefix may be missing', async () => {
    const url = await serve((request, response) => {
      const isKnown = request.url?.startsWith('/api-host/') === true
      response.writeHead(isKnown ? 200 : 404).end('{"resources":[],"offset":0}')
    })
    const run = await here().run({ inputs: { ...CREATE, 'base-url': url, 'api-key': API_KEY } })
    expect(theError(run)).toMatch(
      /answered 404\nThe server does not know this path\. Check that base-url .* has its path prefix, as in https:\/\/host\/api-host\.$/,
    )
    await run.dispose()
  })

  it('409 with a long detail: the annotation has the next step', async () => {
    const detail = `The name is taken 👍 by ${'a-deployment-of-another-team '.repeat(230)}`
    const body = JSON.stringify({ detail })
    const effect = { kind: 'status', status: 409, contentType: 'application/json', body } as const
    const match = { method: 'POST', path: '/v2/deployments' }
    const { run } = await travel({ sandbox: { faults: [{ match, times: Infinity, effect }] }, inputs: CREATE })
    expect(detail.length).toBeGreaterThan(6000)
    expect(theError(run)).toMatch(
      /^The control plane refused to create the deployment "hello-agent"\.\nPOST .* answered 409: The name is taken 👍 by /,
    )
    expect(theError(run)).toMatch(
      /\n… \(cut\)\nThe name "hello-agent" is taken by a deployment that .* choose another name, or set tenant-id\.$/,
    )
  })

  it('422: is reported field by field, without the values that it repeats', async () => {
    const { run } = await travel({
      sandbox: {
        faults: [
          {
            match: { method: 'POST', path: '/v2/deployments' },
            effect: {
              kind: 'status',
              status: 422,
              contentType: 'application/json',
              body: JSON.stringify({
                detail: [
                  {
                    loc: ['body', 'source_config', 'integration_id'],
                    msg: 'Input should be a valid UUID',
                    type: 'uuid_parsing',
                    input: 'an-echoed-value',
                  },
                  {
                    loc: ['body', 'secrets', 0, 'value'],
                    msg: 'String too short',
                    type: 'short',
                    input: SECRET,
                    ctx: { given: SECRET },
                  },
                ],
              }),
            },
          },
        ],
      },
      inputs: CREATE,
    })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('body.source_config.integration_id: Input should be a valid UUID')
    expect(theError(run)).toContain('body.secrets.0.value: String too short')
    expect(everythingSaid(run)).not.toMatch(new RegExp(`an-echoed-value|${SECRET}`))
  })

  it('404: names the deployment that is not there', async () => {
    const id = '00000000-0000-4000-8000-000000000000'
    const { run } = await travel({ inputs: { 'deployment-id': id } })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain(`Deployment ID ${id} not found.`)
  })

  it('if-missing: fail writes nothing', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, 'if-missing': 'fail' } })
    expect(theError(run)).toContain('names no deployment')
    expect(requestsBesidePolls(sandbox)).toEqual(['GET /v2/deployments'])
  })

  it('409: says that the name is taken out of sight', async () => {
    const effect = {
      kind: 'status',
      status: 409,
      contentType: 'application/json',
      body: '{"detail":"Name already taken"}',
    } as const
    const match = { method: 'POST', path: '/v2/deployments' }
    const faults = [{ match, times: Number.POSITIVE_INFINITY, effect }]
    const { run } = await travel({ sandbox: { faults }, inputs: CREATE })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('Name already taken')
    expect(theError(run)).toContain('set tenant-id')
  })

  it('a race for the name ends with one deployment and two revisions', async () => {
    const { sandbox, run } = await travel({ sandbox: { speed: 400 }, inputs: CREATE })
    expect(run.outputs['change']).toBe('created')
    // The second run's first look comes before the first run's create: its list is answered with nothing.
    const effect = {
      kind: 'status',
      status: 200,
      contentType: 'application/json',
      body: '{"resources":[],"offset":0}',
    } as const
    sandbox.setFaults([{ match: { method: 'GET', path: '/v2/deployments' }, effect }])
    const second = await step(sandbox, CREATE)
    expect(second.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(second.outputs['deployment-id']).toBe(run.outputs['deployment-id'])
    await second.dispose()
  })

  it.each([
    ['a wrong key', { 'api-key': 'wrong-key-123' }, 'api-key (X-Api-Key)'],
    ['a wrong token', { 'api-key': '', 'bearer-token': 'wrong-key-123' }, 'bearer-token (Authorization: Bearer)'],
  ])('%s: names the scheme, never the value, and asks once', async (_case, inputs, scheme) => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, ...inputs } })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain(scheme)
    expect(everythingSaid(run)).not.toContain('wrong-key-123')
    expect(sandbox.requests).toHaveLength(1)
  })

  it('no key: fails before any request, with every other problem', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, 'api-key': '', timeout: 'soon' } })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('api-key: is missing')
    expect(theError(run)).toContain('timeout: "soon" must be a duration')
    expect(sandbox.requests).toHaveLength(0)
  })
})

describe('a control plane in trouble', () => {
  const html = '<!doctype html><html><head><title>Sign in</title></head><body><script>alert(1)</script></body></html>'

  it.each([
    ['500 on the list', 'GET', '/v2/deployments'],
    ['500 on the create', 'POST', '/v2/deployments'],
    ['500 on a poll', 'GET', '/v2/deployments/{deployment_id}/revisions/{revision_id}'],
  ])('%s, then success', async (_case, method, path) => {
    const effect = { kind: 'status', status: 500, body: 'oops', contentType: 'text/plain' } as const
    const { run, sandbox } = await travel({
      sandbox: { faults: [{ match: { method, path }, effect }] },
      inputs: CREATE,
    })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(sandbox.deployments()).toHaveLength(1)
  })

  it('500 after it has acted: adopts what was made', async () => {
    const { run, sandbox } = await travel({
      sandbox: {
        faults: [
          { match: { method: 'POST', path: '/v2/deployments' }, effect: { kind: 'act-then-status', status: 500 } },
        ],
      },
      inputs: CREATE,
      event: PUSH_TO_MAIN,
    })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(sandbox.deployments()).toHaveLength(1)
  })

  it('429 with Retry-After: waits as long as it says', async () => {
    const effect = {
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '1' },
      body: '{"detail":"slow down"}',
      contentType: 'application/json',
    } as const
    const { run, sandbox } = await travel({
      sandbox: { faults: [{ match: { method: 'POST', path: '/v2/deployments' }, effect }] },
      inputs: CREATE,
    })
    expect(run.outputs['outcome']).toBe('deployed')
    const [refused, accepted] = sandbox.requests.filter(({ method }) => method === 'POST')
    expect((accepted?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(950)
  })

  it('a redirect: is not followed, and says to correct base-url', async () => {
    const effect = { kind: 'status', status: 302, headers: { location: 'https://login.example/?token=abc' } } as const
    const { run, sandbox } = await travel({
      sandbox: { faults: [{ match: {}, effect, times: Infinity }] },
      inputs: CREATE,
    })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('a redirect to https://login.example/')
    expect(theError(run)).toContain('correct base-url')
    expect(theError(run)).not.toContain('token=abc')
    expect(sandbox.requests).toHaveLength(1)
  })

  it.each([
    ['invalid JSON', '{"resources": [', 'application/json', 'text that is not JSON'],
    ['a login page', html, 'text/html', 'HTML or XML instead of JSON'],
    ['an empty body', '', 'application/json', 'an empty body'],
    ['another shape', '{"resources": {"a": 1}}', 'application/json', 'resources'],
  ])('%s with status 200: one clear error', async (_case, body, contentType, said) => {
    const effect = { kind: 'status', status: 200, body, contentType } as const
    const { run } = await travel({
      sandbox: { faults: [{ match: { path: '/v2/deployments' }, effect }] },
      inputs: CREATE,
    })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain(said)
    expect(theError(run)).toContain('Check that base-url')
  })

  it('an HTML error page: is named by its title', async () => {
    const effect = { kind: 'status', status: 403, body: html, contentType: 'text/html' } as const
    const { run } = await travel({
      sandbox: { faults: [{ match: { path: '/v2/deployments' }, effect }] },
      inputs: CREATE,
    })
    expect(theError(run)).toContain('an HTML page titled "Sign in"')
    expect(everythingSaid(run)).not.toContain('<script>')
  })

  it('an unknown status: warns once and continues', async () => {
    const statuses = ['CREATING', 'WARMING_UP', 'UNKNOWN', 'WARMING_UP'].map((status) => ({ status, ms: 400 }))
    const script = { statuses: [...statuses, { status: 'DEPLOYED', ms: 0 }] }
    const { run } = await travel({ sandbox: { script }, inputs: CREATE })
    expect(run.outputs['outcome']).toBe('deployed')
    const warnings = run.annotations.filter(({ level }) => level === 'warning')
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('WARMING_UP')])
  })
})

describe('a hostile control plane', () => {
  const hostile = [
    'done',
    '::error title=gotcha::gotcha',
    '::set-output name=outcome::deployed',
    '  ::add-mask::hello-agent',
    '##[error]gotcha',
    '::stop-commands::pause',
    '<img src=x onerror=alert(1)><script>alert(1)</script>',
    '![pixel](https://evil.example/p.png) [click](javascript:alert(1)) https://evil.example',
    '@octocat #1 | a | b |',
    '``` ~~~ `` `',
    '\u001b[31m\u202e\u0000',
    `and the key ${SECRET} ${API_KEY}`,
  ].join('\n')

  it('cannot command the runner, nor put anything into the summary, nor give a secret away', async () => {
    const statuses = [
      { status: 'BUILDING', ms: 400, message: hostile },
      { status: 'EVIL\n::error::x | <b>', ms: 400, message: hostile },
      { status: 'BUILD_FAILED', ms: 0, message: hostile },
    ]
    const { run } = await travel({ sandbox: { script: { statuses } }, inputs: CREATE })
    expect(run.outputs['outcome']).toBe('failed')
    const names = new Set(run.commands.map(({ name }) => name))
    expect([...names].sort()).toEqual(['add-mask', 'debug', 'endgroup', 'error', 'group', 'notice', 'warning'])
    // The group of the log is the action's own.
    expect(run.commands.filter(({ name }) => name === 'group').map(({ line }) => line)).toEqual([
      '::group::The end of the build log',
    ])
    expect(run.annotations.find(({ level }) => level === 'notice')?.message).toMatch(/reported value of status/)
    expect(run.annotations.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(run.masks).not.toContain('hello-agent')
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(everythingSaid(run)).not.toContain(API_KEY)

    const outside = summaryToHtml(run.summary).replace(/<code[^>]*>[^<]*<\/code>/g, '')
    expect(outside).not.toMatch(
      /<(img|script|a href="(?!https:\/\/github\.com\/octo-org\/hello-agent\/commit\/[0-9a-f]{40}"))/,
    )
    expect(outside).not.toMatch(/evil\.example|octocat|gotcha|alert/)
  })

  it('cannot give away a secret in the title of an annotation', async () => {
    const inputs = { ...CREATE, name: `agent-${SECRET}` }
    const { run } = await travel({ sandbox: { script: { ends: 'BUILD_FAILED' } }, inputs })
    const error = run.commands.find(({ name }) => name === 'error')
    expect(error?.properties['title']).toBe('agent-***: BUILD_FAILED')
  })

  it('gets no half of a secret out by having a text cut in its middle', async () => {
    // A secret lies across each place where a line is cut: 160, 300, 500 and 4,000 characters.
    const padded = (length: number): string => `${'x'.repeat(length - 8)}${SECRET}${'y'.repeat(40)}`
    const message = [160, 300, 500].map(padded).join(' ') + padded(3100)
    const statuses = [
      ...[160, 300, 500, 4000].map((length) => ({ status: `BUILDING_${length}`, ms: 120, message: padded(length) })),
      { status: 'BUILD_FAILED', ms: 0, message },
    ]
    const html = { kind: 'status', status: 500, contentType: 'text/plain', body: padded(300) } as const
    const faults = [{ match: { method: 'GET' }, skip: 2, effect: html }]
    const { run } = await travel({ sandbox: { script: { statuses }, faults }, inputs: CREATE })
    expect(run.outputs['outcome']).toBe('failed')
    for (let length = 6; length <= SECRET.length; length++) {
      expect(everythingSaid(run)).not.toContain(SECRET.slice(0, length))
    }
  })

  it('cannot do so by an error either', async () => {
    const effect = {
      kind: 'status',
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({ detail: hostile }),
    } as const
    const { run } = await travel({ sandbox: { faults: [{ match: { method: 'POST' }, effect }] }, inputs: CREATE })
    expect([...new Set(run.commands.map(({ name }) => name))].sort()).toEqual(['add-mask', 'debug', 'error'])
    expect(run.annotations).toHaveLength(1)
    expect(everythingSaid(run)).not.toContain(SECRET)
    const outside = summaryToHtml(run.summary).replace(/<code[^>]*>[^<]*<\/code>/g, '')
    expect(outside).not.toMatch(/<(img|script|a )|evil\.example|octocat|gotcha/)
  })
})

describe('a run that ends half-way', () => {
  const refused = { kind: 'status', status: 400, contentType: 'application/json', body: '{"detail":"no"}' } as const

  it('reports the deployment that it created before it was refused', async () => {
    const faults = [{ match: { method: 'PATCH' }, effect: refused }]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: { ...CREATE, shareable: true } })
    expect(run.outputs).toMatchObject({
      outcome: 'failed',
      change: 'created',
      'deployment-id': sandbox.deployments()[0]?.['id'],
      'revision-id': sandbox.deployments()[0]?.['latest_revision_id'],
    })
    expect(theError(run)).toContain('continues on the control plane')
  })

  it('reports the PATCH that it sent before its revision was refused', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'build-on-push': true } })
    sandbox.setFaults([{ match: { method: 'POST' }, effect: refused }])
    const run = await step(sandbox, { name: 'hello-agent' }, { event: { name: 'push', ref: 'refs/tags/v1' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'patched' })
    expect(theError(run)).toContain('The settings were patched')
    await run.dispose()
  })

  it('says that the revision continues when the control plane no longer lets it read the revision', async () => {
    const faults = [{ match: { path: /\/revisions\// }, skip: 1, times: Infinity, effect: { ...refused, status: 403 } }]
    const { run } = await travel({ sandbox: { faults, speed: 5 }, inputs: CREATE })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'created' })
    expect(theError(run)).toContain(`Revision ${run.outputs['revision-id'] ?? ''} continues on the control plane`)
  })

  it('is timed out when the control plane hangs from the beginning', async () => {
    const faults = [{ match: {}, times: Infinity, effect: { kind: 'delay', ms: 30_000 } as const }]
    const { run } = await travel({ sandbox: { faults }, inputs: { ...CREATE, timeout: '1s' } })
    expect(run.outputs['outcome']).toBe('timed-out')
    expect(theError(run)).toContain('No revision is known to have been created')
    expect(run.durationMs).toBeLessThan(5_000)
  })
})

describe('a job that is cancelled', () => {
  it('stops at once, with the outcome cancelled, and says that the revision continues', async () => {
    const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }
    const { sandbox } = await travel({ sandbox: { script }, inputs: { ...CREATE, wait: false } })
    const run = await here().run({
      inputs: { 'base-url': sandbox.url, 'api-key': API_KEY, name: 'hello-agent' },
      kill: { signal: 'SIGINT', whenLine: /BUILDING/ },
    })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(theError(run)).toContain('continues on the control plane')
    await run.dispose()
  })
})
