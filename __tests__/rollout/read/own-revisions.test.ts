import { describe, expect, it } from '@jest/globals'
import type { Note } from '../../../src/notes/note.ts'
import { type MadeRevision, OwnRevisions } from '../../../src/rollout/read/own-revisions.ts'
import { aRevision, DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const BEGAN = Date.UTC(2026, 0, 2, 3, 4, 5)

interface Noted extends Partial<MadeRevision> {
  run?: string
  attempt?: number
  isTimed?: boolean
  key?: string
  requested?: string
  edit?: Partial<Note>
}

/** The second attempt, which has read a note. */
function readerOf({ run = '7351', attempt = 1, isTimed = true, ...noted }: Noted): OwnRevisions {
  const { key = 'credential', requested = 'it', edit = {}, ...made } = noted
  const writer = new OwnRevisions({ run, attempt }, key)
  writer.request('agent', requested, isTimed ? BEGAN : undefined)
  const own = new OwnRevisions({ run: '7351', attempt: 2 }, 'credential')
  own.request('agent', 'it', BEGAN)
  const standard = { action: 'made', target: 'agent', deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID } as const
  own.addEarlierNotes(writer.ownNotes([{ ...standard, ...made }]).map((note) => ({ ...note, ...edit })))
  return own
}

describe('a note of a revision', () => {
  const ours = aRevision({ createdAt: BEGAN + 500 })

  it.each<[string, Noted, Partial<typeof ours>, boolean]>([
    ['it is of an earlier attempt', {}, {}, true],
    ['its ids have another case', { revisionId: REVISION_ID.toUpperCase() }, {}, true],
    ['the service reports no time', {}, { createdAt: undefined }, true],
    ['the run knew no time', { isTimed: false }, {}, true],
    ['the time of the service is cut to the second', {}, { createdAt: BEGAN - 1_900 }, true],
    ['the revision is older than the run', {}, { createdAt: BEGAN - 2_001 }, false],
    ['it names another revision', { revisionId: OLD_REVISION_ID }, {}, false],
    ['it is of another run', { run: '7352' }, {}, false],
    ['it is of the same attempt', { attempt: 2 }, {}, false],
    ['it is of a later attempt', { attempt: 3 }, {}, false],
    ['it is about another deployment', { deploymentId: OLD_REVISION_ID }, {}, false],
    ['the request was another one', { requested: 'other' }, {}, false],
    ['another credential has sealed it', { key: 'other' }, {}, false],
    ['it is about a restored revision', { action: 'restored' }, {}, false],
    ['its time was edited', { edit: { since: 0 } }, {}, false],
    ['its seal was edited', { edit: { seal: '0'.repeat(12) } }, {}, false],
  ])('counts or not when %s', (_case, noted, over, counts) => {
    expect(readerOf(noted).isNoted('agent', DEPLOYMENT_ID, { ...ours, ...over }, 'made')).toBe(counts)
  })

  it('of a restored revision counts for that only, however old the revision is', () => {
    const old = { ...ours, createdAt: BEGAN - 86_400_000 }
    expect(readerOf({ action: 'restored' }).isNoted('agent', DEPLOYMENT_ID, old, 'restored')).toBe(true)
    expect(readerOf({}).isNoted('agent', DEPLOYMENT_ID, ours, 'restored')).toBe(false)
  })
})

describe('the revisions of a run', () => {
  const made = { action: 'made', target: 'agent', deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID } as const
  const revision = aRevision()
  const attempt = (number: number, requested: unknown = 'it', key = 'credential') => {
    const own = new OwnRevisions({ run: '7351', attempt: number }, key)
    own.request('agent', requested, BEGAN)
    return own
  }

  it.each<[string, ReturnType<typeof attempt>, boolean]>([
    ['by the next attempt', attempt(2), true],
    ['by a later one', attempt(3), true],
    ['by the same one', attempt(1), false],
    ['with another request', attempt(2, 'another'), false],
    ['with another credential', attempt(2, 'it', 'another'), false],
  ])('are known again %s: %p', (_case, own, isKnown) => {
    own.addEarlierNotes(attempt(1).ownNotes([made]))
    expect(own.isNoted('agent', DEPLOYMENT_ID, revision, 'made')).toBe(isKnown)
  })

  it.each<[string, ConstructorParameters<typeof OwnRevisions>[0], string, boolean]>([
    ['of the same attempt, whatever its step requested', { run: '7351', attempt: 1 }, REVISION_ID.toUpperCase(), true],
    ['of an earlier attempt', { run: '7351', attempt: 2 }, REVISION_ID, true],
    ['about another revision', { run: '7351', attempt: 1 }, OLD_REVISION_ID, false],
    ['of another run', { run: '7352', attempt: 1 }, REVISION_ID, false],
    ['of an unknown run', undefined, REVISION_ID, false],
  ])('are named by a note %s, or not', (_of, run, id, isNamed) => {
    const own = new OwnRevisions(run, 'credential')
    own.addEarlierNotes(attempt(1, 'a rollout').ownNotes([made]))
    expect(own.isNamed(id)).toBe(isNamed)
  })

  it('are noted for all later attempts', () => {
    const own = attempt(2)
    own.addEarlierNotes(attempt(1).ownNotes([made]))
    const second = { ...made, revisionId: OLD_REVISION_ID }
    expect(own.notesWithEarlier([second]).map(({ revisionId, attempt: of }) => [revisionId, of])).toEqual([
      [REVISION_ID, 1],
      [OLD_REVISION_ID, 2],
    ])
    expect(own.ownNotes([second]).map(({ revisionId }) => revisionId)).toEqual([OLD_REVISION_ID])
  })

  it.each<[string, ConstructorParameters<typeof OwnRevisions>]>([
    ['the runner reports no attempt', [undefined, 'credential']],
    ['there is no secret to seal them with', [{ run: '7351', attempt: 2 }, undefined]],
  ])('are neither noted nor known again where %s', (_case, given) => {
    const own = new OwnRevisions(...given)
    own.request('agent', 'it', BEGAN)
    own.addEarlierNotes(attempt(1).ownNotes([made]))
    expect([own.ownNotes([made]), own.notesWithEarlier([made])]).toEqual([[], []])
    expect(own.isNoted('agent', DEPLOYMENT_ID, revision, 'made')).toBe(false)
  })

  it('of other runs are dropped', () => {
    const other = new OwnRevisions({ run: '7352', attempt: 2 }, 'credential')
    other.addEarlierNotes(attempt(1).ownNotes([made]))
    expect(other.notesWithEarlier([])).toEqual([])
  })
})

it('a forged entry about the same revision takes nothing from the true one', () => {
  const key = 'credential'
  const [first, second] = [1, 2].map((attempt) => new OwnRevisions({ run: '7351', attempt }, key))
  const made = [{ action: 'made', target: 'agent', deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID } as const]
  first?.request('agent', 'the request', BEGAN)
  const notes = first?.ownNotes(made) ?? []
  second?.request('agent', 'the request', BEGAN + 60_000)
  const forged = notes.map((note) => ({ ...note, since: 0, seal: '0'.repeat(12) }))
  second?.addEarlierNotes([...notes, ...forged, ...notes])
  const revision = aRevision({ createdAt: BEGAN + 500 })
  expect(second?.isNoted('agent', DEPLOYMENT_ID, revision, 'made')).toBe(true)
  expect(second?.notesWithEarlier([])).toEqual([...notes, ...forged])
})
