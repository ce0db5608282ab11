import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import type { Repeated } from '../../../src/rollout/event.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import { attachTo, attachToLatest } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, DEPLOYMENT_ID, REVISION_ID } from '../../builders.ts'
import { setUp } from '../set-up.ts'

const OTHER = 'other'
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
  let reads = 0
  const read = (): Deployment => {
    const activeRevisionId = active[Math.min(reads++, active.length - 1)]
    return aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId })
  }
  const listed = (): Revision[] => [REVISION_ID, OTHER, 'old'].map((id) => aRevision({ id, createdAt: 0 }))
  const { deps } = setUp({
    current: before,
    revisions: { [REVISION_ID]: { createdAt: 100_000 } },
    answers: {
      getDeployment: () => Promise.resolve(read()),
      listDeployments: ({ offset }) => Promise.resolve({ resources: offset > 0 ? [] : [read()], offset: 1 }),
      listRevisions: () => Promise.resolve(listed()),
    },
  })
  const { outcome } = await watchRevision(
    {
      deploymentId: DEPLOYMENT_ID,
      revisionId: REVISION_ID,
      revision: undefined,
      before,
      reportsActive,
      url: undefined,
      repeated: [repeated],
    },
    aRequest({ pollInterval: 1_000, logs: 'never' }),
    deps,
  )
  return { outcome, reads }
}

describe('a confirmed revision whose write was repeated', () => {
  const cases: [string, Repeated][] = [
    ['second revision', revision],
    ['second deployment', deployment],
  ]

  it.each(cases)('is not deployed if the look for a %s shows another one as active', async (_what, repeated) => {
    expect((await watchedThrough(repeated, [REVISION_ID, OTHER])).outcome).toEqual({ kind: 'superseded', by: OTHER })
  })

  it.each(cases)('is not deployed if the look for a %s shows none as active', async (_what, repeated) => {
    const { outcome } = await watchedThrough(repeated, [REVISION_ID, null])
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'nothing-active' } })
  })

  it.each(cases)('is deployed if only one answer to the look for a %s is an earlier one', async (_what, repeated) => {
    const { outcome } = await watchedThrough(repeated, [REVISION_ID, 'old', REVISION_ID])
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
  })

  it.each(cases)('is not deployed if another one is active after the look for a %s', async (_what, repeated) => {
    const { outcome } = await watchedThrough(repeated, [REVISION_ID, REVISION_ID, OTHER])
    expect(outcome).toEqual({ kind: 'superseded', by: OTHER })
  })

  it.each([
    ['shows it as active', REVISION_ID],
    ['does not show which one is active', undefined],
  ])('is deployed if that look and what follows %s', async (_case, active) => {
    const { outcome } = await watchedThrough(revision, [REVISION_ID, active])
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
  })

  it.each(cases)('is unconfirmed if only the look for a %s shows which one is active', async (_what, repeated) => {
    const { outcome } = await watchedThrough(repeated, [undefined, OTHER, undefined], false)
    expect(outcome).toMatchObject({ kind: 'failed', because: { kind: 'active-unknown' } })
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
      isAttached: true,
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
  const controlPlane = { ...deps.controlPlane, within: () => controlPlane, getDeployment }
  const watched = attachToLatest(deployment, ours)
  const { outcome } = await watchRevision(watched, aRequest({}), { ...deps, controlPlane })
  expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
})
