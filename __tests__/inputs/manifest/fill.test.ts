import { expect, it } from '@jest/globals'
import { createFill } from '../../../src/inputs/manifest/variables.ts'
import { NO_MASKS } from '../../../src/secrets/learn.ts'

/** Fills a text from this environment. */
function filled(text: string) {
  const masked: string[] = []
  const problems: string[] = []
  const env = { KEY: 'hunter2', BLANK: ' ', INPUT_NAME: 'agent', GITHUB_SHA: 'c0ffee5', LATE: '${{ secrets.A }}' }
  const fill = createFill({ env, masks: { ...NO_MASKS, values: (values) => void masked.push(...values) } })
  return { text: fill(text, (message) => problems.push(message)), masked, problems }
}

it.each<[string, string, string[]]>([
  ['${KEY}/${KEY}', 'hunter2/hunter2', ['hunter2']],
  ['${GITHUB_SHA}', 'c0ffee5', []],
  ['$${KEY}', '${KEY}', []],
])('%j becomes %j, and masks %j', (given, text, masked) => {
  expect(filled(given)).toEqual({ text, masked, problems: [] })
})

it.each([
  ['${NOWHERE}', 'names the variable NOWHERE, which is not set'],
  ['${toString}', 'names the variable toString, which is not set'],
  ['${BLANK}', 'names the variable BLANK, which is empty'],
  ['${INPUT_NAME}', 'names the variable INPUT_NAME, which belongs to the runner'],
  ['${LATE}', 'names the variable LATE, whose value has an expression'],
  ['${{ secrets.A }}', 'has an expression'],
  ['${', 'has a ${ that does not begin ${NAME}'],
])('%j stays: it %s', (given, problem) => {
  const { text, masked, problems } = filled(given)
  expect([text, masked]).toEqual([given, []])
  expect(problems).toEqual([expect.stringContaining(problem)])
})
