import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { findPrevious, readPrevious } from '../../../src/rollout/rollback/previous.ts'
import { aDeployment, aRevision, fakeClock } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const listOf = (text: string): Revision[] =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => aRevision({ id: one.replace('!', ''), status: one.endsWith('!') ? 'BUILD_FAILED' : 'DEPLOYED' }))

describe('the revision before the active one', () => {
  it.each<[string, string, string | null | undefined, unknown]>([
    ['the next one of the list', 'c b a', 'c', { newer: '', earlier: 'b a' }],
    ['the next one, in whatever case its id is', 'c b', 'C', { newer: '', earlier: 'b' }],
    ['no failed one', 'c b! a! z', 'c', { newer: '', earlier: 'z' }],
    ['the one before an active one that is not the latest', 'd! c b', 'c', { newer: '', earlier: 'b' }],
    ['doubtful after newer DEPLOYED ones', 'f e! d c b', 'c', { newer: 'f d', earlier: 'b' }],
    ['not there', 'c b!', 'c', { newer: '', earlier: '' }],
    ['not there without the active one', 'b a', 'c', { kind: 'not-listed' }],
    ['unknown where none is active', 'b a', null, { kind: 'active-unknown' }],
    ['unknown where the active one is not reported', 'b a', undefined, { kind: 'active-unknown' }],
  ])('is %s', (_title, listed, active, expected) => {
    const found = findPrevious(listOf(listed), active)
    const ids = (list: Revision[]): string => list.map(({ id }) => id).join(' ')
    const shown = found.kind === 'found' ? { newer: ids(found.newer), earlier: ids(found.older) } : found
    expect(shown).toEqual(expected)
  })

  it('has all newer ones beside it, whatever their end', () => {
    const found = findPrevious(listOf('f e! d c b!'), 'c')
    expect(found.kind === 'found' && found.since.map(({ id }) => id)).toEqual(['f', 'e', 'd'])
  })

  it('is unknown in a list without an order', () => {
    expect(findPrevious(undefined, 'c')).toEqual({ kind: 'unordered' })
  })
})

interface Reading {
  /** Default: the lists of the rounds. */
  listRevisions?: ControlPlane['listRevisions']
  deadline?: number
  /** How many earlier revisions are read at least. */
  count?: number
}

/** Reads from a control plane that returns these lists, one for each round of reading, page by page. */
async function read(
  rounds: string[],
  deployments: Partial<Deployment>[],
  { listRevisions, deadline = 600_000, count = 1 }: Reading = {},
) {
  const clock = fakeClock()
  const all = rounds.map(listOf)
  const reads: number[] = []
  const limits = new Set<number>()
  const [first, second = first] = deployments.map((one) => aDeployment({ latestRevisionId: undefined, ...one }))
  if (first === undefined || second === undefined) throw new Error('expected a deployment')
  const controlPlane = aControlPlane({
    getDeployment: async () => await Promise.resolve(second),
    listRevisions:
      listRevisions ??
      (async (_id, { limit, offset = 0 }) => {
        if (offset === 0 && reads.length > 0 && all.length > 1) all.shift()
        reads.push(offset)
        limits.add(limit)
        return await Promise.resolve((all[0] ?? []).slice(offset, offset + Math.min(limit, 2)))
      }),
  })
  const deps = { controlPlane, clock, signal: new AbortController().signal, deadline }
  const { previous, deployment } = await readPrevious(first, count, deps)
  // The contract's largest page.
  expect([...limits].every((limit) => limit === 100)).toBe(true)
  const found = previous.kind === 'found' ? (previous.older[0]?.id ?? 'none') : previous.kind
  return { found, reads, slept: clock.slept, active: deployment.activeRevisionId }
}

describe('reading it', () => {
  const active = { activeRevisionId: 'e' }

  it('goes on to later pages, and ends there', async () => {
    expect(await read(['e d! c! b! a'], [active])).toEqual({ found: 'a', reads: [0, 2, 4], slept: [], active: 'e' })
  })

  it('reads no page more than it needs', async () => {
    expect((await read(['e d c b a'], [active])).reads).toEqual([0])
  })

  it('ends where a service repeats the first page', async () => {
    const listRevisions: ControlPlane['listRevisions'] = async () => await Promise.resolve(listOf('e d!'))
    expect((await read([], [active], { listRevisions })).found).toBe('none')
  })

  it('reads as many pages as a rerun needs', async () => {
    expect((await read(['e d c b a'], [active], { deadline: 600_000, count: 2 })).reads).toEqual([0, 2])
  })

  it('pauses for no list that ends with the active one', async () => {
    expect(await read(['e d!'], [active])).toMatchObject({ found: 'none', slept: [] })
  })

  it('pauses for no newer one that has failed, and for one that has not ended', async () => {
    expect(await read(['f! e d'], [active])).toMatchObject({ found: 'd', slept: [] })
    const listRevisions: ControlPlane['listRevisions'] = async () =>
      await Promise.resolve(listOf('f! e d').map((one) => ({ ...one, ...(one.id === 'f' && { status: 'BUILDING' }) })))
    expect(await read([], [active], { listRevisions })).toMatchObject({ found: 'd', slept: [6_000] })
  })

  it('reads once more when a replica lacks the active one, or shows a newer one', async () => {
    expect(await read(['c b', 'e d'], [active])).toMatchObject({ found: 'd', slept: [6_000] })
    const lagging = await read(['e d c'], [{ activeRevisionId: 'd' }, active])
    expect(lagging).toMatchObject({ found: 'd', slept: [6_000], active: 'e' })
  })

  it.each([
    [8_000, 'not-listed', []],
    [8_001, 'd', [6_000]],
  ])('reads once more only with time for it: %d ms', async (deadline, found, slept) => {
    expect(await read(['c b', 'e d'], [active], { deadline })).toMatchObject({ found, slept })
  })

  it.each<[string, () => Error]>([
    ['a 404', () => refusedWith(404)],
    ['a 405', () => refusedWith(405)],
    ['another page', aBrokenAnswer],
  ])('reports %s as a missing list', async (_what, error) => {
    expect((await read([], [active], { listRevisions: async () => await Promise.reject(error()) })).found).toBe(
      'list-missing',
    )
  })

  it('throws what else is refused', async () => {
    await expect(
      read([], [active], { listRevisions: async () => await Promise.reject(refusedWith(403)) }),
    ).rejects.toThrow()
  })

  it('contradicts no order, neither of what is known nor of the dates', async () => {
    expect((await read(['a b'], [{ latestRevisionId: 'b', activeRevisionId: 'a' }])).found).toBe('unordered')
    const reversed = listOf('a b').map((one, n) => ({ ...one, createdAt: Date.UTC(2026, 0, 1, 0, n, 1, 5) }))
    const listRevisions: ControlPlane['listRevisions'] = async () => await Promise.resolve(reversed)
    expect((await read([], [{ activeRevisionId: 'b' }], { listRevisions })).found).toBe('unordered')
  })
})
