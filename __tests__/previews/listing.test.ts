import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../src/control-plane/model.ts'
import { Listing, readListed, readNewestRevision } from '../../src/previews/listing.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'

/** Reads the deployment `agent` that is listed so. */
async function readOf(listed: readonly Deployment[], read: () => Promise<Deployment>, mayBeGone = false) {
  const controlPlane = aControlPlane({
    listDeployments: () => Promise.resolve({ resources: [...listed], offset: listed.length, serverTime: 7 }),
    getDeployment: read,
  })
  const listing = new Listing(controlPlane)
  await listing.listDeployments({ limit: 100, offset: 0 })
  expect(listing.serverTime).toBe(7)
  const clock = fakeClock()
  const deps = { controlPlane, clock, deadline: 60_000, signal: new AbortController().signal }
  const found = await readListed(aDeployment(), listing, mayBeGone, deps).catch(String)
  return { found, clock }
}

const answer = (over: Partial<Deployment> = {}) => Promise.resolve(aDeployment(over))

describe('the read of a listed deployment', () => {
  it('returns it if id and name are those of the list, in any letter case of the id', async () => {
    const { found } = await readOf([aDeployment()], () => answer({ id: DEPLOYMENT_ID.toUpperCase() }))
    expect(found).toMatchObject({ name: 'agent' })
  })

  it.each<[string, Partial<Deployment>, RegExp]>([
    ['name', { name: 'production' }, /lists this id as agent, and reads it as production/],
    ['letter case of the name', { name: 'Agent' }, /lists this id as agent, and reads it as Agent/],
    ['space around the name', { name: 'agent ' }, /lists this id as agent, and reads it as agent ./],
  ])('fails if the answer has another %s, each time it is read', async (_case, over, message) => {
    expect((await readOf([aDeployment()], () => answer(over))).found).toMatch(message)
  })

  it('is repeated after one answer about something else', async () => {
    const answers = [answer({ name: 'another' })]
    expect((await readOf([aDeployment()], () => answers.shift() ?? answer())).found).toEqual(aDeployment())
  })

  it('fails if the list has the id under two names', async () => {
    const listed = [aDeployment(), aDeployment({ id: DEPLOYMENT_ID.toUpperCase(), name: 'other' })]
    expect((await readOf(listed, () => answer())).found).toMatch(/lists this id under 2 names: agent, other/)
  })

  it('fails if the list has the id in capital letters under another name, and the read id is in small ones', async () => {
    const listed = [aDeployment({ id: DEPLOYMENT_ID.toUpperCase(), name: 'other' })]
    const listing = new Listing(
      aControlPlane({ listDeployments: () => Promise.resolve({ resources: listed, offset: 1 }) }),
    )
    await listing.listDeployments({ limit: 100, offset: 0 })
    expect(listing.namesOf(DEPLOYMENT_ID)).toEqual(['other'])
    expect(listing.namesOf(DEPLOYMENT_ID.toUpperCase())).toEqual(['other'])
  })

  it.each([
    [false, 30_000],
    [true, 0],
  ])('believes a 404, where an earlier attempt may have deleted it (%s), after %d ms', async (mayBeGone, ms) => {
    const { found, clock } = await readOf([aDeployment()], () => Promise.reject(refusedWith(404)), mayBeGone)
    expect(found).toBeUndefined()
    expect(clock.now()).toBe(ms)
  })
})

it('keeps the time of the first page', async () => {
  let serverTime = 7
  const controlPlane = aControlPlane({
    listDeployments: () => Promise.resolve({ resources: [], offset: 0, serverTime: serverTime++ }),
  })
  const listing = new Listing(controlPlane)
  for (const offset of [0, 100]) await listing.listDeployments({ limit: 100, offset })
  expect(listing.serverTime).toBe(7)
})

describe('the newest revision of a deployment', () => {
  const read = async (over: Partial<Deployment>, list?: () => Promise<Revision[]>) =>
    await readNewestRevision(aDeployment({ latestRevisionId: undefined, ...over }), {
      controlPlane: aControlPlane({
        getRevision: (_id, id) => Promise.resolve(aRevision({ id })),
        ...(list === undefined ? {} : { listRevisions: list }),
      }),
    })

  it('is the latest one, else the first of the list, else the active one', async () => {
    const listed = (): Promise<Revision[]> => Promise.resolve([aRevision({ id: 'first' }), aRevision({ id: 'second' })])
    expect(await read({ latestRevisionId: 'latest' }, listed)).toMatchObject({ id: 'latest' })
    expect(await read({}, listed)).toMatchObject({ id: 'first' })
    expect(await read({ activeRevisionId: 'active' }, () => Promise.resolve([]))).toMatchObject({ id: 'active' })
    expect(await read({ activeRevisionId: 'active' })).toMatchObject({ id: 'active' })
  })

  it.each([null, undefined])('is not reported if the active one is %j, too', async (activeRevisionId) => {
    expect(await read({ activeRevisionId })).toBe('not-reported')
  })

  it('is unknown if the list fails', async () => {
    await expect(read({}, () => Promise.reject(refusedWith(500)))).rejects.toMatchObject({ status: 500 })
  })
})
