import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import {
  checkConfirmed,
  findDeployment,
  findExisting,
  findByName,
  findSimilarName,
  isProbableTypo,
  readPromoted,
} from '../../../src/rollout/read/find-deployment.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { RolloutRequest, Target } from '../../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, DEPLOYMENT_ID, fakeClock, aRevision, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'
import { giving } from '../giving.ts'

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

describe('findDeployment', () => {
  const target = { kind: 'name', name: 'agent' } as const
  it.each<[string, Deployment | undefined, string]>([
    ['by its id', aDeployment({ id: 'ours', name: 'agent' }), 'ours'],
    ['in the list if it has another name now', aDeployment({ id: 'ours', name: 'agent-blue' }), 'agent'],
    ['in the list if it is deleted', undefined, 'agent'],
  ])('finds the deployment of the plan before %s', async (_case, now, id) => {
    const controlPlane = aControlPlane({
      getDeployment: giving(now ?? refusedWith(404)),
      listDeployments: pages(['agent']),
    })
    const { signal } = new AbortController()
    const deps = { controlPlane, clock: fakeClock(), signal, deadline: 60_000 }
    expect(await findDeployment(target, deps, 'ours')).toMatchObject({ id })
  })
})

describe('findExisting', () => {
  it.each<[string, Target, Partial<ControlPlane>, string[]]>([
    ['an id', { kind: 'id', id: 'gone' }, { getDeployment: giving(refusedWith(404)) }, ['deployment-not-found']],
    ['an id that is refused', { kind: 'id', id: 'x' }, { getDeployment: giving(refusedWith(403)) }, []],
    ['a name', { kind: 'name', name: 'agent' }, { listDeployments: pages(['other']) }, ['deployment-not-found']],
  ])('says that there is none of %s', async (_case, target, controlPlane, expected) => {
    const emitted: string[] = []
    const deps = {
      controlPlane: aControlPlane(controlPlane),
      clock: fakeClock(),
      signal: new AbortController().signal,
      deadline: 0,
      emit: ({ kind }: RolloutEvent) => void emitted.push(kind),
    }
    await expect(findExisting(target, deps)).rejects.toThrow()
    expect(emitted).toEqual(expected)
  })
})

describe('findByName', () => {
  it('finds the name that moves to a page that was read already', async () => {
    let names = Array.from({ length: 250 }, (_, n) => `agent-${n}`).toSpliced(101, 0, 'agent')
    const listDeployments = jest.fn<List>().mockImplementation(({ offset, limit }) => {
      if (offset === 100 && names.length === 251) names = names.slice(2)
      const resources = names.slice(offset, offset + limit).map((name) => aDeployment({ id: name, name }))
      return Promise.resolve({ resources, offset: offset + resources.length })
    })
    expect(await findByName('agent', aControlPlane({ listDeployments }))).toMatchObject({ name: 'agent' })
  })

  it('takes the exact name only', async () => {
    expect(await findByName('agent', { listDeployments: pages(['my-agent', 'agent-2']) })).toBeUndefined()
    const found = await findByName('agent', { listDeployments: pages(['agent-2', 'agent']) })
    expect(found).toMatchObject({ name: 'agent' })
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
      await findByName('agent', aControlPlane({ listDeployments }))
      expect(listDeployments).toHaveBeenCalledTimes(1)
    }
  })

  it('reads on after a short page, up to an empty one, passing the offset that was handed over', async () => {
    const listDeployments = pages(['agent-1'], ['agent-2', 'agent-3'], ['agent'])
    expect(await findByName('agent', aControlPlane({ listDeployments }))).toMatchObject({ name: 'agent' })
    expect(listDeployments.mock.calls.map(([query]) => query.offset)).toEqual([0, 1, 3])
  })

  it('never loops when the offset does not advance', async () => {
    const stuck = jest.fn<List>().mockResolvedValue({ resources: [aDeployment({ name: 'other' })], offset: 0 })
    expect(await findByName('agent', aControlPlane({ listDeployments: stuck }))).toBeUndefined()
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

  async function find(request: Partial<RolloutRequest>, over: Partial<ControlPlane> = {}) {
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
    return { found: await findSimilarName(aRequest(request), deps), queries, deadlines }
  }

  it('reads one page, for a short time', async () => {
    const { found, queries, deadlines } = await find({ target, warnsOfTypo: true })
    expect(found).toBe('my-agent')
    expect(queries).toEqual([{ limit: 100, offset: 0 }])
    expect(deadlines).toEqual([5_000])
  })

  it.each<Partial<RolloutRequest>>([
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

const [ONE, TWO] = ['e6666666-6666-4666-8666-666666666666', 'f7777777-7777-4777-8777-777777777777'] as const

const NAME: Target = { kind: 'name', name: 'staging' }

function read(from: Target, ...deployments: Deployment[]) {
  const getDeployment = jest.fn<ControlPlane['getDeployment']>(async (id) => {
    const found = deployments.find((one) => one.id === id)
    return await (found === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(found))
  })
  const controlPlane = aControlPlane({
    getDeployment,
    listDeployments: async ({ offset }) =>
      await Promise.resolve({ resources: offset > 0 ? [] : deployments, offset: offset + deployments.length }),
    getRevision: async (_id, id) => await Promise.resolve(aRevision({ id, status: 'DEPLOYED' })),
  })
  const { signal } = new AbortController()
  return readPromoted(from, { controlPlane, clock: fakeClock(), signal, deadline: 60_000 })
}

const staging = (over: Partial<Deployment> = {}): Deployment => aDeployment({ id: ONE, name: 'staging', ...over })

describe('readPromoted', () => {
  it('finds the deployment of the exact name, or of the id, with its active revision', async () => {
    const others = [aDeployment({ id: TWO, name: 'staging-eu' }), staging({ id: TWO, isPreviewBuild: true })]
    const found = { deployment: { id: ONE }, active: { id: OLD_REVISION_ID } }
    expect(await read(NAME, ...others, staging())).toMatchObject(found)
    expect(await read({ kind: 'id', id: ONE }, staging({ name: 'anything' }))).toMatchObject(found)
  })

  const two = [staging(), staging({ id: TWO })]
  it.each<[string, Target, Deployment[], string]>([
    ['no such name', NAME, [aDeployment({ id: TWO, name: 'staging-eu' })], 'names no deployment'],
    ['no such id', { kind: 'id', id: TWO }, [staging()], 'names no deployment'],
    ['two of the name', NAME, two, `names 2 deployments: set it to the id of one, ${ONE} or`],
  ])('says that there is %s', async (_what, from, deployments, words) => {
    expect(await read(from, ...deployments)).toEqual(expect.stringContaining(words))
  })

  it.each([
    [null, 'nothing-active'],
    [undefined, 'active-not-reported'],
  ])('finds a deployment that cannot be promoted if its active revision is %s', async (activeRevisionId, kind) => {
    const refused = { kind: 'not-promotable', from: 'staging', because: { kind } }
    expect(await read(NAME, staging({ activeRevisionId }))).toEqual(refused)
  })

  it('counts one deployment that a list shows twice once', async () => {
    expect(await read(NAME, staging(), staging({ id: ONE.toUpperCase() }))).toMatchObject({
      deployment: { name: 'staging' },
    })
  })
})
