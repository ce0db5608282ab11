import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { credentialTexts } from '../../src/inputs/masking.ts'
import { InputError } from '../../src/problem.ts'
import { readStep } from '../../src/inputs/read-step.ts'
import {
  embeddedIn,
  secretsOfAddress,
  secretsOfText,
  webAddressOf,
  withoutEmbeddedUserInfo,
  withoutUserInfo,
} from '../../src/secrets/address.ts'
import { aPush } from '../builders.ts'
import { AROUND } from '../here.ts'
import { redactorOf } from './redactor-of.ts'

describe('withoutUserInfo', () => {
  it.each([
    ['https://me:pw@host/p', 'https://***@host/p'],
    ['https:\\\\me:pw@host', 'https:\\\\***@host'],
    ['https:/me:pw@host', 'https:/***@host'],
    ['https:me:pw@host', 'https:***@host'],
    ['me:pw@host', '***@host'],
    ['//me:pw@host', '//***@host'],
    ['https://me:p@w@host', 'https://***@host'],
    ['https://me:p/w@host', 'https://***@host'],
    ['https://me:1/w@host', 'https://***@host'],
    ['https://me:p?w@host', 'https://***@host'],
    ['https://me:p#w@host', 'https://***@host'],
    ['https://me:%zz@host', 'https://***@host'],
    ['https://me:pw%40host', 'https://***%40host'],
    ['me:pw%40host', '***%40host'],
    ['https://me:pw', 'https://***'],
    ['https://token@host', 'https://***@host'],
    ['https://[::1]:80/me:pw@host', 'https://***@host'],
  ])('hides the user info of %s', (address, expected) => {
    expect(withoutUserInfo(address)).toBe(expected)
  })

  it.each([
    'https://host/@scope/p',
    'https://[::1]/@scope',
    'https://host:8443/p?q=a%40b',
    'https://host/p?at=10:30',
    '{url}/ok?mail=a@b',
    'registry.example:5000/a/b:1',
    'registry.example:5000/a/b:1@sha256:0a',
    'host:org/repository.git',
    '/v2/deployments',
  ])('leaves %s as it is', (address) => {
    expect(withoutUserInfo(address)).toBe(address)
    expect(secretsOfAddress(address)).toEqual([])
  })

  it('finds a token that is a user name, and no short user name', () => {
    expect(secretsOfAddress('https://ghp_0123456789abcdef@host')).toEqual(['ghp_0123456789abcdef'])
    expect(secretsOfAddress('https://ghp_0123456789abcdef:x-oauth@host')).toContain('ghp_0123456789abcdef')
    expect(secretsOfAddress('git@host:a/b')).toEqual([])
  })

  it('finds addresses inside a command, but no path with an @', () => {
    const command = 'pip install git+https://me:pw%20d@host/a "https://host:80/@scope/b" x:y@z'
    expect(withoutEmbeddedUserInfo(command)).toBe(command.replace('me:pw%20d', '***'))
    expect(secretsOfText(command)).toEqual(expect.arrayContaining(['me:pw%20d', 'pw%20d', 'pw d']))
    expect(secretsOfText(command).join()).not.toMatch(/scope|80/)
  })
})

/** Part of every generated password, and of no message. */
const CORE = 'Zq7'
const BEFORE = [
  ...['https://', 'http://', 'HTTPS://', 'https:\\\\', 'https:\\/', 'https:/', 'https:', 'https//', 'htps://'],
  ...['', '//', '\\\\', ':', 'ht\ntps://'],
]
const BEHIND = [
  ...['@host', '@host/a/b', '@host:8443/api-host', '@host/a@2x', '@', '@[::1]'],
  ...['@host?q=1#f', '@%zz', '%2f@host'],
]
const part = fc.string({ unit: fc.constantFrom(...Array.from('@:/\\?#%[] .&=+1aZ%"é\t\n')), maxLength: 6 })
const passwords = fc
  .tuple(part, fc.constantFrom('', '%zz', '%40', '/', '@', '1/'), part)
  .map(([one, two, three]) => `${one}${two}${CORE}${three}`)
