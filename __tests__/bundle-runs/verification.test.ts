import { afterAll, expect, it } from '@jest/globals'
import { endJourneys, theError, travel } from '../e2e/journey.ts'
import { again, endRuns, revisionsOf } from '../e2e/runs.ts'
import { endServers, serve } from '../e2e/servers.ts'
import { overSockets } from '../places/here.ts'

await overSockets()
// The tests wait for their processes, all at once.
afterAll(async () => {
  await endRuns()
  await endJourneys()
  await endServers()
})

const image = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const next = { ...image, 'image-uri': 'registry.example/agent:2', 'verify-timeout': '1s', rollback: 'on-failure' }
const NO_ANSWER = 'Not rolled back: the check received no answer'

it.concurrent('touches nothing after TLS that fails', async () => {
  const { sandbox } = await travel({ inputs: { ...image, 'custom-url': 'agent.example' } })
  sandbox.requests.length = 0
  const address = await serve((_request, response) => response.end())
  const run = await again(sandbox, { ...next, 'verify-url': address.replace('http:', 'https:') })
  expect(run.outputs['outcome']).toBe('unverified')
  expect(theError(run)).toContain(NO_ANSWER)
  expect(theError(run)).toContain('Check verify-url, and that the runner reaches it')
  expect(revisionsOf(sandbox)).toHaveLength(2)
  expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
})

it.concurrent.each<[string, () => Promise<string>]>([
  ['refuses connections', () => Promise.resolve('http://127.0.0.1:1')],
  ['demands credentials', () => serve((_request, response) => response.writeHead(407).end())],
])('touches nothing when the proxy of the runner %s', async (_how, proxy) => {
  const { sandbox } = await travel({ inputs: image })
  const verify = { 'verify-url': 'http://agent.example/ok' }
  const run = await again(sandbox, { ...next, ...verify }, { env: { http_proxy: await proxy() } })
  expect(run.outputs['outcome']).toBe('unverified')
  expect(theError(run)).toContain(NO_ANSWER)
  expect(revisionsOf(sandbox)).toHaveLength(2)
})
