import { describe, expect, it } from '@jest/globals'
import { valueReader } from '../../../src/inputs/manifest/values.ts'
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
