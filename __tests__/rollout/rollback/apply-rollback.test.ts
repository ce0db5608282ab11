import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { RefusedError } from '../../../src/control-plane/errors.ts'
import type { Settings } from '../../../src/control-plane/model.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { patchKnown } from '../../../src/rollout/apply/patch-known.ts'
import { applyRollback } from '../../../src/rollout/rollback/automatic.ts'
import { aDeployment, aRevision, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

const settings = { imageUri: 'registry.example/agent:1' }
const source = 'external_container'

/** Restores the earlier revision. `canRepeat`: a new revision can do so, too. */
async function restore(
  answers: Partial<ControlPlane>,
  {
    canRepeat = true,
    onlyByRevision = false,
    patch,
  }: { canRepeat?: boolean; onlyByRevision?: boolean; patch?: Settings },
) {
  const deps = aRun({
    controlPlane: aControlPlane({ getDeployment: () => Promise.resolve(aDeployment({ source })), ...answers }),
    maxRetries: 3,
  })
  const known = knownDeployment(aDeployment({ source, latestRevisionId: 'failed' }), deps)
  return await applyRollback(
    known,
    {
      kind: 'restore',
      to: aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings }),
      draft: canRepeat ? { source, settings } : undefined,
      commit: undefined,
      onlyByRevision,
      patch,
      kept: [],
      changedSince: [],
    },
    deps,
    async () => {
      if (patch !== undefined) await patchKnown(known, patch, deps)
    },
  )
}

/** On a control plane that refuses to redeploy the revision with this status. */
async function refusedBy(status: number) {
  const createRevision = jest.fn<ControlPlane['createRevision']>().mockResolvedValue(aRevision({ settings }))
  const redeploy = (): Promise<never> => Promise.reject(refusedWith(status))
  const restored = await restore({ redeploy, createRevision }, {}).catch((thrown: unknown) => thrown)
  return { restored, revisionsCreated: createRevision.mock.calls.length }
}

/** The writes of a rollback with a patch, in order. */
async function writesOf(canRepeat: boolean, isRedeployed: boolean, onlyByRevision = false): Promise<string[]> {
  const writes: string[] = []
  const answers: Partial<ControlPlane> = {
    updateDeployment: (_id, patch) => {
      writes.push('patch')
      return Promise.resolve(aDeployment({ source, settings: patch }))
    },
    redeploy: () => {
      writes.push('redeploy')
      if (!isRedeployed) return Promise.reject(refusedWith(404))
      return Promise.resolve(aDeployment({ source, latestRevisionId: REVISION_ID }))
    },
    createRevision: () => {
      writes.push('revision')
      return Promise.resolve(aRevision({ settings }))
    },
    getRevision: () => Promise.resolve(aRevision({ settings })),
  }
  await restore(answers, { canRepeat, onlyByRevision, patch: { shareable: true } })
  return writes
}

describe('a rollback that also restores settings', () => {
  it.each([
    ['sets them first where it is certain to restore the revision', true, true, false, ['patch', 'redeploy']],
    ['sets them first, once, where a revision follows', true, false, false, ['patch', 'redeploy', 'revision']],
    ['asks for no redeploy where only a revision restores all', true, true, true, ['patch', 'revision']],
    ['sets nothing before the redeploy where only that restores it', false, true, false, ['redeploy']],
    ['sets nothing where only a redeploy restores it, and there is none', false, false, false, ['redeploy']],
  ])('%s', async (_case, canRepeat, isRedeployed, onlyByRevision, writes) => {
    expect(await writesOf(canRepeat, isRedeployed, onlyByRevision)).toEqual(writes)
  })
})

describe('a rollback whose redeploy is refused', () => {
  // Credentials that may not redeploy a revision may not create one either.
  it.each([401, 403])('creates no revision after a %d, and reports the refusal', async (status) => {
    const { restored, revisionsCreated } = await refusedBy(status)
    expect(restored).toBeInstanceOf(RefusedError)
    expect(restored).toMatchObject({ status })
    expect(revisionsCreated).toBe(0)
  })

  it.each([400, 404, 405, 409, 422])('creates a revision with the same settings after a %d', async (status) => {
    const { restored, revisionsCreated } = await refusedBy(status)
    expect(restored).toMatchObject({ revisionId: REVISION_ID })
    expect(revisionsCreated).toBe(1)
  })
})
