import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { readCommand } from '../../sandbox/command-line.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { aGitDeployment } from './visitor.ts'
import { folderWith } from '../folders.ts'

const EXAMPLE = fileURLToPath(new URL('../../sandbox/seed.example.yml', import.meta.url))

function started(args: string[]) {
  const command = readCommand(args)
  if (command.kind !== 'start') throw new Error('help was asked for')
  return command
}

const seedFile = (text: string): string => path.join(folderWith({ 'seed.yml': text }), 'seed.yml')
const GARBAGE = '{ kind: garbage }'
const aFault = (effect: string, match = '{}'): string => `faults: [{ match: ${match}, effect: ${effect} }]`

describe('readCommand', () => {
  it('has a default for everything', () => {
    const { options, ...rest } = started([])
    expect(rest).toEqual({ kind: 'start' })
    expect(options).toMatchObject({ port: 0, speed: 1, pathPrefix: '', credentials: { apiKey: 'sandbox-key' } })
    expect(options.faults).toEqual([])
    expect(options.script({ name: 'agent' })).toBeUndefined()
  })

  it('takes what is given', () => {
    const flags = ['--port', '8080', '--speed=2.5', '--api-key', 'k', '--path-prefix', '/api-host/']
    const { options } = started([...flags, '--fail', 'build', '--faults', '0.2', '--fault-seed', '7'])
    expect(options.credentials).toEqual({ apiKey: 'k' })
    expect(options).toMatchObject({ port: 8080, speed: 2.5, pathPrefix: '/api-host', faultSeed: 7 })
    expect(options.faults.length).toBeGreaterThan(5)
    expect(options.script({ name: 'agent' })).toEqual({ ends: 'BUILD_FAILED' })
  })

  it('takes credentials of every scheme, from flags before a seed file', () => {
    const all = ['--api-key', 'k', '--bearer-token', 'b', '--tenant-id', 't']
    expect(started(all).options.credentials).toEqual({ apiKey: 'k', bearerToken: 'b', tenantId: 't' })
    const file = seedFile('credentials: { bearerToken: of-the-file, tenantId: acme }')
    const { options } = started(['--seed-file', file, '--bearer-token', 'b'])
    expect(options.credentials).toEqual({ apiKey: 'sandbox-key', bearerToken: 'b', tenantId: 'acme' })
  })

  it('takes the example of a seed file', () => {
    const { options } = started(['--seed-file', EXAMPLE])
    expect(options).toMatchObject({ seed: [{ name: 'hello-agent' }], resources: { tokens: [{ label: 'work' }] } })
    expect(options.faults).toMatchObject([{ skip: 1, effect: { kind: 'drop', when: 'after' } }])
    expect(options.script({ name: 'hello-agent' })).toMatchObject({ ends: 'DEPLOY_FAILED' })
    expect(options.script({ name: 'other' })).toBeUndefined()
  })

  it('takes a fault of any route, and of its head', () => {
    const faults = [
      '- { match: { method: get, path: /v2/listeners }, effect: { kind: status, status: 503 } }',
      '- { match: { method: HEAD, path: /v2/deployments }, effect: { kind: garbage } }',
      "- { match: { method: PUT, path: '/object-store/{upload_id}' }, effect: { kind: truncate } }",
      '- { match: { method: POST }, effect: { kind: delay, ms: 9, when: before } }',
      '- { match: { path: /feedback/eager }, times: always, effect: { kind: drip, ms: 1 } }',
    ]
    const file = seedFile(`faults:\n${faults.join('\n')}`)
    expect(started(['--seed-file', file]).options.faults).toMatchObject([
      { match: { method: 'GET', path: '/v2/listeners' } },
      { match: { method: 'HEAD' } },
      { match: { method: 'PUT' } },
      { effect: { kind: 'delay', ms: 9, when: 'before' } },
      { times: Infinity },
    ])
  })

  it('has --fail outdo what a seed file says', () => {
    const { options } = started(['--seed-file', EXAMPLE, '--fail', 'skip'])
    expect(options.script({ name: 'hello-agent' })).toEqual({ ends: 'SKIPPED' })
  })

  it.each<[string, string, RegExp]>([
    ['no YAML', 'a: [', /is not YAML: .* at line 1/],
    ['an unknown field', 'deploymets: []', /the file: Unrecognized key: "deploymets"/],
    ['a bad deployment', 'deployments: [{ name: a, source: moon }]', /deployments\.0\.source: /],
    ['a bad fault', aFault('{ kind: explode }'), /faults\.0\.effect\.kind: /],
    [
      'a fault of a method that there is not',
      aFault(GARBAGE, '{ method: FETCH }'),
      /faults\.0\.match\.method: .*"GET"/,
    ],
    [
      'a fault of a path that there is not',
      aFault(GARBAGE, '{ path: /v2/listner }'),
      /faults\.0\.match\.path: Expected the path of a route/,
    ],
    [
      'a fault of a method that the path does not have',
      aFault(GARBAGE, '{ method: PUT, path: /v2/listeners }'),
      /faults\.0\.match\.method: That path has the methods GET, HEAD only/,
    ],
    ['a fault without a chance', aFault(`${GARBAGE}, probability: 0`), /faults\.0\.probability: /],
    ['a status that is no answer', aFault('{ kind: status, status: 101 }'), /faults\.0\.effect\.status: .*>=200/],
    [
      'a redirect that is none',
      aFault('{ kind: redirect, location: /, status: 200 }'),
      /faults\.0\.effect\.status: .*>=300/,
    ],
    [
      'a header whose name is none',
      aFault('{ kind: status, status: 503, headers: { "bad header": x } }'),
      /faults\.0\.effect\.headers\.bad header: .*name of an HTTP header/,
    ],
    [
      'a header that HTTP cannot carry',
      aFault('{ kind: status, status: 503, headers: { x: "ü€" } }'),
      /faults\.0\.effect\.headers\.x: .*value of an HTTP header/,
    ],
    [
      'a content type of two lines',
      aFault('{ kind: body, body: x, contentType: "a\\nb" }'),
      /faults\.0\.effect\.contentType: .*value of an HTTP header/,
    ],
    [
      'a location that HTTP cannot carry',
      aFault('{ kind: redirect, location: "ü€" }'),
      /faults\.0\.effect\.location: .*value of an HTTP header/,
    ],
    ['a bad token', 'credentials: { bearerToken: "a b" }', /credentials\.bearerToken: .*without spaces/],
    ['a bad script', 'scripts: { a: { ends: WELL } }', /scripts\.a\.ends: /],
  ])('names the problem in a seed file: %s', (_case, text, words) => {
    expect(() => readCommand(['--seed-file', seedFile(text)])).toThrow(words)
  })

  it.each<[string[], string]>([
    [['--port', 'x'], '--port takes a number from 0 to 65535'],
    [['--port', '65536'], '--port takes a number from 0 to 65535'],
    [['--port='], '--port takes a number from 0 to 65535'],
    [['--speed', '0'], '--speed takes a number above 0'],
    [['--speed', 'Infinity'], '--speed takes a number above 0'],
    [['--path-prefix', 'api'], '--path-prefix takes a path such as /api-host'],
    [['--api-key', 'a b'], '--api-key takes printable ASCII without spaces'],
    [['--bearer-token', 'a b'], '--bearer-token takes printable ASCII without spaces'],
    [['--tenant-id='], '--tenant-id takes printable ASCII without spaces'],
    [['--fail', 'often'], '--fail takes one of create, build, deploy, skip, interrupt'],
    [['--faults', '2'], '--faults takes a number from 0 to 1'],
    [['--faults='], '--faults takes a number from 0 to 1'],
    [['--fault-seed', 'x'], '--fault-seed takes a whole number'],
    [['--spede', '2'], "Unknown option '--spede'"],
    [['8080'], "Unexpected argument '8080'"],
  ])('refuses %j in one line', (args, message) => {
    expect(() => readCommand(args)).toThrow(new Error(message))
  })
})

describe('a seed that cannot be', () => {
  it('names the deployment', async () => {
    const seed = [{ ...aGitDeployment, secrets: [], source_revision_config: { repo_ref: 'main' } }]
    await expect(startSandbox({ seed })).rejects.toThrow(
      'the deployment "agent" of the seed: app_config_path is required for source git_host.',
    )
    // It listens no more: else this has no end.
    while (process.getActiveResourcesInfo().includes('TCPServerWrap')) await setImmediate()
  })
})
