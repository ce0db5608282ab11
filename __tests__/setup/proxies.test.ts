import { expect, it } from '@jest/globals'
import { runJest } from './run-jest.ts'

// A contributor behind a proxy gets the same results as the CI.

const NOWHERE = 'http://127.0.0.1:9'
const PROXIES = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, http_proxy: NOWHERE, https_proxy: NOWHERE }

it.each([
  ['proxies', PROXIES],
  ['proxies except for loopback', { ...PROXIES, NO_PROXY: 'localhost,127.0.0.1' }],
])(
  'the tests pass on a machine with %s',
  (_case, env) => {
    // All its answers come from addresses that a proxy would get.
    const { status, stderr } = runJest(
      ['--config', 'jest.unit.config.js', '__tests__/github/over-network.test.ts'],
      env,
    )
    expect(stderr).toContain('Tests: ')
    expect(status).toBe(0)
  },
  60_000,
)
