import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isPlainValue, Redactor } from '../../src/secrets/redact.ts'
import { anyText } from '../any-text.ts'
import { redactorOf } from './redactor-of.ts'

/** A redactor, and what it has masked since the last look. */
function masking() {
  const masked: string[] = []
  return { redactor: new Redactor((form) => masked.push(form)), newMasks: () => masked.splice(0) }
}

describe('a redactor', () => {
  it('takes out every secret, the longer of two first', () => {
    expect(redactorOf('pass', 'password-1').redact('password-1 and pass')).toBe('*** and ***')
  })

  it('takes out each line of a secret of several', () => {
    expect(redactorOf('first line\nsecond line').redact('x second line y first line')).toBe('x *** y ***')
    expect(redactorOf('a "first" line\nsecond').redact('x a "first" line')).toBe('x ***')
  })

  it('takes out no line that is too short, in no form', () => {
    const { redactor, newMasks } = masking()
    redactor.learn(['{\n  "KEY": "correct-horse"\n}'])
    const forms = newMasks()
    expect(forms).toContain('"KEY": "correct-horse"')
    expect(forms).not.toEqual(expect.arrayContaining(['%7B']))
    expect(redactorOf('{\n  "KEY": "correct-horse"\n}').redact('/a%7Bb%7D')).toBe('/a%7Bb%7D')
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
    ['a port 404', true],
    ['00deadbeef-00', true],
    ['00cafe123-00', false],
    ['cafe123', true],
    ['', false],
  ])('sees whether %j reveals a secret: %j', (text, isRevealed) => {
    expect(redactorOf('Correct-Horse/1', '404', 'deadbeef', 'cafe123').reveals(text)).toBe(isRevealed)
  })

  it.each<[string, string, boolean]>([
    ['clé-privée/1', 'clé-priv%C3%A9e/1', true],
    ['one two three', 'one+two%20three', true],
    ['half-%4', 'half-%41', true],
    ['%31', '1', false],
    ['half\ud800', 'the half\ud800', true],
  ])('sees whether the secret %j is in %j: %j', (secret, text, isRevealed) => {
    expect(redactorOf(secret).reveals(text)).toBe(isRevealed)
  })

  it.each(['at https://host/a%20b', 'DEPLOYED'])('leaves a text without a secret as it is: %s', (text) => {
    expect(redactorOf('correct-horse', 'deployed').redact(text)).toBe(text)
  })

  it('knows at once what it learns later', () => {
    const redactor = redactorOf('correct-horse')
    for (const later of ['later-1', 'later-2']) {
      expect([redactor.redact(later), redactor.reveals(later)]).toEqual([later, false])
      redactor.learn([later])
      expect([redactor.redact(later), redactor.reveals(later)]).toEqual(['***', true])
    }
  })

  it('takes a secret out of every string of a value', () => {
    const value = { a: ['x correct-horse', 1, null, true], b: { c: 'correct-horse' } }
    expect(redactorOf('correct-horse').redactDeep(value)).toEqual({ a: ['x ***', 1, null, true], b: { c: '***' } })
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

  it('masks what is new, and nothing twice', () => {
    const { redactor, newMasks } = masking()
    redactor.learn(['token-1', 'token-1'])
    expect(newMasks()).toEqual(['token-1'])
    redactor.learn(['token-1', 'token-2'])
    expect(newMasks()).toEqual(['token-2'])
  })

  it('masks every form in which a secret may be printed', () => {
    const [first, second] = ['a "b"', 'c\u200bde']
    const { redactor, newMasks } = masking()
    redactor.learn([first])
    newMasks()
    redactor.learn([`${first}\n  ${second}\nf`])
    expect(new Set(newMasks())).toEqual(
      new Set([
        'a "b"\n  c\u200bde\nf',
        'a \\"b\\"\\n  c\u200bde\\nf',
        'a%20%22b%22%0A%20%20c%E2%80%8Bde%0Af',
        'a+%22b%22%0A++c%E2%80%8Bde%0Af',
        'a "b"\n  cde\nf',
        'a \\"b\\"\\n  cde\\nf',
        second,
        'c%E2%80%8Bde',
        'cde',
      ]),
    )
  })

  it('passes over what is too short to be a secret', () => {
    const { redactor, newMasks } = masking()
    redactor.learn(['1', 'on', ''])
    expect(newMasks()).toEqual([])
    expect(redactorOf('1', 'on', '').redact('exit 1 on error')).toBe('exit 1 on error')
  })

  it('takes out secrets that overlap whole', () => {
    expect(redactorOf('abcd', 'cdefg', 'aXa').redact('1abcdefg2 aXaXa')).toBe('1***2 ***')
  })

  const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 6 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 40 })

  it('hides each character of each secret, and no other', () => {
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 12 }), text, (secrets, given) => {
        const hidden = new Set<number>()
        for (const one of secrets)
          for (let at = given.indexOf(one); at >= 0; at = given.indexOf(one, at + 1))
            for (let n = 0; n < one.length; n++) hidden.add(at + n)
        const shown = given.replace(/./g, (character, at: number) => (hidden.has(at) ? '*' : character))
        const stars = /\*+/g
        const redacted = redactorOf(...secrets).redact(given)
        expect(redacted.replace(stars, '*')).toBe(shown.replace(stars, '*'))
      }),
      { numRuns: 400 },
    )
  })

  it('finds each of thousands', () => {
    const redactor = redactorOf(...Array.from({ length: 2_000 }, (_, n) => `hush-${n}`))
    const lines = Array.from({ length: 2_000 }, (_, n) => `"a hush-${n} b"`)
    expect(new Set(lines.map(redactor.redact))).toEqual(new Set(['"a *** b"']))
    expect(redactor.reveals('a hush-1999 b')).toBe(true)
  })
})

