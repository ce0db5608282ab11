import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/control-plane.ts'
import type { Repeated, RolloutEvent } from '../../../src/rollout/event.ts'
import type { Outcome } from '../../../src/rollout/outcome.ts'
import { newestOfOurs } from '../../../src/rollout/watch/made-twice.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const before = aDeployment({ latestRevisionId: 'old' })
const { settings } = before
const revision = (id: string) => aRevision({ id, settings })
const DEPLOYED: Outcome = { kind: 'deployed', confirmed: true }

/** What a run says that has watched the revision `first`, and which revision it watches next. */
async function after(repeated: Repeated, calls: Partial<ControlPlane>, outcome = DEPLOYED, clock = fakeClock()) {
  const events: RolloutEvent[] = []
  const controlPlane: ControlPlane = { ...aControlPlane(calls), within: () => controlPlane }
  const { signal } = new AbortController()
  const next = await newestOfOurs(
    { deploymentId: DEPLOYMENT_ID, revisionId: 'first', outcome, repeated: [repeated] },
    { controlPlane, clock, signal, deadline: 60_000, emit: (event) => void events.push(event) },
  )
  return { next: next?.id, events, slept: clock.slept }
}

const listing = (...lists: string[][]): Partial<ControlPlane> => {
  let read = 0
  return {
    listRevisions: async () => await Promise.resolve((lists[Math.min(read++, lists.length - 1)] ?? []).map(revision)),
    getDeployment: async () => await Promise.resolve(aDeployment({ latestRevisionId: lists.at(-1)?.[0] })),
  }
}

describe('the end of a watch after a repeated write', () => {
  const repeated: Repeated = { kind: 'revision', before, settings }
  const twice = { kind: 'made-twice', what: 'revision' }

  it('continues with a newer revision of ours, and says so', async () => {
    const { next, events } = await after(repeated, listing(['second', 'first', 'old']))
    expect(next).toBe('second')
    expect(events).toEqual([{ ...twice, ours: 'second', other: 'first' }])
  })

  it('keeps the revision that is the newest, and says that there is another', async () => {
    const { next, events } = await after(repeated, listing(['first', 'second', 'old']))
    expect(next).toBeUndefined()
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second' }])
  })

  it('does not take an older revision for a newer one when ours does not report our configuration', async () => {
    const calls = listing(['first', 'second', 'old'])
    const latest = { ...settings, secrets: [{ name: 'KEY', value: 'theirs' }] }
    const getDeployment = async () =>
      await Promise.resolve(aDeployment({ latestRevisionId: 'first', settings: latest }))
    const secret: Repeated = { ...repeated, settings: { ...settings, secrets: [{ name: 'KEY', value: 'ours' }] } }
    const { next, events } = await after(secret, { ...calls, getDeployment })
    expect(next).toBeUndefined()
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second' }])
  })

  it('does not switch when the list lacks our own revision', async () => {
    const { next, events } = await after(repeated, listing(['second', 'old']))
    expect(next).toBeUndefined()
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second' }])
  })

  it('warns of a newer revision of another configuration, and does not switch to it', async () => {
    const foreign = { ...revision('second'), settings: { ...settings, repoRef: 'other' } }
    const listRevisions = async () => await Promise.resolve([foreign, revision('first'), revision('old')])
    const { next, events } = await after(repeated, { ...listing(['second']), listRevisions })
    expect(next).toBeUndefined()
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second', isDoubtful: true }])
  })

  it.each([
    ['reports another commit', ['b'.repeat(40)]],
    ['reports another commit later', [undefined, 'b'.repeat(40)]],
  ])('does not switch to a newer revision that %s', async (_case, commits) => {
    const built = (at: number) => ({ ...revision('second'), repoCommitSha: commits[Math.min(at, commits.length - 1)] })
    const listRevisions = async () => await Promise.resolve([built(0), revision('first'), revision('old')])
    const getRevision = async () => await Promise.resolve(built(1))
    const calls = { ...listing(['second']), listRevisions, getRevision }
    const { next, events } = await after({ ...repeated, commit: 'a'.repeat(40) }, calls)
    expect(next).toBeUndefined()
    expect(events.filter(({ kind }) => kind === 'made-twice')).toEqual([
      { ...twice, ours: 'first', other: 'second', isDoubtful: true },
    ])
  })

  it('says nothing if there is only one', async () => {
    expect(await after(repeated, listing(['first', 'old']))).toEqual({ next: undefined, events: [], slept: [] })
  })

  it('waits for a lagging replica to show the revision by which it is superseded', async () => {
    const lists = [
      ['first', 'old'],
      ['first', 'old'],
      ['second', 'first', 'old'],
    ]
    expect((await after(repeated, listing(...lists), { kind: 'superseded', by: 'second' })).next).toBe('second')
  })

  it.each([
    ['four reads', 0, [2_000, 2_000, 2_000]],
    ['30 seconds', 30_000, []],
  ])('does not wait for it longer than %s', async (_case, durationOfRead, slept) => {
    const clock = fakeClock()
    const calls = listing(['first', 'old'])
    const listRevisions: ControlPlane['listRevisions'] = async (...query) => {
      clock.advance(durationOfRead)
      return (await calls.listRevisions?.(...query)) ?? []
    }
    const superseded: Outcome = { kind: 'superseded', by: 'second' }
    const { slept: pauses } = await after(repeated, { ...calls, listRevisions }, superseded, clock)
    expect(pauses).toEqual(slept)
  })

  it('says nothing of what cannot be read', async () => {
    const fails = async () => await Promise.reject(refusedWith(500))
    const draft = { name: 'agent', source: 'git_host', settings } as const
    const calls = { listRevisions: fails, getDeployment: fails, listDeployments: fails }
    for (const written of [repeated, { kind: 'deployment', draft } as const])
      expect(await after(written, calls)).toEqual({ next: undefined, events: [], slept: [] })
  })

  it('keeps its own revision if two others are of our configuration and the list lacks it', async () => {
    expect((await after(repeated, listing(['third', 'second', 'old']))).next).toBeUndefined()
  })

  it('does not doubt its own revision, which reports nothing, beside a newer one of ours', async () => {
    const first = { ...revision('first'), settings: {} }
    const listRevisions = async () => await Promise.resolve([revision('second'), first, revision('old')])
    const { next, events } = await after(repeated, { ...listing(['second']), listRevisions })
    expect(next).toBe('second')
    expect(events).toEqual([{ ...twice, ours: 'second', other: 'first' }])
  })

  it('sends no request after a time-out', async () => {
    expect(await after(repeated, {}, { kind: 'timed-out', lastTrouble: undefined })).toEqual({
      next: undefined,
      events: [],
      slept: [],
    })
  })

  it('names the other deployment of a create', async () => {
    const draft = { name: 'agent', source: 'git_host', settings } as const
    const resources = [aDeployment({ id: 'other' }), aDeployment()]
    const listDeployments = async () => await Promise.resolve({ resources, offset: 2 })
    const { events } = await after({ kind: 'deployment', draft }, { listDeployments })
    expect(events).toEqual([{ kind: 'made-twice', what: 'deployment', ours: DEPLOYMENT_ID, other: 'other' }])
    resources.shift()
    expect((await after({ kind: 'deployment', draft }, { listDeployments })).events).toEqual([])
  })
})
