import { isLoopback } from '../secrets/address.ts'
import type { Environment } from '../world.ts'

const OF_HTTPS = ['https_proxy', 'HTTPS_PROXY'] as const
const OF_HTTP = ['http_proxy', 'HTTP_PROXY'] as const
const PROXIES = [...OF_HTTPS, ...OF_HTTP] as const

/** A proxy, and the variable that names it. */
export interface ProxySetting {
  variable: (typeof PROXIES)[number]
  /** By http or https, with its login. */
  address: URL
}

export function proxyAddresses(env: Environment): string[] {
  return PROXIES.map((name) => env[name] ?? '')
}

export function proxyWarnings(env: Environment): string[] {
  return PROXIES.filter((name) => env[name] && addressOfProxy(env[name]) === undefined).map(
    (name) =>
      `${name} is ignored, because it is not an address such as http://proxy.example:3128. Percent-encode the special characters of its password.`,
  )
}

/** The proxy for an address, as curl, git and Go choose it; undefined if there is none. */
export function proxyFor(url: URL, env: Environment): ProxySetting | undefined {
  if (isLoopback(url) || isExcepted(url, env['no_proxy'] || env['NO_PROXY'])) return undefined
  const variables = url.protocol === 'https:' ? OF_HTTPS : OF_HTTP
  for (const variable of variables) {
    const address = addressOfProxy(env[variable] ?? '')
    if (address !== undefined) return { variable, address }
  }
  return undefined
}

const HAS_SCHEME = /^(?:https?:|[a-z][a-z0-9+.-]*:\/\/)/i

/** Parses the address of a proxy, as http unless it has https. Undefined if it cannot be used. */
function addressOfProxy(address: string): URL | undefined {
  const url = URL.parse(HAS_SCHEME.test(address.trim()) ? address : `http://${address.trim()}`)
  if (url === null || url.hostname === '') return undefined
  try {
    decodeURIComponent(`${url.username}:${url.password}`)
  } catch {
    return undefined
  }
  return new URL(url.href.replace(/^(?!https?:)[^:]*:/, 'http:'))
}

/** Whether no_proxy excepts a host: `.corp.example` and `*.corp.example` those below, `corp.example` itself, too. */
function isExcepted({ protocol, hostname, port }: URL, list = ''): boolean {
  const host = hostname.toUpperCase()
  const names = [host, `${host}:${port || (protocol === 'https:' ? 443 : 80)}`]
  const excepted = list.split(',').map((one) => one.trim().toUpperCase())
  return excepted.some((pattern) => {
    if (pattern === '' || pattern === '*') return pattern === '*'
    const below = pattern.replace(/^(?:\*?\.)?/, '.')
    return names.some((name) => name === pattern || name.endsWith(below))
  })
}
