import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { makeCertificates, type Certificates } from '../../scripts/act/certificates.ts'
import { aWorld, CREATE, everythingSaid, noiseOf, step, theError, travel, warningsOf } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith } from '../folders.ts'
import { keepUntilEnd, listen } from './listening.ts'

await overSockets()

const PASSWORD = 'Zq7-hunter'
let folder = ''
let certificates: Certificates
beforeAll(() => {
  folder = folderWith()
  certificates = makeCertificates(folder, ['DNS:control-plane.example'])
})
const recordOf = (run: ActionRun): string => readFileSync(run.outputs['record-path'] ?? '', 'utf8')

function forward(to: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '' } = incoming
  const at = new URL(url.replace(/^http:\/\/[^/]*/, ''), to)
  const onward = request(at, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(onward)
}

describe('a proxy with a password', () => {
  /** Accepts only the one password, and connects every host to the port. `targets`: one of each connection. */
  async function proxyTo(port: number): Promise<{ address: string; targets: string[] }> {
    const targets: string[] = []
    const expected = `Basic ${Buffer.from(`me:${PASSWORD}@`).toString('base64')}`
    const known = new Set<Socket>()
    const server = createServer((incoming, response) => {
      const { url = '', headers, socket } = incoming
      if (!known.has(socket)) targets.push(new URL(url).host)
      known.add(socket)
      if (headers['proxy-authorization'] !== expected) response.writeHead(407).end()
      else forward(`http://127.0.0.1:${port}`, incoming, response)
    })
    server.on('connect', ({ url, headers }, client) => {
      client.on('error', () => undefined)
      targets.push(url ?? '')
      if (headers['proxy-authorization'] !== expected) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
        return
      }
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      keepUntilEnd(upstream)
      upstream.on('error', () => client.destroy())
    })
    return { address: `http://me:${PASSWORD}%40@127.0.0.1:${await listen(server)}`, targets }
  }

  it.each(['http', 'https'])(
    'is used over %s without a warning of Node, and its password is not printed',
    async (scheme) => {
      const { sandbox, gitHub } = await aWorld()
      const { certificate: cert, key, ca } = certificates
      const port =
        scheme === 'http'
          ? Number(new URL(sandbox.url).port)
          : await listen(createTlsServer({ cert, key }, (...one) => forward(sandbox.url, ...one)))
      const caFile = path.join(folder, 'ca-file.pem')
      writeFileSync(caFile, ca)
      const proxy = await proxyTo(port)
      const gitHubProxy = await proxyTo(Number(new URL(gitHub.url).port))
      const env = {
        NODE_EXTRA_CA_CERTS: caFile,
        RUNNER_DEBUG: '1',
        // With https, GitHub has a proxy of its own.
        https_proxy: proxy.address,
        http_proxy: scheme === 'http' ? proxy.address : gitHubProxy.address,
        GITHUB_API_URL: scheme === 'http' ? gitHub.url : 'http://api.github.example',
      }
      const base = { 'base-url': `${scheme}://control-plane.example`, 'allow-http': true }
      const inputs = { ...CREATE, ...base, 'github-token': gitHub.token, environment: 'production' }
      const run = await step(sandbox, inputs, { env })
      expect(run.outputs['outcome']).toBe('deployed')
      expect(new Set(proxy.targets)).toEqual(new Set([`control-plane.example${scheme === 'http' ? '' : ':443'}`]))
      expect(gitHubProxy.targets.length > 0).toBe(scheme === 'https')
      expect(gitHub.deployments()).toHaveLength(1)
      expect(noiseOf(run)).toBeUndefined()
      expect(warningsOf(run)).toEqual([])
      expect(everythingSaid(run) + recordOf(run)).not.toContain(PASSWORD)
      // Reads share one connection.
      expect(proxy.targets.length).toBeLessThan(8)
    },
  )

  it('that refuses is named as the cause', async () => {
    const { address } = await proxyTo(9)
    const env = { https_proxy: address.replace('me:', 'you:') }
    const { run } = await travel({
      inputs: { ...CREATE, 'base-url': 'https://control-plane.example', 'max-retries': 0 },
      env,
    })
    expect(theError(run)).toContain('the proxy answered 407 to CONNECT')
    expect(noiseOf(run)).toBeUndefined()
    expect(everythingSaid(run)).not.toContain(PASSWORD)
  })

  it('is used without a scheme', async () => {
    const { sandbox } = await aWorld()
    const { address, targets } = await proxyTo(Number(new URL(sandbox.url).port))
    const base = { 'base-url': 'http://control-plane.example', 'allow-http': true }
    const run = await step(sandbox, { ...CREATE, ...base }, { env: { http_proxy: address.replace('http://', '') } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(new Set(targets)).toEqual(new Set(['control-plane.example']))
    expect(warningsOf(run)).toEqual([])
    expect(everythingSaid(run)).not.toContain(PASSWORD)
  })

  it('that is not reached is named as the cause, without its login', async () => {
    const env = { https_proxy: `me:${PASSWORD}@127.0.0.1:9` }
    const { run } = await travel({
      inputs: { ...CREATE, 'base-url': 'https://control-plane.example', 'max-retries': 0 },
      env,
    })
    expect(theError(run)).toContain('the proxy http://127.0.0.1:9 of https_proxy cannot be reached')
    expect(everythingSaid(run)).not.toContain(PASSWORD)
  })

  it('is ignored with one sentence if its address cannot be used', async () => {
    const env = { http_proxy: `http://me:%zz${PASSWORD}@127.0.0.1:9` }
    const { run } = await travel({ inputs: CREATE, env })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^http_proxy is ignored, .*Percent-encode/)])
    expect(everythingSaid(run)).not.toContain(PASSWORD)
  })
})
