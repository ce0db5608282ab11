import { describe, expect, it } from '@jest/globals'
import { RefusedError, UnreachableError } from '../src/control-plane/errors.ts'
import { dispatch } from '../src/dispatch.ts'
import type { WorkflowEvent } from '../src/github/event.ts'
import type { GitHubQuestions } from '../src/github/questions.ts'
import { readStep } from '../src/inputs/read-step.ts'
import { openRun } from '../src/open-run.ts'
import type { Ended, RunEvent } from '../src/report/record.ts'
import { PARTS } from '../src/parts.ts'
import { createLog } from '../src/report/log.ts'
import { NO_NOTES } from '../src/rollout/dependencies.ts'
import { Redactor } from '../src/secrets/redact.ts'
import { gitHubOf } from './a-run.ts'
import { aPush, DEPLOYMENT_ID, fakeClock, NO_LUCK, REVISION_ID } from './builders.ts'
import { folderWith } from './folders.ts'
import { AROUND, FILES } from './here.ts'
import { replying, type Reply } from './networks.ts'

const GOOD = { 'base-url': 'https://cp.example/api-host', 'api-key': 'key-123', name: 'agent', timeout: '60s' }
const TEMPLATE = { source: 'internal_template' }
const OF_ID = { name: '', 'deployment-id': DEPLOYMENT_ID }
const FLEET = { operation: 'fleet', manifest: 'fleet.yml', name: '', timeout: '100s' }
const REQUEST = { operation: 'request', path: '/v2/listeners', name: '' }
const MANIFEST = 'version: 1\ndeployments: [{ name: agent, source: internal_template, paths: [apps/**] }]'
const workspace = folderWith({ 'fleet.yml': MANIFEST })
const PULL: Partial<WorkflowEvent> = { pullRequest: { number: 7, isClosed: false } }

interface Around {
  /** By the line of a request, below the prefix of base-url. */
  answer?: (line: string, clock: ReturnType<typeof fakeClock>) => Reply
  gitHub?: Partial<GitHubQuestions>
  event?: Partial<WorkflowEvent>
}

const REFUSED: Reply = { status: 401, body: '{}' }
const UNREACHABLE: Reply = { code: 'ECONNREFUSED' }
const json = (body: object): Reply => ({ status: 200, body: JSON.stringify(body) })

/** Carries out the step with these inputs. `ended`: rejects as it does. */
async function carryOut(inputs: Record<string, string>, { answer = () => REFUSED, gitHub = {}, event }: Around = {}) {
  const given: Record<string, string> = { ...GOOD, ...inputs }
  const about = aPush({ workspace, tempDir: workspace, ...event })
  const step = await readStep((name) => given[name] ?? '', about, AROUND)
  if (step.operation === 'skip') throw new Error('skipped')
  const clock = fakeClock()
  const [events, sent, printed]: [RunEvent[], string[], string[]] = [[], [], []]
  const print = (line: string): void => void printed.push(line)
  const redactor = new Redactor((form) => print(`::add-mask::${form}`))
  redactor.allow(['agent'])
  const network = replying(({ method, url }) => {
    const line = `${method} ${url.pathname.replace('/api-host', '')}`
    sent.push(line)
    return answer(line, clock)
  })
  const world = { env: {}, clock, random: NO_LUCK, network, files: FILES, print, signal: new AbortController().signal }
  const log = createLog(redactor, print)
  const emit = (happened: RunEvent): void => void events.push(happened)
  const opened = { event: about, log, redactor, emit, own: NO_NOTES, gitHub: gitHubOf(gitHub) }
  const rest = { loadRest: PARTS.loadRest }
  const ended = dispatch(step, openRun(step, world, { ...opened, ...rest }))
  await ended.catch(() => undefined)
  return { ended, events, sent, printed }
}

describe('a step', () => {
  const rollout = { kind: 'rollout-began', timeoutMs: 60_000, onSuperseded: 'fail', api: 'agent-server' }
  const request = { kind: 'request-began', timeoutMs: 60_000 }
  const waves = [{ entries: [{ name: 'agent' }] }]

  it.each<[string, Record<string, string>, object]>([
    ['rollout', {}, { ...rollout, operation: 'rollout', target: 'agent' }],
    ['rollback', {}, { ...rollout, operation: 'rollback', target: 'agent' }],
    ['wait', { 'on-superseded': 'succeed' }, { ...rollout, operation: 'wait', onSuperseded: 'succeed' }],
    ['wait', OF_ID, { ...rollout, operation: 'wait', target: DEPLOYMENT_ID }],
    ['teardown', {}, { kind: 'teardown-began', target: 'agent', timeoutMs: 60_000 }],
    ['request', REQUEST, { ...request, target: 'GET /v2/listeners', isRead: true }],
    ['request', { ...REQUEST, method: 'POST' }, { ...request, target: 'POST /v2/listeners', isRead: false }],
    ['fleet', FLEET, { kind: 'fleet-began', request: { waves }, api: 'agent-server' }],
  ])('%s says what it begins, before its first request', async (operation, inputs, began) => {
    const { events, sent, printed, ended } = await carryOut({ operation, ...inputs })
    expect(events.slice(0, 2)).toMatchObject([{ kind: 'connecting', baseUrl: GOOD['base-url'] }, began])
    expect(sent.length).toBeGreaterThan(0)
    await expect(ended).rejects.toThrow(RefusedError)
    expect(printed[0]).toMatch(/^::debug::This run ends after at most \d+ s: /)
    expect(printed.join('\n')).toMatch(/::debug::\w+ \/api-host\/v2\/\S+ → 401/)
  })

  it('of the previews of a fleet does not say yet which take part', async () => {
    const gitHub = { readPullRequest: () => Promise.resolve(undefined) }
    const { events } = await carryOut({ ...FLEET, preview: 'true' }, { event: PULL, gitHub })
    expect(events[1]).toMatchObject({ kind: 'fleet-began', request: { waves: [] } })
  })
})

