import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { lookAhead } from '../../src/previews/preview.ts'
import { aDeployment } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'

/** Each answer has the number of its request as its offset. */
function lookingAhead() {
  const requests: string[] = []
  const controlPlane: ControlPlane = aControlPlane({
    within: () => controlPlane,
    listDeployments: ({ nameContains = '', offset }) => {
      requests.push(`${nameContains} from ${offset}`)
      return Promise.resolve({ resources: [aDeployment()], offset: requests.length })
    },
  })
  const ahead = lookAhead(controlPlane, 'agent')
  const ask = async (query: Partial<Parameters<ControlPlane['listDeployments']>[0]>): Promise<number> =>
    (await ahead.listDeployments({ nameContains: 'agent', limit: 100, offset: 0, ...query })).offset
  return { ahead, ask, requests }
}

describe('a question that is asked ahead', () => {
  it('is sent at once, and answers the first question for that name', async () => {
    const { ask, requests } = lookingAhead()
    expect(requests).toEqual(['agent from 0'])
    expect(await ask({})).toBe(1)
    expect(requests).toHaveLength(1)
  })

  it('does not answer a teardown, which has a deadline of its own: the pull request was read since', async () => {
    const { ahead } = lookingAhead()
    const query = { nameContains: 'agent', limit: 100, offset: 0 }
    expect((await ahead.within(1).listDeployments(query)).offset).toBe(2)
  })

  it('does not answer a later question: the deployments may have changed', async () => {
    const { ask, requests } = lookingAhead()
    await ask({})
    expect(await ask({})).toBe(2)
    expect(requests).toEqual(['agent from 0', 'agent from 0'])
  })

  it.each([{ nameContains: 'agent-pr-' }, { offset: 100 }])('does not answer another one: %j', async (query) => {
    const { ask } = lookingAhead()
    expect(await ask(query)).toBe(2)
    expect(await ask({})).toBe(1)
  })

  it('fails only where its answer is needed', async () => {
    const ahead = lookAhead(aControlPlane({ listDeployments: () => Promise.reject(refusedWith(403)) }), 'agent')
    await Promise.resolve()
    const query = { nameContains: 'agent', limit: 100, offset: 0 }
    await expect(ahead.listDeployments(query)).rejects.toMatchObject({ status: 403 })
  })
})
