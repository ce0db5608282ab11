import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Unacceptable } from '../../src/inputs/parsers.ts'
import { countProblems, describeProblem } from '../../src/problem.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import { parseSecretReferences, secretsParser } from '../../src/inputs/secrets.ts'
import type { SecretEntries } from '../../src/secrets/lines.ts'
import { anyText } from '../any-text.ts'

const parseSecrets = secretsParser({ allowsEmpty: true, forbidden: [] })

const asObject = (text: string): Record<string, string> =>
  Object.fromEntries(parseSecrets(text).map(({ name, value }) => [name, value]))

function problemsOf(text: string, parse = parseSecrets): readonly string[] {
  try {
    parse(text)
  } catch (thrown) {
    if (thrown instanceof Unacceptable) return thrown.findings.map(({ message }) => message)
    throw thrown
  }
  return []
}

describe('parseSecrets', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a line each', 'A=1\nB=two words', { A: '1', B: 'two words' }],
    ['an equals sign in a value', 'URL=postgres://u:p@h/db?x=y==', { URL: 'postgres://u:p@h/db?x=y==' }],
    ['carriage returns', 'A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['blanks around names and values', '  A =  1  ', { A: '1' }],
    ['comments and blank lines', '# a comment\n\nA=1', { A: '1' }],
    ['blanks before and behind quotes', 'A=  "x"  \nB=\'y\'', { A: 'x', B: 'y' }],
    ['double quotes with a tab', 'A="x\\r\\ty"', { A: 'x\r\ty' }],
    ['an object behind blanks', ' \n{"A":"1"}', { A: '1' }],
    ['an empty list as a value', 'A=[]', { A: '[]' }],
    ['a # in a value', 'A=p#ss # word', { A: 'p#ss # word' }],
    ['an empty value', 'A=', { A: '' }],
    ['single quotes, taken literally', "A='x \\n y'", { A: 'x \\n y' }],
    ['double quotes with escapes', 'A="x\\ny \\"z\\" \\\\ \\d"', { A: 'x\ny "z" \\ \\d' }],
    ['a quoted value over several lines', 'A="---BEGIN\nabc=\n---END"\nB=2', { A: '---BEGIN\nabc=\n---END', B: '2' }],
    ['a quoted value over several lines with carriage returns', "KEY='one\r\ntwo'\r\nB=2", { KEY: 'one\ntwo', B: '2' }],
    ['a quote inside a value', `A=it's`, { A: "it's" }],
    ['a JSON object', '{"A": "1", "B": "line\\nbreak"}', { A: '1', B: 'line\nbreak' }],
    ['JSON in a value of JSON', '{"A": "{\\"B\\": [\\"C\\"]}", "B": "\\u0041"}', { A: '{"B": ["C"]}', B: 'A' }],
    ['an empty JSON object', '{}', {}],
    ['an empty JSON list', ' [ ]\n', {}],
    ['nothing but a comment', '# none', {}],
    ['a colon and a blank', 'A: 1\nB : two words\n  C:\tx', { A: '1', B: 'two words', C: 'x' }],
    ['an address behind a colon', 'A: https://h/x?a=b\nB: a: b = c', { A: 'https://h/x?a=b', B: 'a: b = c' }],
    ['a colon in values behind =', 'A=postgres://u:p@h/db\nB=a: b', { A: 'postgres://u:p@h/db', B: 'a: b' }],
    ['comments and quotes beside colons', '# A=1\nA: "x\nB=2"\nC: \'y: z\'', { A: 'x\nB=2', C: 'y: z' }],
    ['no value behind a colon', 'A:\nB: 1', { A: '', B: '1' }],
    ['a value in one line with a name that is no capitals', 'DSN=host=db port=5432', { DSN: 'host=db port=5432' }],
    ['quotes around what looks like a name', 'DSN="host=db USER=me"', { DSN: 'host=db USER=me' }],
    ['JSON in which a value looks like a name', '{"DSN":"host=db USER=me"}', { DSN: 'host=db USER=me' }],
    ['what looks like a name in one of several lines', 'DSN=host=db USER=me\nB=2', { DSN: 'host=db USER=me', B: '2' }],
    ['commas between names of two letters', 'BASE=OU=a,DC=b', { BASE: 'OU=a,DC=b' }],
    ['commas between names in small letters', 'TAGS=a=1,bbb=2', { TAGS: 'a=1,bbb=2' }],
    ['commas behind a name that is no capitals', 'tags=AAA=1,BBB=2', { tags: 'AAA=1,BBB=2' }],
    ['quotes around commas', `AAA='1,BBB=2'`, { AAA: '1,BBB=2' }],
    ['commas in JSON', '{"AAA":"1,BBB=2"}', { AAA: '1,BBB=2' }],
    ['commas in one of several lines', 'AAA=1,BBB=2\nB=2', { AAA: '1,BBB=2', B: '2' }],
    ['names below a comment', '# x\nA=-Da=b X_Y=1', { A: '-Da=b X_Y=1' }],
    ['commas behind a colon', 'AAA: 1,BBB=2', { AAA: '1,BBB=2' }],
    ['stars in a value', 'CRON=*** * *\nA=**', { CRON: '*** * *', A: '**' }],
  ])('reads %s', (_case, text, expected) => {
    expect(asObject(text)).toEqual(expected)
  })

  it.each<[string, string, string]>([
    ['a line without =', 'A=1\nhunter2', 'has a line 2 that is not NAME=value'],
    ['a name that is no C identifier', 'MY-KEY=hunter2', 'a name in line 1 that no environment variable can have'],
    ['a name that begins with a digit', '1A=hunter2', 'a name in line 1 that no environment variable can have'],
    ['no name', '=hunter2', 'a name in line 1 that no environment variable can have'],
    ['a name twice', 'A=hunter2\nA=hunter3', 'names A twice'],
    ['a name twice in JSON, escaped', '{"A":"hunter2","\\u0041":"hunter3"}', 'names A twice, in entries 1 and 2'],
    ['a name twice in JSON', '{"A":"hunter2","A":"hunter3"}', 'names A twice'],
    ['a quote that is never closed', 'A="hunter2\nB=2', 'has a quote in line 1 that is never closed'],
    ['text behind a closing quote', 'A="hunter2" tail', 'never closed'],
    ['broken JSON', '{"A": "hunter2"', 'is not a JSON object'],
    [
      'a mapping of YAML',
      '{A: hunter2}',
      'put every name and every value in double quotes, as in {"NAME": "value"}, or write',
    ],
    ['a colon without a blank', 'A:hunter2', 'has a line 1 without a blank after the colon: write NAME: value'],
    [
      'a colon without a blank behind lines with one',
      'A: 1\nB:hunter2',
      'has a line 2 without a blank after the colon: write NAME: value',
    ],
    [
      'a line with a colon among lines with =',
      'A=1\nB: hunter2',
      'has a line 2 of the form NAME: value, and others of the form NAME=value: write all of them in one form',
    ],
    [
      'an address with a colon among lines with =',
      'A=1\nURL: https://hunter.example?x=y',
      'has a line 2 of the form NAME: value, and others of the form NAME=value',
    ],
    [
      'a line with = among lines with a colon',
      'A: 1\nB: 2\n\nC=hunter2\nD=hunter3',
      'has lines 4 to 5 of the form NAME=value, and others of the form NAME: value',
    ],
    ['a value of two lines', 'A: hunter1\nhunter2', 'has a line 2 that is not NAME: value, perhaps the rest of'],
    [
      'a block of YAML',
      'A: |\n  hunter2',
      'has a value in line 1 that begins a block of YAML: for a value of several lines, write',
    ],
    ['a comment as a value behind a colon', 'A: # hunter2', `begins with #: put it in quotes, as in KEY: '#…'`],
    ['a line of a shell', 'export A=hunter2', 'has export in line 1: write the line without it'],
    [
      'commas between entries',
      'AAA=hunter1,BBB=hunter2',
      'is one line with several entries NAME=value and commas between',
    ],
    [
      'commas behind quotes',
      'AAA="hunter1",BBB="hunter2"',
      'NAME=value and commas between them: write each on a line of',
    ],
    ['commas below a comment', '# all\n\nAAA=hunter1,BBB=hunter2', 'NAME=value and commas between them: write each on'],
    ['commas above a blank line', 'AAA=hunter1,BBB=hunter2\n\n# all', 'NAME=value and commas between them: write each'],
    ['a mask', 'A=1\nB=***\nC=*****', 'has *** as the value of B, C: that is what a log shows in place of a secret'],
    ['a mask in quotes', 'A="***"', 'has *** as the value of A: that is what a log shows'],
    ['a mask in JSON', '{"A":"***"}', 'has *** as the value of A: that is what a log shows'],
    [
      'a block with >',
      'A=hunter1 B=hunter2 C=3',
      'is one line with several entries NAME=value, as a block that is written with >',
    ],
    ['a block with > and colons', 'A: hunter1 B: hunter2', 'is one line with several entries NAME: value, as a block'],
    ['a block with > and quotes', 'A="hunter1" B="hunter2"', 'is one line with several entries NAME=value, as a block'],
    ['a block with > behind a comment', '# of the model A=hunter1 B=hunter2', 'as a block that is written with >'],
    ['a block with > and a comment before a colon', '# of the model A: hunter1', 'as a block that is written with >'],
    ['a JSON list that is not empty', '["A=hunter2"]', 'a name in line 1 that no environment variable can have'],
    ['a JSON value that is no string', '{"A": {"b": "hunter2"}}', 'must have a string as the value of A, entry 1'],
  ])('refuses %s, and does not show a value', (_case, text, message) => {
    expect(() => parseSecrets(text)).toThrow(message)
    expect(() => parseSecrets(text)).not.toThrow(/hunter/)
  })

  it.each<[string, string, string[]]>([
    [
      'lines',
      '# names\nA="one\ntwo"\n2C=hunter2\nhunter2\nB-C=hunter2',
      ['a name in line 4 that no', 'a line 5 that is not NAME=value', 'a name in line 6 that no'],
    ],
    [
      'JSON',
      '{"A": 5550123, "b-c": "hunter2", "a-1": null}',
      ['the value of A, entry 1', 'a name in entry 2 that no', 'a name in entry 3 that no', 'the value of entry 3'],
    ],
    ['names', 'A=hunter1\nB=x\nA=hunter3\nB=y', ['names A twice, in lines 1 and 3', 'names B twice, in lines 2 and 4']],
    [
      'quotes, as far as they can be recognized',
      "A='hunter1' tail\n2B=hunter2\nC=\"hunter3\n3D=hunter4",
      ['a quote in line 1', 'a name in line 2', 'a quote in line 3'],
    ],
    [
      'a key that was not quoted, as one problem',
      'A=-----BEGIN\nhunter=\nhunter\nhunter=',
      ['has lines 2 to 4 that are not NAME=value, perhaps the rest of the value that begins in line 1'],
    ],
    [
      'two keys that were not quoted',
      'A=hunter1\nhunter+hunter\nhunter==\n\nB=hunter2\nhunter\nC=3',
      ['lines 2 to 3 that are not', 'a line 6 that is not'],
    ],
    ['an empty list with a line', '[]A=hunter2', ['a name in line 1 that no']],
    ['a name twice beside a mistake', 'A=hunter1\nA=hunter2\n2B=', ['has a name twice, in lines 1 and 2', 'line 3']],
    [
      'a line behind quotes',
      'A="hunter1"\nhunter2',
      ['has a line 2 that is not NAME=value: for a value of several lines'],
    ],
    ['a key with an = after a blank', 'A=hunter1\nhunter\n/ B=hunter\nhunter\nC=1', ['lines 2 to 4 that are']],
    ['a line with a dash', 'A=hunter1\nhunter\n- x=\nB=1', ['a line 2 that is not', 'a name in line 3']],
    ['a line with a slash', 'A=hunter1\nhunter\nh/b=hunter\nB=1', ['a line 2 that is not', 'a name in line 3']],
    ['an object as a value', '{"A":{"2b":"hunter"},"2C":"hunter"}', ['the value of A, entry 1', 'a name in entry 2']],
    ['a list as a value', '{"A":["2b","hunter"],"2C":"hunter"}', ['the value of A, entry 1', 'a name in entry 2']],
    ['a key without a name', 'hunter1\nhunter2', ['has lines 1 to 2 that are not NAME=value: for a']],
  ])('reports every mistake with its place and without a value: %s', (_case, text, expected) => {
    const problems = problemsOf(text)
    expect(problems).toEqual(expected.map((part) => expect.stringContaining(part)))
    expect(problems.join()).not.toMatch(/hunter|5550123/)
  })

  it('reports at most 20 mistakes and the number of the others', () => {
    const read = new InputReader(() => '2A=hunter2\n'.repeat(1000))
    read.optional('secrets', parseSecrets)
    expect(read.problems).toHaveLength(21)
    expect(read.problems.at(-1)?.message).toBe('has 980 more problems')
    expect(countProblems(read.problems)).toBe(1000)
  })

  it('counts each empty value as a problem of its own, in one message', () => {
    const read = new InputReader(() => 'A=1\nTYPO=\nB=')
    read.optional('secrets', secretsParser({ allowsEmpty: false, forbidden: [] }))
    expect(read.problems).toHaveLength(1)
    expect(countProblems(read.problems)).toBe(2)
  })

  const emptyIn = (text: string): string => {
    const read = new InputReader(() => text)
    read.optional('secrets', secretsParser({ allowsEmpty: false, forbidden: [] }))
    return read.problems.map(({ message }) => message.replace(/:.*/, '')).join()
  }

  it.each<[string, string, string]>([
    ['after a short value', `A=${'a'.repeat(59)}\nabc=`, 'abc'],
    ['after a line of Base64, whose rest it may be', `A=${'a'.repeat(60)}\nabc=`, 'line 2'],
    ['with a capital letter at the end', `A=${'a'.repeat(60)}\nabC=`, 'line 2'],
    ['with a capital letter at the start', `A=${'a'.repeat(60)}\nAbc=`, 'line 2'],
    ['in capital letters', `A=${'a'.repeat(60)}\nABC=`, 'ABC'],
    ['in JSON', `{"A":"${'a'.repeat(60)}","abc":""}`, 'abc'],
  ])('names an empty value by its name, or by its line if that may be secret: %s', (_case, text, named) => {
    expect(emptyIn(text)).toBe(`has an empty value for ${named}`)
  })

  it('does not name an empty value beside another mistake: its name may be part of a value', () => {
    expect(emptyIn('hunter=\n2A=1')).not.toContain('empty')
  })

  it.each(['A= # hunter2', 'A=#hunter2'])('refuses a value without quotes that begins with #: %j', (text) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining('has a value in line 1 that begins with #: put it in')])
    expect(problemsOf(text).join()).not.toContain('hunter')
    expect(problemsOf('A="#hunter2"')).toEqual([])
  })

  it.each<[string, string, string]>([
    ['lines', 'A=1\nTYPO=\nB=', 'has an empty value for TYPO, B: look for a typo'],
    ['quotes', 'A=1\nTYPO=""', 'has an empty value for TYPO: look for a typo'],
    ['JSON', '{"A":"1","TYPO":""}', 'has an empty value for TYPO: look for a typo'],
    ['blanks', 'A=1\nTYPO=" "', 'has an empty value for TYPO: look for a typo'],
    ['a line break', '{"TYPO":"\\n\\t"}', 'has an empty value for TYPO: look for a typo'],
    ['invisible characters', 'TYPO=\u200b\u2060\ufeff', 'has an empty value for TYPO: look for a typo'],
    ['a name that may be the rest of a key', `A=${'hunter'.repeat(10)}\nhunter=`, 'has an empty value for line 2'],
  ])('refuses an empty value in %s unless it is allowed', (_case, text, message) => {
    const parse = secretsParser({ allowsEmpty: false, forbidden: [] })
    expect(() => parse(text)).toThrow(message)
    expect(() => parse(text)).not.toThrow(/hunter/)
    expect(() => parseSecrets(text)).not.toThrow()
  })

  it.each(['A=1\nGH=hunter2', 'A=1\nGH="hunter2 "', '{"A":"1","GH":"hunter2"}'])(
    'refuses the value of another input by the name of the secret: %j',
    (text) => {
      const forbidden = [
        { input: 'bearer-token', value: '' },
        { input: 'github-token', value: 'hunter2' },
      ]
      const parse = secretsParser({ allowsEmpty: true, forbidden })
      expect(() => parse(text)).toThrow('GH (the value of github-token)')
      expect(() => parse(text)).toThrow('toJSON(secrets)')
      expect(() => parse(text)).not.toThrow(/hunter/)
      expect(() => parse('A=\nGH=hunter22')).not.toThrow()
    },
  )

  it('reads back whatever is written in double quotes', () => {
    const quote = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&')}"`
    const value = anyText().map((text) => text.replace(/\r/g, ''))
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(asObject(`A=${quote(one)}\nB=${quote(other)}`)).toEqual({ A: one, B: other })
      }),
    )
  })
})

