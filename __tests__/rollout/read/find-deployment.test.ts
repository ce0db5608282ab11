import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/control-plane.ts'
import { checkConfirmed, findByName } from '../../../src/rollout/read/find-deployment.ts'
import { aDeployment } from '../../builders.ts'

type List = ControlPlane['listDeployments']

/** Pages of names; what comes after them is empty. */
function pages(...names: string[][]) {
  let offset = 0
  return jest.fn<List>().mockImplementation(() => {
    const resources = (names.shift() ?? []).map((name) => aDeployment({ id: name, name }))
    offset += resources.length
    return Promise.resolve({ resources, offset })
  })
}

describe('findByName', () => {
  it('finds the name that moves to a page that was read already', async () => {
    let names = Array.from({ length: 250 }, (_, n) => `agent-${n}`).toSpliced(101, 0, 'agent')
    const listDeployments = jest.fn<List>().mockImplementation(({ offset, limit }) => {
      if (offset === 100 && names.length === 251) names = names.slice(2)
      const resources = names.slice(offset, offset + limit).map((name) => aDeployment({ id: name, name }))
      return Promise.resolve({ resources, offset: offset + resources.length })
    })
    expect(await findByName('agent', { listDeployments })).toMatchObject({ name: 'agent' })
  })

  it('takes the exact name only', async () => {
    expect(await findByName('agent', { listDeployments: pages(['my-agent', 'agent-2']) })).toBeUndefined()
    expect(await findByName('agent', { listDeployments: pages(['agent-2', 'agent']) })).toMatchObject({ name: 'agent' })
  })

  it('takes no preview build of the service, and reads on', async () => {
    const builds = Array.from({ length: 100 }, (_, n) =>
      aDeployment({ id: `build-${n}`, name: 'agent', isPreviewBuild: true }),
    )
    const all = [...builds, aDeployment({ id: 'ours', name: 'agent' })]
    const listOf = (deployments: typeof all) => ({
      listDeployments: jest.fn<List>().mockImplementation(({ offset, limit }) => {
        const resources = deployments.slice(offset, offset + limit)
        return Promise.resolve({ resources, offset: offset + resources.length })
      }),
    })
    expect(await findByName('agent', listOf(all))).toMatchObject({ id: 'ours' })
    expect(await findByName('agent', listOf(builds))).toBeUndefined()
  })

  it('takes no name in another case: it may be another deployment', async () => {
    expect(await findByName('Agent', { listDeployments: pages(['agent']) })).toBeUndefined()
  })

  it('reads one page when it is on the first one, or when there is none at all', async () => {
    for (const listDeployments of [pages(['agent']), pages()]) {
      await findByName('agent', { listDeployments })
      expect(listDeployments).toHaveBeenCalledTimes(1)
    }
  })

  it('reads on after a short page, up to an empty one, passing the offset that was handed over', async () => {
    const listDeployments = pages(['agent-1'], ['agent-2', 'agent-3'], ['agent'])
    expect(await findByName('agent', { listDeployments })).toMatchObject({ name: 'agent' })
    expect(listDeployments.mock.calls.map(([query]) => query.offset)).toEqual([0, 1, 3])
  })

  it('never loops when the offset does not advance', async () => {
    const stuck = jest.fn<List>().mockResolvedValue({ resources: [aDeployment({ name: 'other' })], offset: 0 })
    expect(await findByName('agent', { listDeployments: stuck })).toBeUndefined()
    expect(stuck).toHaveBeenCalledTimes(1)
  })
})

describe('the name that confirms an id', () => {
  const check = (confirm: string | undefined): void =>
    checkConfirmed({ kind: 'id', id: 'd', confirm }, aDeployment({ name: 'agent' }), () => false)

  it.each(['agent', undefined])('may be %j', (confirm) => expect(() => check(confirm)).not.toThrow())

  it.each(['Agent', 'agent-2', 'agen'])('must not be %j', (confirm) =>
    expect(() => check(confirm)).toThrow('must be the exact name of the deployment'),
  )
})
