import { expect, test } from '@jest/globals'
import { isPlainHttp } from '../../src/inputs/plain-http.ts'

test.each([
  ['http://127.0.0.1:2024', true],
  ['  HTTP://host', true],
  ['https://host', false],
  ['http-proxy.example', false],
  ['', false],
])('base-url %j needs no TLS: %p', (baseUrl, isPlain) => {
  expect(isPlainHttp((name) => (name === 'base-url' ? baseUrl : 'http:'))).toBe(isPlain)
})
