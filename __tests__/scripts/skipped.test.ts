import { expect, it } from '@jest/globals'
import { skippedLines } from '../../scripts/jest/skipped.ts'

it('the last lines of a run say how many tests were skipped, and why', () => {
  const tests = (status: string, ...ancestorTitles: string[]) => ({ status, ancestorTitles })
  const lines = skippedLines([
    { testFilePath: 'a', testResults: [tests('pending', 'in a browser: none'), tests('passed', 'in a browser: none')] },
    { testFilePath: 'b', testResults: [tests('pending', 'in a browser: none', 'more'), tests('pending', 'another')] },
  ])
  expect(lines).toEqual(['Skipped 2 tests: in a browser: none', 'Skipped 1 test: another'])
  expect(skippedLines([{ testFilePath: 'a', testResults: [tests('passed', 'all')] }])).toEqual([])
})
