import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { occurrences } from '../../scripts/mutants/mutant.ts'
import { DEFECTS } from '../../simulation/defects.ts'

const SRC = new URL('../../src/', import.meta.url)

describe('the list of known defects', () => {
  it('has at least 20, none twice', () => {
    expect(new Set(DEFECTS.map(({ name }) => name)).size).toBe(DEFECTS.length)
    expect(DEFECTS.length).toBeGreaterThanOrEqual(20)
  })

  it.each(DEFECTS)('changes texts that occur once: $name', ({ changes }) => {
    const wrong = changes.filter(({ file, text, becomes }) => {
      const source = new URL(file, SRC)
      return !existsSync(source) || occurrences(readFileSync(source, 'utf8'), text) !== 1 || becomes === text
    })
    expect(wrong).toEqual([])
  })
})
