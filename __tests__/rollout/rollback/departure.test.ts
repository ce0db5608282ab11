import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { type Attempt, chooseDeparture, findPrevious, readPrevious } from '../../../src/rollout/rollback/departure.ts'
import { aDeployment, aRevision, fakeClock } from '../../builders.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../../control-plane-stub.ts'

/** `v3=main@c`: the revision v3 of main, built from c; `v3`: of the image of that name. An empty commit is not reported. */
function revision(text: string): Revision {
  const [, id = '', of = id, commit = ''] = /^(\w+)(?:=([\w/]*))?(?:@(\w*))?$/.exec(text) ?? []
  const isRef = text.includes('@')
  const settings = isRef ? { repoRef: of } : of === '' ? {} : { imageUri: `registry.example/agent:${of}` }
  return aRevision({ id, status: 'DEPLOYED', settings, ...(commit !== '' && { repoCommitSha: commit.repeat(40) }) })
}
const revisions = (text: string): Revision[] => (text === '' ? [] : text.split(' ').map(revision))

/** Where a run goes back from `newer > active > earlier`, as `from → to (sign)`. */
function departureOf(text: string, attempt: Partial<Attempt> = {}): string {
  const [newer = '', active = '', earlier = ''] = text.split('>').map((part) => part.trim())
  const list = { newer: revisions(newer), active: revision(active), earlier: revisions(earlier) }
  const chosen = chooseDeparture(list, { isFirst: false, noted: () => undefined, passedOver: undefined, ...attempt })
  if (chosen.kind === 'unclear')
    return `${chosen.active.id} → ${chosen.candidates.map(({ id }) => id).join(' or ')} (unclear)`
  const { to, notes } = chosen
  const [note] = notes
  if (note?.kind === 'newer-deployed') return `to ${to?.id ?? 'none'} (${note.revisionId} is newer)`
  if (note?.kind !== 'rerun-departs') return `to ${to?.id ?? 'none'}`
  const further = note.further === undefined ? '' : `, else ${note.further}`
  return `${note.revisionId} → ${to?.id ?? 'none'} (${note.sign}${further})`
}

describe('a first attempt', () => {
  it.each([
    ['> v4 > v3 v2', 'to v3'],
    ['v5 > v4 > v3', 'to v3 (v5 is newer)'],
    ['v6 v5 > v4 > v3', 'to v3 (v5 is newer)'],
    ['> v4=v2 > v3 v2', 'to v3'],
    ['> v1 >', 'to none'],
  ])('of %s goes back %s', (list, expected) => {
    expect(departureOf(list, { isFirst: true })).toBe(expected)
  })
})

