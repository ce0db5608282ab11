import { describe, expect, it } from '@jest/globals'
import {
  formatNoted,
  type MadeRevision,
  MAX_NOTED,
  type NotedRevision,
  OwnRevisions,
  parseNoted,
} from '../../../src/rollout/read/own-revisions.ts'
import { aRevision, DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const BEGAN = Date.UTC(2026, 0, 2, 3, 4, 5)

function aNote(over: Partial<NotedRevision> = {}): NotedRevision {
  return { run: '7351', attempt: 1, since: BEGAN / 1_000, id: REVISION_ID, seal: '0123456789ab', ...over }
}

interface Noted extends Partial<MadeRevision> {
  run?: string
  attempt?: number
  isTimed?: boolean
  key?: string
  requested?: string
  edit?: (note: string) => string
}

/** The second attempt, which has read a note. */
function readerOf({ run = '7351', attempt = 1, isTimed = true, ...noted }: Noted): OwnRevisions {
  const { key = 'credential', requested = 'it', edit = (note: string) => note, ...made } = noted
  const writer = new OwnRevisions({ run, attempt }, key)
  writer.request('agent', requested, isTimed ? BEGAN : undefined)
  const own = new OwnRevisions({ run: '7351', attempt: 2 }, 'credential')
  own.request('agent', 'it', BEGAN)
  const standard = { deed: 'made', target: 'agent', deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID } as const
  own.addNotes(edit(writer.ownNote([{ ...standard, ...made }])))
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
    ['it is about a restored revision', { deed: 'restored' }, {}, false],
    ['its time was edited', { edit: (note) => note.replace(/\/\w+ /, '/0 ') }, {}, false],
    ['its seal was edited', { edit: (note) => note.replace(/:\w+$/, `:${'0'.repeat(12)}`) }, {}, false],
  ])('counts or not when %s', (_case, noted, over, counts) => {
    expect(readerOf(noted).isNoted('agent', DEPLOYMENT_ID, { ...ours, ...over }, 'made')).toBe(counts)
  })

  it('of a restored revision counts for that only, however old the revision is', () => {
    const old = { ...ours, createdAt: BEGAN - 86_400_000 }
    expect(readerOf({ deed: 'restored' }).isNoted('agent', DEPLOYMENT_ID, old, 'restored')).toBe(true)
    expect(readerOf({}).isNoted('agent', DEPLOYMENT_ID, ours, 'restored')).toBe(false)
  })

  it('is the same after it was written and read', () => {
    const notes = [aNote(), aNote({ id: OLD_REVISION_ID }), aNote({ attempt: 2, since: 0 })]
    expect(parseNoted(formatNoted(notes))).toEqual(notes)
    const text = `7351/1/t87v6t ${REVISION_ID}:${notes[0]?.seal} ${OLD_REVISION_ID}:${notes[1]?.seal};7351/2/0 ${REVISION_ID}:${notes[2]?.seal}`
    expect(formatNoted(notes)).toBe(text)
    expect(formatNoted([])).toBe('')
  })

  it.each(['-->', 'a b', 'a;b', 'a:b', 'a]b', 'x'.repeat(65)])('is not written for the id %j', (id) => {
    expect(formatNoted([aNote({ id })])).toBe('')
  })

  it('is dropped if it has another form, and never more than the newest are read or written', () => {
    for (const text of ['', '7351', '7351/1/0', '7351/1/0 a', '7351/1/0 a:b', `x/1/0 a:${'0'.repeat(12)}`])
      expect(parseNoted(text)).toEqual([])
    const many = Array.from({ length: MAX_NOTED + 1 }, (_, n) => aNote({ id: `r${n}` }))
    expect(parseNoted(formatNoted(many)).map(({ id }) => id)).toEqual(many.slice(1).map(({ id }) => id))
    const forged = `7351/1/0${` a:${'0'.repeat(12)}`.repeat(10_000)}`
    expect(parseNoted(forged)).toHaveLength(MAX_NOTED)
  })

  it('of a fleet fits into its comment beside the failures', () => {
    const many = Array.from({ length: MAX_NOTED }, (_, n) =>
      aNote({ id: REVISION_ID.slice(0, -4) + String(1_000 + n) }),
    )
    expect(formatNoted(many).length).toBeLessThan(25_500)
  })
})

describe('the revisions of a run', () => {
  const made = { deed: 'made', target: 'agent', deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID } as const
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
    own.addNotes(attempt(1).ownNote([made]))
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
    own.addNotes(attempt(1, 'a rollout').ownNote([made]))
    expect(own.isNamed(id)).toBe(isNamed)
  })

  it('are noted for all later attempts', () => {
    const own = attempt(2)
    own.addNotes(attempt(1).ownNote([made]))
    const second = { ...made, revisionId: OLD_REVISION_ID }
    expect(parseNoted(own.noteWithEarlier([second])).map(({ id, attempt: of }) => [id, of])).toEqual([
      [REVISION_ID, 1],
      [OLD_REVISION_ID, 2],
    ])
    expect(parseNoted(own.ownNote([second])).map(({ id }) => id)).toEqual([OLD_REVISION_ID])
  })

  it.each<[string, ConstructorParameters<typeof OwnRevisions>]>([
    ['the runner reports no attempt', [undefined, 'credential']],
    ['there is no secret to seal them with', [{ run: '7351', attempt: 2 }, undefined]],
  ])('are neither noted nor known again where %s', (_case, given) => {
    const own = new OwnRevisions(...given)
    own.request('agent', 'it', BEGAN)
    own.addNotes(attempt(1).ownNote([made]))
    expect([own.ownNote([made]), own.noteWithEarlier([made])]).toEqual(['', ''])
    expect(own.isNoted('agent', DEPLOYMENT_ID, revision, 'made')).toBe(false)
  })

  it('of other runs are dropped', () => {
    const other = new OwnRevisions({ run: '7352', attempt: 2 }, 'credential')
    other.addNotes(attempt(1).ownNote([made]))
    expect(other.noteWithEarlier([])).toBe('')
  })
})

it('a forged entry about the same revision takes nothing from the true one', () => {
  const key = 'credential'
  const [first, second] = [1, 2].map((attempt) => new OwnRevisions({ run: '7351', attempt }, key))
  const made = [{ deed: 'made', target: 'agent', deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID } as const]
  first?.request('agent', 'the request', BEGAN)
  const note = first?.ownNote(made) ?? ''
  second?.request('agent', 'the request', BEGAN + 60_000)
  for (const text of [note, `7351/1/0 ${REVISION_ID}:${'0'.repeat(12)}`, note]) second?.addNotes(text)
  const revision = aRevision({ createdAt: BEGAN + 500 })
  expect(second?.isNoted('agent', DEPLOYMENT_ID, revision, 'made')).toBe(true)
  expect(second?.noteWithEarlier([])).toContain(note.split(' ')[1])
})
