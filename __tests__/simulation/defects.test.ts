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

  it('is the table of simulation/README.md', () => {
    const document = readFileSync(new URL('../../simulation/README.md', import.meta.url), 'utf8')
    const rows = [...document.matchAll(/^ *\d+ {2}(\S.*)$/gm)].map(([, name = '']) => name)
    const names = DEFECTS.map(({ name }) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`)
    expect(rows.toSorted()).toEqual(names.toSorted())
  })

  it.each(DEFECTS)('changes texts that occur once: $name', ({ changes }) => {
    const wrong = changes.filter(({ file, text, becomes }) => {
      const source = new URL(file, SRC)
      return !existsSync(source) || occurrences(readFileSync(source, 'utf8'), text) !== 1 || becomes === text
    })
    expect(wrong).toEqual([])
  })
})