describe('the forms that a message recommends', () => {
  const GOOGLE = `{
  "type": "service_account",
  "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIx/y+z==\\n-----END PRIVATE KEY-----\\n",
  "auth_uri": "https://accounts.example/o?x=y#z"
}`
  const KEY = '-----BEGIN PRIVATE KEY-----\nMIIx\\y==\n-----END PRIVATE KEY-----'

  it.each<[string, string]>([
    ['JSON of several lines', `A=${GOOGLE}`],
    ['JSON of several lines behind a colon', `A: ${GOOGLE}`],
    ['JSON in double quotes', `A="${GOOGLE}"`],
    ['a key of several lines', `A=${KEY}`],
    ['a key behind another line', `B=1\nA=${KEY}\nC=2`],
    ['a line of the other form', `B: 1\nA=${KEY}`],
    ['a block of YAML', `A: |\n  ${KEY}`],
  ])('work for %s', (_case, text) => {
    const message = problemsOf(text).join('\n')
    const [inQuotes = ''] = /KEY(?:=|: )'…'/.exec(message) ?? []
    const [inJson = ''] = /\{"KEY": .*?\}\} \}/.exec(message) ?? []
    for (const value of [GOOGLE, KEY]) {
      expect(asObject(inQuotes.replace('…', () => value))).toEqual({ KEY: value })
      const json = JSON.stringify(value, undefined, 2)
      expect(asObject(inJson.replace('${{ toJSON(secrets.KEY) }}', () => json))).toEqual({ KEY: value })
    }
    const ofVariables = problemsOf(text, secretsParser({ isShown: true, allowsEmpty: false, forbidden: [] })).join('\n')
    expect(ofVariables).toBe(message.replaceAll('secrets.KEY', 'vars.KEY'))
    expect(message).toContain("if the value has no ' in it")
    expect(message).toContain('which is right for every value')
  })

  it('keep any value', () => {
    const value = anyText().map((text) => text.replace(/\r/g, ''))
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [plain, more] = [one, other].map((text) => text.replaceAll("'", ''))
        expect(asObject(`A='${plain}'\nB='${more}'`)).toEqual({ A: plain, B: more })
        expect(asObject(`{"A": ${JSON.stringify(one)}, "B": ${JSON.stringify(other)} }`)).toEqual({ A: one, B: other })
      }),
    )
  })

  it('recommend no double quotes, which change backslashes', () => {
    for (const text of [`A=${KEY}`, `A: |\n  x`, 'A=#x', 'A="x" y', 'A=1\nB: 2', 'A=1,BBB=2', 'A=1\nhunter2'])
      expect(problemsOf(text).join()).not.toMatch(/KEY(?:=|: )"/)
  })
})

