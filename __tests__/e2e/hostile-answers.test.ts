import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { pause } from '../places/here.ts'
import { healthy, REVISION, rollOut, switchProtocols } from './hostile-server.ts'
import { serve, serveBytes } from './stage.ts'

/** A control plane where one route switches protocols, once or always, and the number of requests to it. */
async function switching(method: string, route: RegExp, times = Infinity, rest: RequestListener = healthy) {
  const seen: string[] = []
  const url = await serve((request, response) => {
    const line = `${request.method ?? ''} ${request.url ?? ''}`
    seen.push(line)
    const asked = seen.filter((one) => one.startsWith(method) && route.test(one)).length
    if (line.startsWith(method) && route.test(line) && asked <= times) switchProtocols(response)
    else rest(request, response)
  })
  return { url, seen }
}

describe('101 Switching Protocols in place of an answer', () => {
  it('to a write may hide that the control plane acted: it is looked up', async () => {
    const { url, seen } = await switching('POST', /\/revisions/)
    const run = await rollOut(url, { timeout: '20s' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': REVISION })
    const lost = /101 Switching Protocols.*\. Checking whether it succeeded before repeating anything\./
    expect(run.shown.join('\n')).toMatch(lost)
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })
})

describe('an answer that never comes to its end', () => {
  const endlessly =
    (text: string, everyMs = 20) =>
    (connection: Duplex): void => {
      const repeat = async (): Promise<void> => {
        while (!connection.destroyed) {
          connection.write(text)
          await pause(everyMs)
        }
      }
      void repeat()
    }

  it.each<[string, RequestListener]>([
    [
      'a body that drips',
      (_q, r) => {
        endlessly(' ', 50)(r.writeHead(200).socket ?? fail())
      },
    ],
    [
      '103 for ever',
      (_q, r) => {
        endlessly('HTTP/1.1 103 Early Hints\r\n\r\n')(r.socket ?? fail())
      },
    ],
  ])('%s ends after a SIGINT, and not at its timeout', async (_case, listener) => {
    const asked = Promise.withResolvers<undefined>()
    const url = await serve((request, response) => {
      asked.resolve(undefined)
      listener(request, response)
    })
    const inputs = { timeout: '30s', 'request-timeout': '30s' }
    const run = await rollOut(url, inputs, { kill: { signal: 'SIGINT', when: asked.promise } })
    expect(run.outputs['outcome']).toBe('cancelled')
  })

  it('from GitHub ends after the timeout', async () => {
    const gitHub = await serveBytes(endlessly('HTTP/1.1 103 Early Hints\r\n\r\n'))
    const run = await rollOut(
      await serve(healthy),
      { 'pull-request': 7, comment: true, 'github-token': 'token-of-the-job', timeout: '2s' },
      { env: { GITHUB_API_URL: gitHub } },
    )
    expect(run.outputs['outcome']).toBe('deployed')
  })
})

function fail(): never {
  throw new Error('no socket')
}
