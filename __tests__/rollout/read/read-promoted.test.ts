import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { readPromoted } from '../../../src/rollout/read/find-deployment.ts'
import type { Target } from '../../../src/rollout/rollout-request.ts'
import { aDeployment, aRevision, fakeClock, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

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

  it.each<[string, Target, Deployment[], string]>([
    ['no such name', NAME, [aDeployment({ id: TWO, name: 'staging-eu' })], 'names no deployment'],
    ['no such id', { kind: 'id', id: TWO }, [staging()], 'names no deployment'],
    [
      'two of the name',
      NAME,
      [staging(), staging({ id: TWO })],
      `names 2 deployments: set it to the id of one, ${ONE} or`,
    ],
    ['no active revision', NAME, [staging({ activeRevisionId: null })], 'staging has no active revision'],
    [
      'an unknown active revision',
      NAME,
      [staging({ activeRevisionId: undefined })],
      'does not report the active revision',
    ],
  ])('says that there is %s', async (_what, from, deployments, words) => {
    expect(await read(from, ...deployments)).toEqual(expect.stringContaining(words))
  })

  it('counts one deployment that a list shows twice once', async () => {
    expect(await read(NAME, staging(), staging({ id: ONE.toUpperCase() }))).toMatchObject({
      deployment: { name: 'staging' },
    })
  })
})