function warningsOf(text: string | SecretEntries, isShown = false): string[] {
  const warnings: string[] = []
  secretsParser({ isShown, allowsEmpty: true, forbidden: [], warn: (message) => warnings.push(message) })(text)
  return warnings
}

describe('what is probably not meant', () => {
  const COMMENT =
    'has a # behind a blank in the value of A: without quotes, the rest of the line is a part of the value. Write a comment on a line of its own, or the value in single quotes'
  const ESCAPE =
    'has an escape such as \\n or \\\\ in the double quotes of A, which is replaced. Single quotes keep every backslash'
  const variableOf = (meant: string): string =>
    `has a value of the form $NAME for A, in which no variable is replaced. Write ${meant} for the value of a variable`
  const VARIABLE = variableOf('${{ secrets.NAME }}')

  it.each<[string, string, string[]]>([
    ['a comment behind a value', 'A=hunter2 # hunter', [COMMENT]],
    ['a comment behind a colon', 'A: hunter2\t#hunter', [COMMENT]],
    ['a # inside a value', 'A=hunter2#hunter', []],
    ['a # in quotes', `A='hunter2 # hunter'\nB="hunter2 # hunter"`, []],
    ['a # in JSON', '{"A":"hunter2 # hunter"}', []],
    ['a variable', 'A=$hunter2', [VARIABLE]],
    ['a variable in braces', 'A="${hunter2}"', [VARIABLE]],
    ['a variable in JSON', '{"A":"$hunter2"}', [VARIABLE]],
    ['a variable inside a value', 'A=$hunter2/x\nB=x$hunter\nC=$1\nD=${a\nE=$a}', []],
    ['a line break in double quotes', 'A="hunter2\\nx"', [ESCAPE]],
    ['a quote in double quotes', 'A="hunter\\"2"', [ESCAPE]],
    ['a backslash in double quotes', 'A="C:\\\\hunter"', [ESCAPE]],
    ['no escape in double quotes', 'A="hunt\\er2"\nB="x"', []],
    ['a backslash in single quotes', "A='hunter\\n2'", []],
    ['a backslash without quotes', 'A=hunter\\n2', []],
    ['an escape of JSON', '{"A":"hunter\\n2"}', []],
  ])('has a warning with the name, without the value: %s', (_case, text, expected) => {
    expect(warningsOf(text)).toEqual(expected)
    expect(warningsOf(text).join()).not.toContain('hunter')
  })

  it('is named in one warning of each kind', () => {
    const lines = Array.from({ length: 22 }, (_, index) => `A${index}=$X\nB${index}=x # y`)
    expect(warningsOf(lines.join('\n'))).toEqual([
      expect.stringMatching(/value of B0, B1, .*B19 and 2 more: without/),
      expect.stringMatching(/for A0, A1, .*A19 and 2 more, in which/),
    ])
  })

  it('of variables is a variable of the workflow', () => {
    expect(warningsOf('A=$X', true)).toEqual([variableOf('${{ vars.NAME }}')])
  })

  it('in a manifest is a $NAME that it does not replace', () => {
    const entries = ['$X', '${X}', '$1'].map((value, index) => ({ name: `A${index}`, value, at: index + 1 }))
    const warnings = warningsOf({ unit: 'entry', entries, mistakes: [] })
    expect(warnings).toEqual([variableOf('${NAME}').replace('for A,', 'for A0,')])
  })

  it('is no matter where the list is refused for its lines: a name may be a part of a value', () => {
    const warnings: string[] = []
    const parse = secretsParser({ allowsEmpty: true, forbidden: [], warn: (message) => warnings.push(message) })
    expect(() => parse('hunter=$X\nhunter2')).toThrow('has a line 2')
    expect(warnings).toEqual([])
  })
})

