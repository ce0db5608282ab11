import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { type Attempt, chooseDeparture } from '../../../src/rollout/rollback/departure.ts'
import { aRevision } from '../../builders.ts'

const revisions = (text: string): Revision[] =>
  text === '' ? [] : text.split(' ').map((one) => aRevision({ id: one.replace('!', ''), status: statusOf(one) }))
const statusOf = (one: string): string => (one.endsWith('!') ? 'DEPLOY_FAILED' : 'DEPLOYED')

/** Where a run goes back from `newer > active > earlier`, as `from → to (sign)`. `v5!`: it has failed. */
function departureOf(text: string, attempt: Partial<Attempt> = {}): string {
  const [newer = '', active = '', earlier = ''] = text.split('>').map((part) => part.trim())
  const since = revisions(newer)
  const isDeployed = ({ status }: Revision): boolean => status === 'DEPLOYED'
  const around = { since, newer: since.filter(isDeployed), active: aRevision({ id: active }) }
  const chosen = chooseDeparture(
    { ...around, older: revisions(earlier) },
    { isFirst: false, noted: () => undefined, ...attempt },
  )
  if (chosen.kind === 'unclear') return chosen.kind
  const { to, notes } = chosen
  const [note] = notes
  if (note?.kind === 'newer-deployed') return `to ${to?.id ?? 'none'} (${note.revisionId} is newer)`
  if (note?.kind !== 'rerun-departs') return `to ${to?.id ?? 'none'}`
  return `${note.revisionId} → ${to?.id ?? 'none'} (${note.sign})`
}

describe('a first attempt', () => {
  it.each([
    ['> v4 > v3 v2', 'to v3'],
    ['v5 > v4 > v3', 'to v3 (v5 is newer)'],
    ['v6 v5 > v4 > v3', 'to v3 (v5 is newer)'],
    ['> v1 >', 'to none'],
  ])('of %s goes back %s', (list, expected) => {
    expect(departureOf(list, { isFirst: true })).toBe(expected)
  })
})

describe('a rerun', () => {
  it.each(['> v4 > v3 v2', 'v4 > v3 > v2 v1', 'v5! > v4 > v3', '> v1 >'])('without a note of %s is unclear', (list) => {
    expect(departureOf(list)).toBe('unclear')
  })

  it.each([
    ['the active revision', 'v5', '> v5 > v4 v3', 'v4 → v3 (left)'],
    ['it, and nothing else is earlier than the one that was left', 'v2', '> v2 > v1', 'v1 → none (left)'],
    ['it, and all others', 'v2 v1', '> v2 > v1', 'unclear'],
    ['one revision in each of two attempts', 'v6 v5', '> v6 > v5 v4 v3', 'v4 → v3 (left)'],
    ['a revision that is not active yet', 'v5', 'v5 > v4 > v3', 'v4 → v3 (nothing-made)'],
    ['a revision that has failed', 'v5', 'v5! > v4 > v3', 'v4 → v3 (nothing-made)'],
    ['a revision that a release has replaced', 'v5', '> v6 > v5 v4 v3', 'unclear'],
    ['the active revision, and a release is newer', 'v5', 'v6 > v5 > v4 v3', 'unclear'],
    ['one that is not active yet, and a release is newer', 'v5', 'v6 v5 > v4 > v3', 'unclear'],
  ])('that has noted that it made %s (%s of %s): %s', (_what, noted, list, expected) => {
    expect(departureOf(list, { noted: ({ id }) => (noted.split(' ').includes(id) ? 'made' : undefined) })).toBe(
      expected,
    )
  })

  it.each([
    ['the active revision', 'v3', 'v4 > v3 > v2 v1', 'v3 → v3 (restored)'],
    ['it, and nothing newer is DEPLOYED', 'v3', '> v3 > v2 v1', 'v3 → v3 (restored)'],
    ['one that is active no more', 'v3', 'v4 v3 > v2 > v1', 'unclear'],
    ['one that another revision has replaced', 'v3', '> v5 > v4 v3', 'unclear'],
  ])('that has noted that it restored %s (%s of %s): %s', (_what, noted, list, expected) => {
    expect(departureOf(list, { noted: ({ id }) => (id === noted ? 'restored' : undefined) })).toBe(expected)
  })
})
