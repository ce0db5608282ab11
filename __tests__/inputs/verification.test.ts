import { describe, expect, it } from '@jest/globals'
import { maskInputs } from '../../src/inputs/masking.ts'
import {
  expectedBody,
  headerEntries,
  parseHeaders,
  secretsOfBody,
  secretsOfHeaders,
} from '../../src/inputs/verification.ts'
import type { Verification } from '../../src/rollout/rollout-request.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { aPush } from '../builders.ts'
import { problemsOfRollout, readRollout } from './rollouts.ts'

const GOOD = { 'verify-url': 'https://agent.example/ok' }

const read = async (given: Record<string, string>): Promise<Verification | undefined> =>
  (await readRollout({ ...GOOD, ...given })).verification
const problemsOf = async (given: Record<string, string>): Promise<string[]> =>
  await problemsOfRollout({ ...GOOD, ...given })

describe('the request of a check', () => {
  it('is a GET without headers by default', async () => {
    expect((await read({}))?.request).toEqual({ method: 'GET', headers: {} })
  })

  it('has the headers of its lines, with names in lower case', async () => {
    const headers = 'Authorization: Bearer key:1\r\n\n  X-Api-Key:abc123  \nAccept: text/plain'
    expect((await read({ 'verify-headers': headers }))?.request?.headers).toEqual({
      authorization: 'Bearer key:1',
      'x-api-key': 'abc123',
      accept: 'text/plain',
    })
  })

  it.each([
    ['{"input": 1}', '', 'application/json'],
    ['a=b', '', 'text/plain; charset=utf-8'],
    ['a=b', 'Content-Type: application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ])('sends the body %s with headers %j as %s', async (body, headers, type) => {
    const given = { 'verify-method': 'POST', 'verify-body': `${body}\n`, 'verify-headers': headers }
    expect((await read(given))?.request).toEqual({ method: 'POST', headers: {}, body: { type, text: body } })
  })

  it.each(['GET', 'HEAD'])('has no body with %s', async (method) => {
    const message = 'verify-body: needs a verify-method that sends a body: POST, PUT or PATCH'
    expect(await problemsOf({ 'verify-method': method, 'verify-body': 'a' })).toEqual([message])
  })

  it.each(['DELETE', 'post', 'CONNECT'])('is no %s', async (method) => {
    expect(await problemsOf({ 'verify-method': method })).toEqual([
      `verify-method: "${method}" must be one of GET, HEAD, POST, PUT, PATCH`,
    ])
  })

  it('reads no body of a HEAD', async () => {
    expect(await problemsOf({ 'verify-method': 'HEAD', 'verify-contains': 'x' })).toEqual([
      'verify-contains: needs a verify-method other than HEAD, whose response has no body',
    ])
  })

  it('needs an address', async () => {
    const given = { 'verify-url': '', 'verify-headers': 'X-Key: k1', 'verify-method': 'POST', 'verify-body': 'b' }
    expect(await problemsOf(given)).toEqual(['verify-headers: needs verify-url', 'verify-body: needs verify-url'])
  })
})

describe('a header', () => {
  const NEEDS_HTTPS = 'verify-headers: needs a verify-url of https; with allow-http: true, http is accepted'
  it.each([
    ['http://agent.example', 'false', [NEEDS_HTTPS]],
    ['http://agent.example', 'true', []],
    ['http://localhost:8123', 'false', []],
    ['{url}/ok', 'false', []],
  ])('goes to %s, with allow-http: %s, unless %j', async (url, allowed, problems) => {
    const given = { 'verify-url': url, 'verify-headers': 'X-Key: k1', 'allow-http': allowed }
    expect(await problemsOf(given)).toEqual(problems)
  })

  it.each([
    ['X-Key: k1', 'false', true],
    ['X-Key: k1', 'true', false],
    ['', 'false', false],
  ])('%j, with allow-http: %s, must be encrypted: %s', async (headers, allowed, isEncrypted) => {
    expect(await read({ 'verify-headers': headers, 'allow-http': allowed })).toMatchObject({ isEncrypted })
  })

  it.each([
    ...['Host', 'content-length', 'Transfer-Encoding', 'CONNECTION', 'Keep-Alive', 'Upgrade', 'TE', 'Trailer'],
    ...['Expect', 'Accept-Encoding', 'Proxy-Authorization', 'Proxy-Connection'],
  ])('%s is set by the network only', async (name) => {
    expect(await problemsOf({ 'verify-headers': `${name}: s3cret-1` })).toEqual([
      'verify-headers: must not set line 1: the network sets this header itself',
    ])
  })

  it.each([
    ['a line without a colon', 'X-Ok: 1\ns3cret-1', 2],
    ['a blank in its name', 'X s3cret-1: b', 1],
    ['a blank behind its name', 'X-Key : s3cret-1', 1],
    ['no name', ': s3cret-1', 1],
    ['a character beyond ASCII', 'X-Key: s3cret-1é', 1],
    ['a control character', 'X-Key: s3cret-1\u0000', 1],
  ])('is refused with %s, and not shown', async (_case, headers, line) => {
    expect(await problemsOf({ 'verify-headers': headers })).toEqual([
      `verify-headers: has no header in line ${line}: write Name: value, where the value is one line of ASCII`,
    ])
  })

  it.each(['X-Key:', 'X-Key: ', 'Authorization: Bearer', 'Authorization: Basic '])(
    'has a value: %j has none',
    async (line) => {
      expect(await problemsOf({ 'verify-headers': line })).toEqual([
        expect.stringMatching(/has an empty value in line 1: look for a typo in the name/),
      ])
    },
  )

  it('is set once', async () => {
    expect(await problemsOf({ 'verify-headers': 'X-Key: a\nx-key: b' })).toEqual([
      'verify-headers: sets a header twice, in lines 1 and 2',
    ])
  })

  it.each(['Host: s3cret-2', 's3cret-2: s3cret-3\ns3cret-2: s3cret-4', 's3cret-2:', 's3cret-2: Basic', 's3cret-2 :'])(
    'shows nothing of a secret with the later lines %j',
    async (lines) => {
      const problems = await problemsOf({ 'verify-headers': `X-Key: s3cret-1\n${lines}` })
      expect(problems).toEqual([expect.stringMatching(/^verify-headers: .*line/)])
      for (const part of lines.split(/[\s:]+/).filter((one) => one !== '')) expect(problems[0]).not.toContain(part)
    },
  )

  it('is named where its name is in a manifest', () => {
    const entries = [
      { name: 'X-Key', value: 'a', at: 1 },
      { name: 'x-key', value: '', at: 2 },
    ]
    expect(() => parseHeaders({ unit: 'entry', entries, mistakes: [] })).toThrow(
      /^has an empty value in x-key: look .*; sets a header twice, as x-key$/,
    )
  })
})

describe('headers of another form', () => {
  it.each([
    ...['X=y', 'Name=value', 'X-Api-Key=hunter2', 'X-Api-Key = hunter2', 'X-Api-Key=hunter2:abc'],
    ...['Referer=https://agent.example', 'X-Time = 10:15'],
  ])('say which form to write, also behind the masks: %s', async (line) => {
    const redactor = new Redactor(() => undefined)
    maskInputs(redactor, (name) => (name === 'verify-headers' ? line : ''), aPush(), {})
    expect((await problemsOf({ 'verify-headers': line })).map(redactor.redact)).toEqual([
      'verify-headers: has no header in line 1: write Name: value, with a colon in place of =, where the value is one line of ASCII',
    ])
  })
})

describe('what is masked', () => {
  const secretsIn = (headers: string): string[] => secretsOfHeaders(headerEntries(headers))

  it.each([
    ['X-Api-Key: abc:123', ['abc:123']],
    ['Authorization: Bearer abc123', ['Bearer abc123', 'abc123']],
    ['Authorization: Basic bWU6aHVudGVyMg==', ['Basic bWU6aHVudGVyMg==', 'bWU6aHVudGVyMg==', 'me:hunter2', 'hunter2']],
    ['Cookie: session=abc123; theme=dark', ['session=abc123; theme=dark', 'abc123', 'dark']],
    ['no header at all', ['no header at all']],
  ])('of %s: %j', (line, expected) => expect(secretsIn(line)).toEqual(expected))

  it.each([
    ['', []],
    ['{"apiKey": "a \\"b\\"", "n": 1, "tokens": ["c1"]}', ['a \\"b\\"', 'a "b"', 'c1', 'c1']],
    ['{"password": "abc", ', ['abc', 'abc']],
    ['{"id": "sk-0123456789abcdef", "text": "my own passphrase"}', expect.arrayContaining(['sk-0123456789abcdef'])],
    ['user=me&session_id=a%20b', ['a b', 'user=me&session_id=a%20b']],
    ['aB3+dE6!h', ['aB3+dE6!h']],
    ['short\nthis-line-is-a-long-key\n', ['this-line-is-a-long-key']],
  ])('of the body %j: %j', (body, expected) => expect(secretsOfBody(body)).toEqual(expected))

  it('of a body is no common word, which names and addresses contain', () => {
    const body = '{"assistant_id": "assistant", "input": {"role": "user", "region": "us-east-1", "x": ["production"]}}'
    expect(secretsOfBody(body)).toEqual([])
  })

  it('is hidden before anything else is read', () => {
    const redactor = new Redactor(() => undefined)
    const inputs: Record<string, string> = {
      'verify-headers': 'X-Key: header-key-1\nbroken-line-1',
      'verify-body': '{"api_key":"body-key-1"}',
    }
    maskInputs(redactor, (name) => inputs[name] ?? '', aPush({}), {})
    expect(redactor.redact('header-key-1 broken-line-1 body-key-1 X-Key')).toBe('*** *** *** X-Key')
  })
})

describe('verify-contains', () => {
  it.each([
    ['/status=ok', '/status', ['status'], 'ok'],
    ['/checks/0/name=a=b', '/checks/0/name', ['checks', '0', 'name'], 'a=b'],
    ['/a~1b~0c= x ', '/a~1b~0c', ['a/b~c'], ' x '],
  ])('%s begins with a pointer', (text, pointer, path, value) => {
    expect(expectedBody(text)).toEqual({ text, at: { pointer, path, value } })
  })

  it.each([
    ['$.ok=true', '/ok=true'],
    ['$.a.b[0].c == "x y"', '/a/b/0/c=x y'],
    ["$['a/b']['c']='d'", '/a~1b/c=d'],
    ['$.status: ok', '/status=ok'],
    ['$.ok', '/ok=value'],
    ['.status == "ok"', '/status=ok'],
    ['.checks[0].ok==true', '/checks/0/ok=true'],
  ])('%s is a path of another tool, and means %s', (text, meant) => {
    expect(expectedBody(meant)).toMatchObject({ text: meant })
    expect(() => expectedBody(text)).toThrow(
      `must be a text, or a JSON pointer with a value, as in /ok=true; did you mean ${meant}? To find this very text, set a part of it that does not begin so`,
    )
  })

  it('suggests no pointer that would be read as a text', () => {
    expect(() => expectedBody('$["a b"]=c')).toThrow(/as in \/ok=true\. To find this very text/)
  })

  it.each(['$5.00', '$.50', '$.50: off', '$', '$.', '$ok=true', '.ok=true', '.5', '...', '$.a b=c'])(
    '%s is a text that is hardly a path',
    (text) => {
      expect(expectedBody(text)).toEqual({ text })
    },
  )

  it.each([
    ...['status=ok', '/status', '/=ok', '/status=', '//cdn.example/a=b', '/search?q=b', '/a b=c', '</title> a=b'],
    ...['/p&q=1', '/#top=1', '/%20=1', '/~user=1', '/a"b=c', 'x/status=ok', '{"status":"ok"}'],
  ])('%s is a text', (text) => {
    expect(expectedBody(text)).toEqual({ text })
  })
})
