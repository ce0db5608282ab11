import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/control-plane.ts'
import { findSimilarName, isProbableTypo } from '../../../src/rollout/read/similar-name.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aDeployment, DEPLOYMENT_ID, fakeClock } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

describe('isProbableTypo', () => {
  it.each([
    ['my-agent', 'my-agnet'],
    ['my-agent', 'my-agnt'],
    ['my-agent', 'ny-agent'],
    ['my-agent', 'my-aegtn'],
    ['my-agent', 'My-Agents'],
    ['my-agent', 'myagent'],
    ['my-agent', 'my_agemt-2'],
    ['support-agent-2', 'suport-agant-3'],
  ])('%s and %s', (one, other) => {
    expect(isProbableTypo(one, other)).toBe(true)
    expect(isProbableTypo(other, one)).toBe(true)
  })

  it.each([
    ['agent-1', 'agent-2'],
    ['agent', 'agent-2'],
    ['agent-1', 'agent-11'],
    ['1', '2'],
    ['1', 'agent'],
    ['agent', 'agent'],
    ['agent-a', 'agent-b'],
    ['agent-eu', 'agent-us'],
    ['agent-east', 'agent-west'],
    ['agent-dev', 'agent-prod'],
    ['agent', 'agent-eu'],
    ['agent', 'agent-pr-7'],
    ['my-agent', 'my-egamt'],
    ['my-agent', 'your-agent'],
    ['web', 'api'],
  ])('not %s and %s', (one, other) => {
    expect(isProbableTypo(one, other)).toBe(false)
    expect(isProbableTypo(other, one)).toBe(false)
  })
})

describe('findSimilarName', () => {
  const target = { kind: 'name', name: 'my-agnet' } as const

  async function find(request: Pick<RolloutRequest, 'target' | 'warnsOfTypo'>, over: Partial<ControlPlane> = {}) {
    const queries: object[] = []
    const deadlines: number[] = []
    const controlPlane: ControlPlane = aControlPlane({
      listDeployments: (query) => {
        queries.push(query)
        const resources = ['other', 'my-agent', 'my-agents'].map((name) => aDeployment({ name }))
        return Promise.resolve({ resources, offset: 3 })
      },
      within: (deadline) => {
        deadlines.push(deadline)
        return controlPlane
      },
      ...over,
    })
    const deps = { controlPlane, clock: fakeClock(), signal: new AbortController().signal, deadline: 600_000 }
    return { found: await findSimilarName(request, deps), queries, deadlines }
  }

  it('reads one page, for a short time', async () => {
    const { found, queries, deadlines } = await find({ target, warnsOfTypo: true })
    expect(found).toBe('my-agent')
    expect(queries).toEqual([{ limit: 100, offset: 0 }])
    expect(deadlines).toEqual([5_000])
  })

  it.each<Pick<RolloutRequest, 'target' | 'warnsOfTypo'>>([
    { target, warnsOfTypo: false },
    { target },
    { target: { kind: 'id', id: DEPLOYMENT_ID }, warnsOfTypo: true },
  ])('reads nothing for %j', async (request) => {
    expect(await find(request)).toMatchObject({ found: undefined, queries: [] })
  })

  it('finds no preview build of the service', async () => {
    const resources = [aDeployment({ name: 'my-agent', isPreviewBuild: true })]
    const listDeployments = () => Promise.resolve({ resources, offset: 1 })
    expect((await find({ target, warnsOfTypo: true }, { listDeployments })).found).toBeUndefined()
  })

  it('finds none where the list cannot be read, and ends with the run', async () => {
    const asked = { target, warnsOfTypo: true }
    const listDeployments = (): Promise<never> => Promise.reject(refusedWith(500))
    expect((await find(asked, { listDeployments })).found).toBeUndefined()
    const cancelled = new Error('The runner sent SIGINT')
    await expect(find(asked, { listDeployments: () => Promise.reject(cancelled) })).rejects.toBe(cancelled)
  })
})
