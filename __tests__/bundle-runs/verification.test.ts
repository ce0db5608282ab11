import { expect, it } from '@jest/globals'
import { everythingSaid, revisionsOf, serve, step, theError, travel } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const next = { ...image, 'image-uri': 'registry.example/agent:2', 'verify-timeout': '1s', rollback: 'on-failure' }
const NO_ANSWER = 'Not rolled back: the check received no answer'

it.concurrent('touches nothing after TLS that fails', async () => {
  const { sandbox } = await travel({ inputs: { ...image, 'custom-url': 'https://agent.example' } })
  sandbox.requests.length = 0
  const address = await serve((_request, response) => response.end())
  const run = await step(sandbox, { ...next, 'verify-url': address.replace('http:', 'https:') })
  expect(run.outputs['outcome']).toBe('unverified')
  expect(theError(run)).toContain(NO_ANSWER)
  expect(theError(run)).toContain('Check verify-url, and that the runner reaches it')
  expect(revisionsOf(sandbox)).toHaveLength(2)
  expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
})

it.concurrent(
  'sends headers and a body to the origin of verify-url, and nothing after a redirect elsewhere',
  async () => {
    const { sandbox } = await travel({ inputs: image })
    const seen: string[] = []
    const strays: string[] = []
    const elsewhere = await serve((request, response) => {
      strays.push(JSON.stringify(request.headers))
      response.end()
    })
    const app = await serve((request, response) => {
      const { method, url, headers } = request
      request
        .setEncoding('utf8')
        .toArray()
        .then(
          (pieces) => {
            seen.push([method, url, headers['x-api-key'], headers['content-type'], pieces.join('')].join(' '))
            const location = url === '/first' ? '/second' : url === '/away' ? `${elsewhere}/second` : undefined
            response
              .writeHead(location === undefined ? 200 : 307, { ...(location && { location }) })
              .end('{"status":"ok"}')
          },
          () => response.destroy(),
        )
    })
    const check = {
      ...{ 'verify-headers': 'X-Api-Key: key-of-the-app', 'verify-method': 'POST', 'verify-body': '{"input":"grüße"}' },
      'verify-contains': '/status=ok',
    }
    const run = await step(sandbox, { ...next, ...check, 'verify-url': `${app}/first`, 'verify-timeout': '60s' })
    expect(run.outputs['outcome']).toBe('deployed')
    const sent = (path: string): string => `POST ${path} key-of-the-app application/json {"input":"grüße"}`
    // Before the first write, and for the new revision.
    expect(seen).toEqual([sent('/first'), sent('/second'), sent('/first'), sent('/second')])
    const away = await step(sandbox, { ...image, ...check, 'verify-url': `${app}/away`, 'verify-timeout': '3s' })
    expect(away.outputs['outcome']).toBe('unverified')
    expect(theError(away)).toContain(`It redirects to ${elsewhere}/second; write that address`)
    expect(strays).toEqual([])
    for (const one of [run, away]) {
      expect(one.raw).toContain('::add-mask::key-of-the-app')
      expect(everythingSaid(one)).not.toContain('key-of-the-app')
    }
  },
)

it.concurrent.each<[string, () => Promise<string>]>([
  ['refuses connections', () => Promise.resolve('http://127.0.0.1:1')],
  ['demands credentials', () => serve((_request, response) => response.writeHead(407).end())],
])('touches nothing when the proxy of the runner %s', async (_how, proxy) => {
  const { sandbox } = await travel({ inputs: image })
  const verify = { 'verify-url': 'http://agent.example/ok' }
  const run = await step(sandbox, { ...next, ...verify }, { env: { http_proxy: await proxy() } })
  expect(run.outputs['outcome']).toBe('unverified')
  expect(theError(run)).toContain(NO_ANSWER)
  expect(revisionsOf(sandbox)).toHaveLength(2)
})
