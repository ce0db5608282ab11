import { describe, expect, it } from '@jest/globals'
import { LazyIndex } from '../../src/report/lazy-index.ts'

describe('an index that is made when needed', () => {
  const made: string[] = []
  const index = new LazyIndex((secret) => {
    made.push(secret)
    return [secret, `<${secret}>`]
  })

  it('makes the forms of each secret once', () => {
    index.add(['one', 'two'])
    expect(made).toEqual([])
    expect(index.get().stretches('<two>')).toEqual([[0, 5]])
    index.add(['three'])
    expect(index.get().stretches('one <three>')).toEqual([
      [0, 3],
      [4, 11],
    ])
    expect(index.get()).toBe(index.get())
    expect(made).toEqual(['one', 'two', 'three'])
  })

  it('knows nothing when it is cleared', () => {
    index.add(['four'])
    index.clear()
    expect(index.get().stretches('one <four>')).toEqual([])
    index.add(['one'])
    expect(index.get().stretches('one')).toEqual([[0, 3]])
  })
})
