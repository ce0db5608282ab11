import { describe, expect, it } from '@jest/globals'
import { StreamRedactor } from '../../src/secrets/json.ts'

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
