import { describe, expect, test } from '@jest/globals'
import { aDeployment } from '../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../control-plane-stub.ts'
import { virtualClock } from '../virtual-clock.ts'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { UnreachableError } from '../../src/control-plane/errors.ts'
import { gathering, GatheredReads } from '../../src/control-plane/many.ts'

type List = ControlPlane['listDeployments']

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `id-${n}`)
const unreachable = new UnreachableError({ attempted: 'list', cameBack: 'HTTP 503', hint: '' })

/** A service with the deployments `id-0`, `id-1` and so on. `list`: its answer to a list by ids, if not the right one. */
function setUp(list?: (ids: readonly string[]) => ReturnType<List>) {
  const clock = virtualClock()
  const lists: number[] = []
  const singles: string[] = []
  const right = (ids: readonly string[]): ReturnType<List> =>
    Promise.resolve({
      resources: ids.filter((id) => id.startsWith('id-')).map((id) => aDeployment({ id })),
      offset: ids.length,
    })
  const controlPlane: ControlPlane = aControlPlane({
    within: () => controlPlane,
    listDeployments: async ({ ids = [] }) => {
      lists.push(ids.length)
      return await (list ?? right)(ids)
    },
    getDeployment: async (id) => {
      singles.push(id)
      return await (id.startsWith('id-') ? Promise.resolve(aDeployment({ id })) : Promise.reject(refusedWith(404)))
    },
  })
  const reads = new GatheredReads(controlPlane, { clock, signal: new AbortController().signal, deadline: Infinity })
  const all = async (ids: readonly string[]): Promise<string[]> => {
    const looks = await clock.run(async () => await Promise.all(ids.map(async (id) => await reads.look(id))))
    return looks.map((seen) => (seen.kind === 'found' ? seen.deployment.id : seen.kind))
  }
  return { clock, lists, singles, reads, all, controlPlane, right }
}

describe('reads of many deployments', () => {
  test('that come at the same time are one request for each 100', async () => {
    const { all, lists, singles } = setUp()
    const ids = idsOf(230)
    expect(await all([...ids, ...ids])).toEqual([...ids, ...ids])
    expect(lists).toEqual([100, 100, 30])
    expect(singles).toEqual([])
  })

  test('a call gets no answer to a request that was sent before it', async () => {
    const { clock, reads, lists } = setUp()
    await clock.run(async () => {
      const first = reads.look('id-0')
      await clock.sleep(100, new AbortController().signal)
      await Promise.all([first, reads.look('id-0')])
    })
    expect(lists).toEqual([1, 1])
  })

  test('what the list lacks is read by itself; a 404 shows nothing of it', async () => {
    const { all, singles, right } = setUp(async (ids) => await right(ids.filter((id) => id !== 'id-1')))
    expect(await all(['id-0', 'id-1', 'gone'])).toEqual(['id-0', 'id-1', 'blind'])
    expect(singles).toEqual(['id-1', 'gone'])
  })

  test('a service that ignores the ids is not asked so any more, and a read is a request of its own', async () => {
    const { all, lists, singles, clock, controlPlane, reads, right } = setUp(async () => await right(['id-0', 'id-8']))
    expect(await all(['id-0', 'id-1'])).toEqual(['blind', 'blind'])
    expect(await all(['id-0'])).toEqual(['blind'])
    expect(lists).toHaveLength(1)
    const read = await clock.run(async () => await gathering(controlPlane, reads).within(1).getDeployment('id-0'))
    expect(read.id).toBe('id-0')
    expect(singles).toEqual(['id-0'])
  })

  test('a service that lists none of the ids is not asked so after a few answers', async () => {
    const { all, lists } = setUp(async () => await Promise.resolve({ resources: [], offset: 0 }))
    for (let look = 0; look < 8; look++) await all(['id-0'])
    expect(lists).toHaveLength(5)
  })

  test('a service with shorter pages is asked for fewer ids', async () => {
    const { all, lists, singles, right } = setUp(async (ids) => await right(ids.slice(0, 20)))
    await all(idsOf(60))
    expect(singles).toHaveLength(40)
    expect(await all(idsOf(60))).toEqual(idsOf(60))
    expect(lists).toEqual([60, 20, 20, 20])
  })

  test.each([aBrokenAnswer(), unreachable])(
    'one deployment that breaks the answer is soon alone, and the others are seen ($name)',
    async (error) => {
      const { all, right } = setUp(async (ids) => await (ids.includes('id-3') ? Promise.reject(error) : right(ids)))
      const ids = idsOf(40)
      for (let look = 0; look < 7; look++) await all(ids)
      expect(await all(ids)).toEqual(ids.map((id) => (id === 'id-3' ? 'failed' : id)))
    },
  )

  test('a refusal may be about the length: fewer ids follow, until the service is not asked so any more', async () => {
    const short = setUp(async (ids) => await (ids.length > 30 ? Promise.reject(refusedWith(414)) : short.right(ids)))
    for (let look = 0; look < 3; look++) await short.all(idsOf(100))
    expect(short.lists).toEqual([100, 50, 50, 25, 25, 25, 25])
    const never = setUp(async () => await Promise.reject(refusedWith(400)))
    for (let look = 0; look < 5; look++) await never.all(['id-0'])
    expect(never.lists).toEqual([1])
  })

  test('a read whose list fails is read by itself, and throws what that throws', async () => {
    const { clock, controlPlane, reads } = setUp(async () => await Promise.reject(unreachable))
    const own = gathering(controlPlane, reads)
    expect((await clock.run(async () => await own.getDeployment('id-0'))).id).toBe('id-0')
    await expect(clock.run(async () => await own.getDeployment('gone'))).rejects.toMatchObject({ status: 404 })
  })
})
