import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../src/control-plane/model.ts'
import { aDeployment, INTEGRATION_ID, OLD_REVISION_ID } from '../builders.ts'
import { CONTAINER, image, rollOut, THEIRS, type Busy } from './busy.ts'
import type { Scenario } from './set-up.ts'

/** A deployment that another client changes after the run has patched it, and before its revision. */

const at = (place: string) => ({ customUrl: `https://${place}.example` })
const current = { ...CONTAINER, updatedAt: -1, settings: { ...image(1), ...at('one') } }
const secrets = [{ name: 'K', value: 'v' }]
const WHEN_FAILED = { rollback: 'on-failure', settings: { ...at('two'), secrets } } as const
/** The revision of the run fails. */
const FAILING: Scenario = {
  current,
  failureStops: true,
  statuses: [['QUEUED', 'DEPLOY_FAILED']],
  revisions: { theirs: { settings: image(2) }, [OLD_REVISION_ID]: { settings: image(1) } },
}

const VERIFICATION = { url: 'https://agent.example', status: 200, contains: undefined, timeoutMs: 1_000 }

describe('a rollout that has patched something', () => {
  it('repeats in its revision what is there by then', async () => {
    const { outcome, sent, writes, events } = await rollOut(
      { pauses: [THEIRS], scenario: { current } },
      { settings: { ...at('two'), secrets } },
    )
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:2'])
    expect(writes).toEqual(['patch customUrl', 'revision-1'])
    const change = { kind: 'revised', revisionId: 'theirs' }
    expect(events).toContainEqual({ kind: 'changed-meanwhile', deploymentId: current.id, change })
  })

  it('protects a newer commit that was deployed meanwhile', async () => {
    const newer = 'e'.repeat(40)
    const compareCommits = async (deployed: string) =>
      await Promise.resolve(deployed === newer ? ('behind' as const) : ('ahead' as const))
    const git = aDeployment({ repoCommitSha: 'a'.repeat(40), settings: { installCommand: 'npm ci' } })
    const { outcome, writes } = await rollOut(
      {
        pauses: [{ latestRevisionId: 'theirs', activeRevisionId: 'theirs', repoCommitSha: newer }],
        scenario: { current: git, over: { compareCommits } },
      },
      {
        source: 'git_host',
        protectNewer: true,
        settings: { installCommand: 'yarn', integrationId: INTEGRATION_ID, appConfigPath: 'app.json' },
      },
    )
    expect(outcome).toEqual({ kind: 'superseded', by: 'theirs' })
    expect(writes).toEqual(['patch installCommand'])
  })

  it('creates no revision if that of another client is what was requested, and has deployed something', async () => {
    const { outcome, writes } = await rollOut(
      { pauses: [THEIRS], scenario: { current, revisions: { theirs: { settings: image(2) } } } },
      { ifUnchanged: 'skip', settings: { ...at('two'), ...image(2) } },
    )
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
    expect(writes).toEqual(['patch customUrl'])
  })

  it('lists what it has patched if that revision of another client fails the check', async () => {
    const over = { probe: async () => await Promise.resolve({ kind: 'answer', status: 500, body: '' } as const) }
    const { outcome, last } = await rollOut(
      { pauses: [THEIRS], scenario: { current, over, revisions: { theirs: { settings: image(2) } } } },
      {
        ifUnchanged: 'skip',
        rollback: 'on-failure',
        verification: VERIFICATION,
        settings: { ...at('two'), ...image(2) },
      },
    )
    expect(outcome).toMatchObject({ kind: 'unverified' })
    const because = { kind: 'not-own-revision', revisionId: 'theirs' }
    expect(last).toMatchObject({ kind: 'not-possible', because, kept: ['customUrl'] })
  })

  it.each([
    ['what was there before its patch', 'one', { pauses: [THEIRS] }],
    ['the same after a PATCH whose answer was lost', 'one', { afterLostPatch: THEIRS }],
    ['the same after two pauses', 'one', { pauses: [THEIRS, { latestRevisionId: 'other' }] }],
    ['the same if the service writes it in its own form', 'one', { pauses: [THEIRS], hasOwnForm: true }],
    ['the same after two pauses then', 'one', { pauses: [THEIRS, { latestRevisionId: 'other' }], hasOwnForm: true }],
    [
      'what another client set after it',
      'three',
      { pauses: [{ ...THEIRS, settings: { ...image(2), ...at('three') } }] },
    ],
    // No PATCH clears it again.
    [
      'nothing that another client cleared after it',
      'two',
      { pauses: [{ ...THEIRS, settings: { ...image(2), customUrl: undefined } }] },
    ],
  ])('restores %s', async (_case, place, busy: Partial<Busy>) => {
    const { outcome, settings, sent } = await rollOut({ ...busy, scenario: FAILING }, WHEN_FAILED)
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(settings.customUrl).toContain(at(place).customUrl)
    expect(sent).toEqual(['r/i:2', 'r/i:2'])
  })

  const written = { ...at('two'), customUrl: 'https://two.example/agent' }
  it.each<[string, Partial<Deployment>[]]>([
    ['what no answer shows to be its own form of ours', [THEIRS]],
    ['the same after two pauses', [THEIRS, { latestRevisionId: 'other' }]],
  ])('lists what it does not restore: %s', async (_case, pauses) => {
    const { settings, last } = await rollOut({ pauses, hasOwnForm: 'undated', scenario: FAILING }, WHEN_FAILED)
    expect(settings).toMatchObject(written)
    expect(last).toMatchObject({ kind: 'restored', changedSince: ['customUrl'] })
  })

  it('restores the same after the revision of another client, which it has resumed, fails', async () => {
    const digest = { imageUri: `r/i@sha256:${'2'.repeat(64)}` }
    const theirs = { settings: digest, status: 'BUILDING', statuses: ['BUILDING', 'BUILDING', 'DEPLOY_FAILED'] }
    const { settings, writes, names } = await rollOut(
      {
        pauses: [{ latestRevisionId: 'theirs', settings: digest }],
        scenario: { ...FAILING, revisions: { ...FAILING.revisions, theirs } },
      },
      { resume: true, rollback: 'on-failure', settings: { ...at('two'), ...digest } },
    )
    expect(names).toContain('attached resumed')
    expect({ settings, writes }).toMatchObject({ settings: at('one') })
  })

  it('says after five plans that it has written, and names the other revision', async () => {
    const pauses = [2, 3, 4, 5, 6, 7].map((version) => ({ latestRevisionId: `theirs-${version}` }))
    const { outcome, writes, names } = await rollOut({ pauses, scenario: { current } }, { settings: at('two') })
    const words = 'since the first write of this run, another client made the revision theirs-6. Check the deployment'
    expect(String(outcome)).toContain(words)
    expect(writes).toEqual(['patch customUrl'])
    expect(names.filter((name) => name === 'planned revise')).toHaveLength(5)
  })
})
