import { describe, expect, it } from '@jest/globals'
import type { GitHub, GitHubRequest } from '../../src/github/client.ts'
import { openDeployment } from '../../src/github/deployment.ts'
import { retireDeployments } from '../../src/github/deployment-retire.ts'

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
  const answer = (request: GitHubRequest): unknown => {
    sent.push(request)
    const { route, parameters = {} } = request
    const found = deployments.find(({ id }) => id === parameters['deployment_id'])
    if (route.startsWith('GET')) return found === undefined ? deployments : [found]
    if (found !== undefined) {
      found.state = String(parameters['state'])
      found.description = String(parameters['description'])
    }
    return { id: 99 }
  }
  const gitHub: GitHub = {
    request: (request, schema) => Promise.resolve(schema.parse(answer(request))),
    async *pages(request, schema) {
      yield* await Promise.resolve(schema.parse(answer(request)))
    },
    whoAmI: () => Promise.reject(new Error('not asked')),
  }
  return { gitHub, sent }
}

describe('openDeployment', () => {
  it('merges nothing, waits for no check, and says what it stands for', async () => {
    const { gitHub, sent } = gitHubWith([])
    const options = {
      ref: 'abc',
      environment: 'preview',
      transient: true,
      production: false,
      description: 'd',
      name: 'agent-pr-7',
    }
    const deployment = await openDeployment(gitHub, options)
    await deployment.report('success', { description: 'done', environmentUrl: 'https://a.example' })
    expect(sent[0]?.parameters).toMatchObject({
      auto_merge: false,
      required_contexts: [],
      transient_environment: true,
      production_environment: false,
      payload: { name: 'agent-pr-7' },
    })
    expect(sent[1]?.parameters).toEqual({
      deployment_id: 99,
      state: 'success',
      description: 'done',
      environment_url: 'https://a.example',
    })
  })
})

describe('retireDeployments', () => {
  it('makes those of the same name inactive, whichever way GitHub hands their payload back', async () => {
    const deployments = [
      { id: 5, payload: { name: 'agent' }, state: 'success' },
      { id: 4, payload: JSON.stringify({ name: 'agent' }), state: 'success' },
      { id: 3, payload: { name: 'other' }, state: 'success' },
      { id: 2, payload: 'not json', state: 'success' },
      { id: 1, payload: null, state: 'success' },
    ]
    const { gitHub } = gitHubWith(deployments)
    expect(await retireDeployments(gitHub, { environment: 'preview', name: 'agent', before: 5 })).toBe(1)
    expect(deployments.map(({ state }) => state)).toEqual([
      'success',
      'inactive',
      'success',
      'success',
      'success',
    ])
  })

  it('leaves the deployment of a newer run alone', async () => {
    const deployments = [aKept(7, 'in_progress'), aKept(6, 'success'), aKept(5, 'success')]
    const { gitHub } = gitHubWith(deployments)
    await retireDeployments(gitHub, { environment: 'preview', name: 'agent', before: 6 })
    expect(deployments.map(({ state }) => state)).toEqual(['in_progress', 'success', 'inactive'])
  })

  it('finds a success behind one that was superseded, and so ended inactive by itself', async () => {
    const deployments = [aKept(3, 'success'), aKept(2, 'inactive'), aKept(1, 'success')]
    const { gitHub } = gitHubWith(deployments)
    await retireDeployments(gitHub, { environment: 'preview', name: 'agent', before: 3 })
    expect(deployments.map(({ state }) => state)).toEqual(['success', 'inactive', 'inactive'])
  })

  it('goes on where an earlier one broke off', async () => {
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
    const asked = { environment: 'preview', name: 'agent' }
    await expect(retireDeployments(failing, asked)).rejects.toThrow('GitHub is down')
    await retireDeployments(gitHub, asked)
    expect(deployments.every(({ state }) => state === 'inactive')).toBe(true)
  })

  it('looks no further back than it must', async () => {
    const deployments = Array.from({ length: 400 }, (_, n) => aKept(400 - n, 'success'))
    const { gitHub, sent } = gitHubWith(deployments)
    await retireDeployments(gitHub, { environment: 'preview', name: 'agent', before: 400 })
    sent.length = 0
    deployments.unshift(aKept(401, 'success'))
    await retireDeployments(gitHub, { environment: 'preview', name: 'agent' })
    expect(deployments.every(({ state }) => state === 'inactive')).toBe(true)
    expect(sent.length).toBeLessThan(10)
  })
})
