import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseBaseUrl, repositoryAddress, verifyAddress, webAddress } from '../../src/inputs/addresses.ts'
import { Unacceptable, type Parser } from '../../src/inputs/parsers.ts'

function problemOf(parse: Parser<unknown>, text: string): string {
  try {
    parse(text)
    return ''
  } catch (thrown) {
    if (thrown instanceof Unacceptable) return thrown.message
    throw thrown
  }
}

const NO_HOST = 'look for a variable or an output that is empty'
const baseUrl = (text: string): URL => parseBaseUrl(text, false)

/** Inputs that are an address of the web, each with the beginning of what it must be. */
const WEB = [
  ['base-url', baseUrl, 'must be an address such as https://control-plane.example or https://host/api-host'],
  ['verify-url', verifyAddress, 'must be a web address without user info, as in {url}/ok or https://agent.example/ok'],
  ['custom-url', webAddress, 'must be a web address, as in https://agent.example'],
  [
    'repo-url',
    repositoryAddress,
    'must be the address of a repository, as in https://github.com/acme/agent or git@github.com:acme/agent.git',
  ],
] as const

describe.each(WEB)('%s', (_input, parse, mustBe) => {
  it.each(['https://host/x', 'HTTPS://Host.example:8443/a/b', 'https://a.example/', 'http://localhost:1/x'])(
    'takes %s',
    (text) => expect(problemOf(parse, text)).toBe(''),
  )

  it.each([
    'https:///api-host',
    'https:////host',
    'https://',
    'https:',
    'https://?a',
    'https://:8443/x',
    'https:\\\\\\host',
  ])('has a host, and %s has none', (text) =>
    expect(problemOf(parse, text)).toMatch(new RegExp(`^has no host, as .* has one: ${NO_HOST}$`)),
  )

  it.each([
    ['https:/host/x', 'https://host/x'],
    ['https:\\\\host/x', 'https://host/x'],
    ['https:\\host/x', 'https://host/x'],
    ['https:host/x', 'https://host/x'],
    ['HTTPS:/host/x', 'HTTPS://host/x'],
  ])('has two slashes, which %s has not', (text, meant) =>
    expect(problemOf(parse, text)).toBe(`must begin with ${meant.split(':')[0] ?? ''}://; did you mean ${meant}?`),
  )

  it.each([
    ['control-plane.example/x', 'https://control-plane.example/x'],
    ['//control-plane.example/x', 'https://control-plane.example/x'],
    ['://control-plane.example/x', 'https://control-plane.example/x'],
  ])('has a scheme, and %s has none', (text, meant) =>
    expect(problemOf(parse, text)).toBe(`${mustBe}; did you mean ${meant}?`),
  )

  it('has one scheme', () => {
    expect(problemOf(parse, 'https://https://host/x')).toBe('has its scheme twice; did you mean https://host/x?')
    expect(problemOf(parse, 'https://http://localhost/x')).toBe(
      'has its scheme twice; did you mean http://localhost/x?',
    )
  })

  it('has no user info, and no message repeats it', () => {
    for (const text of ['https:/me:hunter2@host/x', 'me:hunter2@host/x', 'https://https://me:hunter2@host/x']) {
      expect(problemOf(parse, text)).toContain('must not contain user info')
      expect(problemOf(parse, text)).not.toContain('hunter2')
    }
  })
})

describe('base-url', () => {
  it.each([
    'https://host',
    'https://host/api-host',
    'https://host:8443/a/b/',
    'http://localhost:1',
    'http://127.0.0.1:8080/x',
    'http://[::1]:9',
  ])('takes %s', (text) => expect(baseUrl(text).protocol).toMatch(/^https?:$/))

  it.each([
    ['http://host', 'must be https'],
    ['http://localhost.evil.example', 'must be https'],
    ['https://user:pw@host', 'user info'],
    ['https://user@host', 'user info'],
    ['https://host?x=1', 'query'],
    ['https://host#x', 'fragment'],
    ['https://host/?', 'query'],
    ['https://host/v1', 'must not contain /v1'],
    ['https://host/api-host/v2/', 'must not contain /v2'],
    ['ftp://host', 'must be an address'],
    ['host', 'must be an address'],
    ['', 'must be an address'],
  ])('refuses %j', (text, message) => expect(() => baseUrl(text)).toThrow(message))

  it('takes plain http to another host on demand', () => {
    expect(parseBaseUrl('http://host', true).href).toBe('http://host/')
  })

  it.each([
    ['localhost:8080', '; did you mean http://localhost:8080?'],
    ['host/v2', ''],
    ['ftp://host', ''],
    ['/api-host', ''],
    ['http:/host', ''],
  ])('suggests for %s only what it takes', (text, hint) =>
    expect(problemOf(baseUrl, text)).toMatch(new RegExp(`^must (?:be|begin) [^;]*${hint.replaceAll('?', '\\?')}$`)),
  )
})

