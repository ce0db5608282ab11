import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import { requireNew } from '../../../src/rollout/apply/revise-once.ts'
import { aDeployment, aRevision, COMMIT } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const wanted = { repoRef: 'main', appConfigPath: './app.json' }

/** Whether the response to a POST counts, before which `known` was the latest revision. */
async function counts(answered: Partial<Revision>, latestRevisionId: string | Error = 'known'): Promise<boolean> {
  const controlPlane = aControlPlane({
    getDeployment: async () =>
      await (latestRevisionId instanceof Error
        ? Promise.reject(latestRevisionId)
        : Promise.resolve(aDeployment({ latestRevisionId }))),
  })
  const before = aDeployment({ latestRevisionId: 'known' })
  const judging = requireNew(aRevision({ id: 'answered', ...answered }), before, wanted, controlPlane)
  const judged = await judging.catch((thrown: unknown) => thrown)
  if (judged instanceof AmbiguousWriteError) return false
  if (judged instanceof Error) throw judged
  return true
}

describe('the response to a POST of a revision', () => {
  it.each<[string, boolean, Parameters<typeof counts>]>([
    ['begins', true, [{}]],
    ['has our configuration in the form of the service', true, [{ settings: { appConfigPath: 'app.json' } }]],
    ['has a commit in place of our branch', true, [{ settings: { repoRef: COMMIT, imageUri: 'built.example/1' } }]],
    ['has another configuration', false, [{ settings: { repoRef: 'other' } }]],
    ['has ended already', false, [{ status: 'DEPLOY_FAILED' }]],
    ['has ended already, and the deployment cannot be read', false, [{ status: 'DEPLOYED' }, refusedWith(403)]],
    ['has ended already, and is the latest one now', true, [{ status: 'DEPLOYED' }, 'Answered']],
  ])('shows one that %s: counts: %p', async (_case, expected, given) => {
    expect(await counts(...given)).toBe(expected)
  })
})
