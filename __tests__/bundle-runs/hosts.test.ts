import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { aWorld, onPullRequest } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith } from '../folders.ts'
import { listen } from './listening.ts'

await overSockets()

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const documented = [...readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8').matchAll(/^\| (`.*?) \|/gm)].map(
  ([, cell = '']) => cell,
)

const folder = folderWith()
writeFileSync(path.join(folder, 'agent.json'), '{}')
const hostOf = async (server: Server): Promise<string> => `127.0.0.1:${await listen(server)}`

/** Records the address of each connection of the action, whatever opens it. */
function recorder(file: string): { NODE_OPTIONS: string } {
  const hook = path.join(folder, 'hook.mjs')
  const code = `import { Socket } from 'node:net'
    import { appendFileSync } from 'node:fs'
    const { connect } = Socket.prototype
    Socket.prototype.connect = function (...args) {
      const { host, port } = [args[0]].flat()[0]
      appendFileSync(${JSON.stringify(file)}, host + ':' + port + '\\n')
      return connect.apply(this, args)
    }`
  writeFileSync(hook, code)
  return { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` }
}

const contacted = (file: string): string[] => [...new Set(readFileSync(file, 'utf8').trim().split('\n'))].sort()

/** A run with everything that contacts a host. */
const EVERYTHING = { source: 'internal_source', 'source-path': '.', environment: 'preview', comment: true } as const

describe('the hosts that the action contacts', () => {
  it('are those of docs/security.md', async () => {
    let sandboxPort = ''
    const store = createServer((socket) => {
      const target = connect(Number(sandboxPort), '127.0.0.1').on('error', () => undefined)
      socket.on('error', () => undefined)
      socket.pipe(target).pipe(socket)
    })
    const storeHost = await hostOf(store)
    const world = await aWorld({ sandbox: { shows: (body) => elsewhere(body, storeHost) } })
    sandboxPort = new URL(world.sandbox.url).port
    const app = await hostOf(
      createHttpServer((_request, response) => response.setHeader('connection', 'close').end('ok')),
    )
    const file = path.join(folder, 'direct')
    const inputs = { ...EVERYTHING, 'verify-url': `http://${app}/ok` }
    const run = await onPullRequest(world, inputs, { cwd: folder, env: recorder(file) })
    expect(run.outputs).toMatchObject({ outcome: 'deployed' })
    const hosts: Record<string, string> = {
      '`base-url`': new URL(world.sandbox.url).host,
      "`upload_url` of the control plane's answer": storeHost,
      '`verify-url`': app,
      '`GITHUB_API_URL`': new URL(world.gitHub.url).host,
    }
    expect(contacted(file)).toEqual(Object.values(hosts).sort())
    expect(documented).toEqual([...Object.keys(hosts), '`https_proxy`, `http_proxy`'])
  })

  it('are the proxy alone, where one is set', async () => {
    const world = await aWorld()
    const proxy = createHttpServer((incoming, response) => {
      const { method, headers, url = '' } = incoming
      const at = new URL(url.replace(/^http:\/\/[^/]*/, ''), world.sandbox.url)
      const onward = request(at, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      incoming.pipe(onward)
    })
    const proxyHost = await hostOf(proxy)
    const file = path.join(folder, 'proxied')
    const inputs = { 'base-url': 'http://control-plane.example', 'allow-http': true, comment: false }
    const env = { ...recorder(file), http_proxy: `http://${proxyHost}` }
    const run = await onPullRequest(world, { ...inputs, 'github-token': '', 'dry-run': true }, { env })
    expect(run.outputs).toMatchObject({ outcome: 'planned' })
    expect(contacted(file)).toEqual([proxyHost])
  })

  it('can be opened by one module only', () => {
    const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
    const having = (pattern: RegExp): string[] =>
      files
        .filter((name) => pattern.test(readFileSync(path.join(ROOT, 'src', name), 'utf8')))
        .map((name) => name.replaceAll(path.sep, '/'))
    const modules = "'(node:)?(https?|http2|net|tls|dgram|dns|child_process|undici)'"
    expect(having(new RegExp(`^import (?!type ).* from ${modules}`, 'm'))).toEqual(['real/send.ts'])
    // By `loadTls`, which main.ts calls only to load it early.
    expect(having(new RegExp(`getBuiltinModule\\(${modules}`))).toEqual(['real/process.ts'])
    expect(having(/\bloadTls\(/)).toEqual(['main.ts', 'real/process.ts', 'real/send.ts'])
  })
})

/** The body with the upload address at another host. */
function elsewhere(body: unknown, host: string): unknown {
  const ticket = z.looseObject({ upload_url: z.url() }).safeParse(body)
  if (!ticket.success) return body
  const url = new URL(ticket.data.upload_url)
  url.host = host
  return { ...ticket.data, upload_url: url.href }
}
