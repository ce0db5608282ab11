import { describe, expect, it } from '@jest/globals'
import { GitHubError } from '../../src/github/errors.ts'
import { FleetDeploymentsChannel } from '../../src/notify/fleet.ts'
import { type FinalState, openRunSchema, renderKilled } from '../../src/notify/post.ts'
import { LongList } from '../../src/report/long-list.ts'
import { Unfinished } from '../../src/report/fleet/results.ts'
import type { FleetOutcome } from '../../src/fleet/event.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { aRecord, COMMIT } from '../builders.ts'
import { aGitHub, keepingDeployments } from '../github-stub.ts'
import { channelOptions } from './channel-options.ts'
import { aFinalFleet, aLog, aReport, aRun, type FleetShape, names, type Timed } from '../report/fleet/a-fleet.ts'

const FINAL: FinalState = { comment: '', description: '1 of 2 deployments failed.', state: 'error' }
const FAILED: FleetOutcome = { kind: 'failed', because: { kind: 'fleet', failed: 1, notStarted: 1 } }

interface Surroundings {
  /** GitHub refuses the states of these, by id. */
  refused?: readonly number[]
  refusal?: Error
  redact?: (text: string) => string
  /** GitHub makes none. */
  makesNone?: boolean
}

/** The channel, on a GitHub that keeps deployments. */
function opened({
  refused = [],
  refusal = new Error('refused'),
  redact = String,
  makesNone = false,
}: Surroundings = {}) {
  const { deployments, answer } = keepingDeployments()
  const statuses: unknown[] = []
  const routes: string[] = []
  /** The ids of the states that were refused. */
  const tried: number[] = []
  const gitHub = aGitHub((request) => {
    const { route, parameters = {} } = request
    routes.push(route)
    const { deployment_id: id, state } = parameters
    if (makesNone && route.startsWith('POST')) throw refusal
    if (!route.startsWith('GET') && id !== undefined) {
      if (refused.includes(Number(id)) && state !== 'queued') {
        tried.push(Number(id))
        throw refusal
      }
      statuses.push(parameters)
    }
    return answer(request)
  })
  const log = { info: () => undefined, notice: () => undefined, redact }
  const options = channelOptions(gitHub, { scope: 'fleet', runCommits: [COMMIT], log })
  const channel = new FleetDeploymentsChannel('production', options)
  return { channel, deployments, statuses, routes, tried }
}

const THREE: FleetShape = { waves: [{ names: ['eu', 'us', 'asia'], maxParallel: 1 }], failures: { 1: 'no' }, stopAt: 2 }

/** Shows the record after each event, and the end. */
async function shown(
  shape: FleetShape,
  outcome: FleetOutcome,
  { more = [], ...around }: Surroundings & { more?: readonly Timed[] } = {},
) {
  const github = opened(around)
  const { add, end } = aReport({ log: aLog().log, commit: COMMIT })
  const failures: unknown[] = []
  const attempt = async (deliver: Promise<void>): Promise<void> => {
    await deliver.catch((thrown: unknown) => failures.push(thrown))
  }
  for (const [at, event] of [...aRun(shape), ...more]) await attempt(github.channel.progress(add(at, event)))
  await attempt(github.channel.finish(end(999_000, outcome), FINAL))
  return { ...github, failures }
}

/** A fleet of which all are deployed. */
function deployedFleet(all: string[]) {
  const record = aFinalFleet({ waves: [{ names: all }] }, { kind: 'deployed' })
  const deployments = record.deployments.map((one) => ({ ...one, commit: COMMIT }))
  return { ...record, commit: COMMIT, deployments }
}

