import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { HiddenValues } from '../../src/request/redact-json.ts'

const bytes = (text: string): string => Buffer.from(text).toString('latin1')
const text = (of: string): string => Buffer.from(of, 'latin1').toString('utf8')

/** Passes a text in pieces of a length. */
function hide(given: string, size = given.length || 1) {
  const hidden = new HiddenValues()
  let out = ''
  const all = bytes(given)
  for (let at = 0; at < all.length; at += size) out += hidden.pass(all.slice(at, at + size))
  out += hidden.end()
  return { out: text(out), found: hidden.found }
}

describe('the values of secrets in an answer', () => {
  it.each([
    [
      'of a deployment',
      '{"secrets":[{"name":"A","value":"hunter2"}]}',
      '{"secrets":[{"name":"A","value":"***"}]}',
    ],
    [
      'of a list',
      '{"resources":[{"secrets":[{"value":"hunter2","name":"A"}]}]}',
      '{"resources":[{"secrets":[{"value":"***","name":"A"}]}]}',
    ],
    ['as a mapping', '{"secrets":{"A":"hunter2"}}', '{"secrets":{"A":"***"}}'],
    ['as plain texts', '{ "secrets" : [ "hunter2" ] }', '{ "secrets" : [ "***" ] }'],
    ['under a misspelt name', '{"secrets":[{"valeu":"hunter2"}]}', '{"secrets":[{"valeu":"***"}]}'],
  ])('%s are left out', (_case, given, out) => {
    const { found, ...told } = hide(given)
    expect(told.out).toBe(out)
    expect(found.secrets).toEqual(['hunter2'])
  })

  it.each([
    [
      'a number',
      '{"secrets":[{"name":"A","value":12345}]}',
      '{"secrets":[{"name":"A","value":"***"}]}',
      ['12345'],
    ],
    ['numbers in a list', '{"secrets":[1.5e3 , -7]}', '{"secrets":["***" , "***"]}', ['1.5e3', '-7']],
    ['a truth value', '{"secrets":{"A":true,"B":null}}', '{"secrets":{"A":"***","B":null}}', []],
    ['a text in place of a list', '{"secrets":"A=hunter2","b":1}', '{"secrets":"***","b":1}', ['A=hunter2']],
    ['under an escaped name', '{"\\u0073ecrets":["hunter2"]}', '{"\\u0073ecrets":["***"]}', ['hunter2']],
  ])('are left out when they are %s', (_case, given, out, secrets) => {
    for (const size of [1, 3, given.length]) {
      const { found, ...told } = hide(given, size)
      expect(told.out).toBe(out)
      expect(found.secrets).toEqual(secrets)
    }
  })

  it('are not what merely counts them', () => {
    expect(hide('{"secrets":3,"x":[1,true]}').out).toBe('{"secrets":3,"x":[1,true]}')
  })

  it('are found whatever they are written like', () => {
    const value = 'a "quoted" \\ ü\n{"value": "x"}'
    const { out, found } = hide(JSON.stringify({ secrets: [{ name: 'A', value }], after: 'stays' }), 3)
    expect(JSON.parse(out)).toEqual({ secrets: [{ name: 'A', value: '***' }], after: 'stays' })
    expect(found.secrets).toEqual([value])
  })

  it('leave everything else as it is, in pieces of any length', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, size) => {
        const given = JSON.stringify(value)
        fc.pre(!/"secrets"/.test(given))
        expect(hide(given, size).out).toBe(given)
      }),
    )
  })

  it('are never handed on, in pieces of any length', () => {
    const secret = fc.string({ minLength: 5, unit: 'binary' }).map((one) => `${one}hunter2${one}`)
    fc.assert(
      fc.property(
        fc.array(secret),
        fc.jsonValue(),
        fc.integer({ min: 1, max: 9 }),
        (secrets, beside, size) => {
          const list = secrets.map((value, n) => ({ name: `N${n}`, value }))
          const { out, found } = hide(JSON.stringify({ beside, secrets: list }), size)
          expect(JSON.parse(out)).toMatchObject({ secrets: list.map(({ name }) => ({ name, value: '***' })) })
          expect(found.secrets.slice(-secrets.length || undefined)).toEqual(expect.arrayContaining(secrets))
        },
      ),
    )
  })

  it('tells of tokens that are handed on, so that the log hides them', () => {
    const { out, found } = hide('{"token":"t-1","access_token":"t-2","tokens":"t-3","upload_url":"u"}')
    expect(out).toContain('t-1')
    expect(found.keys).toEqual(['t-1', 't-2', 'u'])
  })

  it('never fails on what is no JSON', () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(() => hide(given, 2)).not.toThrow()
      }),
    )
  })
})
