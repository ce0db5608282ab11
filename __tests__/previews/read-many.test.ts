import { describe, expect, it } from '@jest/globals'
import type { Deployment, Page } from '../../src/control-plane/model.ts'
import { Listing } from '../../src/previews/listing.ts'
import { ManyReader } from '../../src/previews/read-many.ts'
import { aDeployment, fakeClock } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'

const one = (id: string): Deployment => aDeployment({ id, name: `agent-pr-${id}` })
const pageOf = (...ids: string[]): Page<Deployment> => ({ resources: ids.map(one), offset: ids.length })

/** A control plane whose lists are these, in their order; then the last one. It has these deployments by their ids. */
function aReader(lists: readonly Page<Deployment>[], existing: ReadonlySet<string>) {
  const requests: string[] = []
  const left = [...lists]
  const controlPlane = aControlPlane({
    listDeployments: ({ ids, limit, offset }) => {
      requests.push(`list ${ids?.join() ?? 'all'} ${limit} ${offset}`)
      return Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? pageOf())
    },
    getDeployment: (id) => {
      requests.push(`get ${id}`)
      return existing.has(id) ? Promise.resolve(one(id)) : Promise.reject(refusedWith(404))
    },
  })
  const clock = fakeClock()
  const deps = { controlPlane, clock, signal: new AbortController().signal, deadline: 60_000 }
  const listing = new Listing(controlPlane)
  return { reader: new ManyReader(listing, deps), listing, requests }
}

const IDS = ['a', 'b', 'c', 'd']

