import { describe, expect, it } from '@jest/globals'
import type { GitHub, GitHubRequest } from '../../src/github/client.ts'
import { openDeployment, retireDeployments } from '../../src/github/deployment.ts'

interface Kept {
  id: number
  payload: unknown
  state: string
}

/** GitHub's deployments of one environment, newest first. */
function gitHubWith(deployments: Kept[]) {
  const sent: GitHubRequest[] = []
  const answer = (request: GitHubRequest): unknown => {
    sent.push(request)
    const { route, parameters = {} } = request
    const found = deployments.find(({ id }) => id === parameters['deployment_id'])
    if (route.startsWith('GET')) return found === undefined ? deployments : [{ state: found.state }]
    if (found !== undefined) found.state = String(parameters['state'])
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
    expect(await retireDeployments(gitHub, { environment: 'preview', name: 'agent', except: 5 })).toBe(1)
    expect(deployments.map(({ state }) => state)).toEqual([
      'success',
      'inactive',
      'success',
      'success',
      'success',
    ])
  })

  it('looks no further back than it must', async () => {
    const old = Array.from({ length: 400 }, (_, n) => ({
      id: 400 - n,
      payload: { name: 'agent' },
      state: 'inactive',
    }))
    const { gitHub, sent } = gitHubWith([{ id: 500, payload: { name: 'agent' }, state: 'success' }, ...old])
    await retireDeployments(gitHub, { environment: 'preview', name: 'agent' })
    expect(sent.length).toBeLessThan(6)
  })
})
