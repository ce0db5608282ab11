import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { redactorFor, redactText, type SentSecrets } from '../../src/request/redaction.ts'
import { FoundSecrets } from '../../src/secrets/json.ts'
import { anyText } from '../any-text.ts'

const given = (...values: string[]): SentSecrets => ({
  credentials: ['sandbox-key'],
  values,
  echoes: [],
  hasTextBody: false,
  responseSecrets: new FoundSecrets(1_000, 100_000),
})

/** Redacts a JSON text in pieces of a length. */
function redact(json: string, secrets: SentSecrets, size = json.length, isError = false): string {
  const redactor = redactorFor(secrets, { isError, isJson: true })
  const bytes = Buffer.from(json).toString('latin1')
  let out = ''
  for (let at = 0; at < bytes.length; at += size) out += redactor.pass(bytes.slice(at, at + size))
  return Buffer.from(out + redactor.end(), 'latin1').toString('utf8')
}

describe('an answer of success', () => {
  it('is not changed for common values that it contains by chance', () => {
    const answer = '{"name":"hello-true","type":"prod","push":true,"at":"2026-11-21","n":2026,"s":[{"DEBUG":1}]}'
    expect(redact(answer, given('true', 'prod', '2026', 'DEBUG', 'Main', '1.5'))).toBe(answer)
  })

  it('still hides such values by their place', () => {
    expect(redact('{"secrets":[{"name":"DEBUG","value":"true"}],"on":true}', given('true'))).toBe(
      '{"secrets":[{"name":"DEBUG","value":"***"}],"on":true}',
    )
  })

  it.each<[string, string, string, string]>([
    ['a whole text', 'hunter2', '{"a":"hunter2"}', '{"a":"***"}'],
    ['a part of a text', 'correct-horse-battery', '{"a":"say correct-horse-battery!"}', '{"a":"say ***!"}'],
    ['a part that looks like a key', 'tok-a1b2', '{"a":"say tok-a1b2!"}', '{"a":"say ***!"}'],
    ['a part of 16 letters', 'abcdefghijklmnop', '["say abcdefghijklmnop!"]', '["say ***!"]'],
    ['a part of 15 letters', 'abcdefghijklmno', '["say abcdefghijklmno!"]', '["say abcdefghijklmno!"]'],
    ['a part with capital letters', 'A1-B2-C3!', '["say A1-B2-C3!"]', '["say ***"]'],
    ['a part that is short', 'a1!B', '["say a1!B"]', '["say a1!B"]'],
    ['a part that is a region in capitals', 'US-East-1', '["say US-East-1"]', '["say US-East-1"]'],
    ['a part beside it', 'tok-a1b2', '["tok-a1b2","tok-a1b","tok-a1b2x"]', '["***","tok-a1b","***x"]'],
    ['a region as a whole', 'us-east-1', '["us-east-1","us-east-","us-east-12"]', '["***","us-east-","us-east-12"]'],
    ['a small number with a sign', '-11', '[-11,-110,"-11"]', '["***",-110,"***"]'],
    ['a key', 'correct-horse', '{"correct-horse":1}', '{"***":1}'],
    ['a long word', 'postgresql', '["postgresql"]', '["***"]'],
    ['a number', '12345678', '[12345678,123456789,"12345678"]', '["***",123456789,"***"]'],
    ['a credential', 'x', '{"key":"sandbox-key"}', '{"key":"***"}'],
    ['in quotes', 'a"b\\c/d', String.raw`["a\"b\\c/d","a\"b\\c\/d"]`, '["***","***"]'],
    [
      'of other letters',
      'pässwörd',
      String.raw`["pässwörd","p\u00e4ssw\u00f6rd","p\u00E4ssw\u00F6rd"]`,
      '["***","***","***"]',
    ],
    ['of markup', 'a<b>&c', String.raw`["a\u003cb\u003e\u0026c"]`, '["***"]'],
    [
      'what only looks like it',
      'nope-nope-nope-nope',
      String.raw`["\nope-nope-nope-nope","\\nope-nope-nope-nope"]`,
      String.raw`["\nope-nope-nope-nope","\\***"]`,
    ],
    [
      'the end of an escape',
      '0041-0041-0041-0041',
      String.raw`["\u0041-0041-0041-0041"]`,
      String.raw`["\u0041-0041-0041-0041"]`,
    ],
  ])('hides a distinctive value: %s', (_case, secret, answer, out) => {
    for (const size of [1, 2, 5, answer.length]) expect(redact(answer, given(secret), size)).toBe(out)
  })

  it.each(['us-east-1', 'v1.2', 'production', 'github.com', 'agent.json', '-11', '1ce3', 'release/v1.2'])(
    'keeps its names and addresses where %s is a part of them',
    (value) => {
      const answer = JSON.stringify({ name: `agent-${value}`, url: `https://${value}/a`, [`x${value}`]: 1 })
      for (const size of [1, 4, answer.length]) expect(redact(answer, given(value), size)).toBe(answer)
    },
  )

  it('loses credentials everywhere, however short and plain', () => {
    const secrets = { ...given(), credentials: ['sandbox'] }
    expect(redact('{"name":"my-sandbox-app"}', secrets)).toBe('{"name":"my-***-app"}')
  })

  it('stays JSON, and never holds a secret, whatever that is, in pieces of any length', () => {
    const secret = anyText({ minLength: 16, maxLength: 20 }).filter((text) => text.trim().length >= 8)
    fc.assert(
      fc.property(secret, fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (text, beside, size) => {
        const answer = { beside, [`k${text}`]: [text, `x${text}`, `\n${text}\\`] }
        const out: unknown = JSON.parse(redact(JSON.stringify(answer), given(text), size))
        const strings: string[] = []
        JSON.stringify(out, (key, value: unknown) => {
          strings.push(key, ...(typeof value === 'string' ? [value] : []))
          return value
        })
        expect(strings.filter((one) => one.includes(text))).toEqual([])
      }),
    )
  })
})

