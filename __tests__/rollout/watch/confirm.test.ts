import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { failsStep, type Outcome } from '../../../src/rollout/outcome.ts'
import { settleOutcome } from '../../../src/rollout/watch/confirm.ts'
import {
  aDeployment,
  aRevision,
  DEPLOYMENT_ID,
  fakeClock,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../../builders.ts'

const NEWER = '99999999-9999-4999-8999-999999999999'

async function settle(
  status: string,
  answers: Partial<Deployment>[],
  created: { ours: number; other: number } = { ours: 1000, other: 2000 },
): Promise<{ outcome: Outcome; waited: number }> {
  const clock = fakeClock()
  let at = 0
  const getDeployment = (): Promise<Deployment> =>
    Promise.resolve(aDeployment(answers[Math.min(at++, answers.length - 1)]))
  const outcome = await settleOutcome(aRevision({ status, createdAt: created.ours }), {
    controlPlane: {
      getDeployment,
      getRevision: () => Promise.resolve(aRevision({ id: NEWER, createdAt: created.other })),
    },
    deploymentId: DEPLOYMENT_ID,
    before: aDeployment(),
    clock,
    deadline: 30_000,
    signal: new AbortController().signal,
  })
  return { outcome, waited: clock.now() }
}

describe('settleOutcome', () => {
  it('says deployed when our revision is the active one', async () => {
    expect((await settle('DEPLOYED', [{ activeRevisionId: REVISION_ID }])).outcome).toEqual({
      kind: 'deployed',
      confirmed: true,
    })
  })

  it('waits until the deployment agrees', async () => {
    const { outcome, waited } = await settle('DEPLOYED', [
      { activeRevisionId: OLD_REVISION_ID },
      { activeRevisionId: null },
      { activeRevisionId: REVISION_ID },
    ])
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
    expect(waited).toBe(4000)
  })

  it('says that it could not confirm when the control plane never tells the active revision', async () => {
    expect((await settle('DEPLOYED', [{ activeRevisionId: undefined }])).outcome).toEqual({
      kind: 'deployed',
      confirmed: false,
    })
  })

  it('never says deployed while another revision is active', async () => {
    expect((await settle('DEPLOYED', [{ activeRevisionId: NEWER }])).outcome).toEqual({
      kind: 'superseded',
      by: NEWER,
    })
    const stuck = await settle('DEPLOYED', [{ activeRevisionId: OLD_REVISION_ID }])
    expect(stuck.outcome).toEqual({ kind: 'superseded', by: OLD_REVISION_ID })
    expect(stuck.waited).toBe(30_000)
  })

  it('waits when what is active is older than ours, made between our look and our write', async () => {
    const older = { activeRevisionId: NEWER }
    const { outcome } = await settle('DEPLOYED', [older, { activeRevisionId: REVISION_ID }], {
      ours: 2000,
      other: 1000,
    })
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
  })

  it('looks for some seconds for the newer revision because of which ours ended', async () => {
    const { outcome } = await settle('SKIPPED', [
      { latestRevisionId: REVISION_ID },
      { latestRevisionId: REVISION_ID },
      { latestRevisionId: NEWER },
    ])
    expect(outcome).toEqual({ kind: 'superseded', by: NEWER })
  })

  it('fails when none is active in the end', async () => {
    expect((await settle('DEPLOYED', [{ activeRevisionId: null }])).outcome).toEqual({
      kind: 'failed',
      because: { kind: 'nothing-active' },
    })
  })

  it.each(['CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED'])('%s is a failure', async (status) => {
    expect((await settle(status, [])).outcome).toEqual({ kind: 'failed', because: { kind: 'revision' } })
  })

  it.each<[string, Outcome]>([
    ['SKIPPED', { kind: 'skipped', because: 'revision' }],
    ['INTERRUPTED', { kind: 'interrupted' }],
  ])('%s is superseded by a newer revision, and by nothing else', async (status, own) => {
    expect((await settle(status, [{ latestRevisionId: NEWER }])).outcome).toEqual({
      kind: 'superseded',
      by: NEWER,
    })
    expect((await settle(status, [{ latestRevisionId: REVISION_ID }])).outcome).toEqual(own)
    // A replica that lags behind still names the revision before ours.
    expect((await settle(status, [{ latestRevisionId: OLD_REVISION_ID }])).outcome).toEqual(own)
  })
})

describe('settleOutcome, when the deployment cannot be read', () => {
  const unreachable = new UnreachableError({ attempted: 'read', cameBack: 'GET answered 500', hint: 'later' })
  const settleBlind = async (status: string, getDeployment: () => Promise<Deployment>): Promise<Outcome> =>
    await settleOutcome(aRevision({ status }), {
      controlPlane: { getDeployment, getRevision: () => Promise.resolve(aRevision({ id: NEWER })) },
      deploymentId: DEPLOYMENT_ID,
      before: undefined,
      clock: fakeClock(),
      deadline: 30_000,
      signal: new AbortController().signal,
    })

  it('looks again, and says deployed when it can see it', async () => {
    let reads = 0
    const getDeployment = async (): Promise<Deployment> =>
      await (reads++ < 2
        ? Promise.reject(unreachable)
        : Promise.resolve(aDeployment({ activeRevisionId: REVISION_ID })))
    expect(await settleBlind('DEPLOYED', getDeployment)).toEqual({ kind: 'deployed', confirmed: true })
  })

  it('says in the end that it is DEPLOYED, and that nobody could see whether it is active', async () => {
    const because = { kind: 'active-unknown', trouble: 'GET answered 500' }
    expect(await settleBlind('DEPLOYED', async () => await Promise.reject(unreachable))).toEqual({
      kind: 'failed',
      because,
    })
  })

  it('tells the end of a skipped revision all the same', async () => {
    expect(await settleBlind('SKIPPED', async () => await Promise.reject(unreachable))).toEqual({
      kind: 'skipped',
      because: 'revision',
    })
  })
})

describe('failsStep', () => {
  it.each<[Outcome, boolean]>([
    [{ kind: 'deployed', confirmed: true }, false],
    [{ kind: 'started' }, false],
    [{ kind: 'superseded', by: NEWER }, true],
    [{ kind: 'failed', because: { kind: 'revision' } }, true],
    [{ kind: 'timed-out', lastTrouble: undefined }, true],
    [{ kind: 'skipped', because: 'revision' }, true],
    [{ kind: 'interrupted' }, true],
    [{ kind: 'cancelled' }, true],
  ])('%j: %p', (outcome, fails) => {
    expect(failsStep(outcome, 'fail')).toBe(fails)
  })

  it('lets a superseded rollout pass on demand', () => {
    expect(failsStep({ kind: 'superseded', by: NEWER }, 'succeed')).toBe(false)
  })
})
