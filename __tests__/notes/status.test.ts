import { describe, expect, it } from '@jest/globals'
import { writeNotes } from '../../src/notes/note.ts'
import { readDescription, writeDescription } from '../../src/notes/status.ts'
import { aNote } from '../a-note.ts'

const NOTE = writeNotes([aNote()])
const LIMIT = 140

describe('the description of a status', () => {
  it.each<[string, string, number, string]>([
    ['a short text', 'Done.', 1, `Done. [${NOTE}]`],
    ['no text', '', 1, ` [${NOTE}]`],
    ['no note', 'x'.repeat(LIMIT), 0, 'x'.repeat(LIMIT)],
    [
      'a text that just fits',
      'x'.repeat(LIMIT - NOTE.length - 3),
      1,
      `${'x'.repeat(LIMIT - NOTE.length - 3)} [${NOTE}]`,
    ],
    ['a longer text', 'x'.repeat(LIMIT), 1, `${'x'.repeat(LIMIT - NOTE.length - 4)}… [${NOTE}]`],
    ['more notes than there is room for', 'Done.', 5, 'Done.'],
  ])('is written with %s', (_case, text, count, description) => {
    const notes = Array.from({ length: count }, () => aNote())
    expect(writeDescription(text, notes, LIMIT)).toBe(description)
    expect(description.length).toBeLessThanOrEqual(LIMIT)
  })

  it.each<[string, string | null | undefined, boolean]>([
    ['a note', `Done. [${NOTE}]`, true],
    ['another pair of brackets', `Done [1]. [${NOTE}]`, true],
    ['a note of an earlier version', 'Done. [4/60/20]', false],
    ['a note before its end', `[${NOTE}] Done.`, false],
    ['a note without a space', `Done.[${NOTE}]`, false],
    ['a note in brackets', `Done. [[${NOTE}]]`, false],
    ['a note that is too long', `Done. [${'7'.repeat(70)} ${NOTE}]`, false],
    ['hostile text', 'Done. [7351/1/0 -->:0123456789ab]', false],
    ['no text', '', false],
    ['null', null, false],
    ['undefined', undefined, false],
  ])('is read with %s', (_case, description, hasNote) => {
    expect(readDescription(description)).toEqual(hasNote ? [aNote()] : [])
  })
})
