import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../src/control-plane/model.ts'
import { checkLimit } from '../../src/previews/preview.ts'
import { aRun } from '../a-run.ts'
import { aDeployment, fakeClock } from '../builders.ts'
import { aMemoryControlPlane, SERVER_TIME } from './memory-control-plane.ts'

const preview = (number: number, over: Partial<Deployment> = {}): Deployment =>
  aDeployment({ id: `id-${number}`, name: `agent-pr-${number}`, updatedAt: SERVER_TIME - number, ...over })

describe('the number of previews', () => {
  it.each<[string, Deployment[], string[] | undefined]>([
    ['below the limit', [preview(1)], undefined],
    ['at the limit, the oldest first', [preview(1), preview(2)], ['agent-pr-2', 'agent-pr-1']],
    ['at the limit with one that is being deleted', [preview(1), preview(2, { isBeingDeleted: true })], undefined],
    ['at the limit with a preview build of the service', [preview(1), preview(2, { isPreviewBuild: true })], undefined],
    ['of an existing preview', [preview(1), preview(2), preview(7)], undefined],
    [
      'of an existing preview that is being deleted',
      [preview(1), preview(2), preview(7, { isBeingDeleted: true })],
      undefined,
    ],
  ])('%s', async (_case, deployments, refused) => {
    const { controlPlane } = aMemoryControlPlane(deployments)
    const clock = { ...fakeClock(), wallTime: () => SERVER_TIME }
    const cause = await checkLimit({ name: 'agent', max: 2 }, 'agent-pr-7', aRun({ controlPlane, clock }))
    expect(cause?.existing.map(({ name }) => name)).toEqual(refused)
  })
})