const users = fc.constantFrom('me', 'me.too', '', 'x-access-token')
const addresses = fc
  .tuple(fc.constantFrom(...BEFORE), users, passwords, fc.constantFrom(...BEHIND))
  .map(([before, user, password, behind]) => ({ password, address: `${before}${user}:${password}${behind}` }))

const EVENT = aPush({ repositoryUrl: undefined, repository: undefined, apiUrl: '' })

describe('a password in an address', () => {
  it.each(['base-url', 'repo-url', 'verify-url', 'custom-url', 'image-uri', 'path'])(
    'is refused in %s, and never printed, whatever it and the address look like',
    async (input) => {
      const operation = input === 'path' ? 'request' : 'rollout'
      await fc.assert(
        fc.asyncProperty(addresses, async ({ address, password }) => {
          const given: Record<string, string> = { 'base-url': 'https://h', 'api-key': 'k-1', name: 'a', operation }
          given[input] = address
          const raw = (name: string): string => given[name] ?? ''
          const secrets = credentialTexts(raw, { https_proxy: undefined })
          expect(redactorOf(...secrets).redact(address)).not.toContain(CORE)
          expect(secrets.some((secret) => secret.includes(password.trim()))).toBe(true)
          const error = await readStep(raw, EVENT, AROUND).then(
            () => undefined,
            (thrown: unknown) => thrown,
          )
          if (!(error instanceof InputError)) throw new Error(`accepted ${address}`, { cause: error })
          expect(error.problems.map((problem) => problem.input)).toEqual([input])
          expect(JSON.stringify(error.problems)).not.toContain(CORE)
        }),
        { numRuns: 100 },
      )
    },
  )

  it('is found in the address of a proxy', () => {
    fc.assert(
      fc.property(addresses, ({ address }) => {
        const secrets = credentialTexts(() => '', { HTTPS_PROXY: address })
        expect(redactorOf(...secrets).redact(address)).not.toContain(CORE)
      }),
    )
  })
})

it.each([
  ['https://user：hunter2＠host/a', 'https://***＠host/a'],
  ['https://user：hunter2@host/a', 'https://***@host/a'],
])('sees the user info behind full-width signs: %s', (address, printed) => {
  expect(withoutUserInfo(address)).toBe(printed)
  expect(secretsOfAddress(address)).toContain('hunter2')
})

describe('the addresses inside a text', () => {
  const pieces = ['http://', 'x', 'a:/', 'b', '@', ' ', ':', '\\\\', '/', 'u:p@h', '.', 'x'.repeat(990)]
  const WHOLE = /[a-z][a-z0-9+.-]{0,20}:[\\/]{1,4}[^\s\\/]\S{0,1000}@/gi

  const expectedIn = (text: string) =>
    [...text.matchAll(WHOLE)].map(({ index, 0: { length } }) => [index, index + length])

  it('may begin with the last character of another beginning, which is too far from its @', () => {
    const text = `http://b:/${'x'.repeat(999)}@`
    expect(embeddedIn(text)).toEqual([[7, text.length]])
    expect(expectedIn(text)).toEqual([[7, text.length]])
  })

  it('are those of one regular expression, each up to its last @', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect(embeddedIn(text)).toEqual(expectedIn(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an address of the web', () => {
  it.each(['https://host', 'HTTP://host:1/a', 'https://[::1]/'])('is %s', (text) =>
    expect(webAddressOf(text)).toEqual(URL.parse(text)),
  )

  it.each([
    'https:///host',
    'https:/host',
    'https:\\\\host',
    'https:host',
    'https://',
    'ftp://host',
    'https://me@host',
    'host',
  ])('is not %s, whose host a URL parser would find', (text) => expect(webAddressOf(text)).toBeUndefined())
})
