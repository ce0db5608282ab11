import { expect, it } from '@jest/globals'
import { rollOut } from '../e2e/hostile-server.ts'
import { serve, theError } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

it.each<[string, string, RegExp]>([
  [
    'TLS where there is none',
    'https://127.0.0.1:PORT',
    /EPROTO: the server does not speak TLS on this port\)\nNothing was written\.\nCorrect the port of base-url/,
  ],
  ['a host that has no address', 'https://nowhere.invalid', /ENOTFOUND|EAI_AGAIN/],
  ['a port without a listener', 'http://127.0.0.1:9', /ECONNREFUSED/],
])('%s is named as the cause', async (_case, baseUrl, words) => {
  const { port } = new URL(await serve((_request, response) => response.end()))
  const run = await rollOut(baseUrl.replace('PORT', port))
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toMatch(words)
})
