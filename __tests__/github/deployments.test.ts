import { describe, expect, it } from '@jest/globals'
import type { GitHub, GitHubRequest } from '../../src/github/client.ts'
import { DeploymentCreation, reportState, retireDeployments, listDeployments } from '../../src/github/deployments.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { aGitHub } from '../github-stub.ts'
import { NO_LUCK } from '../builders.ts'
import { z } from 'zod'
import { AnsweringServer, API, type Question } from './answering-server.ts'

interface Kept {
  id: number
  payload: unknown
  state: string
  description?: string
}

const aKept = (id: number, state: string): Kept => ({ id, payload: { name: 'agent' }, state })

/** GitHub's deployments of one environment, newest first. */
function gitHubWith(deployments: Kept[]) {
  const sent: GitHubRequest[] = []
  const gitHub = aGitHub((request) => {
    sent.push(request)
    const { route, parameters = {} } = request
    const found = deployments.find(({ id }) => id === parameters['deployment_id'])
    if (route.startsWith('GET')) return found === undefined ? deployments : [found]
    if (found !== undefined) {
      found.state = String(parameters['state'])
      found.description = String(parameters['description'])
    }
    return { id: 99, payload: parameters['payload'] }
  })
  return { gitHub, sent }
}

describe('DeploymentCreation', () => {
  const options = { ref: 'abc', environment: 'preview', transient: true, description: 'd', name: 'agent-pr-7' }

  it('merges nothing, requires no check, and names the deployment of the control plane', async () => {
    const { gitHub, sent } = gitHubWith([])
    expect(await new DeploymentCreation(options, NO_LUCK).create(gitHub)).toBe(99)
    expect(sent[0]?.parameters).toMatchObject({
      auto_merge: false,
      required_contexts: [],
      transient_environment: true,
      production_environment: false,
      payload: { name: 'agent-pr-7' },
    })
  })

  it.each(['production', 'Production'])('is one of production in the environment %s', async (environment) => {
    const { gitHub, sent } = gitHubWith([])
    await new DeploymentCreation({ ...options, environment }, NO_LUCK).create(gitHub)
    expect(sent[0]?.parameters).toMatchObject({ environment, production_environment: true })
  })

  /** A GitHub that fails the first creations so, whether it carries them out or not. */
  function losing(faults: { isDone: boolean; status: number | undefined }[]) {
    const made: Kept[] = []
    const { gitHub } = gitHubWith(made)
    const lossy: GitHub = {
      ...gitHub,
      request: async ({ parameters = {}, ...request }, schema) => {
        const fault = faults.shift()
        if (fault?.isDone !== false) made.unshift({ id: made.length, payload: parameters['payload'], state: 'pending' })
        if (fault !== undefined) throw new GitHubError('could not', fault.status)
        await gitHub.request({ ...request, parameters }, schema)
        return schema.parse({ id: made.length - 1, payload: parameters['payload'] })
      },
    }
    return { lossy, made }
  }

  it.each([502, undefined])('finds a deployment whose creation got no response (%s)', async (status) => {
    const { lossy, made } = losing([{ isDone: true, status }])
    expect(await new DeploymentCreation(options, NO_LUCK).create(lossy)).toBe(0)
    expect(made).toHaveLength(1)
  })

  it('sends a creation again that was not carried out', async () => {
    const { lossy, made } = losing([{ isDone: false, status: 502 }])
    expect(await new DeploymentCreation(options, NO_LUCK).create(lossy)).toBe(0)
    expect(made).toHaveLength(1)
  })

  it('takes no deployment of another run for the one that was lost', async () => {
    const { lossy, made } = losing([{ isDone: false, status: 502 }])
    made.push({ ...aKept(0, 'pending'), payload: { name: 'agent-pr-7', key: 'of another run' } })
    expect(await new DeploymentCreation(options, NO_LUCK).create(lossy)).toBe(1)
    expect(made).toHaveLength(2)
  })

  it('searches first when called again', async () => {
    const lost = { isDone: false, status: 502 }
    const { lossy, made } = losing([lost, { isDone: true, status: 502 }])
    const creation = new DeploymentCreation(options, NO_LUCK)
    expect(await creation.findLost(lossy)).toBeUndefined()
    await expect(creation.create(lossy)).rejects.toThrow('could not')
    expect(await creation.create(lossy)).toBe(0)
    expect(await new DeploymentCreation(options, NO_LUCK).create(lossy)).toBe(1)
    expect(made).toHaveLength(2)
  })

  it('does not send a refused creation again', async () => {
    const { lossy, made } = losing([{ isDone: false, status: 422 }])
    const creation = new DeploymentCreation(options, NO_LUCK)
    await expect(creation.create(lossy)).rejects.toThrow('could not')
    await expect(creation.create(lossy)).rejects.toThrow('could not')
    expect(made).toEqual([])
  })
})

