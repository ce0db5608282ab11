import type http from 'node:http'
import { HttpClient } from '@actions/http-client'
import { getProxyUrl } from '@actions/http-client/lib/proxy'

/** Returns the agent for an address: that of a proxy, if the environment names one for it. */
export type Agents = (url: URL) => http.Agent

export function openAgents(options: { keepAlive: boolean }): Agents {
  const client = new HttpClient(undefined, [], options)
  return (url) => client.getAgent(url.href)
}

/** Whether the environment names a proxy for the address. */
export function hasProxy(url: URL): boolean {
  return getProxyUrl(url) !== undefined
}
