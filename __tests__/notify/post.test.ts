import { beforeEach, describe, expect, it } from '@jest/globals'
import { markerOf } from '../../src/notes/comment-head.ts'
import { parseJson } from '../../src/http/json.ts'
import type { OpenRun } from '../../src/notify/post.ts'
import { NO_REVISION } from '../../src/report/written.ts'
import { run } from '../../src/run.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'
import { FILES } from '../here.ts'
import { replying, type Reply } from '../networks.ts'

const ENV = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/agent',
  GITHUB_RUN_ID: '7351',
  'INPUT_GITHUB-TOKEN': 'token-1',
  INPUT_SECRETS: 'KEY=hunter2',
  'STATE_main-has-run': 'true',
}
const RUN_URL = 'https://github.com/acme/agent/actions/runs/7351'
const OPEN: OpenRun = { deploymentName: 'agent', startedAt: 0 }

const JSON_TYPE = { 'content-type': 'application/json' }

interface Sent {
  line: string
  body: unknown
}

let clock = fakeClock()
beforeEach(() => {
  clock = fakeClock()
})

/** Finishes what a run has saved, on a GitHub that answers so; undefined: it carries the request out. */
async function finish(
  saved: OpenRun | string,
  {
    answer = () => undefined,
    env = {},
  }: { answer?: (line: string) => Reply | undefined; env?: Record<string, string> } = {},
) {
  const sent: Sent[] = []
  const printed: string[] = []
  const network = replying(({ method, url, body }) => {
    const line = `${method} ${url.pathname.replace('/repos/acme/agent', '')}`
    const json = parseJson(typeof body === 'string' ? body : '')
    if (method !== 'GET') sent.push({ line, body: json.ok ? json.value : undefined })
    return answer(line) ?? { status: 200, body: method === 'GET' ? '[]' : '{"id":1}', headers: JSON_TYPE }
  })
  const world = { clock, network, random: NO_LUCK, files: FILES, signal: new AbortController().signal }
  const print = (line: string): void => void printed.push(line)
  const json = typeof saved === 'string' ? saved : JSON.stringify(saved)
  await run({ ...world, print, env: { ...ENV, ...env, 'STATE_open-run': json } })
  const warnings = printed.filter((line) => line.startsWith('::warning'))
  return { sent, printed: printed.filter((line) => !line.startsWith('::add-mask::')).join('\n'), warnings }
}

const FINAL = { comment: 'agent runs.', description: 'agent is deployed.', state: 'success' } as const
const STOPPED = 'The run was stopped; the rollout continues on the control plane.'

describe('a GitHub Deployment that a run left open', () => {
  const own = { description: 'us is deployed.', state: 'success', environmentUrl: 'https://us.example' } as const
  const left = { description: 'The rollout has begun.' }

  it.each<[string, Partial<OpenRun>, object]>([
    [
      'ends with an error, if the run was killed',
      { gitHubDeployments: [{ id: 5, keepsOthers: false }] },
      { state: 'error', description: STOPPED, log_url: RUN_URL },
    ],
    [
      'gets the end that the run could not deliver',
      { finalState: FINAL, gitHubDeployments: [{ id: 5, keepsOthers: false }] },
      { state: 'success', description: FINAL.description, log_url: RUN_URL },
    ],
    [
      'has an end of its own, which counts, and leaves those of other parts as they are',
      { finalState: { ...FINAL, state: 'failure' }, gitHubDeployments: [{ id: 5, keepsOthers: true, end: own }] },
      {
        state: 'success',
        description: own.description,
        environment_url: own.environmentUrl,
        log_url: RUN_URL,
        auto_inactive: false,
      },
    ],
    [
      'ends with an error, if its end has no state',
      { gitHubDeployments: [{ id: 5, keepsOthers: false, end: left }] },
      { state: 'error', description: left.description, log_url: RUN_URL },
    ],
  ])('%s', async (_case, open, body) => {
    const { sent, printed } = await finish({ ...OPEN, ...open })
    expect(sent).toEqual([{ line: 'POST /deployments/5/statuses', body }])
    expect(printed).toBe('Reported the end of the run for agent to GitHub.')
  })
})

