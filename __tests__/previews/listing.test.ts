import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../src/control-plane/model.ts'
import { openListing, readListed } from '../../src/previews/listing.ts'
import { aDeployment, DEPLOYMENT_ID, fakeClock } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'

/** Reads the deployment `agent` that is listed so. */
async function readOf(listed: readonly Deployment[], read: () => Promise<Deployment>, mayBeGone = false) {
  const controlPlane = aControlPlane({
    listDeployments: () => Promise.resolve({ resources: [...listed], offset: listed.length, serverTime: 7 }),
    getDeployment: read,
  })
  const listing = openListing(controlPlane)
  await listing.listDeployments({ limit: 100, offset: 0 })
  expect(listing.serverTime()).toBe(7)
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

  it.each([
    [false, 30_000],
    [true, 0],
  ])('believes a 404, where an earlier attempt may have deleted it (%s), after %d ms', async (mayBeGone, ms) => {
    const { found, clock } = await readOf([aDeployment()], () => Promise.reject(refusedWith(404)), mayBeGone)
    expect(found).toBeUndefined()
    expect(clock.now()).toBe(ms)
  })
})
