import { describe, expect, it } from '@jest/globals'
import { createRedactor } from '../../src/report/redact.ts'

describe('createRedactor', () => {
  const redactorOf = (...secrets: string[]) => {
    const redactor = createRedactor()
    redactor.learn(secrets)
    return redactor
  }

  it('takes out every secret, the longer of two first', () => {
    expect(redactorOf('pass', 'password-1').redact('password-1 and pass')).toBe('*** and ***')
  })

  it('takes out each line of a secret of several', () => {
    expect(redactorOf('first line\nsecond line').redact('x second line y first line')).toBe('x *** y ***')
  })

  it.each([
    ['JSON', 'a"b\\c\nd', JSON.stringify({ detail: 'a"b\\c\nd' })],
    ['an address', 'a b/c?d', `https://host/?key=${encodeURIComponent('a b/c?d')}`],
  ])('takes out a secret as it looks inside %s', (_case, secret, text) => {
    const redacted = redactorOf(secret).redact(text)
    expect(redacted).toContain('***')
    expect(redacted).not.toContain(JSON.stringify(secret).slice(1, -1))
    expect(redacted).not.toContain(encodeURIComponent(secret))
  })

  it.each(['\u001b[1m', '\u200b', '\u0000'])('takes out a secret that has %j inside', (invisible) => {
    expect(redactorOf('correct-horse').redact(`a correct-${invisible}horse b`)).toBe('a *** b')
  })

  it.each(['https://user:pass@host/a', 'a HTTPS://token@host', 'at "http://:pass@host"'])(
    'takes the user info out of %j, known or not',
    (text) => {
      expect(redactorOf().redact(text)).not.toMatch(/user|pass|token/)
      expect(redactorOf().redact('https://host/@scope?to=me@host')).toBe('https://host/@scope?to=me@host')
    },
  )

  it.each<[string, boolean]>([
    ['a Correct-horse/1 b', true],
    ['CORRECT-HORSE/1', true],
    ['https://host/correct%2dhorse%2F1', true],
    ['https://host/%zz%correct-horse%2F1', true],
    ['correct-horse', false],
    ['00404000-0000', false],
    ['404', true],
    ['port-404', true],
  ])('sees whether %j reveals a secret: %j', (text, isRevealed) => {
    expect(redactorOf('Correct-Horse/1', '404').reveals(text)).toBe(isRevealed)
  })

  it('hands out what is new, to be masked, and nothing twice', () => {
    const redactor = createRedactor()
    expect(redactor.learn(['token-1', 'token-1'])).toEqual(['token-1'])
    expect(redactor.learn(['token-1', 'token-2'])).toEqual(['token-2'])
  })

  it('passes over what is too short to be a secret', () => {
    expect(redactorOf('1', 'on', '').redact('exit 1 on error')).toBe('exit 1 on error')
  })
})
