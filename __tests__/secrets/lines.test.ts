import { describe, expect, it } from '@jest/globals'
import { secretTexts } from '../../src/secrets/lines.ts'

describe('secretTexts', () => {
  it.each([
    ['lines', 'A=hunter2'],
    ['quotes', 'A="hunter2"'],
    ['JSON', '{"A":"hunter2"}'],
    ['broken JSON', '{"A":"hunter2"'],
    ['a line that cannot be parsed', 'B\nhunter2'],
    ['a value that is not a valid list', 'A=1\nA=hunter2'],
    ['a value that another one of its name follows', '{"A":"\\u0068unter2","A":"1"}'],
    ['lines with colons', 'A: hunter2'],
    ['quotes behind a colon', "A: 'hunter2'"],
    ['a colon without a blank', 'A:hunter2'],
    ['a colon without a blank, and quotes', 'A:"hunter2"'],
    ['a colon among lines with =', 'A=1\nB: hunter2'],
    ['= among lines with colons', 'A: 1\nB=hunter2'],
    ['a mapping of YAML', '{A: 1, B: hunter2}'],
    ['a mapping of YAML over lines', "{\n  A: 'hunter2',\n  B: 1\n}"],
    ['a number in JSON', '{"A": 1, "hunter": hunter2}'],
    ['a list of JSON', '["A=hunter2"]'],
    ['a list of YAML', '- A=hunter2\n- B=1'],
    ['a list of mappings', '- name: A\n  value: hunter2'],
    ['a block of YAML', 'A: |\n  hunter2'],
    ['a line of a shell', 'export A="hunter2"'],
    ['a block with >', 'A=1 B=hunter2 C=3'],
    ['a block with > and colons', 'A: 1 B: hunter2 C: 3'],
    ['a block with > and quotes', 'A="1" B="hunter2"'],
    ['a quote without an end', 'A="hunter2'],
  ])('finds what is to be masked in %s', (_case, text) => {
    expect(secretTexts(text)).toContain('hunter2')
  })

  it.each<[string, string, string[]]>([
    ['a value between blanks', 'A=  hunter2 ', ['hunter2']],
    ['a value with quotes inside', 'A=x "hunter2" y', ['x "hunter2" y']],
    ['a quoted value', "A='hunter2'", ["'hunter2'", 'hunter2']],
    ['a value with text behind its quotes', `A='hun' ter'`, [`'hun' ter'`, `hun' ter`, 'hun', `A='hun' ter'`]],
    ['a value that only begins with quotes', `A='hun'ter`, [`'hun'ter`, `hun'ter`, 'hun', `A='hun'ter`]],
    ['a value that only ends with quotes', `A=hun'ter'`, [`hun'ter'`]],
    ['a quote without an end', 'A="hunter2', ['"hunter2', 'hunter2', 'A="hunter2']],
    [
      'lines without a name',
      'A=1\nB\n  h/2=x\nC\n hunter== ',
      ['1', 'B', 'x', 'h/2=x', 'C', '=', 'hunter==', 'hunter'],
    ],
    ['an invalid name', ' 1A=hunter2 ', ['hunter2', '1A=hunter2']],
    ['an invalid name in JSON', '{"1a":"hunter=2"}', ['2"}', 'hunter=2', '1a', '{"1a":"hunter=2"}']],
    ['an = in a value behind a colon', 'A: x=hunter2', ['x=hunter2']],
    ['a colon in a value behind =', 'A=x: hunter2', ['x: hunter2']],
    ['JSON without a string', '{"A":1}', ['{"A":1}', 'A', '1']],
  ])('lists nothing besides: %s', (_case, text, texts) => {
    expect(new Set(secretTexts(text))).toEqual(new Set(texts))
  })

  it('finds each line of a key that was not quoted, whatever follows in it', () => {
    const lines = ['-----BEGIN KEY-----', 'hunter/2=hunter', 'hun+ter', 'hunter==', '-----END KEY-----']
    expect(secretTexts(`A=1\nKEY=${lines.join('\n')}\nB=2`)).toEqual(expect.arrayContaining([...lines, 'hunter']))
    expect(secretTexts('1A-=hunter')).toContain('1A-=hunter')
  })
})
