import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isBloatedPage, nextPage, readPage } from '../../src/request/pages.ts'

const page = (value: unknown) => readPage(JSON.stringify(value))

describe('a page of a list', () => {
  it.each<[string, unknown, unknown]>([
    ['by offset', { resources: [1], offset: 1 }, { kind: 'offset', entries: ['1'], offset: 1 }],
    ['by offset that is not told', { resources: [1] }, { kind: 'offset', entries: ['1'], offset: undefined }],
    ['by cursor', { items: [1], next_cursor: 'c' }, { kind: 'cursor', entries: ['1'], cursor: 'c' }],
    [
      'by cursor, the last',
      { items: [], next_cursor: null },
      { kind: 'cursor', entries: [], cursor: undefined },
    ],
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
    ['of a list of numbers alone', '[12345678901234567890,1.10]', ['12345678901234567890', '1.10']],
    ['of small and negative numbers', '[-0,-0.50,1E2,0.1]', ['-0', '-0.50', '1E2', '0.1']],
    ['of the last field of that name', '{"items":[1],"items":[2.50,3]}', ['2.50', '3']],
  ])('has the numbers of its entries as they are written: %s', (_case, text, entries) => {
    expect(readPage(text)?.entries).toEqual(entries)
  })

  it('has the very entries of a parser, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.jsonValue(),
        fc.integer({ min: 0, max: 2 }),
        (list, beside, indent) => {
          for (const value of [list, { beside, items: list }, { resources: list, beside }])
            expect(
              readPage(JSON.stringify(value, null, indent))?.entries.map((one): unknown => JSON.parse(one)),
            ).toEqual(JSON.parse(JSON.stringify(list)))
        },
      ),
    )
  })

  it.each([[{}], [null], [5], [{ resources: {} }], [{ items: 'x' }]])('is not %j', (value) => {
    expect(page(value)).toBeUndefined()
  })

  it('has an offset and a cursor whatever their numbers are written like', () => {
    expect(readPage('{"resources":[1],"offset":2.0}')).toMatchObject({ offset: 2 })
    expect(readPage('{"items":[1],"next":7.0}')).toMatchObject({ cursor: '7' })
    expect(readPage('{"items":[1],"next":0.0}')).toMatchObject({ cursor: undefined })
  })

  it('is not what is nested too deeply, however short', () => {
    const deep = `[${'['.repeat(40_000)}1.10${']'.repeat(40_000)}]`
    expect(readPage(deep)).toBeUndefined()
    expect(isBloatedPage(deep)).toBe(true)
    expect(isBloatedPage('[1.10]')).toBe(false)
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

  it('has a cursor that is a number', () => {
    expect(after({ items: [1], next_cursor: 7 })).toEqual({ kind: 'next', query: [['cursor', '7']] })
  })

  it.each([[{}], [true], [1.5], [2 ** 60]])('is not read by %j, which is no cursor', (cursor) => {
    expect(after({ items: [1], cursor })).toMatchObject({ kind: 'stuck' })
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

  it.each([[null], [''], [false], [0]])('does not exist after the cursor %j', (next_cursor) => {
    expect(after({ items: [1], next_cursor })).toEqual({ kind: 'end' })
  })
})
