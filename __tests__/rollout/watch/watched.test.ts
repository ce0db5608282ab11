import { describe, expect, it } from '@jest/globals'
import { decorated } from '../../../src/control-plane/client.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import type { Repeated } from '../../../src/rollout/event.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import { attachTo, attachToLatest } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, DEPLOYMENT_ID, REVISION_ID } from '../../builders.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'

const OTHER = 'other'
const DEPLOYED = { kind: 'deployed', isConfirmed: true }
const before = aDeployment({ latestRevisionId: 'old', activeRevisionId: 'old' })
const { settings } = before
const revision: Repeated = { kind: 'revision', before, settings, sinceFirstMs: 20_000 }
const draft = { name: 'agent', source: 'git_host', settings } as const
const deployment: Repeated = { kind: 'deployment', draft, before: [], sinceFirstMs: 20_000, createdAt: undefined }

/**
 * Watches a revision whose write was repeated. The reads of the deployment, the look for a second result among them,
 * report these active revisions in turn; the last one stays.
 */
async function watchedThrough(repeated: Repeated, active: Deployment['activeRevisionId'][], reportsActive = true) {
  const shown = active.map((activeRevisionId) => aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId }))
  const read = giving(...shown)
  const { deps } = setUp({
    current: before,
    revisions: { [REVISION_ID]: { createdAt: 100_000 } },
    answers: {
      getDeployment: read,
      listDeployments: async ({ offset }) => ({ resources: offset > 0 ? [] : [await read()], offset: 1 }),
      listRevisions: giving([REVISION_ID, OTHER, 'old'].map((id) => aRevision({ id, createdAt: 0 }))),
    },
  })
  const watched = { ...attachToLatest(before, aRevision()), revision: undefined, before, reportsActive }
  const request = aRequest({ pollInterval: 1_000, logs: 'never' })
  return (await watchRevision({ ...watched, repeated: [repeated] }, request, deps)).outcome
}

describe('a confirmed revision whose write was repeated', () => {
  const cases: [string, Repeated][] = [
    ['second revision', revision],
    ['second deployment', deployment],
  ]

  const superseded = { kind: 'superseded', by: OTHER }
  const failed = { kind: 'failed', because: { kind: 'nothing-active' } }

  describe.each(cases)('and the look for a %s', (_what, repeated) => {
    it.each<[string, Deployment['activeRevisionId'][], object]>([
      ['is not deployed if it shows another one as active', [REVISION_ID, OTHER], superseded],
      ['is not deployed if it shows none as active', [REVISION_ID, null], failed],
      ['is deployed if only one answer to it is an earlier one', [REVISION_ID, 'old', REVISION_ID], DEPLOYED],
      ['is not deployed if another one is active after it', [REVISION_ID, REVISION_ID, OTHER], superseded],
    ])('%s', async (_case, active, outcome) => {
      expect(await watchedThrough(repeated, active)).toEqual(outcome)
    })

    it('is unconfirmed if only that shows which one is active', async () => {
      const outcome = await watchedThrough(repeated, [undefined, OTHER, undefined], false)
      expect(outcome).toMatchObject({ kind: 'failed', because: { kind: 'active-unknown' } })
    })
  })

  it.each([
    ['shows it as active', REVISION_ID],
    ['does not show which one is active', undefined],
  ])('is deployed if that look and what follows %s', async (_case, active) => {
    const outcome = await watchedThrough(revision, [REVISION_ID, active])
    expect(outcome).toEqual(DEPLOYED)
  })
})

describe('attachTo', () => {
  it('keeps the active revision of before while the revision is under way', () => {
    const deployment = aDeployment({ latestRevisionId: REVISION_ID })
    const revision = aRevision({ status: 'BUILDING' })
    expect(attachTo(deployment, revision)).toEqual({
      deploymentId: DEPLOYMENT_ID,
      revisionId: REVISION_ID,
      revision,
      reportsActive: true,
      before: { ...deployment, latestRevisionId: undefined, settings: {} },
      repeated: [],
    })
  })

  it('knows nothing of before once the revision has ended', () => {
    expect(attachTo(aDeployment(), aRevision({ status: 'DEPLOYED' })).before).toBeUndefined()
  })
})

it('does not take the revision that is active for newer than the latest one, which has ended, whatever their dates', async () => {
  const deployment = aDeployment({ latestRevisionId: 'ours', activeRevisionId: 'old' })
  const ours = aRevision({ id: 'ours', status: 'DEPLOYED', createdAt: 1_000 })
  const { deps, clock } = setUp({ revisions: { ours, old: { createdAt: 2_000 } } })
  const getDeployment = async () =>
    await Promise.resolve({ ...deployment, activeRevisionId: clock.now() > 10_000 ? 'ours' : 'old' })
  const controlPlane = decorated(deps.controlPlane, () => ({ getDeployment }))
  const watched = attachToLatest(deployment, ours)
  const { outcome } = await watchRevision(watched, aRequest({}), { ...deps, controlPlane })
  expect(outcome).toEqual(DEPLOYED)
})
