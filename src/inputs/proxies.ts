export type Environment = Readonly<Record<string, string | undefined>>

/** The variables with the address of a proxy, as the toolkit reads them. */
const PROXIES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const

export function proxyAddresses(env: Environment): string[] {
  return PROXIES.map((name) => env[name] ?? '')
}

/**
 * Removes each address of a proxy that cannot be used from the environment: with some, the toolkit sends no request.
 * Returns a sentence about each.
 */
export function dropUnusableProxies(env = process.env): string[] {
  const unusable = PROXIES.filter((name) => env[name] && !isProxyAddress(env[name]))
  for (const name of unusable) Reflect.deleteProperty(env, name)
  return unusable.map(
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
