import { describe, expect, it } from '@jest/globals'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { restoreRevision } from '../../../src/rollout/rollback/restore.ts'
import { aDeployment, aRevision, fakeClock } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

const TO = aRevision({ id: 'earlier', status: 'DEPLOYED', settings: { imageUri: 'registry.example/agent:1' } })
const DRAFT = { source: 'internal_container', settings: TO.settings } as const

/** What restores a revision, if a redeploy makes a revision of this image, or is refused. */
async function restore(redeployed: string | undefined, draft: typeof DRAFT | undefined) {
  const controlPlane = aControlPlane({
    redeploy: async () =>
      await (redeployed === undefined
        ? Promise.reject(refusedWith(400))
        : Promise.resolve(aDeployment({ latestRevisionId: 'new' }))),
    getDeployment: async () => await Promise.resolve(aDeployment({ latestRevisionId: 'new' })),
    getRevision: async (_deployment, id) =>
      await Promise.resolve(id === 'new' ? aRevision({ id, settings: { imageUri: redeployed } }) : TO),
    createRevision: async (_deployment, { settings }) => await Promise.resolve(aRevision({ id: 'made', settings })),
  })
  const clock = fakeClock()
  const deps = aRun({ controlPlane, clock, maxRetries: 3 })
  return await restoreRevision(knownDeployment(aDeployment(), deps), { to: TO, draft, commit: undefined }, deps)
}

it('an earlier revision is perhaps restored twice, if a redeploy was accepted and no revision followed', async () => {
  const before = aDeployment({ latestRevisionId: 'failed', activeRevisionId: 'failed' })
  const controlPlane = aControlPlane({
    redeploy: async () => await Promise.resolve(before),
    getDeployment: async () => await Promise.resolve(before),
    getRevision: async (_deployment, id) => await Promise.resolve(aRevision({ ...TO, id })),
    createRevision: async (_deployment, { settings }) => await Promise.resolve(aRevision({ id: 'made', settings })),
  })
  const clock = fakeClock()
  const deps = aRun({ controlPlane, clock, maxRetries: 3 })
  const restoration = { to: TO, draft: DRAFT, commit: undefined }
  expect(await restoreRevision(knownDeployment(before, deps), restoration, deps)).toMatchObject({
    change: 'revised',
    revisionId: 'made',
    repeated: [{ kind: 'revision', before, settings: TO.settings, sinceFirstMs: 18_000 }],
  })
})

describe('an earlier revision is restored', () => {
  it.each([
    ['by a redeploy', TO.settings.imageUri, DRAFT, { kind: 'made', change: 'redeployed', revisionId: 'new' }],
    ['by its configuration', undefined, DRAFT, { kind: 'made', change: 'revised', revisionId: 'made' }],
    ['by nothing without one', undefined, undefined, { kind: 'not-redeployed', because: 'refused' }],
    ['not by another one', 'registry.example/agent:2', DRAFT, { kind: 'newer-revision', revisionId: 'new' }],
  ])('%s', async (_title, redeployed, draft, expected) => {
    expect(await restore(redeployed, draft)).toMatchObject(expected)
  })
})
