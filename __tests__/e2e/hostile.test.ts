import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { runAction, type ActionRun } from '../../demo/runner.ts'
import { API_KEY, theError } from './journey.ts'
import { PEAK_MB } from '../memory.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const REVISION = '22222222-2222-4222-8222-222222222222'
const DEPLOYMENT = {
  id: ID,
  name: 'agent',
  source: 'internal_template',
  secrets: [],
  latest_revision_id: REVISION,
  active_revision_id: REVISION,
}
const EARLIER = '33333333-3333-4333-8333-333333333333'
const BEFORE = { ...DEPLOYMENT, latest_revision_id: EARLIER, active_revision_id: EARLIER }

let folder = ''
let measure = ''
let server: Server | undefined
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostile-'))
  measure = path.join(folder, 'measure.mjs')
  const print = `console.log('peak memory ' + Math.round(${PEAK_MB}) + ' MB')`
  writeFileSync(measure, `process.on('exit', () => { ${print} })\n`)
})
afterEach(async () => {
  const open = server
  server = undefined
  open?.closeAllConnections()
  await new Promise((resolve) => (open === undefined ? resolve(undefined) : open.close(resolve)))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a rollout of the deployment "agent" against a server that answers as it likes. */
async function runAgainst(listener: RequestListener, baseUrl?: string): Promise<ActionRun & { peakMb: number }> {
  const listening = createServer(listener)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const run = await runAction({
    inputs: {
      'base-url': baseUrl?.replace('PORT', String(port)) ?? `http://127.0.0.1:${port}`,
      'api-key': API_KEY,
      name: 'agent',
      'poll-interval': '0.05',
      timeout: '4s',
      'request-timeout': '1s',
      'max-retries': 1,
      'if-missing': 'fail',
      'protect-newer': false,
    },
    env: { NODE_OPTIONS: `--import=file://${measure}` },
  })
  await run.dispose()
  return { ...run, peakMb: Number(/peak memory (\d+) MB/.exec(run.raw)?.[1]) }
}

const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const list = (...resources: unknown[]) => ({ resources, offset: resources.length })

/** Goes well but for the polls. */
const onPoll =
  (answer: (response: ServerResponse) => void): RequestListener =>
  (request, response) => {
    const at = request.url ?? ''
    if (at.startsWith('/v2/deployments?')) json(response, list(BEFORE))
    else if (request.method === 'POST') json(response, { id: REVISION, status: 'BUILDING' })
    else if (at.includes('/revisions/')) answer(response)
    else json(response, DEPLOYMENT)
  }

const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 100)
  response.on('close', () => {
    clearInterval(timer)
  })
}

const flood: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const block = Buffer.alloc(1024 * 1024, ' ')
  let left = 100
  const pour = (): void => {
    while (left-- > 0) if (!response.write(block)) return void response.once('drain', pour)
    response.end()
  }
  pour()
}

describe('a hostile or broken server ends in one clear error, in time, without much memory', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['a body that drips', drip, /no complete answer within/],
    ['a body of 100 MB', flood, /more than 10 MB/],
    ['an empty 200', (_q, r) => r.writeHead(200).end(), /an empty body/],
    [
      'deep JSON',
      (_q, r) => r.end(`{"resources":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
      /nested far too deeply/,
    ],
    ['10 MB of brackets', (_q, r) => r.end('['.repeat(9_900_000)), /nested far too deeply/],
    ['three million objects', (_q, r) => r.end(`{"resources":[${'{},'.repeat(3_200_000)}{}]}`), /far too many values/],
    ['wrong types', (_q, r) => json(r, { resources: [{ id: 7, name: {} }], offset: 'x' }), /breaks the contract/],
    ['missing fields', (_q, r) => json(r, { resources: [{}] }), /breaks the contract/],
    ['null', (_q, r) => json(r, null), /breaks the contract/],
    ['a login page', (_q, r) => r.end('<html><title>Log in</title></html>'), /HTML or XML instead of JSON/],
    [
      'half a body',
      (_q, r) => r.writeHead(200, { 'content-length': '100' }).write('{', () => r.destroy()),
      /connection failed/,
    ],
    ['a connection that breaks', (q) => q.socket.destroy(), /connection failed/],
    ['no HTTP at all', (q) => q.socket.end('SSH-2.0-OpenSSH_9.6\r\n'), /connection failed/],
    [
      'an offset that never advances',
      (_q, r) => json(r, { resources: [{ ...DEPLOYMENT, name: 'other' }], offset: 0 }),
      /names no deployment/,
    ],
    [
      'one page for ever',
      (_q, r) => json(r, { resources: [{ ...DEPLOYMENT, name: 'other' }], offset: 1 }),
      /names no deployment/,
    ],
    ['a redirect', (_q, r) => r.writeHead(302, { location: 'https://elsewhere.example/' }).end(), /redirect/],
  ])('%s', async (_case, listener, words) => {
    const run = await runAgainst(listener)
    expect(theError(run)).toMatch(words)
    expect(run.exitCode).toBe(1)
    expect(run.durationMs).toBeLessThan(10_000)
    expect(run.peakMb).toBeLessThan(200)
  })

  it.each<[string, string, RegExp]>([
    ['TLS where there is none', 'https://127.0.0.1:PORT', /connection failed|EPROTO|wrong version/],
    ['a host that has no address', 'https://nowhere.invalid', /ENOTFOUND|EAI_AGAIN/],
    ['a port without a listener', 'http://127.0.0.1:9', /ECONNREFUSED/],
  ])('%s', async (_case, baseUrl, words) => {
    const run = await runAgainst((_q, r) => r.end(), baseUrl)
    expect(theError(run)).toMatch(words)
    expect(run.durationMs).toBeLessThan(10_000)
  })
})

describe('trouble that passes', () => {
  it('does not end a watch', async () => {
    let poll = 0
    const troubles: ((response: ServerResponse) => void)[] = [
      (r) => r.writeHead(500).end(),
      (r) => r.end('<html>'),
      (r) => r.end('{"id":'),
      (r) => r.destroy(),
      (r) => json(r, { id: REVISION, status: 7 }),
      (r) => r.writeHead(429, { 'retry-after': '0' }).end(),
    ]
    const run = await runAgainst(
      onPoll((response) => {
        const trouble = troubles[poll++]
        if (trouble === undefined) json(response, { id: REVISION, status: 'DEPLOYED' })
        else trouble(response)
      }),
    )
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('may be a clock that is a day off', async () => {
    let asked = 0
    const yesterday = Date.now() - 86_400_000
    const run = await runAgainst((request, response) => {
      asked += 1
      if (asked > 1) {
        onPoll((r) => {
          json(r, { id: REVISION, status: 'DEPLOYED' })
        })(request, response)
        return
      }
      const headers = {
        date: new Date(yesterday).toUTCString(),
        'retry-after': new Date(yesterday + 1000).toUTCString(),
      }
      response.writeHead(503, headers).end()
    })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.durationMs).toBeLessThan(4_000)
  })

  it('may be a list that names one deployment twice', async () => {
    const run = await runAgainst((request, response) => {
      if (request.url?.startsWith('/v2/deployments?') === true) json(response, list(BEFORE, BEFORE))
      else
        onPoll((r) => {
          json(r, { id: REVISION, status: 'DEPLOYED' })
        })(request, response)
    })
    expect(run.outputs['outcome']).toBe('deployed')
  })
})
