import { expect, it } from '@jest/globals'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import { attachToLatest } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision } from '../../builders.ts'
import { setUp } from '../set-up.ts'

it('does not take the revision that is active for newer than the latest one, which has ended, whatever their dates', async () => {
  const deployment = aDeployment({ latestRevisionId: 'ours', activeRevisionId: 'old' })
  const ours = aRevision({ id: 'ours', status: 'DEPLOYED', createdAt: 1_000 })
  const { deps, clock } = setUp({ revisions: { ours, old: { createdAt: 2_000 } } })
  const getDeployment = async () =>
    await Promise.resolve({ ...deployment, activeRevisionId: clock.now() > 10_000 ? 'ours' : 'old' })
  const controlPlane = { ...deps.controlPlane, within: () => controlPlane, getDeployment }
  const watched = attachToLatest(deployment, ours)
  const { outcome } = await watchRevision(watched, aRequest({}), { ...deps, controlPlane })
  expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
})
