import { describe, expect, it } from '@jest/globals'
import type { Deployment, Settings } from '../../src/control-plane/model.ts'
import { rollback } from '../../src/rollout/rollback/rollback.ts'
import { gitHubOf } from '../a-run.ts'
import { aDeployment, aRequest, aRevision, INTEGRATION_ID, OLD_REVISION_ID } from '../builders.ts'
import { busyFor, CONTAINER, image, rollOut, THEIRS } from './busy.ts'
import { namesOf, type Scenario } from './set-up.ts'

/** A deployment that another client changes while a run waits for its first write: each pause follows a 429. */

const NEWER = 'e'.repeat(40)
const secrets = [{ name: 'K', value: 'v' }]

describe('a rollout', () => {
  it('repeats what is there at its write, not what was there before', async () => {
    const { outcome, sent, names } = await rollOut(
      { pauses: [THEIRS], scenario: { current: CONTAINER } },
      { settings: { secrets } },
    )
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:2'])
    expect(names.slice(3, 6)).toEqual(['request-retried', 'changed-meanwhile', 'current-state-read'])
  })

  it('protects a newer commit that was deployed meanwhile', async () => {
    const current = aDeployment({ repoCommitSha: 'a'.repeat(40) })
    const theirs = { latestRevisionId: 'theirs', activeRevisionId: 'theirs', repoCommitSha: NEWER }
    const compareCommits = async (deployed: string) =>
      await Promise.resolve(deployed === NEWER ? ('behind' as const) : ('ahead' as const))
    const { outcome, writes } = await rollOut(
      { pauses: [theirs], scenario: { current, over: { gitHub: gitHubOf({ compareCommits }) } } },
      {
        source: 'git_host',
        protectNewer: true,
        settings: { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' },
      },
    )
    expect(outcome).toEqual({ kind: 'superseded', by: 'theirs' })
    expect(writes).toEqual([])
  })

  it('plans again once after the late activation of an earlier revision', async () => {
    const late = { activeRevisionId: 'earlier' }
    const current = { ...CONTAINER, latestRevisionId: 'earlier' }
    const { outcome, names } = await rollOut({ pauses: [late], scenario: { current } }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names.filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  const reference = { name: 'A', secretName: 's', secretKey: 'k' }
  const spec = { cpu: 1, memory_mb: 1_024, sidecars: [{ name: 'proxy', image: 'r/p:1', env: [] }] }
  const sidecars = [{ name: 'proxy', image: 'r/p:1' }]
  it.each<[string, Settings, Settings]>([
    ['no secrets', { secrets: [] }, { secrets }],
    ['names of secrets only', { secrets: [{ name: 'K', value: '' }] }, { secrets }],
    ['placeholders', { secrets: [{ name: 'K', value: '***' }] }, { secrets }],
    ['no references', { secretReferences: [] }, { secretReferences: [reference] }],
    ['a part of a resource spec', { resourceSpec: { cpu: 1 } }, { resourceSpec: spec }],
    ['a sidecar without its empty list', { resourceSpec: { cpu: 1, sidecars } }, { resourceSpec: spec }],
  ])('takes nothing for a change if the list shows %s', async (_case, less, more) => {
    const current = { ...CONTAINER, settings: { ...image(1), ...more } }
    const listed = { ...current, settings: { ...image(1), ...less } }
    const listDeployments = async () => await Promise.resolve({ resources: [listed], offset: 1 })
    const scenario = { current, answers: { listDeployments } }
    const { outcome, names } = await rollOut({ pauses: [{}], scenario }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names).not.toContain('changed-meanwhile')
  })

  it('reads by its id what a list shows with another value', async () => {
    const current = { ...CONTAINER, settings: { ...image(1), shareable: true } }
    const listed = { ...current, settings: { ...image(1), shareable: false } }
    const listDeployments = async () => await Promise.resolve({ resources: [listed], offset: 1 })
    const scenario = { current, answers: { listDeployments } }
    const { outcome, names } = await rollOut({ pauses: [{}, {}], scenario }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names.filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  it.each<[string, Settings]>([
    ['another part of a resource spec', { resourceSpec: { cpu: 2 } }],
    ['another reference', { secretReferences: [{ ...reference, secretKey: 'theirs' }] }],
    ['an address no more', { customUrl: undefined }],
  ])('sees %s of another client, though it knows a list only', async (_case, settings) => {
    const before = { resourceSpec: { cpu: 1 }, secretReferences: [reference], customUrl: 'https://one.example' }
    const current = { ...CONTAINER, settings: { ...image(1), ...before } }
    const { names } = await rollOut({ pauses: [{ settings }], scenario: { current } }, { settings: image(3) })
    expect(names.filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  it('compares secrets between two reads that are no lists', async () => {
    const current = { ...CONTAINER, settings: { ...image(1), secrets } }
    const changed = { settings: { secrets: [{ name: 'K', value: 'w' }] } }
    const { outcome, names } = await rollOut({ pauses: [{}, changed], scenario: { current } }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names).toContain('changed-meanwhile')
  })

  it('that has set something already goes on after a late activation, or its own PATCH', async () => {
    const current = {
      ...CONTAINER,
      latestRevisionId: 'earlier',
      settings: { ...image(1), customUrl: 'https://one.example' },
    }
    const { outcome, writes } = await rollOut(
      { pauses: [{ activeRevisionId: 'earlier' }], scenario: { current } },
      { settings: { ...image(3), customUrl: 'https://two.example' } },
    )
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(writes).toEqual(['patch customUrl', 'revision-1'])
  })
})

describe('the action rollback', () => {
  const older = aRevision({ id: 'older', status: 'DEPLOYED', settings: image(0), createdAt: 2_000 })
  const { timeoutMs, pollInterval, phaseLimits, onSuperseded, logs, repository } = aRequest({})
  const watched = { timeoutMs, pollInterval, phaseLimits, onSuperseded, logs, repository, verification: undefined }

  const oldest = aRevision({ id: 'oldest', status: 'DEPLOYED', settings: image(-1), createdAt: 1 })

  async function goBack(pause: Partial<Deployment>, revisionId: string | undefined, isListed = true, less?: Settings) {
    const listed = [aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: image(1) }), older, oldest]
    const current = { ...CONTAINER, latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }
    const theirs = aRevision({ id: 'theirs', status: 'DEPLOYED', settings: image(2) })
    const scenario: Scenario = {
      current,
      revisions: { older, oldest, theirs, [OLD_REVISION_ID]: listed[0] ?? {} },
      answers: {
        ...(isListed && { listRevisions: async () => await Promise.resolve(listed) }),
        ...(less && {
          listDeployments: async () =>
            await Promise.resolve({ resources: [{ ...current, settings: less }], offset: 1 }),
        }),
      },
    }
    const around = busyFor({ pauses: [pause, {}], scenario })
    const asked = { ...watched, target: { kind: 'name', name: CONTAINER.name }, revisionId, dryRun: false } as const
    const outcome = await rollback(asked, { ...around.deps, isFirstAttempt: true })
    return { ...around, outcome }
  }

  it.each([['older'], [undefined]])('does not go over a newer revision (%s)', async (revisionId) => {
    const { outcome, writes } = await goBack(THEIRS, revisionId)
    expect(outcome).toEqual({ kind: 'superseded', by: 'theirs' })
    expect(writes).toEqual([])
  })

  it.each([
    ['listed', undefined, true],
    ['dated', 'older', false],
  ])('does not go forward again after somebody has gone back further (%s)', async (_case, revisionId, isListed) => {
    const { outcome, writes } = await goBack({ activeRevisionId: 'oldest' }, revisionId, isListed)
    expect(outcome).toEqual({ kind: 'superseded', by: 'oldest' })
    expect(writes).toEqual([])
  })

  it('goes on if somebody has gone back to the same revision', async () => {
    const { outcome, writes } = await goBack({ activeRevisionId: 'older' }, undefined)
    expect(outcome).toMatchObject({ kind: 'unchanged' })
    expect(writes).toEqual([])
  })

  it('reads by its id what a list shows with another value', async () => {
    const { outcome, events } = await goBack({}, 'older', true, { ...image(9), shareable: false })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(namesOf(events).filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  it('goes back to the same revision after another change', async () => {
    const { outcome, sent, events } = await goBack({ activeRevisionId: 'theirs' }, undefined)
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:0'])
    expect(namesOf(events).filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })
})
