import { describe, expect, it } from '@jest/globals'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { wait } from '../../src/rollout/wait.ts'
import { aRun } from '../a-run.ts'
import { aDeployment, aRequest, aRevision, DEPLOYMENT_ID, fakeClock, REVISION_ID } from '../builders.ts'
import { aControlPlane } from '../control-plane-stub.ts'
import { namesOf, setUp } from './set-up.ts'

/** The revision that is waited for. A replica that is 6 s behind still shows the one before as the latest. */
async function waitedFor({ revisionId, statusBefore }: { revisionId?: string; statusBefore: string }) {
  const clock = fakeClock()
  const events: RolloutEvent[] = []
  const run = aRun({
    clock,
    emit: (event) => void events.push(event),
    controlPlane: aControlPlane({
      getDeployment: async () =>
        await Promise.resolve(aDeployment({ latestRevisionId: clock.now() < 6_000 ? 'before' : 'ours' })),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(aRevision({ id, status: id === 'before' ? statusBefore : 'BUILDING' })),
    }),
  })
  const { loadRest } = run
  const watchToEnd = async () => await Promise.resolve({ kind: 'unchanged' } as const)
  const target = { kind: 'id', id: DEPLOYMENT_ID } as const
  const deps = { ...run, loadRest: async () => ({ ...(await loadRest()), watchToEnd }) }
  await wait({ ...aRequest({}), target, revisionId }, deps)
  const ids = events.flatMap((event) => (event.kind === 'waiting' ? [event.revision.id] : []))
  return { ids, waited: clock.now() }
}

describe('the action wait', () => {
  // A step that waits has neither a rollback nor settings.
  const request = { ...aRequest(), rollback: undefined, settings: undefined, revisionId: undefined }

  it.each<[string, string[], RolloutOutcome, string[]]>([
    [
      'watches the latest revision, and writes nothing',
      ['BUILDING', 'BUILDING', 'DEPLOYED'],
      { kind: 'deployed', isConfirmed: true },
      ['waiting', 'BUILDING', 'DEPLOYED'],
    ],
    [
      'restores nothing when the revision fails, and reads its log',
      ['BUILD_FAILED'],
      { kind: 'failed', because: { kind: 'revision' } },
      ['waiting', 'BUILD_FAILED', 'log-read'],
    ],
  ])('%s', async (_case, statuses, outcome, names) => {
    const current = aDeployment({ latestRevisionId: REVISION_ID })
    const { deps, events, writes } = setUp({ current, revisions: { [REVISION_ID]: { statuses } } })
    expect(await wait(request, deps)).toEqual(outcome)
    expect([namesOf(events), writes]).toEqual([names, []])
  })

  it.each([
    ['name', {}],
    ['revision-id', { current: aDeployment({ latestRevisionId: undefined }) }],
  ])('refuses the input %s when no revision can be found', async (input, scenario) => {
    const { deps, events } = setUp(scenario)
    await expect(wait(request, deps)).rejects.toMatchObject({ problems: [{ input }] })
    const reads = ['deployment-read', 'deployment-not-found']
    expect(events.every(({ kind }) => reads.includes(kind))).toBe(true)
  })

  it('watches the newest revision of a commit, and ends if none appears', async () => {
    const [ours, other] = ['1'.repeat(40), '2'.repeat(40)]
    const current = aDeployment({ latestRevisionId: 'newer' })
    const listed = [
      aRevision({ id: 'newer', repoCommitSha: other }),
      aRevision({ id: REVISION_ID, repoCommitSha: ours }),
    ]
    const listRevisions = async (_id: string, { offset = 0 }): Promise<typeof listed> =>
      await Promise.resolve(listed.slice(offset))
    const revisions = { [REVISION_ID]: { repoCommitSha: ours }, newer: { repoCommitSha: other } }
    const { deps, events } = setUp({ current, revisions, answers: { listRevisions } })
    await wait({ ...request, commit: ours }, deps)
    const ids = events.flatMap((event) => (event.kind === 'waiting' ? [event.revision.id] : []))
    expect(ids).toEqual([REVISION_ID])
    const none = await wait({ ...request, commit: '3'.repeat(40), phaseLimits: { queue: 60_000 } }, deps)
    expect(none).toMatchObject({ kind: 'timed-out', missing: { newest: other, forMs: 60_000 } })
  })

  it('refuses {url} for a deployment whose address cannot be known', async () => {
    const { deps } = setUp({ current: aDeployment({ source: 'internal_container' }) })
    const verification = { url: '{url}/ok', status: 200, contains: undefined, timeoutMs: 3_000 }
    const waiting = wait({ ...request, verification }, deps)
    await expect(waiting).rejects.toThrow(/needs the address of the deployment/)
  })
})

describe('the action wait, without a revision-id', () => {
  it('looks again if the latest revision has ended: a replica may hide the one that an earlier step has made', async () => {
    expect(await waitedFor({ statusBefore: 'DEPLOYED' })).toEqual({ ids: ['ours'], waited: 6_000 })
  })

  it('waits at once for a revision that has not ended', async () => {
    expect(await waitedFor({ statusBefore: 'DEPLOYING' })).toEqual({ ids: ['before'], waited: 0 })
  })
})

it('the action wait takes the revision that it is given, also one that has ended', async () => {
  expect(await waitedFor({ revisionId: 'before', statusBefore: 'DEPLOYED' })).toEqual({ ids: ['before'], waited: 0 })
})
