import { describe, expect, it } from '@jest/globals'
import { summaryToHtml } from '../../demo/summary-page.ts'
import { API_KEY, CREATE, everythingSaid, SECRET, theError, travel } from './stage.ts'

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
