import { expect, it } from '@jest/globals'
import { proxyWarnings } from '../../src/inputs/connection.ts'

it.each([
  ['http://proxy.example:3128', true],
  ['http://user:pass%40word@proxy.example', true],
  ['proxy.example', true],
  ['10.0.0.1:3128', true],
  ['user:password@proxy.example', false],
  ['http://', false],
  ['http://user:%zz@proxy.example', false],
])('the address of a proxy %s can be used: %s', (address, isUsable) => {
  const [warning] = proxyWarnings({ https_proxy: address })
  expect(warning?.startsWith('https_proxy is ignored, because it is not an address')).toBe(isUsable ? undefined : true)
})
