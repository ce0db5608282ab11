import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { imageReference } from '../../src/inputs/image.ts'
import { Unacceptable } from '../../src/inputs/parsers.ts'

const HEX = '0123456789abcdef'.repeat(4)
const SHA256 = `sha256:${HEX}`
const SHA512 = `sha512:${HEX}${HEX}`

function problemOf(text: string): string {
  try {
    imageReference(text)
    return ''
  } catch (thrown) {
    if (thrown instanceof Unacceptable) return thrown.message
    throw thrown
  }
}

describe('an image', () => {
  it.each([
    ...[
      'agent',
      'agent:1',
      'current',
      'acme/agent',
      'a/b/c/d:1.2.3',
      'my__agent',
      'my_agent.v1',
      'my--agent',
      'a-b---c',
    ],
    ...['localhost/a', 'localhost:5000/a', '[::1]:5000/a', '[::1]/a', 'registry.example/agent', 'host:5000/agent:1'],
    ...['REGISTRY.Example/agent', 'ghcr.io/acme/agent:V1.0-RC_1', 'agent:latest', 'agent:nullable', 'agent:_1'],
    ...[`a:1@${SHA256}`, `a@${SHA512}`, `[::1]:5000/a/b:1@${SHA256}`, `localhost:5000/a@${SHA256}`],
    ...[`a@sha384:${HEX}${HEX.slice(32)}`, `a@multi+b64u:${HEX}`, `agent:${'x'.repeat(128)}`],
    'user@registry.example/agent',
  ])('is %s', (text) => expect(imageReference(text)).toBe(text))

  it.each<[what: string, message: string | RegExp, texts: readonly (readonly [text: string, meant?: string])[]]>([
    [
      'with a scheme',
      'must be an image without a scheme, as in registry.example/agent:1',
      [
        ['https://registry.example/agent:1', 'registry.example/agent:1'],
        ['docker://registry.example/Agent', 'registry.example/agent'],
        ['oci:///agent', 'agent'],
        ['http:/registry.example:5000/agent', 'registry.example:5000/agent'],
      ],
    ],
    [
      'with capitals in its path',
      'has capitals in its path, which only a host and a tag may have',
      [
        ['Agent', 'agent'],
        ['Acme/agent:V1', 'acme/agent:V1'],
        ['ghcr.io/Acme/My-Agent:1', 'ghcr.io/acme/my-agent:1'],
        [`Host.example/Agent@${SHA256}`, `Host.example/agent@${SHA256}`],
      ],
    ],
    [
      'with an empty tag',
      /^has an empty tag(?: \((?:null|undefined)\))?: look for a typo in the name of the workflow's output or variable, which is empty then/,
      [
        ['agent:'],
        ['ghcr.io/acme/agent:'],
        ['host:5000/agent:'],
        ['agent:null'],
        ['agent:undefined'],
        [`a:@${SHA256}`],
      ],
    ],
    [
      'of a text that an empty output becomes',
      "is what an empty output becomes: look for a typo in the name of the workflow's output or variable",
      [['null'], ['undefined'], ['None']],
    ],
    [
      'with an empty digest',
      "has an empty digest: look for a typo in the name of the workflow's output or variable, which is empty then",
      [['agent@'], ['agent@sha256:'], ['agent:1@sha256:null'], ['ghcr.io/acme/agent@undefined'], ['agent@null']],
    ],
    [
      'with an empty part',
      "has an empty part before or behind a /: look for a typo in the name of the workflow's output or variable, which is empty then",
      [['/agent:1'], ['ghcr.io//agent:1'], ['ghcr.io/acme/:1'], ['ghcr.io/'], ['registry.example:/agent']],
    ],
    [
      'with a / in its tag',
      'has a / in its tag, as a branch has one and no tag may',
      [
        ['agent:feature/x', 'agent:feature-x'],
        ['ghcr.io/acme/agent:dependabot/npm/a-1.2', 'ghcr.io/acme/agent:dependabot-npm-a-1.2'],
        ['host:5000/agent:v1.2/fix', 'host:5000/agent:v1.2-fix'],
        ['agent:v1.2/fix', 'agent:v1.2-fix'],
        ['agent:refs/heads/main', 'agent:main'],
      ],
    ],
    [
      'in a list',
      'must be one image, without blanks, commas and line breaks: of a list of tags set one, as in ${{ fromJSON(steps.meta.outputs.json).tags[0] }}',
      [
        ['agent:1,agent:latest'],
        ['agent:1\nagent:latest'],
        ['agent:1 agent:latest'],
        ['["agent:1","agent:latest"]'],
        ["['a:1']", 'a:1'],
        ['["agent:1"]', 'agent:1'],
        ['agent:1,', 'agent:1'],
        ['[]'],
      ],
    ],
    [
      'in quotes',
      'is in quotes, which are no part of an image',
      [
        ['"agent:1"', 'agent:1'],
        ["'agent'", 'agent'],
      ],
    ],
    [
      'that is a digest alone',
      'is a digest alone: write it behind its image, as in agent@sha256:…',
      [[SHA256], [HEX], [SHA512]],
    ],
    [
      'with another digest',
      'has a digest of another form than sha256: and 64 hexadecimal digits in small letters',
      [
        ['agent@v1'],
        ['agent:1@sha256:xyz'],
        [`agent:1@${SHA256.toUpperCase()}`, `agent:1@${SHA256}`],
        [`agent@${HEX}`, `agent@${SHA256}`],
        [`agent:latest@${HEX}`, `agent:latest@${SHA256}`],
        [`host:5000/agent:1@${HEX.toUpperCase()}`, `host:5000/agent:1@${SHA256}`],
        [`agent@${SHA256.toUpperCase()}`, `agent@${SHA256}`],
        ['agent@sha256:abc'],
        [`agent@${SHA256}0`],
        [`agent@sha512:${HEX}`],
      ],
    ],
    [
      'with a tag that is none',
      'has a tag that is none: a tag has at most 128 letters, digits, _ . and -, and begins with none of . and -',
      [
        ['agent:1.0+build.5', 'agent:1.0-build.5'],
        [`agent:${SHA256}`, `agent@${SHA256}`],
        ['agent:-1'],
        ['agent:1:2'],
        [`agent:${'x'.repeat(129)}`],
      ],
    ],
    [
      'of another form',
      'must be an image, as in registry.example/agent:1 or registry.example/agent@sha256:… (64 hexadecimal digits)',
      [['./agent'], ['agent-'], ['a___b'], ['-agent'], ['my_registry:5000/agent'], ['a..b']],
    ],
  ])('is none %s', (_what, message, texts) => {
    for (const [text, meant] of texts) {
      const [sentence, hint] = problemOf(text).split('; did you mean ')
      expect(sentence).toMatch(message)
      if (typeof message === 'string') expect(sentence).toBe(message)
      expect([text, hint]).toEqual([text, meant === undefined ? undefined : `${meant}?`])
    }
  })

  it('really called null is set by its digest', () => {
    expect(problemOf('agent:null')).toMatch(/; an image that really has this tag can be set by its digest$/)
    expect(problemOf('agent:')).not.toContain('digest')
  })

  it('has no password, and no user name is repeated', () => {
    expect(problemOf('user:hunter2@registry.example/agent:1')).toContain('must not contain user info')
    expect(problemOf('https://hunter2@registry.example/Agent:1')).not.toContain('hunter2')
    expect(problemOf('hunter2@registry.example/Agent:1')).not.toContain('hunter2')
    expect(problemOf('hunter2@registry.example')).not.toContain('hunter2')
  })

  it('that is suggested is accepted', () => {
    const sign = fc.constantFrom(
      'a',
      'A',
      '1',
      ':',
      '/',
      '@',
      '.',
      '-',
      '_',
      'sha256:',
      HEX,
      ',',
      '"',
      '[',
      ']',
      'https://',
    )
    const text = fc.array(sign, { minLength: 1, maxLength: 9 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(text, (given) => {
        const [, meant] = /; did you mean (.*)\?$/.exec(problemOf(given)) ?? []
        if (meant !== undefined) expect(imageReference(meant)).toBe(meant)
      }),
      { numRuns: 2_000 },
    )
  })
})
