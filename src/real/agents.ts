import type http from 'node:http'
import { getProxyUrl } from '@actions/http-client/lib/proxy'
import { unusableProxies } from '../inputs/proxies.ts'
import { directAgent } from './send.ts'

/** Returns the agent for an address: that of a proxy, if the environment names one for it. */
export type Agents = (url: URL) => Promise<http.Agent>

/** @param early an agent for https addresses without a proxy, which keeps its connections */
export function openAgents(options: { keepAlive: boolean }, early?: http.Agent): Agents {
  const opened = new Map<string, Promise<http.Agent>>(early && [['https: ', Promise.resolve(early)]])
  return async (url) => {
    const proxy = proxyFor(url)
    const key = `${url.protocol} ${proxy?.href ?? ''}`
    const agent = opened.get(key) ?? openAgent(url, proxy, options)
    opened.set(key, agent)
    return await agent
  }
}

async function openAgent(url: URL, proxy: URL | undefined, options: http.AgentOptions): Promise<http.Agent> {
  const isSecure = url.protocol === 'https:'
  if (proxy === undefined) return directAgent(isSecure, options)
  // Imported here because most runs have no proxy.
  const tunnel = await import('../bundle/tunnel.ts')
  const isSecureProxy = proxy.protocol === 'https:'
  const open = isSecure
    ? tunnel[isSecureProxy ? 'httpsOverHttps' : 'httpsOverHttp']
    : tunnel[isSecureProxy ? 'httpOverHttps' : 'httpOverHttp']
  const { hostname: host, port, username, password } = proxy
  const proxyAuth = username === '' && password === '' ? {} : { proxyAuth: `${username}:${password}` }
  return open({ ...options, proxy: { host, port, ...proxyAuth } })
}

/** Whether the environment names a proxy for the address. */
export function hasProxy(url: URL): boolean {
  return proxyFor(url) !== undefined
}

/** With some of the addresses that it cannot use, the toolkit would send no request. */
function proxyFor(url: URL): URL | undefined {
  for (const name of unusableProxies(process.env)) Reflect.deleteProperty(process.env, name)
  return getProxyUrl(url)
}