describe('reportState', () => {
  it('sends the description and the address', async () => {
    const { gitHub, sent } = gitHubWith([])
    await reportState(gitHub, 99, 'success', { description: 'done', environmentUrl: 'https://a.example' })
    expect(sent[0]?.parameters).toEqual({
      deployment_id: 99,
      state: 'success',
      description: 'done',
      environment_url: 'https://a.example',
    })
  })
})

const NOW = Date.UTC(2026, 5, 1)
const DAY = 24 * 3_600_000

describe('retireDeployments', () => {
  it('makes those of the same name inactive, whether GitHub returns their payload as object or text', async () => {
    const payloads = [{ name: 'agent' }, JSON.stringify({ name: 'agent' }), { name: 'other' }, 'not json', null]
    const deployments = payloads.map((payload, n) => ({ id: 5 - n, payload, state: 'success' }))
    const { gitHub, sent } = gitHubWith(deployments)
    await retireDeployments(gitHub, 'preview', ['agent'], { now: NOW, before: 5 })
    expect(sent.filter(({ route }) => route.startsWith('POST'))).toHaveLength(1)
    expect(deployments.map(({ state }) => state)).toEqual(['success', 'inactive', 'success', 'success', 'success'])
  })

  it('leaves the deployment of a newer run alone', async () => {
    const deployments = [aKept(7, 'in_progress'), aKept(6, 'success'), aKept(5, 'success')]
    const { gitHub } = gitHubWith(deployments)
    await retireDeployments(gitHub, 'preview', ['agent'], { now: NOW, before: 6 })
    expect(deployments.map(({ state }) => state)).toEqual(['in_progress', 'success', 'inactive'])
  })

  it('finds a success behind one that was superseded, and so ended inactive by itself', async () => {
    const superseded = [5, 4, 3, 2].map((id) => aKept(id, 'inactive'))
    const deployments = [aKept(6, 'success'), ...superseded, aKept(1, 'success')]
    const { gitHub } = gitHubWith(deployments)
    await retireDeployments(gitHub, 'preview', ['agent'], { now: NOW, before: 6 })
    expect(deployments[0]?.state).toBe('success')
    expect(deployments.at(-1)?.state).toBe('inactive')
  })

  it('continues where an earlier run failed', async () => {
    const deployments = [5, 4, 3, 2, 1].map((id) => aKept(id, 'success'))
    const { gitHub } = gitHubWith(deployments)
    let left = 2
    const failing: GitHub = {
      ...gitHub,
      request: async (request, schema) => {
        if (request.route.startsWith('POST') && left-- === 0) throw new Error('GitHub is down')
        return await gitHub.request(request, schema)
      },
    }
    const asked = ['preview', ['agent'], { now: NOW }] as const
    await expect(retireDeployments(failing, ...asked)).rejects.toThrow('GitHub is down')
    // The oldest came first: behind one that is retired, all are.
    expect(deployments.map(({ state }) => state)).toEqual(['success', 'success', 'success', 'inactive', 'inactive'])
    await retireDeployments(gitHub, ...asked)
    expect(deployments.every(({ state }) => state === 'inactive')).toBe(true)
  })

  it.each<[string, number | undefined, boolean]>([
    ['of 91 days are retired: GitHub no longer returns them', 91, true],
    ['of 89 days may still be missing', 89, false],
    ['of an unknown age may still be missing', undefined, false],
  ])('an empty list of statuses %s', async (_case, age, isRetired) => {
    const posted: unknown[] = []
    let reads = 0
    const created_at = age === undefined ? undefined : new Date(NOW - age * DAY).toISOString()
    const gitHub = aGitHub(({ route, parameters = {} }) => {
      if (route.startsWith('POST')) return posted.push(parameters['deployment_id'])
      if (parameters['deployment_id'] === undefined) return [4, 3, 2, 1].map((id) => ({ ...aKept(id, ''), created_at }))
      reads += 1
      return []
    })
    await retireDeployments(gitHub, 'preview', ['agent'], { now: NOW })
    expect(posted).toEqual(isRetired ? [] : [1, 2, 3, 4])
    // The search ends behind three that are retired.
    expect(reads).toBe(isRetired ? 3 : 4)
  })

  it('searches no further back than it must', async () => {
    const deployments = Array.from({ length: 400 }, (_, n) => aKept(400 - n, 'success'))
    const { gitHub, sent } = gitHubWith(deployments)
    await retireDeployments(gitHub, 'preview', ['agent'], { now: NOW, before: 400 })
    sent.length = 0
    deployments.unshift(aKept(401, 'success'))
    let listed = 0
    const counting: GitHub = {
      ...gitHub,
      async *pages(request, schema) {
        for await (const entry of gitHub.pages(request, schema)) {
          listed += 1
          yield entry
        }
      },
    }
    await retireDeployments(counting, 'preview', ['agent'], { now: NOW })
    expect(listed).toBeLessThan(10)
    expect(deployments.every(({ state }) => state === 'inactive')).toBe(true)
    expect(sent.length).toBeLessThan(10)
  })
})

