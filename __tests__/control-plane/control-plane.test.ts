import { expect, it } from '@jest/globals'
import { decorated } from '../../src/control-plane/client.ts'
import { aDeployment } from '../builders.ts'
import { aControlPlane } from '../control-plane-stub.ts'

it('keeps the calls that are added to it within any deadline, each over the client of that deadline', async () => {
  const ofDeadline = (name: string) =>
    aControlPlane({ getDeployment: async (id) => await Promise.resolve(aDeployment({ id, name })), within: ofNext })
  const ofNext = (deadline: number) => ofDeadline(`within ${deadline}`)
  const seen: string[] = []
  const controlPlane = decorated(ofDeadline('first'), (inner) => ({
    getDeployment: async (id) => {
      const deployment = await inner.getDeployment(id)
      seen.push(deployment.name)
      return deployment
    },
  }))
  for (const one of [controlPlane, controlPlane.within(1), controlPlane.within(1).within(2)])
    await one.getDeployment('a')
  expect(seen).toEqual(['first', 'within 1', 'within 2'])
})