it('knows a secret whose first letter is encoded 50,000 times', () => {
  const times = 50_000
  const letter = `${'%'.repeat(times + 1)}${'3'.repeat(times - 1)}363`
  expect(redactorOf('correct-horse').reveals(`${letter}orrect-horse`)).toBe(true)
})

describe('a value of the environment', () => {
  const redactorOfValues = (values: string[], publicTexts: string[] = []): Redactor => {
    const redactor = new Redactor(() => undefined)
    redactor.allow(publicTexts)
    redactor.learnValues(values)
    return redactor
  }

  it.each(['hunter2', 'abc123', 'p@ss', 'correct-horse', 'password', '12345678'])(
    'is masked and hidden: %s',
    (value) => {
      const { redactor, newMasks } = masking()
      redactor.learnValues([value])
      expect(newMasks()).toContain(value)
      expect(redactor.redact(`x ${value} y`)).toBe('x *** y')
      expect(redactor.reveals(`https://${value}.example`)).toBe(true)
    },
  )

  it.each(['info', '8000', 'true', '0.5', 'OpenAI'])('is hidden in free text only: %s', (value) => {
    const { redactor, newMasks } = masking()
    redactor.learnValues([value, `"${value}"`, `'${value}'`])
    expect(newMasks()).toEqual([])
    const text = `level=${value} "${value}", ${value}`
    expect(redactor.redactFreeText(text)).toBe('level=*** "***", ***')
    expect(redactor.redactLines([text], true).ready).toEqual(['level=*** "***", ***'])
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
    expect(redactorOfValues([value]).redactFreeText(text)).toBe(shown)
  })

  it('changes the version, so that a text that was clean is cleaned again', () => {
    const redactor = redactorOfValues([])
    const before = redactor.generation
    redactor.learnValues(['info'])
    const after = redactor.generation
    redactor.learnValues(['info'])
    expect([after === before, redactor.generation]).toEqual([false, after])
  })

  it('is found inside a longer secret only as a part of it', () => {
    expect(redactorOfValues(['info', 'key-info-9']).redactFreeText('key-info-9 info')).toBe('*** ***')
  })

  it('is always hidden if it is a credential', () => {
    const { redactor, newMasks } = masking()
    redactor.allow(['info'])
    redactor.learnValues(['info'])
    redactor.learn(['info'])
    expect(newMasks()).toEqual(['info'])
    expect(redactor.redact('an info')).toBe('an ***')
    redactor.allow(['info'])
    expect(redactor.redact('an info')).toBe('an ***')
  })

  it('keeps the other lines of a value', () => {
    const redactor = redactorOfValues(['my-agent\ncorrect-horse\ninfo'], ['my-agent'])
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
    const { redactor, newMasks } = masking()
    redactor.allow([publicText])
    redactor.learnValues([value])
    expect(newMasks()).toEqual([])
    expect([redactor.redact(value), redactor.redactFreeText(value)]).toEqual([value, value])
    expect(redactor.isPublic(value)).toBe(true)
  })

  it('that only a part of a public text equals is a secret', () => {
    expect(redactorOfValues(['agent-key'], ['my-agent-key']).redact('my-agent-key')).toBe('my-***')
  })

  it('was no secret if its name becomes known later', () => {
    const redactor = redactorOfValues(['my-agent', 'correct-horse'])
    const before = redactor.generation
    expect(redactor.redact('my-agent correct-horse')).toBe('*** ***')
    redactor.allow(['my-agent'])
    expect(redactor.redact('my-agent correct-horse')).toBe('my-agent ***')
    expect(redactor.generation).not.toBe(before)
  })

  it('is no secret of the deployment whose name it is, and one of another', () => {
    const { redactor, newMasks } = masking()
    redactor.learnValues(['my-agent'], ['my-agent'])
    expect(newMasks()).toEqual([])
    expect(redactor.redact('my-agent')).toBe('my-agent')
    redactor.learnValues(['my-agent'], ['other'])
    expect(newMasks()).toContain('my-agent')
    expect(redactor.redact('my-agent')).toBe('***')
  })

  const plain = fc.oneof(
    fc.stringMatching(/^[a-zA-Z]{3,7}$/),
    fc.stringMatching(/^\d{3,7}$/),
    fc.constantFrom('0.5', '1:30'),
  )
  const part = fc.oneof(plain, anyText({ maxLength: 6 }), fc.constantFrom(' ', '\n', '=', '"', ':', '.', '_'))

  it('leaves no whole word of free text, and no other text is changed', () => {
    const plains = fc.array(plain, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(plains, fc.array(part, { maxLength: 20 }), (words, parts) => {
        const redactor = redactorOfValues(words)
        const text = parts.flatMap((one, at) => [one, words[at] ?? '']).join('')
        const shown = redactor.redactFreeText(text)
        for (const word of words) {
          const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${word.replace('.', '\\.')}(?![\\p{L}\\p{N}_])`, 'u')
          expect(shown).not.toMatch(whole)
          expect(redactor.redactLines([text], true).ready.join('\n')).not.toMatch(whole)
        }
        // What a name, an id, an address or a status passes.
        expect(redactor.reveals(text)).toBe(false)
        expect(redactor.redact(text)).toBe(new Redactor(() => undefined).redact(text))
      }),
    )
  })
})

it.each('info true True OpenAI größe on 8000 5432 0.5 10:30 1.2.3 1_000 555-123 7654321'.split(' '))(
  '%s is a plain word or number',
  (value) => expect(isPlainValue(value)).toBe(true),
)

it.each([
  // These may be passwords: letters and digits, or signs.
  ...['hunter2', 'abc123', 'p@ss', 'a-b', 'v1.2', '10s', '-1', '1..2', 'a b', ' info', 'info\n', '', '.5'],
  // As long as a password has to be.
  ...['password', '12345678', '1234.567'],
])('%j is none', (value) => expect(isPlainValue(value)).toBe(false))
