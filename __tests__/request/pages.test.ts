import { describe, expect, it } from '@jest/globals'
import { nextPage, readPage } from '../../src/request/pages.ts'

const page = (value: unknown) => readPage(JSON.stringify(value))

describe('a page of a list', () => {
  it.each<[string, unknown, unknown]>([
    ['by offset', { resources: [1], offset: 1 }, { kind: 'offset', entries: [1], offset: 1 }],
    ['by offset that is not told', { resources: [1] }, { kind: 'offset', entries: [1], offset: undefined }],
    ['by cursor', { items: [1], next_cursor: 'c' }, { kind: 'cursor', entries: [1], cursor: 'c' }],
    [
      'by cursor, the last',
      { items: [], next_cursor: null },
      { kind: 'cursor', entries: [], cursor: undefined },
    ],
    ['as a whole', [1, 2], { kind: 'whole', entries: [1, 2] }],
  ])('%s', (_case, value, read) => {
    expect(page(value)).toEqual(read)
  })

  it.each([[{}], [null], [5], [{ resources: {} }], [{ items: 'x' }]])('is not %j', (value) => {
    expect(page(value)).toBeUndefined()
  })

  it('is not what is no JSON', () => {
    expect(readPage('<html>')).toBeUndefined()
  })
})

describe('the page after it', () => {
  const after = (value: unknown, query: [string, string][] = [], seen = new Set<string>()) => {
    const read = page(value)
    return read === undefined ? undefined : nextPage(read, query, seen)
  }

  it('has the offset that was told, in place of the one before', () => {
    expect(
      after({ resources: [1], offset: 21 }, [
        ['offset', '20'],
        ['limit', '5'],
      ]),
    ).toEqual({
      kind: 'next',
      query: [
        ['limit', '5'],
        ['offset', '21'],
      ],
    })
  })

  it('has the offset that was counted where none is told', () => {
    expect(after({ resources: [1, 2] }, [['offset', '3']])).toMatchObject({ query: [['offset', '5']] })
  })

  it('does not exist after an empty one, but may after a short one', () => {
    expect(after({ resources: [], offset: 0 })).toEqual({ kind: 'end' })
    expect(after({ resources: [1], offset: 1 }, [['limit', '100']])).toMatchObject({ kind: 'next' })
  })

  it('is not read when the service leads in a circle', () => {
    expect(after({ resources: [1], offset: 20 }, [['offset', '20']])).toMatchObject({ kind: 'stuck' })
    expect(after({ items: [1], next_cursor: 'c' }, [['cursor', 'c']])).toMatchObject({ kind: 'stuck' })
  })

  it('is not read when a cursor comes again, however late', () => {
    const seen = new Set<string>()
    const cursors = ['a', 'b', 'c', 'a']
    const kinds = cursors.map((next_cursor) => after({ items: [1], next_cursor }, [], seen)?.kind)
    expect(kinds).toEqual(['next', 'next', 'next', 'stuck'])
  })

  it('has the cursor that was told, also after an empty page', () => {
    expect(after({ items: [], next_cursor: 'd' }, [['cursor', 'c']])).toEqual({
      kind: 'next',
      query: [['cursor', 'd']],
    })
    expect(after({ items: [1] }, [['cursor', 'c']])).toEqual({ kind: 'end' })
    expect(after([1])).toEqual({ kind: 'end' })
  })
})
