import { describe, expect, it } from '@jest/globals'
import { readCommand } from '../../sandbox/command-line.ts'

describe('readCommand', () => {
  it('has a default for everything', () => {
    expect(readCommand([])).toEqual({
      kind: 'start',
      apiKey: 'sandbox-key',
      options: { port: 0, speed: 1, pathPrefix: '', credentials: { apiKey: 'sandbox-key' } },
    })
  })

  it('takes what is given', () => {
    const flags = ['--port', '8080', '--speed=2.5', '--api-key', 'k', '--path-prefix', '/api-host/']
    expect(readCommand([...flags, '--fail', 'build'])).toMatchObject({
      apiKey: 'k',
      options: { port: 8080, speed: 2.5, pathPrefix: '/api-host', script: { ends: 'BUILD_FAILED' } },
    })
  })

  it.each<[string[], string]>([
    [['--port', 'x'], '--port takes a number from 0 to 65535'],
    [['--port', '65536'], '--port takes a number from 0 to 65535'],
    [['--port='], '--port takes a number from 0 to 65535'],
    [['--speed', '0'], '--speed takes a number above 0'],
    [['--speed', 'Infinity'], '--speed takes a number above 0'],
    [['--path-prefix', 'api'], '--path-prefix takes a path such as /api-host'],
    [['--api-key', 'a b'], '--api-key takes printable ASCII without spaces'],
    [['--fail', 'often'], '--fail takes one of create, build, deploy, skip, interrupt'],
    [['--spede', '2'], "Unknown option '--spede'"],
    [['8080'], "Unexpected argument '8080'"],
  ])('refuses %j in one line', (args, message) => {
    expect(() => readCommand(args)).toThrow(new Error(message))
  })
})