describe('the comment that a run left open', () => {
  const continues = 'The revision continues on the control plane; it cannot be cancelled.'

  it.each<[string, Partial<OpenRun>, string]>([
    ['says that the run was stopped, and has begun no revision', {}, NO_REVISION],
    ['says that the revision of the run continues', { revisionId: 'r1' }, continues],
    [
      'counts what a fleet has not started',
      { unfinished: { underWay: [], moreUnderWay: 0, notStarted: 2 } },
      '\n\nNot started: 2 deployments. Rerun the job',
    ],
  ])('%s', async (_case, open, text) => {
    const { sent } = await finish({ ...OPEN, ...open, commentOn: 7 })
    expect(sent.map(({ line }) => line)).toEqual(['POST /issues/7/comments'])
    expect(sent[0]?.body).toEqual({ body: expect.stringContaining('### ⚠️ The run for agent was stopped.\n\n') })
    expect(sent[0]?.body).toEqual({ body: expect.stringContaining(RUN_URL) })
    expect(sent[0]?.body).toEqual({ body: expect.stringContaining(text) })
  })

  it('gets the text that the run could not deliver', async () => {
    const { sent } = await finish({ ...OPEN, commentOn: 7, finalState: FINAL })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({ body: expect.stringMatching(/^<!-- .*-->\nagent runs\.$/) })
  })

  it('shows no secret of a name, under the marker of that name', async () => {
    const deploymentName = 'agent-hunter2'
    const unfinished = { underWay: ['eu-hunter2'], moreUnderWay: 1, notStarted: 0 }
    const { sent, printed } = await finish({ ...OPEN, deploymentName, unfinished, commentOn: 7 })
    const shown = expect.stringMatching(/The run for agent-\S+ was stopped[^]*Under way: `eu-\*\*\*` and 1 more\./)
    expect(sent[0]?.body).toEqual({ body: shown })
    expect(sent[0]?.body).toEqual({ body: expect.stringContaining(markerOf(deploymentName)) })
    expect(JSON.stringify(sent) + printed).not.toContain('hunter2')
  })
})

describe('the post step', () => {
  const both = { ...OPEN, commentOn: 7, gitHubDeployments: [5, 6].map((id) => ({ id, keepsOthers: true })) }

  it('delivers the rest, although GitHub refuses one, and says so', async () => {
    const refusal = { status: 403, body: '{"message":"no"}' }
    const { sent, printed, warnings } = await finish(both, {
      answer: (line) => (line.includes('/5/') ? refusal : undefined),
    })
    expect(sent.map(({ line }) => line)).toEqual([
      'POST /deployments/5/statuses',
      'POST /deployments/6/statuses',
      'POST /issues/7/comments',
    ])
    expect(warnings).toEqual([
      expect.stringMatching(/Could not report the end of the run to GitHub: .*deployments: write/),
    ])
    expect(printed).not.toContain('Reported the end')
  })

  it('ends after 20 seconds in which GitHub does not answer', async () => {
    const { warnings } = await finish(both, {
      answer: () => {
        clock.advance(20_000)
        return 'silence'
      },
    })
    expect(clock.now()).toBe(20_000)
    expect(warnings.join()).toContain('Could not report the end of the run to GitHub')
  })

  it.each(['{garbled', '{"a":1}', 'null', '5', ''])('has one sentence about the garbled state "%s"', async (saved) => {
    const { sent, printed, warnings } = await finish(saved)
    expect([sent, warnings]).toEqual([[], [printed]])
    expect(printed).toContain('The state that the run saved cannot be read.')
  })

  it('warns of a proxy that cannot be used, and that there is no token', async () => {
    const env = { https_proxy: 'http://me:100%@proxy.example', 'INPUT_GITHUB-TOKEN': ' ' }
    const { sent, warnings } = await finish({ ...OPEN, commentOn: 7 }, { env })
    expect(sent).toEqual([])
    expect(warnings).toEqual([
      expect.stringContaining('https_proxy is ignored'),
      expect.stringContaining('github-token is empty'),
    ])
  })
})