describe('variables that look like secrets', () => {
  const problemsIn = (text: string | SecretEntries): (readonly [string, string])[] => {
    const read = new InputReader(() => text)
    read.list('variables', secretsParser({ isShown: true, allowsEmpty: true, forbidden: [] }))
    return read.problems.map(({ input, message, value }) => [`${input}${value ?? ''}`, message])
  }
  const REFUSED =
    'looks like a secret: move it to secrets; if it is public after all, secrets takes it too, it is only not shown'

  it('are refused one by one', () => {
    expect(problemsIn('MODEL_API_KEY=hunter2hunter2\nLEVEL=info\nDB=a://u:hunter2@h')).toEqual([
      ['variables.MODEL_API_KEY', REFUSED],
      ['variables.DB', REFUSED],
    ])
    expect(parseSecrets('MODEL_API_KEY=hunter2hunter2\nDB=a://u:hunter2@h')).toHaveLength(2)
  })

  it('are not named beside a mistake: a name may be a part of a value', () => {
    expect(problemsIn('hunter_key=hunter2hunter2\nhunter2').map(([input]) => input)).toEqual(['variables'])
  })

  it('go to secrets as a variable of the step, from a manifest', () => {
    const entries = [{ name: 'MODEL_API_KEY', value: 'hunter2hunter2', at: 1 }]
    expect(problemsIn({ unit: 'entry', entries, mistakes: [] })).toEqual([
      [
        'variables.MODEL_API_KEY',
        'looks like a secret: move it to secrets as ${NAME}, and set NAME in env of the step; if it is public after all, secrets takes it too, it is only not shown',
      ],
    ])
  })

  const NAMES = ['API_KEY', 'DB_PASSWORD', 'A_TOKEN', 'CLIENT_SECRET', 'LEVEL', '2B', 'LEVEL ', 'export X']
  const marked = fc
    .tuple(anyText(), fc.constantFrom('sk-', 'a://u:', '-----BEGIN PRIVATE KEY-----', '$', '# ', ''), anyText())
    .map(([before, sign, behind]) => `${before}${sign}QmarkQ1marked${behind}`)

  it('never appear in a message, nor do other values of a refused list', () => {
    const line = fc
      .tuple(
        fc.constantFrom(...NAMES),
        fc.constantFrom('=', ': ', '="', "='", '= '),
        marked,
        fc.constantFrom('', '"', "'"),
      )
      .map((parts) => parts.join(''))
    const json = fc.dictionary(fc.constantFrom(...NAMES), marked).map((object) => JSON.stringify(object))
    const text = fc.oneof(
      fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n')),
      json,
    )
    fc.assert(
      fc.property(text, (given) => {
        const read = new InputReader(() => given)
        const rules = { isShown: true, allowsEmpty: false, forbidden: [{ input: 'api-key', value: 'QmarkQ1marked' }] }
        read.list('variables', secretsParser({ ...rules, warn: (message) => read.warn('variables', message) }))
        const said = [...read.problems.map(describeProblem), ...read.warnings].join('\n')
        expect(said).not.toContain('QmarkQ')
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('parseSecretReferences', () => {
  it('reads ENV_NAME=secret-name/key', () => {
    expect(parseSecretReferences('  DB=postgres-creds/url  \n\n  # more\nK = a/b')).toEqual([
      { name: 'DB', secretName: 'postgres-creds', secretKey: 'url' },
      { name: 'K', secretName: 'a', secretKey: 'b' },
    ])
  })

  it.each(['DB=postgres', 'DB', '1DB=a/b', 'DB=a/b/c', 'DB=a/b\nDB=c/d'])('refuses %j', (text) => {
    expect(() => parseSecretReferences(text)).toThrow(/must be lines|twice/)
  })
})
