import { createServer } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Bench } from './bench.ts'
import { makeCertificates } from './certificates.ts'
import { listen, startForwardProxy, startTlsFront } from './network.ts'
import type { Received } from './stand-in.ts'

/** The domain of the URLs that the sandbox gives to `git_host` deployments. */
const DOMAIN = 'agents.example'
const PROXY_CREDENTIALS = 'runner:the-password-of-the-proxy'

export interface DeployedApps {
  /** Environment of the job that makes those URLs reachable. */
  env: Record<string, string>
  /** Every request, in order, by its URL. A busy machine may answer too late for the action's clock: it asks again. */
  requested: readonly string[]
  /** The same with what each request brought. */
  received: readonly Received[]
}

const isWell = ({ line }: Received): object | undefined => (line === 'GET /ok' ? {} : undefined)

/**
 * Serves the URLs of all deployments on loopback, through a proxy and with a private CA; by default, `/ok` returns 200.
 * @param answer the body of a response as JSON; undefined is 404
 */
export async function serveDeployments(bench: Bench, answer = isWell): Promise<DeployedApps> {
  const folder = path.join(bench.folder, 'deployed-apps')
  mkdirSync(folder)
  const { ca, ...certificates } = makeCertificates(folder, [`DNS:*.${DOMAIN}`])
  const authority = path.join(folder, 'authority.pem')
  writeFileSync(authority, ca)
  const requested: string[] = []
  const received: Received[] = []
  const server = createServer((incoming, outgoing) => {
    const { method = '', headers, url = '' } = incoming
    text(incoming).then(
      (body) => {
        const request = { line: `${method} ${url}`, headers, body }
        requested.push(`https://${headers.host ?? ''}${url}`)
        received.push(request)
        const content = answer(request)
        outgoing.writeHead(content === undefined ? 404 : 200).end(JSON.stringify(content ?? {}))
      },
      () => outgoing.destroy(),
    )
  })
  const app = bench.keep(await listen(server))
  const front = bench.keep(await startTlsFront(`http://127.0.0.1:${app.port}`, { ca, ...certificates }))
  const isKnown = (host: string): boolean => host.endsWith(`.${DOMAIN}:443`)
  const proxy = bench.keep(await startForwardProxy(PROXY_CREDENTIALS, { isKnown, port: front.port }))
  return {
    env: { https_proxy: `http://${PROXY_CREDENTIALS}@127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authority },
    requested,
    received,
  }
}
