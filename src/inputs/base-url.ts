import { Unacceptable } from './parsers.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The control plane's base address; it may carry a path prefix. Plain http only to this very machine, or on demand. */
export function parseBaseUrl(given: string, allowHttp: boolean): URL {
  const url = URL.parse(given)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Unacceptable(
      'must be an address such as https://control-plane.example or https://host/api-host',
    )
  }
  if (url.username !== '' || url.password !== '') throw new Unacceptable('must not carry user info')
  if (given.includes('?') || given.includes('#'))
    throw new Unacceptable('must not carry a query or a fragment')
  if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
    throw new Unacceptable(
      'must be https, as credentials are sent there; set allow-http to true to send them in the clear',
    )
  }
  return url
}
