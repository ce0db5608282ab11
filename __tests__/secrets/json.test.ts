import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { FoundSecrets, JsonRedactor, StreamRedactor } from '../../src/secrets/json.ts'
import { anyText } from '../any-text.ts'

const bytes = (text: string): string => Buffer.from(text).toString('latin1')
const text = (of: string): string => Buffer.from(of, 'latin1').toString('utf8')

/** Passes a text in pieces of a length. */
function redact(given: string, size = given.length || 1) {
  const found = new FoundSecrets(1_000, 100_000)
  const redactor = new JsonRedactor(found)
  let out = ''
  const all = bytes(given)
  for (let at = 0; at < all.length; at += size) out += redactor.pass(all.slice(at, at + size))
  out += redactor.end()
  return { out: text(out), found: found.all }
}

describe('the values of secrets in an answer', () => {
  it.each([
    ['of a deployment', '{"secrets":[{"name":"A","value":"hunter2"}]}', '{"secrets":[{"name":"A","value":"***"}]}'],
    [
      'of a list',
      '{"a":[{"secrets":[{"value":"hunter2","name":"A"}]}]}',
      '{"a":[{"secrets":[{"value":"***","name":"A"}]}]}',
    ],
    ['as a mapping', '{"secrets":{"A":"hunter2"}}', '{"secrets":{"A":"***"}}'],
    ['as plain texts', '{ "secrets" : [ "hunter2" ] }', '{ "secrets" : [ "***" ] }'],
    ['deep inside', '{"secrets":[{"value":{"of":["hunter2"]}}]}', '{"secrets":[{"value":{"of":["***"]}}]}'],
    ['under a misspelt name', '{"secrets":[{"valeu":"hunter2"}]}', '{"secrets":[{"valeu":"***"}]}'],
  ])('%s are redacted', (_case, given, out) => {
    const { found, ...rest } = redact(given)
    expect(rest.out).toBe(out)
    expect(found).toEqual(['hunter2'])
  })

  it.each([
    ['a number', '{"secrets":[{"name":"A","value":12345}]}', '{"secrets":[{"name":"A","value":"***"}]}', ['12345']],
    ['numbers in a list', '{"secrets":[1.5e3 , -7]}', '{"secrets":["***" , "***"]}', ['1.5e3', '-7']],
    ['a truth value', '{"secrets":{"A":true,"B":null}}', '{"secrets":{"A":"***","B":null}}', []],
    ['a text in place of a list', '{"secrets":"A=hunter2","b":1}', '{"secrets":"***","b":1}', ['A=hunter2']],
    ['under an escaped name', '{"\\u0073ecrets":["hunter2"]}', '{"\\u0073ecrets":["***"]}', ['hunter2']],
  ])('are redacted if they are %s', (_case, given, out, secrets) => {
    for (const size of [1, 3, given.length]) {
      const { found, ...rest } = redact(given, size)
      expect(rest.out).toBe(out)
      expect(found).toEqual(secrets)
    }
  })

  it('are not what merely counts them', () => {
    expect(redact('{"secrets":3,"x":[1,true]}').out).toBe('{"secrets":3,"x":[1,true]}')
  })

  it('are found with any escapes', () => {
    const value = 'a "quoted" \\ ü\n{"value": "x"}'
    const { out, found } = redact(JSON.stringify({ secrets: [{ name: 'A', value }], after: 'stays' }), 3)
    expect(JSON.parse(out)).toEqual({ secrets: [{ name: 'A', value: '***' }], after: 'stays' })
    expect(found).toEqual([value])
  })

  it('are the only change, in pieces of any length', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, size) => {
        const given = JSON.stringify(value)
        fc.pre(!/"secrets"/.test(given))
        expect(redact(given, size).out).toBe(given)
      }),
    )
  })

  it('are never returned, in pieces of any length', () => {
    const secret = anyText({ minLength: 5 }).map((one) => `${one}hunter2${one}`)
    fc.assert(
      fc.property(fc.array(secret), fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (secrets, beside, size) => {
        const list = secrets.map((value, n) => ({ name: `N${n}`, value }))
        const { out, found } = redact(JSON.stringify({ beside, secrets: list }), size)
        expect(JSON.parse(out)).toMatchObject({ secrets: list.map(({ name }) => ({ name, value: '***' })) })
        expect(found.slice(-secrets.length || undefined)).toEqual(expect.arrayContaining(secrets))
      }),
    )
  })

  it('do not include tokens, which the log must mask', () => {
    const { out, found } = redact(
      '{"token":"t-1","access_token":"t-2","tokens":"t-3","upload_url":"u","db_password":"p"}',
    )
    expect(out).toContain('t-1')
    expect(found).toEqual(['t-1', 't-2', 'u', 'p'])
  })

  it('never make a text that is not JSON fail', () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(() => redact(given, 2)).not.toThrow()
      }),
    )
  })
})

describe('a secret that is known', () => {
  it('is taken out also where two pieces meet', () => {
    const redactor = new StreamRedactor(['hunter2', 'hunter2-long', 'ab'], 'text')
    const pieces = ['xhun', 'ter2', '-lo', 'ng hunter2', ' ab', ' hunte']
    expect(pieces.map((piece) => redactor.pass(piece)).join('') + redactor.end()).toBe('x*** *** ab hunte')
  })

  it.each(['c%26d', 'c%2526d', 'c&amp;d', String.raw`c\u0026d`])('is taken out in the form %s', (form) => {
    const redactor = new StreamRedactor(['c&d'], 'text')
    expect(redactor.pass(`a ${form} b`) + redactor.end()).toBe('a *** b')
  })

  it('is taken out in JSON with whole escapes, and none begins inside one', () => {
    const redactor = new StreamRedactor(['nope', 'a\\\\b'], 'json')
    const text = String.raw`\nope \\nope a\\\\b \u006eope`
    for (const size of [1, 2, 3, text.length]) {
      let out = ''
      for (let at = 0; at < text.length; at += size) out += redactor.pass(text.slice(at, at + size))
      expect(out + redactor.end()).toBe(String.raw`\nope \\*** *** \u006eope`)
    }
  })

  it('is taken out with the longest one that begins at the same place, and then the next one', () => {
    const redactor = new StreamRedactor(['abc', 'abcdef', 'defghi'], 'text')
    expect(redactor.pass('abcdefghi abcdxx') + redactor.end()).toBe('***ghi ***dxx')
  })

  it.each(['text', 'json'] as const)('leaves other bytes unchanged: %s', (where) => {
    const redactor = new StreamRedactor(['hunter2'], where)
    const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n)).toString('latin1')
    expect(redactor.pass(all) + redactor.end()).toBe(all)
  })
})
