import type { Environment } from '../world.ts'

/** The variables with the address of a proxy, as the toolkit reads them. */
const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const
type ProxyVariable = (typeof PROXIES)[number]

export function proxyAddresses(env: Environment): string[] {
  return PROXIES.map((name) => env[name] ?? '')
}

/** Lists the variables whose address cannot be used. The network ignores them. */
export function unusableProxies(env: Environment): ProxyVariable[] {
  return PROXIES.filter((name) => env[name] && !isProxyAddress(env[name]))
}

/** Words a warning about each of them. */
export function proxyWarnings(env: Environment): string[] {
  return unusableProxies(env).map(
    (name) =>
      `${name} is ignored, because it is not an address such as http://proxy.example:3128. Percent-encode the special characters of its password.`,
  )
}

/** Without a scheme, `user:password@proxy` has the scheme `user:` and no host. */
function isProxyAddress(given: string): boolean {
  const url = URL.parse(given) ?? (/^https?:/.test(given) ? null : URL.parse(`http://${given}`))
  if (url === null || url.hostname === '') return false
  try {
    decodeURIComponent(`${url.username}:${url.password}`)
    return true
  } catch {
    return false
  }
}