describe('an answer that is an error', () => {
  it('hides every value, but for its own keys and numbers', () => {
    expect(
      redact('{"detail":[{"input":"prod","msg":"not prod: 2026"}],"prod":2026}', given('prod', '2026'), 3, true),
    ).toBe('{"detail":[{"input":"***","msg":"not ***: ***"}],"prod":2026}')
  })
})

describe('an error', () => {
  it('hides in its keys credentials and distinctive values', () => {
    const keys = '{"sandbox-key":1,"hunter2":1,"prod":1}'
    expect(redact(keys, given('hunter2', 'prod'), 3, true)).toBe('{"***":1,"***":1,"prod":1}')
  })

  it('hides what it repeats of the request, which a success may contain', () => {
    const secrets = { ...given(), echoes: ['echoed'] }
    expect(redact('["echoed"]', secrets, 3, true)).toBe('["***"]')
    expect(redact('["echoed"]', secrets)).toBe('["echoed"]')
  })
})

describe('a text that becomes an output', () => {
  it.each([
    ['is no JSON', 'key: sandbox-key, mode: prod', 'key: ***, mode: prod'],
    ['only begins like JSON', '{key: sandbox-key}x', '{key: ***}x'],
    ['is JSON', '{"key":"sandbox-key","mode":"prod"}', '{"key":"***","mode":"prod"}'],
    ['is one', 'hunter2\n', '***'],
    ['is a common word', 'prod', 'prod'],
  ])('holds no secret when it %s', (_case, text, out) => {
    expect(redactText(text, given('prod', 'hunter2'), false)).toBe(out)
  })
})

describe('the explanation of an error about a text that was sent', () => {
  const secrets = { ...given(), hasTextBody: true }
  const OMITTED = { detail: 'the explanation is omitted because it may quote the text that was sent' }

  it.each(["Unexpected token 'Zx9/qK…'", '{"detail":"near Zx9"}', 'Not Found', '<title>no</title>'])(
    'is omitted, and stays JSON: %s',
    (explanation) => {
      expect(JSON.parse(redactText(explanation, secrets, true))).toEqual(OMITTED)
    },
  )

  it.each(['', '\n'])('stays without text: %j', (explanation) => {
    expect(redactText(explanation, secrets, true)).toBe(explanation)
  })

  it('is unchanged in a success, and for a request without text', () => {
    expect(redactText('near Zx9', secrets, false)).toBe('near Zx9')
    expect(redactText('near Zx9', given(), true)).toBe('near Zx9')
  })
})
