import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { makeCertificates, type Certificates } from '../certificates.ts'
import { startForwardProxy, startTlsFront } from '../network.ts'
import type { Recipe } from '../recipe.ts'

const HOST = 'control-plane.example'

function certificatesFor({ folder }: Bench): Certificates & { file: string } {
  const there = path.join(folder, 'certificates')
  mkdirSync(there)
  const certificates = makeCertificates(there, [`DNS:${HOST}`, 'IP:127.0.0.1'])
  return { ...certificates, file: path.join(there, 'ca.pem') }
}

const selfHosted: Recipe = {
  name: 'self-hosted control plane',
  workflow: 'examples/self-hosted.yml',
  checked: 'TLS of a private CA by NODE_EXTRA_CA_CERTS, a path prefix; without the CA: refused, no request sent',
  sandbox: { pathPrefix: '/api-host' },
  async run(bench) {
    const { ca, ...server } = certificatesFor(bench)
    const front = bench.keep(await startTlsFront(bench.sandbox.url, { ca, ...server }))
    const url = `https://127.0.0.1:${front.port}/api-host`
    const vars = { CONTROL_PLANE_URL: url, CONTROL_PLANE_CA: ca }
    const without = await bench.act({ event: { name: 'push' }, vars: { ...vars, CONTROL_PLANE_CA: '' } })
    assert.equal(without.exitCode, 1)
    assert.match(without.log.shown, /NODE_EXTRA_CA_CERTS/)
    assert.deepEqual(bench.sandbox.requests, [])
    const { exitCode, log } = await bench.act({ event: { name: 'push' }, vars })
    assert.equal(exitCode, 0, log.shown)
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
    assert.match(log.shown, new RegExp(`Control plane: ${url}`))
  },
}

const PROXY_CREDENTIALS = 'runner:the-password-of-the-proxy'

const proxy: Recipe = {
  name: 'through a proxy',
  workflow: 'examples/proxy.yml',
  checked: 'a host that only the proxy reaches; its password is sent, and hidden',
  async run(bench) {
    const { file, ...server } = certificatesFor(bench)
    const front = bench.keep(await startTlsFront(bench.sandbox.url, server))
    const known = `${HOST}:443`
    const isKnown = (host: string): boolean => host === known
    const between = bench.keep(await startForwardProxy(PROXY_CREDENTIALS, { isKnown, port: front.port }))
    const { exitCode, log } = await bench.act({
      event: { name: 'push' },
      vars: { CONTROL_PLANE_URL: `https://${HOST}` },
      secrets: { HTTPS_PROXY: `http://${PROXY_CREDENTIALS}@127.0.0.1:${between.port}` },
      env: { NODE_EXTRA_CA_CERTS: file },
    })
    assert.equal(exitCode, 0, log.shown)
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
    assert.deepEqual([...new Set(between.asked)], [known])
    assert.ok(!log.everything.includes('the-password-of-the-proxy'), "act's log contains the proxy's password")
  },
}

export const networks = [selfHosted, proxy]