const DEPLOYMENT = {
  id: DEPLOYMENT_ID,
  name: 'agent',
  source: 'internal_template',
  latest_revision_id: REVISION_ID,
  active_revision_id: REVISION_ID,
}
const REVISION = { id: REVISION_ID, status: 'DEPLOYED' }

describe('the end of a step', () => {
  const empty = (): Reply => json({ resources: [], offset: 0 })
  const gone = (): Reply => ({ status: 404, body: '{}' })
  const deployed = (line: string): Reply => json(line.endsWith(REVISION_ID) ? REVISION : DEPLOYMENT)
  const isDry = { 'dry-run': 'true' }
  const preview = { preview: 'true', 'preview-label': 'preview' }
  const removed = { kind: 'unlabeled', label: 'bug' } as const
  const otherLabel = {
    event: { pullRequest: { number: 7, isClosed: false, labels: ['preview'], labelChange: removed } },
  }

  it.each<[string, Record<string, string>, Around, Ended['operation'], string]>([
    ['a rollout', { ...TEMPLATE, ...isDry }, { answer: empty }, 'rollout', 'planned'],
    ['the rollout of a preview', { ...TEMPLATE, ...preview }, otherLabel, 'rollout', 'skipped'],
    ['a wait', { ...OF_ID, operation: 'wait' }, { answer: deployed }, 'rollout', 'deployed'],
    ['a teardown', { ...OF_ID, operation: 'teardown' }, { answer: gone }, 'teardown', 'nothing-to-tear-down'],
    ['a request', REQUEST, { answer: empty }, 'request', 'answered'],
    ['a fleet', { ...FLEET, ...isDry }, { answer: empty }, 'fleet', 'planned'],
    ['the previews of a fleet', { ...FLEET, ...preview }, otherLabel, 'fleet', 'skipped'],
  ])('of %s has its outcome', async (_case, inputs, around, operation, kind) => {
    const { ended } = await carryOut(inputs, around)
    await expect(ended).resolves.toMatchObject({ operation, outcome: { kind } })
  })

  const retriesIn = (events: readonly RunEvent[]): number =>
    events.filter(({ kind }) => kind === 'request-retried').length

  it.each<[string, Record<string, string>, number]>([
    ['its timeout', {}, 60_000],
    ['its timeout, of which a fleet keeps a part for its end', FLEET, 95_000],
  ])('is its time, if a request fails after %s', async (_case, inputs, endMs) => {
    const answer: Around['answer'] = (_line, { advance }) => {
      advance(endMs)
      return UNREACHABLE
    }
    const { ended, events } = await carryOut(inputs, { answer })
    await expect(ended).resolves.toEqual({
      operation: 'any',
      outcome: { kind: 'timed-out', lastTrouble: expect.any(String) },
    })
    expect(retriesIn(events)).toBe(0)
  })

  it('is the error of a request that has failed again before', async () => {
    const { ended, events } = await carryOut({ 'max-retries': '1' }, { answer: () => UNREACHABLE })
    await expect(ended).rejects.toThrow(UnreachableError)
    expect(retriesIn(events)).toBe(1)
  })
})

it('a rollback reads its deployment once', async () => {
  const answer = (line: string): Reply => {
    if (line.endsWith('/revisions')) return json({ resources: [REVISION], offset: 1 })
    return json(line.endsWith(REVISION_ID) ? REVISION : DEPLOYMENT)
  }
  const { ended, sent } = await carryOut({ ...OF_ID, operation: 'rollback' }, { answer })
  await expect(ended).rejects.toMatchObject({ unfit: { state: { kind: 'nothing-earlier' } } })
  const line = `GET /v2/deployments/${DEPLOYMENT_ID}`
  expect([sent[0], sent.filter((one) => one === line)]).toEqual([line, [line]])
})

it('a secret whose value is public is named once, before the first request, and those of the server are masked', async () => {
  const secrets = [{ name: 'KEY', value: 'correct-horse-battery' }]
  const inputs = { ...TEMPLATE, 'dry-run': 'true', secrets: 'APP_NAME=agent' }
  const { printed } = await carryOut(inputs, {
    answer: () => json({ resources: [{ ...DEPLOYMENT, secrets }], offset: 1 }),
  })
  const warning = printed.findIndex((line) => line.startsWith('::warning'))
  expect(printed[warning]).toContain('The list of secrets contains APP_NAME, but its value is public')
  expect(printed.filter((line) => line.startsWith('::warning'))).toHaveLength(1)
  expect(printed.findIndex((line) => line.includes('→ 200'))).toBeGreaterThan(warning)
  expect(printed).toContain('::add-mask::correct-horse-battery')
})