describe('verify-url', () => {
  it.each(['{url}', '{url}/ok', 'https://agent.example/ok', '{url}?a={url}', 'http://agent.example/ok'])(
    'takes %s',
    (text) => expect(verifyAddress(text)).toBe(text),
  )
  it.each(['agent.example/ok', 'ftp://agent.example', 'javascript:alert(1)', 'x{url}'])('refuses %s', (text) =>
    expect(() => verifyAddress(text)).toThrow('must be a web address'),
  )
  it.each([
    [
      '/ok',
      'must be a web address without user info, as in {url}/ok or https://agent.example/ok; did you mean {url}/ok?',
    ],
    ['https://{url}/ok', 'must begin with {url}, which has a scheme; did you mean {url}/ok?'],
    ['{url}ok', 'must have a /, ? or # after {url}, as in {url}/ok'],
    ['{URL}/ok', 'must have {url} in small letters and without blanks; did you mean {url}/ok?'],
    ['{Url}', 'must have {url} in small letters and without blanks; did you mean {url}?'],
    ['https://{URL}/ok', 'must have {url} in small letters and without blanks; did you mean {url}/ok?'],
    ['{ url }/ok', 'must have {url} in small letters and without blanks; did you mean {url}/ok?'],
    [
      'https://probe.example/?of={URL}',
      'must have {url} in small letters and without blanks; did you mean https://probe.example/?of={url}?',
    ],
  ])('refuses %s', (text, message) => expect(problemOf(verifyAddress, text)).toBe(message))

  it('takes or refuses every text', () => {
    const sign = fc.constantFrom(
      '{url}',
      '{URL}',
      '{',
      '}',
      'url',
      'https:',
      '/',
      '\\',
      ':',
      '?',
      '#',
      '&',
      '@',
      'a',
      ' ',
    )
    const text = fc.array(sign, { minLength: 1, maxLength: 8 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(text, (given) => {
        const [, meant] = /; did you mean (.*)\?$/.exec(problemOf(verifyAddress, given)) ?? []
        if (meant !== undefined) expect(verifyAddress(meant)).toBe(meant)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('custom-url', () => {
  it.each(['ftp://agent.example', '/agent', '', 'agent', 'https://a b.example'])('refuses %j', (text) =>
    expect(problemOf(webAddress, text)).toMatch(/^must be a web address, as in https:\/\/agent\.example/),
  )
})

describe('repo-url', () => {
  it.each([
    ...['https://github.com/acme/agent', 'https://github.com/acme/agent.git', 'https://github.com/acme/agent/'],
    ...[
      'https://git.example/agent',
      'https://gitserver/agent',
      'http://gitserver:3000/acme/agent',
      'https://github.com/',
    ],
    ...['git@github.com:acme/agent.git', 'git@github.com:agent', 'github.com:acme/agent', 'work:acme/agent.git'],
    ...['git@host:/srv/git/agent.git', 'git@[::1]:acme/agent', 'acme@vs-ssh.visualstudio.com:v3/acme/a/agent'],
    ...[
      'ssh://git@github.com/acme/agent',
      'ssh://git@host:2222/acme/agent.git',
      'git://host/agent',
      'ssh://host/~me/a',
    ],
    ...['git+ssh://git@github.com/acme/agent', 'https://github.com/acme/agent?a=b//c'],
  ])('takes %s', (text) => expect(repositoryAddress(text)).toBe(text))

  it.each(['https://token@github.com/a/b', 'https://u:p@github.com/a/b'])('refuses a token in %s', (text) => {
    expect(() => repositoryAddress(text)).toThrow('must not contain')
  })

  it.each([
    ['https://github.com//agent', ''],
    ['https://github.com/acme//agent', 'https://github.com/acme/agent'],
    ['https://github.com/acme//', ''],
    ['git@github.com:acme//agent.git', 'git@github.com:acme/agent.git'],
    ['https://github.com//', ''],
    ['git@github.com://agent.git', ''],
    ['ssh://git@github.com//agent', ''],
    ['ssh://git@github.com/acme//agent/', 'ssh://git@github.com/acme/agent/'],
    ['hunter2@github.com:acme//agent', ''],
  ])('has no empty part, as in %s', (text, meant) => {
    const [sentence = '', hint] = problemOf(repositoryAddress, text).split('; did you mean ')
    expect(sentence).toMatch(/^(?:has an empty part between two slashes: look for|must be the address of a repository)/)
    expect(hint ?? '').toBe(meant && `${meant}?`)
  })

  it.each([
    ['acme/agent', 'https://github.com/acme/agent'],
    ['github.com/acme/agent.git', 'https://github.com/acme/agent.git'],
    ['git@github.com/acme/agent', 'git@github.com:acme/agent'],
    ['./agent', ''],
    ['/srv/agent', ''],
    ['C:\\agent', ''],
    ['agent', ''],
  ])('has a scheme, and %s has none', (text, meant) => {
    const hint = meant && `; did you mean ${meant}?`
    expect(problemOf(repositoryAddress, text)).toBe(WEB[3][2] + hint)
  })

  it.each(['ssh:///acme/agent', 'ssh://git@/acme/agent', 'file:///srv/agent', 'git@github.com:'])(
    'has a host and a path, and %s has not both',
    (text) => expect(problemOf(repositoryAddress, text)).toMatch(/^has no (?:host, as|path behind its host:) /),
  )
})
