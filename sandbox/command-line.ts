import { parseArgs } from 'node:util'
import { SCRIPT_NAMES, type Ending } from './lifecycle.ts'
import { DEFAULT_API_KEY, type SandboxOptions } from './server.ts'

export const HELP = `A control plane to run against on this machine. It forgets everything when it ends.

  npm run sandbox -- [options]

  --port N           port on 127.0.0.1 (default: a free one)
  --speed N          1 is lifelike, about 9 s for a git_host revision; 10 is ten times faster (default 1)
  --api-key KEY      the key that is accepted (default ${DEFAULT_API_KEY})
  --path-prefix P    put every route below P, as in /api-host
  --fail HOW         every revision ends so: create, build, deploy, skip or interrupt
  --help             this text

Without --fail, a deployment's name decides what becomes of its revisions: one that holds
${SCRIPT_NAMES.join(', ')} goes that way ("stuck" never ends), any other gets DEPLOYED.
`

const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['create', 'CREATE_FAILED'],
  ['build', 'BUILD_FAILED'],
  ['deploy', 'DEPLOY_FAILED'],
  ['skip', 'SKIPPED'],
  ['interrupt', 'INTERRUPTED'],
])

/** The command line asks for what cannot be. */
export class UsageError extends Error {}

export type Command = { kind: 'help' } | { kind: 'start'; apiKey: string; options: SandboxOptions }

/** @throws UsageError with one line that says which flag is wrong, and what it takes */
export function readCommand(args: readonly string[]): Command {
  const values = readFlags(args)
  if (values.help) return { kind: 'help' }
  const apiKey = values['api-key']
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError('--api-key takes printable ASCII without spaces')
  const options = {
    port: readPort(values.port),
    speed: readSpeed(values.speed),
    pathPrefix: readPathPrefix(values['path-prefix']),
    credentials: { apiKey },
  }
  if (values.fail === undefined) return { kind: 'start', apiKey, options }
  return { kind: 'start', apiKey, options: { ...options, script: { ends: readEnding(values.fail) } } }
}

function readFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        speed: { type: 'string', default: '1' },
        'api-key': { type: 'string', default: DEFAULT_API_KEY },
        'path-prefix': { type: 'string', default: '' },
        fail: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (thrown) {
    // The first sentence says what is wrong; the rest is advice on positional arguments, of which there are none.
    const message = String(thrown).replace(/^\w+ \[\w+\]: /, '')
    throw new UsageError(message.split(/[.\n]/)[0] ?? message)
  }
}

function readPort(given: string): number {
  const port = Number(given)
  if (!/^\d+$/.test(given) || port > 65_535) throw new UsageError('--port takes a number from 0 to 65535')
  return port
}

function readSpeed(given: string): number {
  const speed = Number(given)
  if (!(speed > 0 && speed < Infinity)) throw new UsageError('--speed takes a number above 0')
  return speed
}

function readPathPrefix(given: string): string {
  const pathPrefix = given.replace(/\/+$/, '')
  if (!/^(\/[\w.-]+)*$/.test(pathPrefix)) throw new UsageError('--path-prefix takes a path such as /api-host')
  return pathPrefix
}

function readEnding(given: string): Ending {
  const ending = ENDINGS.get(given)
  if (ending !== undefined) return ending
  throw new UsageError(`--fail takes one of ${[...ENDINGS.keys()].join(', ')}`)
}
