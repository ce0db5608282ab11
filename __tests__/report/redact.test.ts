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

  it.each<[string, string]>([
    ['+ for a blank', 'Correct+Horse/B%2B9'],
    ['small letters', 'correct horse/b+9'],
    ['+ for a blank, all encoded', 'correct%2Bhorse%2Fb%2B9'],
    ['twice', 'Correct%2520Horse%252FB%252B9'],
    ['three times', 'Correct%252520Horse%25252FB%25252B9'],
    ['a digit of an escape', 'Correct%2%30Horse/B+9'],
  ])('sees a secret that is encoded with %s', (_case, text) => {
    const { reveals, redact } = redactorOf('Correct Horse/B+9')
    expect(reveals(`https://host/?key=${text}`)).toBe(true)
    if (text.includes('%')) expect(redact(`at "https://host/?key=${text}", see`)).toMatch(/^at "[^"]*\*{3}", see$/)
  })

  it('sees a secret with letters beyond ASCII, partly encoded', () => {
    const { reveals } = redactorOf('clé-privée/1')
    expect(reveals('https://host/cl%c3%a9-priv%C3%A9e/1')).toBe(true)
    expect(reveals('https://host/cl%c3%a8-priv%C3%A9e/1')).toBe(false)
  })

  it('decodes a long chain of escapes at once', () => {
    expect(redactorOf('correct-horse').reveals(`%${'25'.repeat(50_000)}`)).toBe(false)
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
