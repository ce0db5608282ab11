import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isNotable, MAX_NOTES, type Note, readNotes, writeNotes } from '../../src/notes/note.ts'
import { aNote } from '../a-note.ts'
import { OLD_REVISION_ID, REVISION_ID } from '../builders.ts'

const SEAL = '0123456789ab'

const note: fc.Arbitrary<Note> = fc.record({
  run: fc.nat().map(String),
  attempt: fc.nat({ max: 999_999 }),
  since: fc.nat(),
  revisionId: fc.stringMatching(/^[\w.-]{1,64}$/),
  seal: fc.stringMatching(/^[0-9a-f]{12}$/),
})

describe('notes of revisions', () => {
  it.each<[string, Note[], string]>([
    ['none', [], ''],
    ['one', [aNote({ since: 1_767_355_200 })], `7351/1/t88k00 ${REVISION_ID}:${SEAL}`],
    [
      'two of one attempt, and one of the next',
      [aNote({ since: 0 }), aNote({ since: 0, revisionId: OLD_REVISION_ID }), aNote({ attempt: 2, since: 0 })],
      `7351/1/0 ${REVISION_ID}:${SEAL} ${OLD_REVISION_ID}:${SEAL};7351/2/0 ${REVISION_ID}:${SEAL}`,
    ],
  ])('are written and read: %s', (_case, notes, text) => {
    expect(writeNotes(notes)).toBe(text)
    expect(readNotes(text)).toEqual(notes)
  })

  it('are the same after they were written and read, but for their order', () => {
    const sorted = (notes: readonly Note[]) =>
      notes.map((each) => JSON.stringify(each, Object.keys(aNote()))).toSorted()
    fc.assert(
      fc.property(fc.array(note, { maxLength: 20 }), (notes) => {
        expect(sorted(readNotes(writeNotes(notes)))).toEqual(sorted(notes))
      }),
    )
  })

  it.each(['', '-->', 'a b', 'a;b', 'a:b', 'a]b', 'a/b', 'a\nb', 'x'.repeat(65)])(
    'are not written for the id %j',
    (revisionId) => {
      expect(isNotable(revisionId)).toBe(false)
      expect(writeNotes([aNote({ revisionId })])).toBe('')
    },
  )

  it.each([
    '',
    '7351',
    '7351/1/0',
    '7351/1/0 a',
    '7351/1/0 a:b',
    `x/1/0 a:${SEAL}`,
    `7351/1 a:${SEAL}`,
    `7351/1/0\na:${SEAL}`,
    `7351/1/0 a:${SEAL}0`,
    `7351/1/0 ${'a'.repeat(65)}:${SEAL}`,
    `7351/1/0 -->:${SEAL}`,
    `${'7'.repeat(21)}/1/0 a:${SEAL}`,
    // Phases of earlier rollouts, as earlier versions noted them.
    '4/60.5/20 5/61/20',
  ])('are dropped in another form: %j', (text) => {
    expect(readNotes(text)).toEqual([])
  })

  it('stay where a part of the text has another form', () => {
    const one = `7351/1/0 a:${SEAL}`
    expect(readNotes(`x;${one} b:c <b>;7351/2`)).toEqual(readNotes(one))
    expect(readNotes(one)).toHaveLength(1)
  })

  it('are written and read only of the newest', () => {
    const many = Array.from({ length: MAX_NOTES + 1 }, (_, n) => aNote({ revisionId: `r${n}` }))
    expect(readNotes(writeNotes(many))).toEqual(many.slice(1))
    const forged = `7351/1/0${` a:${SEAL}`.repeat(2_000)}`
    expect(readNotes(forged)).toHaveLength(MAX_NOTES)
    // Beyond 40,000 characters, nothing is read.
    expect(readNotes(`7351/1/0 ${'a'.repeat(40_000)} a:${SEAL}`)).toEqual([])
  })

  it('of a fleet fit into its comment beside the failures', () => {
    const ids = Array.from({ length: MAX_NOTES }, (_, n) => REVISION_ID.slice(0, -4) + String(1_000 + n))
    expect(writeNotes(ids.map((revisionId) => aNote({ revisionId }))).length).toBeLessThan(25_500)
  })

  it('never end the comment or the description that hides them', () => {
    const any = note.chain((valid) => fc.string().map((revisionId) => ({ ...valid, revisionId })))
    fc.assert(
      fc.property(fc.array(any), (notes) => {
        expect(writeNotes(notes)).toMatch(/^[\w.:;/ -]*$/)
        expect(writeNotes(notes)).not.toContain('-->')
      }),
    )
  })
})
