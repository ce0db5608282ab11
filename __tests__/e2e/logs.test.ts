import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { aWorld, CREATE, onPullRequest, SECRET, step, theError } from './stage.ts'

const LIVE = { ...CREATE, logs: 'live' }
const lines = (count: number, word = 'line'): string[] => Array.from({ length: count }, (_, n) => `${word} ${n} .`)

/** A revision that builds for a while, and then fails. */
const failing = (logs: string[], ms = 1_200): RolloutScript => ({
  statuses: [
    { status: 'BUILDING', ms },
    { status: 'BUILD_FAILED', ms: Infinity },
  ],
  logs,
})

const logRequests = ({ requests }: Sandbox): string[] =>
  requests.map(({ path }) => path).filter((path) => path.includes('/logs?'))

/** The step's log as a tree: the lines in each group by its title; those outside have none. */
function groupsOf(run: ActionRun): { title: string; lines: string[] }[] {
  const groups: { title: string; lines: string[] }[] = []
  let open: string[] | undefined
  for (const line of run.raw.split('\n')) {
    if (line.startsWith('::group::')) {
      expect(open).toBeUndefined()
      open = []
      groups.push({ title: line.slice('::group::'.length), lines: open })
    } else if (line.startsWith('::endgroup::')) {
      expect(open).toBeDefined()
      open = undefined
    } else if (!line.startsWith('::debug::')) open?.push(line)
  }
  expect(open).toBeUndefined()
  return groups
}

const inGroups = (run: ActionRun, word: string): string[] =>
  groupsOf(run)
    .flatMap((group) => group.lines)
    .filter((line) => line.startsWith(word))

describe('logs: live', () => {
  it.each([
    ['agent-server', {}],
    ['langsmith', { api: 'langsmith', source: 'github', 'deployment-type': 'dev' }],
  ])('shows each line once, although requests fail: %s', async (api, inputs) => {
    const path = /\/logs\?/
    const drop = { kind: 'drop', when: 'before' } as const
    const faults = [
      { match: { path }, skip: 1, times: 2, effect: drop },
      { match: { path }, skip: 3, times: 1, effect: { kind: 'truncate' } as const },
      { match: { path }, skip: 6, times: 1, effect: { kind: 'status', status: 503 } as const },
      { match: { path }, skip: 8, times: 1, effect: { kind: 'garbage' } as const },
    ]
    const { sandbox } = await aWorld({ sandbox: { faults, script: failing(lines(120)) } })
    const own = api === 'langsmith' ? { 'base-url': sandbox.publicUrl } : {}
    const run = await step(sandbox, { ...LIVE, ...inputs, ...own })
    expect(run.outputs['outcome']).toBe('failed')
    expect(inGroups(run, 'line')).toEqual(lines(120))
    const [first, ...rest] = groupsOf(run).map(({ title }) => title)
    expect(first).toBe('Build log')
    expect(rest.filter((title) => title !== 'Build log (continued)')).toEqual([])
    expect(logRequests(sandbox).some((asked) => asked.includes('offset='))).toBe(true)
  })
})

describe('logs: on-failure', () => {
  it('shows the end of the log in the step, in the summary and in the comment', async () => {
    const logs = [...lines(70), '```', '</details>', '::error::forged', '@octocat', `key ${SECRET}`]
    const world = await aWorld({ sandbox: { script: failing(logs, 200) } })
    world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, { secrets: `MODEL_KEY=${SECRET}` })
    const expected = [...logs.slice(-50, -3), ': :error::forged', '@octocat', 'key ***']
    expect(groupsOf(run)).toEqual([{ title: 'The end of the build log', lines: expected }])
    expect(theError(run)).toContain("Check the end of the build log in this step's log")
    expect(theError(run)).not.toContain('in the control plane')
    expect(run.summary).toMatch(/````text\nline 25 \.[^]*key \*\*\*\n````/)
    const comment = world.gitHub.comments(7)[0]?.body
    expect(comment).toContain('Check the end of the build log below')
    expect(comment).toContain('<details>\n<summary>The end of the build log</summary>')
    expect(comment).toMatch(/````text\nline 55 \.\n[^]*@octocat\nkey \*\*\*\n````\n\n<\/details>/)
    expect(logRequests(world.sandbox)).toHaveLength(1)
  })
})
