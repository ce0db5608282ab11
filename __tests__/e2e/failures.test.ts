import { describe, expect, it } from '@jest/globals'
import { summaryToHtml } from '../../demo/summary-page.ts'
import { until } from '../places/here.ts'
import { act, API_KEY, CREATE, everythingSaid, SECRET, step, theError, travel } from './stage.ts'

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
    expect(theError(run)).toMatch(/ timeout is 4 s; for minutes, set timeout: 4m\.$/)
    expect(theError(run)).toContain('Timed out after 4.0 s')
    expect(theError(run)).toContain('continues on the control plane')
    expect(theError(run)).toContain(run.outputs['revision-id'])
  })
})

describe('a control plane that refuses', () => {
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
  })
})

describe('a job that is cancelled', () => {
  it('stops at once, with the outcome cancelled, and says that the revision continues', async () => {
    const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }
    const { sandbox } = await travel({ sandbox: { script }, inputs: { ...CREATE, wait: false } })
    const run = await act({
      inputs: { 'base-url': sandbox.url, 'api-key': API_KEY, name: 'hello-agent' },
      kill: { signal: 'SIGINT', whenLine: /BUILDING/ },
    })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(theError(run)).toContain('continues on the control plane')
  })
})
