import { describe, expect, it } from '@jest/globals'
import { credential, referenceIn } from '../../src/inputs/credential.ts'
import { credentialTexts } from '../../src/inputs/masking.ts'
import { Unacceptable } from '../../src/inputs/parsers.ts'

function problemOf(text: string): string {
  try {
    credential(text)
    return ''
  } catch (thrown) {
    if (thrown instanceof Unacceptable) return thrown.message
    throw thrown
  }
}

describe('a credential', () => {
  it.each([
    ...[
      'lsv2_pt_0123456789abcdef',
      'a$NAME',
      '$NAME-1',
      '$',
      '$1abc',
      '${NAME}x',
      'secrets',
      'secrets.',
      'my.secrets.KEY',
    ],
    ...['"half', 'it\'s"', 'bearer-token', 'Bearer-1', 'token', 'eyJ.eyJ.abc_-', 'a:b', 'github.tokens', '100%', '%41'],
  ])('is %s', (text) => expect(credential(text)).toBe(text))

  it.each(['a key', 'key\nX-Evil: 1', 'schlüssel'])(
    'refuses what cannot be in a header, without showing it: %j',
    (text) => {
      expect(problemOf(text)).toContain('printable ASCII')
      expect(problemOf(text)).not.toContain(text)
    },
  )

  it.each([
    ['$API_KEY', 'secrets.API_KEY'],
    ['${LANGSMITH_API_KEY}', 'secrets.LANGSMITH_API_KEY'],
    ['$(TOKEN)', 'secrets.TOKEN'],
    ['$env:API_KEY', 'secrets.API_KEY'],
    ['%API_KEY%', 'secrets.API_KEY'],
    ['secrets.API_KEY', 'secrets.API_KEY'],
    ['secrets.api_key', 'secrets.api_key'],
    ["secrets['API_KEY']", 'secrets.API_KEY'],
    ['secrets["API_KEY"]', 'secrets.API_KEY'],
    ['$secrets.API_KEY', 'secrets.API_KEY'],
    ['${secrets.API_KEY}', 'secrets.API_KEY'],
    ['{{secrets.API_KEY}}', 'secrets.API_KEY'],
    ['{{ secrets.API_KEY }}', 'secrets.API_KEY'],
    ['{ secrets.API_KEY }', 'secrets.API_KEY'],
    ['"{{ github.token }}"', 'github.token'],
    ['vars.TENANT', 'vars.TENANT'],
    ['github.token', 'github.token'],
    ['"$API_KEY"', 'secrets.API_KEY'],
    ["'secrets.API_KEY'", 'secrets.API_KEY'],
    // It may be a token that begins so.
    ['$hunter2', 'secrets.NAME'],
    ['${hunter2}', 'secrets.NAME'],
    ['$HUNTER2X7', 'secrets.NAME'],
  ])('is not %s', (text, form) =>
    expect(problemOf(text)).toBe(`is a name that GitHub does not replace: write \${{ ${form} }}`),
  )

  it.each(['"hunter2"', "'hunter2'", '`hunter2`', '""'])('has no quotes: %s', (text) =>
    expect(problemOf(text)).toBe('is in quotes, which would be sent, too: remove them'),
  )

  it.each([
    'Bearer hunter2',
    'bearer  hunter2',
    'token hunter2',
    'Authorization: Bearer hunter2',
    'X-Api-Key: hunter2',
  ])('is the token alone: %s', (text) =>
    expect(problemOf(text)).toBe(
      'must be only the token or key, without a word like Bearer or the name of a header before it',
    ),
  )

  it.each(['Bearer', 'Authorization: Bearer'])('has a token: %s', (text) =>
    expect(problemOf(text)).toContain('has a word like Bearer without a token behind it: set only the token, and look'),
  )
})

it('a name in place of a credential is not masked, so that the message shows the expression', () => {
  const masked = (text: string): string[] => credentialTexts((name) => (name === 'api-key' ? text : ''), {})
  expect(masked('secrets.API_KEY')).not.toContain('secrets.API_KEY')
  expect(masked('"$API_KEY"')).not.toContain('"$API_KEY"')
  for (const text of ['$hunter2', '$HUNTER2X7', '"hunter2"', 'Bearer hunter2']) {
    expect(referenceIn(text)).toBeUndefined()
    expect(masked(text)).toContain(text)
  }
})
