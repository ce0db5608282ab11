import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import { refreshed } from '../../src/fleet/execute.ts'
import { prepareRollout } from '../../src/rollout/prepare.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, aRevision, INTEGRATION_ID } from '../builders.ts'
import { setUp } from '../rollout/set-up.ts'

interface Waited {
  /** The deployments when the plan is made, and when it is executed. */
  before: readonly Deployment[]
  after: readonly Deployment[]
  afterMs?: number
  over?: Partial<RolloutRequest>
}

/** A plan that waits for its wave. `requests`: those that were sent after the wait. */
async function planned({ before, after, afterMs = 5_001, over = {} }: Waited) {
  const requests: string[] = []
  let now = before
  const answers: Partial<ControlPlane> = {
    listDeployments: async ({ nameContains, offset }) => {
      requests.push(`look for ${nameContains}`)
      return await Promise.resolve({ resources: offset > 0 ? [] : [...now], offset: offset + now.length })
    },
    getDeployment: async (id) => {
      requests.push(`read ${id}`)
      const found = now.find((one) => one.id === id)
      return await (found === undefined ? Promise.reject(new Error('not expected')) : Promise.resolve(found))
    },
    getRevision: async (_id, id) => await Promise.resolve(aRevision({ id, status: 'DEPLOYED' })),
  }
  const { deps, clock } = setUp({ answers })
  const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }
  const first = await prepareRollout(aRequest({ source: 'git_host', settings, ...over }), deps)
  now = after
  clock.advance(afterMs)
  requests.length = 0
  const { next, readAt } = await refreshed(first, deps)
  if (next.kind !== 'execute') throw new Error('no plan to execute')
  const { plan } = next
  const about = plan.kind === 'create' ? 'create' : `${plan.kind} ${plan.deployment.id}`
  return {
    about,
    requests,
    isFresh: readAt === clock.now(),
    isSame: plan === ('plan' in first.next && first.next.plan),
  }
}

const blue = aDeployment({ id: 'blue', name: 'agent' })
const green = aDeployment({ id: 'green', name: 'agent-next' })
const swapped = [aDeployment({ id: 'blue', name: 'agent-old' }), aDeployment({ id: 'green', name: 'agent' })]

describe('a plan that has waited for its wave', () => {
  it.each([
    ['is executed as it is while it is fresh', 5_000, []],
    ['is executed as it is if the deployment is the same', 5_001, ['read blue']],
  ])('%s', async (_case, afterMs, requests) => {
    const plan = await planned({ before: [blue], after: [blue], afterMs })
    expect(plan).toEqual({ about: 'revise blue', requests, isFresh: requests.length > 0, isSame: true })
  })

  it('is made again if somebody has made a revision', async () => {
    const after = [aDeployment({ id: 'blue', latestRevisionId: 'newer' })]
    expect(await planned({ before: [blue], after })).toMatchObject({ about: 'revise blue', isSame: false })
  })

  it('is made for the deployment that has the name now', async () => {
    const plan = await planned({ before: [blue, green], after: swapped })
    expect(plan).toMatchObject({ about: 'revise green', isSame: false })
    expect(plan.requests).toEqual(['read blue', 'look for agent'])
  })

  it('is made anew if no deployment has the name any more', async () => {
    expect(await planned({ before: [blue], after: [{ ...blue, name: 'agent-old' }] })).toMatchObject({
      about: 'create',
    })
  })

  it('creates the deployment if there is still none of its name', async () => {
    const plan = await planned({ before: [], after: [green] })
    expect(plan).toEqual({
      about: 'create',
      requests: ['look for agent', 'look for agent'],
      isFresh: true,
      isSame: true,
    })
  })

  it('creates no second deployment of its name', async () => {
    const plan = await planned({ before: [], after: [blue] })
    expect(plan).toMatchObject({ about: 'revise blue', isSame: false })
  })
})
