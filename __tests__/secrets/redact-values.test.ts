import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Redactor, isPlainValue } from '../../src/secrets/redact.ts'
import { anyText } from '../any-text.ts'

describe('a value of the environment', () => {
  const redactorOf = (values: string[], publicTexts: string[] = []): Redactor => {
    const redactor = new Redactor()
    redactor.allow(publicTexts)
    redactor.learnValues(values)
    return redactor
  }

  it.each(['hunter2', 'abc123', 'p@ss', 'correct-horse', 'password', '12345678'])(
    'is masked and hidden: %s',
    (value) => {
      const redactor = new Redactor()
      expect(redactor.learnValues([value])).toContain(value)
      expect(redactor.redact(`x ${value} y`)).toBe('x *** y')
      expect(redactor.reveals(`https://${value}.example`)).toBe(true)
    },
  )

  it.each(['info', '8000', 'true', '0.5', 'OpenAI'])('is hidden in free text only: %s', (value) => {
    const redactor = new Redactor()
    expect(redactor.learnValues([value, `"${value}"`, `'${value}'`])).toEqual([])
    const text = `level=${value} "${value}", ${value}`
    expect(redactor.redactFreeText(text)).toBe('level=*** "***", ***')
    expect(redactor.redactLines([text], true).shown).toEqual(['level=*** "***", ***'])
    expect(redactor.redact(text)).toBe(text)
    expect(redactor.redactDeep({ text })).toEqual({ text })
    expect(redactor.reveals(`https://${value}.example`)).toBe(false)
  })

  it.each<[string, string, string]>([
    ['info', 'information INFO infos my_info', 'information INFO infos my_info'],
    ['info', 'info-1 [info]: info.', '***-1 [***]: ***.'],
    ['8000', '127.0.0.1:8000 8000ms 18000', '127.0.0.1:*** 8000ms 18000'],
    ['0.5', '0.5 0.55 10.5', '*** 0.55 10.5'],
    ['größe', 'größe größer', '*** größer'],
    ['on', 'on', 'on'],
  ])('is hidden as a whole word: %s in %j', (value, text, shown) => {
    expect(redactorOf([value]).redactFreeText(text)).toBe(shown)
  })

  it('changes the version, so that a text that was clean is cleaned again', () => {
    const redactor = redactorOf([])
    const before = redactor.version
    redactor.learnValues(['info'])
    const after = redactor.version
    redactor.learnValues(['info'])
    expect([after === before, redactor.version]).toEqual([false, after])
  })

  it('is found inside a longer secret only as a part of it', () => {
    expect(redactorOf(['info', 'key-info-9']).redactFreeText('key-info-9 info')).toBe('*** ***')
  })

  it('is always hidden if it is a credential', () => {
    const redactor = redactorOf(['info'], ['info'])
    expect(redactor.learn(['info'])).toEqual(['info'])
    expect(redactor.redact('an info')).toBe('an ***')
    redactor.allow(['info'])
    expect(redactor.redact('an info')).toBe('an ***')
  })

  it('keeps the other lines of a value', () => {
    const redactor = redactorOf(['my-agent\ncorrect-horse\ninfo'], ['my-agent'])
    expect(redactor.redact('my-agent correct-horse info')).toBe('my-agent *** info')
  })

  it.each<[string, string]>([
    ['my-agent', 'my-agent'],
    ['My-Agent', 'my-agent'],
    ['"my-agent"', 'my-agent'],
    ['main-branch', 'refs/heads/main-branch'],
    ['refs/tags/v1.2.3', 'v1.2.3'],
    ['https://github.com/acme/agent.git', 'https://github.com/acme/agent'],
    ['https://host.example/', 'https://host.example'],
  ])('is no secret if it is public: %s, %s', (value, publicText) => {
    const redactor = new Redactor()
    redactor.allow([publicText])
    expect(redactor.learnValues([value])).toEqual([])
    expect([redactor.redact(value), redactor.redactFreeText(value)]).toEqual([value, value])
    expect(redactor.isPublic(value)).toBe(true)
  })

  it('that only a part of a public text equals is a secret', () => {
    expect(redactorOf(['agent-key'], ['my-agent-key']).redact('my-agent-key')).toBe('my-***')
  })

  it('was no secret if its name becomes known later', () => {
    const redactor = redactorOf(['my-agent', 'correct-horse'])
    const before = redactor.version
    expect(redactor.redact('my-agent correct-horse')).toBe('*** ***')
    redactor.allow(['my-agent'])
    expect(redactor.redact('my-agent correct-horse')).toBe('my-agent ***')
    expect(redactor.version).not.toBe(before)
  })

  it('is no secret of the deployment whose name it is, and one of another', () => {
    const redactor = new Redactor()
    expect(redactor.learnValues(['my-agent'], ['my-agent'])).toEqual([])
    expect(redactor.redact('my-agent')).toBe('my-agent')
    expect(redactor.learnValues(['my-agent'], ['other'])).toContain('my-agent')
    expect(redactor.redact('my-agent')).toBe('***')
  })

  const plain = fc.oneof(
    fc.stringMatching(/^[a-zA-Z]{3,7}$/),
    fc.stringMatching(/^\d{3,7}$/),
    fc.constantFrom('0.5', '1:30'),
  )
  const part = fc.oneof(plain, anyText({ maxLength: 6 }), fc.constantFrom(' ', '\n', '=', '"', ':', '.', '_'))

  it('leaves no whole word of free text, and no other text is changed', () => {
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 1, maxLength: 5 }),
        fc.array(part, { maxLength: 20 }),
        (words, parts) => {
          const redactor = redactorOf(words)
          const text = parts.flatMap((one, at) => [one, words[at] ?? '']).join('')
          const shown = redactor.redactFreeText(text)
          for (const word of words) {
            const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${word.replace('.', '\\.')}(?![\\p{L}\\p{N}_])`, 'u')
            expect(shown).not.toMatch(whole)
            expect(redactor.redactLines([text], true).shown.join('\n')).not.toMatch(whole)
          }
          // What a name, an id, an address or a status passes.
          expect(redactor.reveals(text)).toBe(false)
          expect(redactor.redact(text)).toBe(new Redactor().redact(text))
        },
      ),
    )
  })
})

it.each([
  ...[
    'info',
    'true',
    'True',
    'OpenAI',
    'größe',
    'on',
    '8000',
    '5432',
    '0.5',
    '10:30',
    '1.2.3',
    '1_000',
    '555-123',
    '7654321',
  ],
])('%s is a plain word or number', (value) => expect(isPlainValue(value)).toBe(true))

it.each([
  // These may be passwords: letters and digits, or signs.
  ...['hunter2', 'abc123', 'p@ss', 'a-b', 'v1.2', '10s', '-1', '1..2', 'a b', ' info', 'info\n', '', '.5'],
  // As long as a password has to be.
  ...['password', '12345678', '1234.567'],
])('%j is none', (value) => expect(isPlainValue(value)).toBe(false))