const answering = AnsweringServer.forEachTest()

const aDeployment = (over: object): object => ({
  id: 9,
  payload: { name: 'agent', key: 'of another run' },
  environment: 'preview',
  repository_url: `${API}/repos/acme/agent`,
  ...over,
})
const deploymentUrl = (path: string): object => ({ id: 1, state: 'success', deployment_url: API + path })
const list = async (gitHub: GitHub) =>
  await Array.fromAsync(listDeployments(gitHub, { environment: 'preview' }, { attempted: 'list' }))
const report = async (gitHub: GitHub) => {
  await reportState(gitHub, 9, 'success', { description: 'd' })
  return 'done'
}

describe('an answer of GitHub about something else', () => {
  it.each<[string, Question, unknown]>([
    ['GitHub Deployments of another environment', list, [aDeployment({ environment: 'production' })]],
    ['GitHub Deployments of another repository', list, [aDeployment({ repository_url: `${API}/repos/acme/x` })]],
    ['the state of another GitHub Deployment', report, deploymentUrl('/repos/acme/agent/deployments/8')],
  ])('is requested again, and then an error: %s', async (_case, question, body) => {
    await answering.expectRefused(question, body)
  })

  it('is read past, to the right one', async () => {
    const [wrong, right] = ['x', 'Preview'].map((environment) => [aDeployment({ environment })])
    expect(await answering.readPast(list, wrong, right)).toMatchObject([{ id: 9 }])
  })

  it('to the creation of a GitHub Deployment is looked up by the key of the run', async () => {
    const made: object[] = []
    answering.answer = ({ method, body }) => {
      if (method === 'GET') return made
      const sent = z.looseObject({}).parse(JSON.parse(body))
      made.push(aDeployment({ ...sent, id: 10 }))
      return aDeployment({ id: 3 })
    }
    const options = { ref: 'a'.repeat(40), environment: 'preview', transient: true, description: 'd', name: 'agent' }
    expect(await new DeploymentCreation(options, NO_LUCK).create(answering.connect())).toBe(10)
    expect(made).toHaveLength(1)
  })

  it('retires nothing', async () => {
    answering.answer = ({ method, path }) => {
      if (method === 'GET' && path.includes('/statuses')) return [deploymentUrl('/repos/acme/agent/deployments/8')]
      return [aDeployment({})]
    }
    await expect(retireDeployments(answering.connect(), 'preview', ['agent'], { now: 0 })).rejects.toThrow(
      'another GitHub Deployment',
    )
    expect(answering.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })
})