describe('a rerun', () => {
  it.each([
    ['the earlier revision is active itself', 'v4 > v3 > v2 v1', 'v4 → v3 (perhaps-left, else v2)'],
    ['it is the oldest one', 'v2 > v1 >', 'v2 → v1 (perhaps-left)'],
    ['older rollbacks left newer ones', 'v5 v4 > v3 > v2 v1', 'v4 → v3 (perhaps-left, else v2)'],
    ['a new revision restores the earlier one', '> v5=v3 > v4 v3 v2', 'v4 → v3 (perhaps-went, else v4)'],
    ['it is not active yet', 'v5=v3 > v4 > v3 v2', 'v4 → v3 (active)'],
    ['it is not active yet, and another one is newer', 'v6 v5=v3 > v4 > v3 v2', 'v6 → v5 (perhaps-left, else v3)'],
    ['a commit of a branch is restored', '> v3=main@a > v2=main@b v1=main@a', 'v2 → v1 (perhaps-went, else v2)'],
    ['a tag has moved', '> v3=tags/v1@c > v2=tags/v2@b v1=tags/v1@a', 'v2 → v1 (perhaps-went, else v2)'],
    [
      'the commit of a tag is not reported',
      '> v3=tags/v1@ > v2=tags/v2@b v1=tags/v1@a',
      'v2 → v1 (perhaps-went, else v2)',
    ],
    ['no revision is newer, and the active one is another', '> v4 > v3 v2', 'v4 → v3 (nothing-made)'],
    ['the active one is like one further back', '> v4=v1 > v3 v2 v1', 'v4 → v3 (nothing-made)'],
    ['only one is earlier', '> v2 > v1', 'v2 → v1 (nothing-made)'],
    ['none is earlier', '> v1 >', 'v1 → none (nothing-made)'],
    ['a branch may have moved', '> v3=main@c > v2=main@b v1=main@a', 'v3 → v2 (perhaps-made, else v1)'],
    ['no commit is reported', '> v3=main@ > v2=main@b v1=main@a', 'v3 → v2 (perhaps-made, else v1)'],
    ['no settings are reported', '> v3= > v2= v1=', 'v3 → v2 (perhaps-made, else v1)'],
    ['all are the same', '> v3=x > v2=x v1=x', 'v3 → v2 (perhaps-made, else v1)'],
  ])('where %s (%s) goes back from %s', (_case, list, expected) => {
    expect(departureOf(list)).toBe(expected)
  })

  it.each([
    ['two made what the moved tag is now', '> v6=a@d > v5=a@d v4=b@c v3=a@b', 'v4 → v3 (perhaps-went, else v5)'],
    ['three did', '> v7=a@d > v6=a@d v5=a@d v4=b@c v3=a@b', 'v4 → v3 (perhaps-went, else v6)'],
    ['the tag was moved back', '> v6=a@b > v5=a@d v4=b@c v3=a@b', 'v4 → v3 (perhaps-went, else v5)'],
    ['the tag has moved twice, or two are releases', '> v6=a@e > v5=a@d v4=b@c v3=a@b', 'v6 → v5 or v3 (unclear)'],
    ['the newest one is not active yet', 'v6=a@d > v5=a@d > v4=b@c v3=a@b', 'v5 → v4 or v3 (unclear)'],
    ['that is so of a branch', 'v6=main@e > v5=main@e > v4=main@c v3=main@b', 'v5 → v4 or v3 (unclear)'],
    ['a branch has moved', '> v6=main@e > v5=main@e v4=main@c v3=main@b', 'v6 → v5 or v4 or v3 (unclear)'],
    ['two are of one image, as is one before', '> v6=x > v5=x v4=y v3=x', 'v6 → v5 (perhaps-made, else v4)'],
    ['two are of one image', '> v6=x > v5=x v4=y v3=z', 'v6 → v5 (nothing-made)'],
  ])('where of several attempts %s (%s) goes back from %s', (_case, list, expected) => {
    expect(departureOf(list)).toBe(expected)
  })

  it.each([
    ['the active revision', 'v3', 'v4 > v3 > v2 v1', 'v4 → v3 (left)'],
    ['a revision that reports nothing', 'v3', '> v3= > v2= v1=', 'v2 → v1 (left)'],
    ['a revision that is not active yet', 'v3', 'v3= > v2= > v1=', 'v2 → v1 (left)'],
    ['one revision in each of two attempts', 'v6 v5', '> v6=v3 > v5=v3 v4 v3', 'v4 → v3 (left)'],
    ['one of two that the moved tag is now', 'v5', '> v6=a@d > v5=a@d v4=b@c v3=a@b', 'v4 → v3 (left)'],
    ['the active one of them', 'v5', 'v6=a@d > v5=a@d > v4=b@c v3=a@b', 'v4 → v3 (left)'],
    ['one that is active no more', 'v4', '> v5 > v4=v2 v3 v2', 'v5 → v4 (nothing-made)'],
  ])('that has noted that it made %s (%s) of %s goes back from %s', (_what, noted, list, expected) => {
    expect(departureOf(list, { noted: ({ id }) => (noted.split(' ').includes(id) ? 'made' : undefined) })).toBe(
      expected,
    )
  })

  it.each([
    ['the active revision', 'v3', 'v4 > v3 > v2 v1', 'v3 → v3 (restored)'],
    ['it, and nothing newer is DEPLOYED', 'v3', '> v3 > v2 v1', 'v3 → v3 (restored)'],
    ['one that is active no more', 'v3', 'v4 v3 > v2 > v1', 'v3 → v2 (perhaps-left, else v1)'],
    ['one that another revision has replaced', 'v3', '> v5 > v4 v3', 'v5 → v4 (nothing-made)'],
  ])('that has noted that it restored %s (%s) of %s goes back from %s', (_what, noted, list, expected) => {
    expect(departureOf(list, { noted: ({ id }) => (id === noted ? 'restored' : undefined) })).toBe(expected)
  })

  it('takes a revision that does not become active for one that was left', () => {
    expect(departureOf('v4=v2 > v3 > v2 v1')).toBe('v3 → v2 (active)')
    expect(departureOf('v4=v2 > v3 > v2 v1', { passedOver: 'V4' })).toBe('v4 → v3 (perhaps-left, else v2)')
  })
})

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
    const shown = found.kind === 'found' ? { newer: ids(found.newer), earlier: ids(found.earlier) } : found
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