describe('the GitHub Deployments of a fleet', () => {
  it('are one for each deployment that has begun, and none ends another one', async () => {
    const { channel, deployments, statuses } = await shown(THREE, FAILED)
    expect(deployments).toEqual([
      { id: 1, payload: expect.objectContaining({ name: 'eu' }), states: ['queued', 'in_progress', 'success'] },
      { id: 2, payload: expect.objectContaining({ name: 'us' }), states: ['queued', 'in_progress', 'failure'] },
    ])
    expect(statuses).toContainEqual(
      expect.objectContaining({ state: 'success', auto_inactive: false, environment_url: 'https://eu.example' }),
    )
    expect(channel.open(aRecord())).toEqual({})
  })

  it.each([
    [20, 20],
    [21, 1],
  ])('of %i deployments are %i', async (size, count) => {
    const { deployments } = await shown({ waves: [{ names: names(size), maxParallel: 20 }] }, { kind: 'deployed' })
    expect(deployments).toHaveLength(count)
  })

  it('of a large fleet are one, with its own states', async () => {
    const { channel, deployments } = await shown({ waves: [{ names: names(21) }] }, FAILED)
    expect(deployments).toMatchObject([{ payload: { name: 'fleet.yml' }, states: ['queued', 'in_progress', 'error'] }])
    expect(channel.open(aRecord())).toEqual({ gitHubDeployments: [{ id: 1, keepsOthers: false }] })
  })

  it('are none for a deployment that is unchanged', async () => {
    const github = opened()
    const record = aFinalFleet({ waves: [{ names: ['a'] }], stopAt: 0 }, { kind: 'unchanged' })
    const [one] = record.deployments
    if (one === undefined) throw new Error('no deployment')
    const unchanged = { ...one, beganAt: 1, endedAt: 2, outcome: { kind: 'unchanged' } as const }
    await github.channel.finish({ ...record, commit: COMMIT, deployments: LongList.from([unchanged]) }, FINAL)
    expect(github.deployments).toEqual([])
  })

  it('are written with their end only, for deployments that have ended meanwhile', async () => {
    const github = opened()
    await github.channel.progress(deployedFleet(['eu', 'us']))
    expect(github.deployments.map(({ states }) => states)).toEqual([['success'], ['success']])
  })

  it('show that a deployment has failed during the bake, after its success', async () => {
    const outcome: RolloutOutcome = { kind: 'rolled-back', to: 'earlier', from: { kind: 'interrupted' } }
    const fails: Timed = [900_000, { kind: 'deployment-ended', name: 'eu', outcome }]
    const { deployments, channel } = await shown(THREE, FAILED, { more: [fails] })
    expect(deployments[0]?.states).toEqual(['queued', 'in_progress', 'success', 'failure'])
    expect(channel.open(aRecord())).toEqual({})
  })

  it('are made at the end of the run, too, with the end of the run if their own is not known', async () => {
    const { channel, deployments, statuses, routes } = opened({ redact: (text) => text.replaceAll('Timed', '***') })
    const late: RolloutOutcome = { kind: 'timed-out', lastTrouble: undefined }
    const record = aFinalFleet({ waves: [{ names: ['eu', 'us', 'asia'], maxParallel: 1 }] }, late)
    const [eu, us, asia] = record.deployments
    if (eu === undefined || us === undefined || asia === undefined) throw new Error('no deployments')
    const open = { ...us, outcome: undefined, endedAt: undefined }
    const waiting = { ...asia, change: 'none' as const, outcome: undefined, endedAt: undefined, beganAt: undefined }
    const whole = { ...record, commit: COMMIT }
    const three = [eu, open, waiting].map((one) => ({ ...one, commit: COMMIT }))
    await channel.finish({ ...whole, deployments: LongList.from(three) }, FINAL)
    const sent = routes.length
    await channel.finish({ ...whole, deployments: LongList.from(three) }, FINAL)
    expect(routes).toHaveLength(sent)
    expect(deployments.map(({ states }) => states.at(-1))).toEqual(['success', 'error'])
    expect(JSON.stringify(statuses)).toContain('***')
    expect(JSON.stringify(statuses)).not.toContain('Timed')
  })

  it('that one refuses leave the others as they are, and are left to the post step with their own end', async () => {
    const { channel, deployments, failures } = await shown(THREE, FAILED, { refused: [1] })
    expect(failures.length).toBeGreaterThan(0)
    expect(deployments[1]?.states).toEqual(['queued', 'in_progress', 'failure'])
    const open = { deploymentName: 'fleet.yml', startedAt: 0, ...channel.open(aRecord()) }
    expect(openRunSchema.parse(open).gitHubDeployments).toMatchObject([
      { id: 1, keepsOthers: true, end: { state: 'success' } },
    ])
  })
})

