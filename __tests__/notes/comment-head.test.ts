import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type CommentNotes, markerOf, readCommentNotes, readStart, writeHead } from '../../src/notes/comment-head.ts'
import { writeNotes } from '../../src/notes/note.ts'
import { aNote } from '../a-note.ts'

const MARKER = markerOf('agent')
const NOTED = writeNotes([aNote()])
const NONE: CommentNotes = { revisions: [], previews: [] }
const next = (body: string, change?: (notes: CommentNotes) => CommentNotes) =>
  writeHead({ marker: MARKER, startedAt: 1_000.4 }, body, change)
const HEAD = `${MARKER}<!-- began:1000 -->`

describe('markerOf', () => {
  it('is one HTML comment for every name, and differs between names', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(markerOf(one)).toMatch(/^<!-- [\w:-]+ -->$/)
        expect(markerOf(one) === markerOf(other)).toBe(one === other)
      }),
    )
  })
})

describe('the first line of a comment', () => {
  it.each<[string, string, number, CommentNotes]>([
    ['nothing', '', 0, NONE],
    ['no stamp', `${MARKER}\ntext`, 0, NONE],
    ['a start', `${MARKER}<!-- began:5 -->\ntext`, 5, NONE],
    ['revisions', `${MARKER}<!-- began:5 --><!-- made:${NOTED} -->\ntext`, 5, { ...NONE, revisions: [aNote()] }],
    ['previews', `${MARKER}<!-- began:5 --><!-- previews:a b -->\ntext`, 5, { ...NONE, previews: ['a', 'b'] }],
    [
      'both',
      `${MARKER}<!-- began:5 --><!-- made:${NOTED} --><!-- previews:a -->\ntext`,
      5,
      { revisions: [aNote()], previews: ['a'] },
    ],
    [
      'times of an earlier version',
      `${MARKER}<!-- began:5 --><!-- took:4/60.5/20 5/61/20 --><!-- made:${NOTED} -->\ntext`,
      5,
      { ...NONE, revisions: [aNote()] },
    ],
    ['another form of a note', `${MARKER}<!-- began:5 --><!-- made:4/60/20 -->`, 5, NONE],
    ['a letter that no note has', `${MARKER}<!-- began:5 --><!-- made:${NOTED}(1) -->`, 5, NONE],
    ['a note that is too long', `${MARKER}<!-- began:5 --><!-- made:${`${NOTED};`.repeat(1_000)} -->`, 5, NONE],
    ['a note after a space', `${MARKER}<!-- began:5 --> <!-- made:${NOTED} -->`, 5, NONE],
    ['a note in its second line', `${MARKER}<!-- began:5 -->\n<!-- made:${NOTED} -->`, 5, NONE],
    ['a note without a start', `${MARKER}<!-- made:${NOTED} -->`, 0, NONE],
    ['a space before it', ` ${MARKER}<!-- began:5 --><!-- made:${NOTED} -->`, 0, NONE],
    ['a line before the start', `${MARKER}\n<!-- b --><!-- began:5 --><!-- made:${NOTED} -->`, 0, NONE],
    ['a start of too many digits', `${MARKER}<!-- began:${'9'.repeat(16)} --><!-- made:${NOTED} -->`, 0, NONE],
  ])('is read with %s', (_case, body, startedAt, notes) => {
    expect([readStart(body), readCommentNotes(body)]).toEqual([startedAt, notes])
  })

  it.each<[string, string, string]>([
    ['the first', '', HEAD],
    ['of none', `${MARKER}<!-- began:5 -->\ntext`, HEAD],
    [
      'of a form that a later version may write',
      `${MARKER}<!-- began:5 --><!-- made:4/60/20 --><!-- previews:a -->\ntext`,
      `${HEAD}<!-- made:4/60/20 --><!-- previews:a -->`,
    ],
    [
      'of an earlier version',
      `${MARKER}<!-- began:5 --><!-- took:4/60/20 --><!-- made:${NOTED} -->`,
      `${HEAD}<!-- made:${NOTED} -->`,
    ],
    ['of hostile text', `${MARKER}<!-- began:5 --><!-- made:alert(1) -->\ntext`, HEAD],
  ])('keeps the notes of a run that changes none: %s', (_case, body, head) => {
    expect(next(body)).toBe(head)
  })

  it.each<[string, CommentNotes, string]>([
    ['nothing', NONE, ''],
    ['a revision', { ...NONE, revisions: [aNote()] }, `<!-- made:${NOTED} -->`],
    ['previews, each once', { ...NONE, previews: ['a', 'b', 'a'] }, '<!-- previews:a b -->'],
    ['ids that could end it', { revisions: [aNote({ revisionId: '-->' })], previews: ['-->', 'a b', ''] }, ''],
  ])('is written with %s', (_case, notes, hidden) => {
    expect(next(`${MARKER}<!-- began:5 --><!-- made:${NOTED} -->`, () => notes)).toBe(HEAD + hidden)
  })

  it('has the newest 200 previews, and can be read again', () => {
    const previews = Array.from({ length: 201 }, (_, n) => `${'a'.repeat(33)}${n}`)
    const notes = { revisions: [aNote(), aNote({ attempt: 2 })], previews }
    expect(readCommentNotes(next('', () => notes))).toEqual({ ...notes, previews: previews.slice(1) })
  })

  it('hides everything, whatever it notes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (ids, previews) => {
        const revisions = ids.map((revisionId) => aNote({ revisionId }))
        expect(next('', () => ({ revisions, previews }))).toMatch(/^(<!-- [\w.:;/ -]+ -->)+$/)
      }),
    )
  })
})