/** Reads from a control plane that returns these lists, one for each round of reading, page by page. */
async function read(
  rounds: string[],
  deployments: Partial<Deployment>[],
  list?: ControlPlane['listRevisions'],
  deadline = 600_000,
  count = 1,
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
      list ??
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
  const found = previous.kind === 'found' ? (previous.earlier[0]?.id ?? 'none') : previous.kind
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
    const list: ControlPlane['listRevisions'] = async () => await Promise.resolve(listOf('e d!'))
    expect((await read([], [active], list)).found).toBe('none')
  })

  it('reads as many pages as a rerun needs', async () => {
    expect((await read(['e d c b a'], [active], undefined, 600_000, 2)).reads).toEqual([0, 2])
  })

  it('pauses for no list that ends with the active one', async () => {
    expect(await read(['e d!'], [active])).toMatchObject({ found: 'none', slept: [] })
  })

  it('pauses for no newer one that has failed, and for one that has not ended', async () => {
    expect(await read(['f! e d'], [active])).toMatchObject({ found: 'd', slept: [] })
    const list: ControlPlane['listRevisions'] = async () =>
      await Promise.resolve(listOf('f! e d').map((one) => ({ ...one, ...(one.id === 'f' && { status: 'BUILDING' }) })))
    expect(await read([], [active], list)).toMatchObject({ found: 'd', slept: [6_000] })
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
    expect(await read(['c b', 'e d'], [active], undefined, deadline)).toMatchObject({ found, slept })
  })

  it.each<[string, () => Error]>([
    ['a 404', () => refusedWith(404)],
    ['a 405', () => refusedWith(405)],
    ['another page', aBrokenAnswer],
  ])('reports %s as a missing list', async (_what, error) => {
    expect((await read([], [active], async () => await Promise.reject(error()))).found).toBe('list-missing')
  })

  it('throws what else is refused', async () => {
    await expect(read([], [active], async () => await Promise.reject(refusedWith(403)))).rejects.toThrow()
  })

  it('contradicts no order, neither of what is known nor of the dates', async () => {
    expect((await read(['a b'], [{ latestRevisionId: 'b', activeRevisionId: 'a' }])).found).toBe('unordered')
    const reversed = listOf('a b').map((one, n) => ({ ...one, createdAt: Date.UTC(2026, 0, 1, 0, n, 1, 5) }))
    const list: ControlPlane['listRevisions'] = async () => await Promise.resolve(reversed)
    expect((await read([], [{ activeRevisionId: 'b' }], list)).found).toBe('unordered')
  })
})
