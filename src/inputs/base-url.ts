import { Unacceptable } from './parsers.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Parses the control plane's base address, which may have a path prefix. Plain http is accepted for loopback hosts, or
 * with `allowHttp`.
 */
export function parseBaseUrl(given: string, allowHttp: boolean): URL {
  const url = URL.parse(given)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Unacceptable(
      'must be an address such as https://control-plane.example or https://host/api-host',
    )
  }
  if (url.username !== '' || url.password !== '') throw new Unacceptable('must not contain user info')
  if (given.includes('?') || given.includes('#'))
    throw new Unacceptable('must not contain a query or a fragment')
  if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
    throw new Unacceptable(
      'must be https because it carries credentials; with allow-http: true, http is accepted',
    )
  }
  return url
}
