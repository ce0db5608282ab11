import { describe, expect, it } from '@jest/globals'
import { decorated } from '../../../src/control-plane/client.ts'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { rollBack } from '../../../src/rollout/rollback/automatic.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, OLD_REVISION_ID } from '../../builders.ts'
import { setUp } from '../set-up.ts'

/** A rollback whose first reads are of a replica that lags 3 s behind the PATCH of the run. */

const [ONE, TWO] = ['https://one.example', 'https://two.example']
const FAILED: RolloutOutcome = { kind: 'failed', because: { kind: 'revision' } }
const UNVERIFIED: RolloutOutcome = { kind: 'unverified', url: TWO, trouble: '500', evidence: 'answer' }
const before = aDeployment({ source: 'external_container', settings: { imageUri: 'r/i:1', customUrl: ONE } })

interface Given {
  outcome: RolloutOutcome
  /** The active revision. */
  active: string
  /** Only a redeploy restores the revision, and the service has that route. */
  byRedeploy?: boolean
  /** What the run has set; another address if not given. */
  customUrl?: string
  /** What the service showed after the PATCH. */
  patched?: Settings
}

async function rollBackBehind({
  outcome,
  active,
  byRedeploy = false,
  customUrl = TWO,
  patched = { customUrl },
}: Given) {
  const settings = { imageUri: 'r/i:2', customUrl }
  const failed = aRevision({ id: 'failed', settings: { imageUri: 'r/i:2' } })
  const current = { ...before, latestRevisionId: 'failed', activeRevisionId: active, settings }
  const revisions = { failed, [OLD_REVISION_ID]: { settings: byRedeploy ? {} : { imageUri: 'r/i:1' } } }
  const around = setUp({ current, revisions })
  let behindUntil = 3_000
  const controlPlane = decorated(around.deps.controlPlane, (service) => ({
    getDeployment: async (id): Promise<Deployment> => {
      const now = await service.getDeployment(id)
      const isBehind = around.clock.now() < behindUntil
      return isBehind ? { ...now, settings: { ...now.settings, customUrl: ONE } } : now
    },
    redeploy: async (id, to) => {
      if (!byRedeploy) return await service.redeploy(id, to)
      behindUntil = around.clock.now() + 3_000
      return around.change({ latestRevisionId: to, activeRevisionId: to })
    },
  }))
  const ended = { ...attachTo(current, failed), before, outcome, patched, lastPhase: undefined, shownLogs: [] }
  await rollBack(ended, aRequest({ rollback: 'on-failure', settings }), { ...around.deps, controlPlane })
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? event.rollback : []))
  return { shown: around.change({}).settings.customUrl, last: rollbacks.at(-1), beganAt: around.clock.now() }
}

const KEY = (value?: string): Settings => ({ secrets: [{ name: 'KEY', value }] })

/** The first reads are of a replica that lags behind the revision of the run, which has changed a secret. */
async function rollBackSecrets(earlier: Settings, changed: Settings) {
  const old = { ...before, settings: { imageUri: 'r/i:1', ...earlier } }
  const failed = aRevision({ id: 'failed', settings: { imageUri: 'r/i:2' } })
  const settings = { imageUri: 'r/i:2', ...changed }
  const current = { ...old, latestRevisionId: 'failed', activeRevisionId: null, settings }
  const redeployed: string[] = []
  const revisions = { failed, [OLD_REVISION_ID]: { settings: { imageUri: 'r/i:1' } } }
  const around = setUp({ current, revisions })
  const controlPlane = decorated(around.deps.controlPlane, (service) => ({
    getDeployment: async (id): Promise<Deployment> => {
      const now = await service.getDeployment(id)
      return around.clock.now() < 3_000 ? { ...now, settings: { ...now.settings, ...earlier } } : now
    },
    redeploy: async (_id, to) => {
      redeployed.push(to)
      // It restores no secret.
      return await Promise.resolve(around.change({ latestRevisionId: to, activeRevisionId: to }))
    },
  }))
  const ended = { ...attachTo(current, failed), before: old, outcome: FAILED, lastPhase: undefined, shownLogs: [] }
  await rollBack(ended, aRequest({ rollback: 'on-failure', settings }), { ...around.deps, controlPlane })
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? event.rollback : []))
  return { shown: around.change({}).settings.secrets, redeployed, last: rollbacks.at(-1), endedAt: around.clock.now() }
}

describe('a rollback of a changed secret', () => {
  it('restores it, though a replica that lags shows its earlier value', async () => {
    const { shown, redeployed, last } = await rollBackSecrets(KEY('old'), KEY('new'))
    expect({ shown, redeployed }).toEqual({ shown: KEY('old').secrets, redeployed: [] })
    expect(last).toMatchObject({ kind: 'restored', kept: [], changedSince: [] })
  })

  it('lists it as kept, not as of another client, though a replica that lags shows the earlier names', async () => {
    const { last } = await rollBackSecrets({ secrets: [{ name: 'OLD', value: undefined }] }, KEY('new'))
    expect(last).toMatchObject({ kind: 'restored', kept: ['secrets'], changedSince: [] })
  })

  it('does not wait where no answer shows its value', async () => {
    const { last, endedAt } = await rollBackSecrets(KEY(), KEY('new'))
    expect(last).toMatchObject({ kind: 'restored', kept: ['secrets'], changedSince: [] })
    expect(endedAt).toBeLessThan(6_000)
  })
})

describe('a rollback', () => {
  it('restores what a replica that lags shows with its earlier value', async () => {
    const { shown, last } = await rollBackBehind({ outcome: FAILED, active: OLD_REVISION_ID })
    expect(shown).toBe(ONE)
    expect(last).toMatchObject({ kind: 'not-possible', restored: ['customUrl'], kept: [], changedSince: [] })
  })

  it('restores it after a redeploy', async () => {
    const { shown, last } = await rollBackBehind({ outcome: UNVERIFIED, active: 'failed', byRedeploy: true })
    expect(shown).toBe(ONE)
    expect(last).toMatchObject({ kind: 'restored', kept: [], changedSince: [] })
  })

  it.each([
    ['has the value that the run has set', { customUrl: ONE, patched: {} }],
    ['has showed it after the PATCH, too', { patched: { customUrl: ONE } }],
  ])('does not wait if the earlier deployment %s', async (_case, over) => {
    const { beganAt } = await rollBackBehind({ outcome: FAILED, active: OLD_REVISION_ID, ...over })
    expect(beganAt).toBe(0)
  })
})
