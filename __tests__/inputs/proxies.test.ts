import { describe, expect, it } from '@jest/globals'
import { proxyFor, proxyWarnings } from '../../src/inputs/proxies.ts'

const SECURE = new URL('https://app.corp.example/')
const PLAIN = new URL('http://app.corp.example/')

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['http://user:pass%40word@proxy.example', 'http://user:pass%40word@proxy.example/'],
    ['proxy.example', 'http://proxy.example/'],
    ['proxy.example:3128', 'http://proxy.example:3128/'],
    ['localhost:3128', 'http://localhost:3128/'],
    ['proxy:3128/', 'http://proxy:3128/'],
    [' proxy:3128 ', 'http://proxy:3128/'],
    ['10.0.0.1:3128', 'http://10.0.0.1:3128/'],
    ['[2001:db8::1]:3128', 'http://[2001:db8::1]:3128/'],
    ['user:password@proxy.example:3128', 'http://user:password@proxy.example:3128/'],
    ['socks5://proxy.example:1080', 'http://proxy.example:1080/'],
  ])('%s is %s', (given, address) => {
    const env = { https_proxy: given }
    expect(proxyFor(SECURE, env)?.address.href).toBe(address)
    expect(proxyWarnings(env)).toEqual([])
  })

  it.each([
    'http://',
    'proxy:port',
    'user:pass/word@proxy.example',
    'http://user:%zz@proxy.example',
    'http://me:100%@proxy.example',
  ])('%s cannot be used, which a warning says', (given) => {
    const env = { https_proxy: given }
    expect(proxyFor(SECURE, env)).toBeUndefined()
    expect(proxyWarnings(env)).toEqual([
      'https_proxy is ignored, because it is not an address such as http://proxy.example:3128. Percent-encode the special characters of its password.',
    ])
  })
})

describe('the proxy for an address', () => {
  it.each<[URL, Record<string, string>, string | undefined]>([
    [SECURE, { https_proxy: 'a', HTTPS_PROXY: 'b', http_proxy: 'c' }, 'https_proxy'],
    [SECURE, { https_proxy: '', HTTPS_PROXY: 'b' }, 'HTTPS_PROXY'],
    [SECURE, { https_proxy: 'http://', HTTPS_PROXY: 'b' }, 'HTTPS_PROXY'],
    [SECURE, { http_proxy: 'c' }, undefined],
    [PLAIN, { https_proxy: 'a', http_proxy: 'c', HTTP_PROXY: 'd' }, 'http_proxy'],
    [PLAIN, { HTTP_PROXY: 'd' }, 'HTTP_PROXY'],
    [PLAIN, {}, undefined],
  ])('%s with %j is that of %s', (url, env, variable) => {
    expect(proxyFor(url, env)?.variable).toBe(variable)
  })

  it.each([
    'https://localhost/',
    'https://127.0.0.1:8123/',
    'https://127.9.9.9/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
  ])('%s is none', (url) => expect(proxyFor(new URL(url), { https_proxy: 'proxy:1' })).toBeUndefined())
})

describe('no_proxy', () => {
  it.each([
    ['*', 'https://any.example/', true],
    ['corp.example', 'https://corp.example/', true],
    ['corp.example', 'https://app.corp.example/', true],
    ['corp.example', 'https://uncorp.example/', false],
    ['.corp.example', 'https://app.corp.example/', true],
    ['.corp.example', 'https://a.b.corp.example/', true],
    ['.corp.example', 'https://corp.example/', false],
    ['.corp.example', 'https://uncorp.example/', false],
    ['*.corp.example', 'https://app.corp.example/', true],
    ['*.corp.example', 'https://corp.example/', false],
    ['*.corp.example', 'https://uncorp.example/', false],
    ['*corp.example', 'https://app.corp.example/', false],
    ['a.example, *.CORP.example ,', 'https://APP.corp.example/', true],
    ['corp.example:443', 'https://app.corp.example/', true],
    ['corp.example:443', 'http://app.corp.example/', false],
    ['*.corp.example:8443', 'https://app.corp.example:8443/', true],
    ['corp.example:8443', 'https://app.corp.example/', false],
    ['example', 'https://app.corp.example.com/', false],
    ['10.0.0.1', 'https://10.0.0.1/', true],
    ['', 'https://app.corp.example/', false],
    [',', 'https://app.corp.example/', false],
  ])('%s excepts %s: %s', (list, url, isExcepted) => {
    const env = { http_proxy: 'proxy:1', https_proxy: 'proxy:1' }
    for (const name of ['no_proxy', 'NO_PROXY'])
      expect(proxyFor(new URL(url), { ...env, [name]: list }) === undefined).toBe(isExcepted)
  })

  it('of lower case comes first', () => {
    const env = { https_proxy: 'proxy:1', no_proxy: 'other.example', NO_PROXY: '*' }
    expect(proxyFor(SECURE, env)).toBeDefined()
  })
})
