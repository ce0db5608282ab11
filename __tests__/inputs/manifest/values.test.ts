import { describe, expect, it } from '@jest/globals'
import { valueReader, createFill } from '../../../src/inputs/manifest/values.ts'
import { NO_MASKS } from '../../../src/secrets/learn.ts'

const readValues = valueReader({ env: { KEY: 'hunter2' }, masks: NO_MASKS })

/** What is wrong with an input of an entry. */
function problemsOf(inputs: Parameters<typeof readValues>[0]): string[] {
  const messages: string[] = []
  readValues(inputs, ['deployments', 0], ({ message }) => messages.push(message))
  return messages
}

describe('the secrets of an entry, as a text', () => {
  it.each(['A=${KEY}', '{"A":"${KEY}"}', '${KEY}', ''])('may be %j', (secrets) => {
    expect(problemsOf({ secrets })).toEqual([])
  })

  it.each(['A=hunter2', 'A=${KEY}\nB=hunter2', '{"A":"hunter2"}', 'A=x${KEY}'])(
    'have no literal value: %j',
    (secrets) => {
      expect(problemsOf({ secrets })).toEqual([expect.stringContaining('a manifest contains no secrets')])
    },
  )
})

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