describe('the GitHub Deployments of a fleet that GitHub does not accept', () => {
  const silent = new GitHubError('could not set its state: GitHub did not answer.', undefined)
  const limited = new GitHubError('could not set its state: GitHub answered HTTP 429.', 429)
  const broken = new GitHubError('could not set its state: GitHub answered HTTP 500.', 500)

  it.each([
    ['one, if GitHub does not answer', silent, 1],
    ['one, if GitHub limits the rate', limited, 1],
    ['all, if GitHub refuses each', broken, 4],
  ])('are tried after an event: %s; and all at the end', async (_case, refusal, tries) => {
    const { channel, tried } = opened({ refused: [1, 2, 3, 4], refusal })
    const fleet = deployedFleet(names(4))
    await expect(channel.progress(fleet)).rejects.toBe(refusal)
    expect(tried).toHaveLength(tries)
    tried.length = 0
    await expect(channel.finish(fleet, FINAL)).rejects.toBe(refusal)
    expect(tried).toEqual([1, 2, 3, 4])
  })
})

describe('a GitHub Deployment of a fleet that someone has deleted', () => {
  it('is no failure, which would end the channel of all others, and is not left to the post step', async () => {
    const gone = new GitHubError('could not set its state: GitHub answered HTTP 404.', 404)
    const { channel, deployments, failures } = await shown(THREE, FAILED, { refused: [1], refusal: gone })
    expect(failures).toEqual([])
    expect(deployments[1]?.states).toEqual(['queued', 'in_progress', 'failure'])
    expect(channel.open(aRecord())).toEqual({})
  })

  it('is not one that GitHub never made: that is a failure', async () => {
    const refusal = new GitHubError('could not create it: GitHub answered HTTP 404.', 404)
    const { failures, channel } = await shown(THREE, FAILED, { makesNone: true, refusal })
    expect(failures.length).toBeGreaterThan(0)
    expect(channel.open(aRecord())).toEqual({})
  })
})

describe('the comment of a fleet whose run was killed', () => {
  it('names what is under way, and counts the rest', () => {
    const { add } = aReport({ log: aLog().log })
    const records = aRun({ waves: [{ names: ['eu', 'u|s', 'asia'], maxParallel: 1 }] })
      .filter(([at]) => at < 90_000)
      .map(([at, event]) => add(at, event))
    const record = records.at(-1)
    if (record === undefined) throw new Error('no record')
    const unfinished = new Unfinished().countIn(record)
    expect(unfinished).toEqual({ underWay: ['u|s'], moreUnderWay: 0, notStarted: 1 })
    expect(renderKilled({ deploymentName: 'fleet.yml', startedAt: 0, unfinished }, 'run', (text) => text)).toContain(
      'Under way: `u\\|s`. Their revisions continue on the control plane; they cannot be cancelled. Not started: 1 deployment. Rerun the job: it resumes what is under way, and starts the rest.',
    )
  })

  it('names 20 of many, and counts those of each part of a long list once', () => {
    const record = aFinalFleet({ waves: [{ names: ['a'] }], stopAt: 0 }, { kind: 'unchanged' })
    const [one] = record.deployments
    if (one === undefined) throw new Error('no deployment')
    let reads = 0
    const deployments = LongList.from(
      Array.from({ length: 10_000 }, (_, n) => {
        const open = { ...one, name: `agent-${n}`, beganAt: n < 9_000 ? 1 : undefined }
        return Object.defineProperty(open, 'outcome', {
          enumerable: true,
          get: () => {
            reads += 1
            return undefined
          },
        })
      }),
    )
    const open = new Unfinished()
    const unfinished = open.countIn({ ...record, deployments })
    expect(unfinished).toMatchObject({ moreUnderWay: 8_980, notStarted: 1_000 })
    expect(unfinished.underWay).toEqual(Array.from({ length: 20 }, (_, n) => `agent-${n}`))
    expect(renderKilled({ deploymentName: 'fleet.yml', startedAt: 0, unfinished }, 'run', (text) => text)).toContain(
      '`agent-19` and 8980 more. Their revisions continue',
    )
    reads = 0
    const ended = { ...one, name: 'agent-0', outcome: { kind: 'unchanged' } as const }
    expect(open.countIn({ ...record, deployments: deployments.with('agent-0', () => ended) })).toMatchObject({
      moreUnderWay: 8_979,
    })
    expect(reads).toBeLessThan(200)
  })
})
