import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { nextPage, readPage } from '../../src/request/request.ts'

const page = (value: unknown) => readPage(JSON.stringify(value))

describe('a page of a list', () => {
  it.each<[string, unknown, unknown]>([
    ['by offset', { resources: [1], offset: 1 }, { kind: 'offset', entries: ['1'], offset: 1 }],
    ['by offset that is not returned', { resources: [1] }, { kind: 'offset', entries: ['1'], offset: undefined }],
    ['by cursor', { items: [1], next_cursor: 'c' }, { kind: 'cursor', entries: ['1'], cursor: 'c' }],
    ['by cursor, the last', { items: [], next_cursor: null }, { kind: 'cursor', entries: [], cursor: undefined }],
    ['as a whole', [1, 2], { kind: 'whole', entries: ['1', '2'] }],
  ])('%s', (_case, value, read) => {
    expect(page(value)).toEqual(read)
  })

  it.each<[string, string, string[]]>([
    [
      'of a list',
      ' [ 9007199254740993 , {"x": 1.0, "y":[1e400,2]}, "a,]\\"" ] ',
      ['9007199254740993', '{"x":1.0,"y":[1e400,2]}', '"a,]\\""'],
    ],
    [
      'of resources',
      '{"offset":1,"x":[[3]],"resources":[{"resources":[1.0]},2.50],"y":[4]}',
      ['{"resources":[1.0]}', '2.50'],
    ],
    ['of items', '{"\\u0069tems":[\n],"next":null}', []],
    ['of the last field of that name', '{"items":[1],"items":[2,3]}', ['2', '3']],
  ])('has its entries with the digits of their numbers: %s', (_case, text, entries) => {
    expect(readPage(text)?.entries).toEqual(entries)
  })

  it('has the entries that a parser returns', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (list, beside, indent) => {
        for (const value of [list, { beside, items: list }, { resources: list, beside }])
          expect(readPage(JSON.stringify(value, null, indent))?.entries.map((one): unknown => JSON.parse(one))).toEqual(
            JSON.parse(JSON.stringify(list)),
          )
      }),
    )
  })

  it.each([[{}], [null], [5], [{ resources: {} }], [{ items: 'x' }]])('is not %j', (value) => {
    expect(page(value)).toBeUndefined()
  })

  it.each(['12345678901234567890', '1.10', '-0', '1E5', '"a\\u0041"'])('keeps the entry %s', (entry) => {
    const kept = entry.startsWith('"') ? '"aA"' : entry
    expect(readPage(`[${entry}]`)?.entries).toEqual([kept])
    expect(readPage(`{"resources":[{"x":[${entry}]}]}`)?.entries).toEqual([`{"x":[${kept}]}`])
  })

  it('is refused if it has too many values or is nested too deeply', () => {
    expect(readPage(`[${'1,'.repeat(1_000_000)}1]`)).toBeUndefined()
    expect(readPage('['.repeat(40_000) + ']'.repeat(40_000))).toBeUndefined()
  })

  it('is not a text other than JSON', () => {
    expect(readPage('<html>')).toBeUndefined()
  })
})

describe('the page after it', () => {
  const after = (value: unknown, query: [string, string][] = [], seen = new Set<string>()) => {
    const read = page(value)
    return read === undefined ? undefined : nextPage(read, query, seen)
  }

  it('has the returned offset in place of the one before', () => {
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

  it('has the counted offset if none is returned', () => {
    expect(after({ resources: [1, 2] }, [['offset', '3']])).toMatchObject({ query: [['offset', '5']] })
  })

  it('does not exist after an empty one, but may after a short one', () => {
    expect(after({ resources: [], offset: 0 })).toEqual({ kind: 'end' })
    expect(after({ resources: [1], offset: 1 }, [['limit', '100']])).toMatchObject({ kind: 'next' })
  })

  it('is not requested if the service returns the same place again', () => {
    for (const offset of [20, 19])
      expect(after({ resources: [1], offset }, [['offset', '20']])).toMatchObject({ kind: 'stuck' })
    expect(after({ items: [1], next_cursor: 'c' }, [['cursor', 'c']])).toMatchObject({ kind: 'stuck' })
  })

  it('has a cursor that is a number', () => {
    expect(after({ items: [1], next_cursor: 7 })).toEqual({ kind: 'next', query: [['cursor', '7']] })
  })

  it.each([[{}], [true], [1.5], [2 ** 60]])('is not requested by %j, which is not a cursor', (cursor) => {
    expect(after({ items: [1], cursor })).toMatchObject({ kind: 'stuck' })
  })

  it('is not requested if a cursor is returned again, however late', () => {
    const seen = new Set<string>()
    const cursors = ['a', 'b', 'c', 'a']
    const kinds = cursors.map((next_cursor) => after({ items: [1], next_cursor }, [], seen)?.kind)
    expect(kinds).toEqual(['next', 'next', 'next', 'stuck'])
  })

  it('has the returned cursor, also after an empty page', () => {
    expect(after({ items: [], next_cursor: 'd' }, [['cursor', 'c']])).toEqual({
      kind: 'next',
      query: [['cursor', 'd']],
    })
    expect(after({ items: [1] }, [['cursor', 'c']])).toEqual({ kind: 'end' })
    expect(after([1])).toEqual({ kind: 'end' })
  })

  it.each([[null], [''], [false], [0]])('does not exist after the cursor %j', (next_cursor) => {
    expect(after({ items: [1], next_cursor })).toEqual({ kind: 'end' })
  })
})
