import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCertificates } from '../../scripts/act/certificates.ts'
import { prepareJob, type Operation } from './operations.ts'

const LOADED = new URL('loaded.mjs', import.meta.url).href

/** Starts steps against a control plane and a GitHub that refuse everything, so that a run ends after its first answers. */
export class Steps implements AsyncDisposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'bench-'))
  readonly #job = prepareJob(path.join(this.#folder, 'job'))
  readonly #certificates = makeCertificates(this.#folder, ['IP:127.0.0.1'])
  #onRequest: ((at: number) => void) | undefined
  /** The control plane answers after GitHub has been asked: its refusal ends the run. */
  #isGitHubFirst = false
  #held: (() => void)[] = []
  readonly #refuse: RequestListener = (request, response) => {
    request.resume()
    const refuse = (): void => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"no"}')
    }
    if (this.#isGitHubFirst && !/^\/(repos|graphql)\b/.test(request.url ?? '')) {
      this.#held.push(refuse)
      return
    }
    this.#onRequest?.(performance.now())
    for (const answer of [refuse, ...this.#held.splice(0)]) answer()
    this.#isGitHubFirst = false
  }
  readonly #plain = createServer(this.#refuse)
  readonly #secure = https.createServer(
    { key: this.#certificates.key, cert: this.#certificates.certificate },
    this.#refuse,
  )

  async open(): Promise<this> {
    for (const server of [this.#plain, this.#secure]) await once(server.listen(0, '127.0.0.1'), 'listening')
    return this
  }

  /** From the start of an empty Node process to its end, in milliseconds. */
  async timeBare(): Promise<number> {
    const startedAt = performance.now()
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
    return performance.now() - startedAt
  }

  /** From the start of the step to the arrival of its first request (to GitHub), or to its end, in milliseconds. */
  async time(dist: string, operation: Operation): Promise<number> {
    const arrival = new Promise<number>((resolve) => (this.#onRequest = resolve))
    this.#isGitHubFirst = operation.asksGitHub === true
    const startedAt = performance.now()
    const child = spawn(process.execPath, [path.join(dist, 'index.js')], {
      stdio: 'ignore',
      ...this.#around(operation),
    })
    const ended = once(child, 'exit').then(() => performance.now())
    const at = operation.ends === true ? await ended : await Promise.race([arrival, ended.then(() => Number.NaN)])
    await ended
    if (Number.isNaN(at)) throw new Error(`${operation.name}: ${dist}/index.js ended without a request`)
    return at - startedAt
  }

  /** The files of dist that the step loads before its first request, or to its end. */
  async loadedBy(dist: string, operation: Operation): Promise<string[]> {
    const notes = path.join(this.#folder, 'loaded')
    writeFileSync(notes, '')
    const { cwd, env } = this.#around(operation)
    const args = [`--import=${LOADED}`, path.join(dist, 'index.js')]
    await once(spawn(process.execPath, args, { stdio: 'ignore', cwd, env: { ...env, LOADED: notes } }), 'exit')
    const [before = ''] = readFileSync(notes, 'utf8').split(/^request$/m)
    return before.split('\n').flatMap((line) => (line.startsWith('file:') ? fileURLToPath(line) : []))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.#plain, this.#secure]) {
      server.close()
      await once(server, 'close')
    }
    rmSync(this.#folder, { recursive: true })
  }

  #around({ env, tls = false }: Operation) {
    const cwd = this.#job['GITHUB_WORKSPACE'] ?? ''
    const address = (tls ? this.#secure : this.#plain).address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
    const trust = tls ? { NODE_EXTRA_CA_CERTS: path.join(this.#folder, 'ca.pem') } : {}
    return { cwd, env: { ...this.#job, 'INPUT_BASE-URL': url, GITHUB_API_URL: url, ...trust, ...env(cwd) } }
  }
}