describe('deployments that are read together', () => {
  it('take one request, and one by an id', async () => {
    const { reader, requests } = aReader([pageOf(...IDS)], new Set(IDS))
    expect([...(await reader.find(IDS)).keys()]).toEqual(IDS)
    expect(requests).toEqual(['list a,b,c,d 100 0', 'get a'])
  })

  it('are read by the id if there is one', async () => {
    const { reader, requests } = aReader([], new Set(['a']))
    expect(await reader.find(['a'])).toEqual(new Map())
    expect(await reader.presenceOf(['a'])).toEqual(new Map([['a', 'there']]))
    expect(requests).toEqual(['get a'])
  })

  it('are gone if the same list lacks them, and the id of one is unknown', async () => {
    const { reader, requests } = aReader([pageOf(...IDS), pageOf('d')], new Set(['a', 'd']))
    await reader.find(IDS)
    const presence = await reader.presenceOf(['b', 'c', 'd'])
    expect([...presence]).toEqual([
      ['b', 'gone'],
      ['c', 'gone'],
      ['d', 'there'],
    ])
    expect(requests.slice(2)).toEqual(['list b,c,d 100 0', 'get c', 'get d'])
  })

  it.each<[string, Page<Deployment>]>([
    ['has others', pageOf('x', 'y')],
    ['was cut before it was filtered', { resources: [], offset: 100 }],
  ])('are read one by one if the list %s', async (_case, second) => {
    const { reader, requests } = aReader([pageOf(...IDS), second], new Set(['a', 'd']))
    await reader.find(IDS)
    expect([...(await reader.presenceOf(IDS)).values()]).toEqual(['there', 'gone', 'gone', 'there'])
    expect(requests.slice(3)).toEqual(IDS.map((id) => `get ${id}`))
    await reader.presenceOf(IDS)
    // The list has shown that it proves nothing.
    expect(requests.filter((request) => request.startsWith('list'))).toHaveLength(2)
  })

  it('are read one by one if the list may be a full page', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `p${index}`)
    const { reader, requests } = aReader([pageOf(...many), pageOf(...many.slice(0, 10))], new Set(many))
    await reader.find(many)
    await reader.presenceOf(many)
    // Shorter than a page that there was: not full. One is read that the list lacks, and it exists.
    expect(requests.slice(2, 4)).toEqual([`list ${many.join()} 100 0`, 'get p11'])
    const small = aReader([pageOf(...many.slice(0, 10))], new Set(many))
    expect(await small.reader.find(many)).toEqual(new Map())
    expect(small.requests).toEqual([`list ${many.join()} 100 0`])
  })

  it('are read together where a shorter page came after the longest one', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `p${index}`)
    const lists = [pageOf(...many), pageOf('p0', 'p1'), pageOf(...many.slice(0, 10))]
    const { reader, requests } = aReader(lists, new Set(many))
    await reader.find(many)
    await reader.presenceOf(['p0', 'p1'])
    requests.length = 0
    await reader.presenceOf(many)
    // Ten of twelve are no full page: what the list lacks is gone, or else the next read shows that it is not.
    expect(requests.slice(0, 2)).toEqual([`list ${many.join()} 100 0`, 'get p11'])
  })

  it('that the list only lacks are there, and the list is not asked again', async () => {
    const { reader, requests } = aReader([pageOf(...IDS), pageOf()], new Set(IDS))
    await reader.find(IDS)
    for (let look = 0; look < 2; look++)
      expect(new Set((await reader.presenceOf(IDS)).values())).toEqual(new Set(['there']))
    expect(requests.filter((request) => request.startsWith('list'))).toHaveLength(2)
  })

  it('that a list hides while they are being deleted are there, although others are gone', async () => {
    const { reader } = aReader([pageOf(...IDS), pageOf()], new Set(['c', 'd']))
    await reader.find(IDS)
    expect([...(await reader.presenceOf(IDS)).values()].toSorted()).toEqual(['gone', 'gone', 'there', 'there'])
  })

  it('that a lagging list still shows are gone', async () => {
    const existing = new Set(IDS)
    const { reader } = aReader([pageOf(...IDS)], existing)
    await reader.find(IDS)
    existing.clear()
    expect(new Set((await reader.presenceOf(IDS)).values())).toEqual(new Set(['gone']))
  })

  it('lack those that no list by ids has shown', async () => {
    const { reader, requests } = aReader([pageOf('a'), pageOf()], new Set(['b', 'c']))
    await reader.find(['a', 'b', 'c'])
    await reader.presenceOf(['b', 'c'])
    expect(requests.slice(2)).toEqual(['get b', 'get c'])
  })

  it('are not read together by a list that shows another repository than the id', async () => {
    const other = { ...one('a'), settings: { repoUrl: 'https://github.com/eve/agent' } }
    const { reader } = aReader([{ resources: [other, one('b')], offset: 2 }], new Set(IDS))
    expect(await reader.find(['a', 'b'])).toEqual(new Map())
  })

  it('are read one by one where the list, or the read of one, is refused', async () => {
    const listDeployments = () => Promise.reject(refusedWith(403))
    const getDeployment = () => Promise.reject(refusedWith(403))
    const deps = { clock: fakeClock(), signal: new AbortController().signal, deadline: 60_000 }
    const blind = aControlPlane({ listDeployments, getDeployment })
    const reader = new ManyReader(new Listing(blind), { ...deps, controlPlane: blind })
    expect(await reader.find(IDS)).toEqual(new Map())
    expect([...(await reader.presenceOf(['a'])).values()]).toEqual([expect.objectContaining({ status: 403 })])
    const listed = aControlPlane({ listDeployments: () => Promise.resolve(pageOf(...IDS)), getDeployment })
    const partly = new Listing(listed)
    expect(await new ManyReader(partly, { ...deps, controlPlane: listed }).find(IDS)).toEqual(new Map())
  })

  it('lack those of two names', async () => {
    const { reader, listing } = aReader(
      [{ resources: [{ ...one('b'), name: 'production' }], offset: 1 }, pageOf(...IDS)],
      new Set(IDS),
    )
    await listing.listDeployments({ limit: 100, offset: 0 })
    expect([...(await reader.find(IDS)).keys()]).toEqual(['a', 'c', 'd'])
  })
})
