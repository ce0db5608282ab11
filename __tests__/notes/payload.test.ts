import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { writeNotes } from '../../src/notes/note.ts'
import { readPayload, writePayload } from '../../src/notes/payload.ts'
import { aNote } from '../a-note.ts'

const MADE = writeNotes([aNote()])
const PLAIN = { name: 'agent', key: undefined, revisions: [] }

describe('the payload of a GitHub Deployment', () => {
  it.each<[string, unknown, unknown]>([
    ['of this action', { name: 'agent', key: 'k', made: MADE }, { name: 'agent', key: 'k', revisions: [aNote()] }],
    ['as text', JSON.stringify({ name: 'agent', key: 'k' }), { ...PLAIN, key: 'k' }],
    ['of an earlier version', { name: 'agent', took: '4/60/20' }, PLAIN],
    ['whose note has another form', { name: 'agent', made: '4/60/20' }, PLAIN],
    ['whose note is a number', { name: 'agent', made: 7 }, PLAIN],
    ['whose note is null', { name: 'agent', made: null }, PLAIN],
    ['whose note has hostile text', { name: 'agent', made: '7351/1/0 -->:0123456789ab' }, PLAIN],
    ['whose key is a number', { name: 'agent', key: 7 }, undefined],
    ['whose key is null', { name: 'agent', key: null }, undefined],
    ['without a name', { key: 'k', made: MADE }, undefined],
    ['whose name is a list', { name: ['agent'] }, undefined],
    ['of GitHub', '', undefined],
    ['of another tool', 'not json', undefined],
    ['that is a list', [{ name: 'agent' }], undefined],
    ['that is a list in a text', '[{"name":"agent"}]', undefined],
    ['that is text in a text', JSON.stringify(JSON.stringify({ name: 'agent' })), undefined],
    ['that is null', null, undefined],
    ['that is missing', undefined, undefined],
    ['that is nested too deeply', `{"name":"agent","x":${'['.repeat(100_000)}`, undefined],
  ])('%s is read', (_case, payload, read) => {
    expect(readPayload(payload)).toEqual(read)
  })

  it('has no note before there is a revision', () => {
    expect(writePayload({ name: 'agent', key: 'k', revisions: [] })).toEqual({ name: 'agent', key: 'k' })
    const revisions = [aNote()]
    expect(writePayload({ name: 'agent', key: 'k', revisions })).toEqual({ name: 'agent', key: 'k', made: MADE })
    const ofRollback = { name: 'agent', key: 'k', revisions, hasOtherCode: true }
    expect(readPayload(writePayload(ofRollback))).toEqual(ofRollback)
  })

  it('is the same after it was written and read, and any other one is harmless', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, key) => {
        const payload = { name, key, revisions: [aNote()] }
        expect(readPayload(JSON.stringify(writePayload(payload)))).toEqual(payload)
      }),
    )
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        expect(() => readPayload(payload)).not.toThrow()
      }),
    )
  })
})
