import type { RequestListener, ServerResponse } from 'node:http'
import type { ActionRun } from '../../demo/runner.ts'
import { afterEach, describe, expect, it } from '@jest/globals'
import { BEFORE, DEPLOYMENT, endHostile, json, list, onPoll, REVISION, rollOut } from './hostile-server.ts'
import { serve } from './servers.ts'
import { theError } from './journey.ts'
import { here, pause } from '../places/here.ts'

afterEach(endHostile)

/** Runs a rollout of the deployment "agent" against a server that answers as it likes. */
const runAgainst = async (listener: RequestListener): Promise<ActionRun> => await rollOut(await serve(listener))

const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const repeat = async (): Promise<void> => {
    while (!response.closed) {
      response.write(' ')
      await pause(100)
    }
  }
  void repeat()
}

const flood: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const block = Buffer.alloc(1024 * 1024, ' ')
  let left = 11
  const pour = (): void => {
    while (left-- > 0) if (!response.write(block)) return void response.once('drain', pour)
    response.end()
  }
  pour()
}

describe('a hostile or broken server ends in one clear error', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['a body that drips', drip, /no complete answer within/],
    ['a body of 11 MB', flood, /more than 10 MB/],
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
    const yesterday = here().wallTime() - 86_400_000
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
