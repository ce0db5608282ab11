import { parseArgs } from 'node:util'
import { CREDENTIAL, type Credentials } from './credentials.ts'
import type { Fault } from './faults.ts'
import { SCRIPT_NAMES, type Ending, type RolloutScript } from './lifecycle.ts'
import { requestLine } from './request-line.ts'
import { readSeedFile, type Seed } from './seed-file.ts'
import { DEFAULT_API_KEY, type SandboxOptions } from './server.ts'
import { stormOf } from './storm.ts'

export const HELP = `A control plane for tests, on this machine or in a CI job. It implements the whole known API, and keeps no state
after it ends.

  npm run sandbox -- [options]

  --port N           port on 127.0.0.1 (default: a free one)
  --speed N          1 is realistic, about 9 s for a git_host revision; 10 is ten times faster (default 1)
  --api-key KEY      accepted API key (default ${DEFAULT_API_KEY})
  --bearer-token T   accept this token as well
  --tenant-id ID     accept this tenant as well, and refuse any other
  --path-prefix P    serve every route below P, such as /api-host
  --seed-file FILE   initial state from a YAML or JSON file: deployments, listeners, integrations, tokens, plan,
                     credentials, scripts (how a deployment's revisions end), habits and faults; see docs/sandbox.md
  --fail HOW         how every revision fails: create, build, deploy, skip or interrupt
  --faults PART      the share of requests that fail, at random: 0.2 is about every fifth
  --fault-seed N     seed of that choice; the same N makes the same choice (default 1)
  --verbose          print a line for each request, without credentials and bodies
  --help             this text

Without --fail, the name of a deployment decides how its revisions end, if it contains one of these words:
${SCRIPT_NAMES.join(', ')} (never ends). All others become DEPLOYED.

Open the printed address in a browser to see deployments and revisions live. /openapi.json describes the API.
Below /langsmith, the same API has the names and the habits of LangSmith Deployment.

  npm run sandbox -- --port 8080 --speed 10 --seed-file sandbox/seed.example.yml
  curl -H 'X-Api-Key: ${DEFAULT_API_KEY}' http://127.0.0.1:8080/v2/deployments
`

const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['create', 'CREATE_FAILED'],
  ['build', 'BUILD_FAILED'],
  ['deploy', 'DEPLOY_FAILED'],
  ['skip', 'SKIPPED'],
  ['interrupt', 'INTERRUPTED'],
])

/** An invalid flag of the command line. */
export class UsageError extends Error {}

type Command = { kind: 'help' } | { kind: 'start'; options: StartOptions }

/** The options of the server. */
type StartOptions = SandboxOptions & {
  credentials: Credentials & { apiKey: string }
  faults: Fault[]
  script: (deployment: { name: string }) => RolloutScript | undefined
}

/** @throws UsageError with one line that names the wrong flag and its valid values */
export function readCommand(args: readonly string[]): Command {
  const values = readFlags(args)
  if (values.help) return { kind: 'help' }
  const given = readCredentials(values)
  const {
    scripts = {},
    faults = [],
    credentials: seedCredentials = {},
    ...seed
  } = values['seed-file'] === undefined ? {} : readSeed(values['seed-file'])
  const ends = values.fail === undefined ? undefined : readEnding(values.fail)
  const storm = values.faults === undefined ? [] : stormOf(readPart(values.faults))
  const credentials = { apiKey: DEFAULT_API_KEY, ...seedCredentials, ...given }
  const options = {
    port: readPort(values.port),
    speed: readSpeed(values.speed),
    pathPrefix: readPathPrefix(values['path-prefix']),
    credentials,
    ...seed,
    faults: [...faults, ...storm],
    faultSeed: readSeedNumber(values['fault-seed']),
    script: ({ name }: { name: string }): RolloutScript | undefined => (ends === undefined ? scripts[name] : { ends }),
  }
  const onRequest: StartOptions['onRequest'] = (request) => {
    console.log(requestLine(request, credentials, Date.now()))
  }
  return { kind: 'start', options: values.verbose ? { ...options, onRequest } : options }
}

const CREDENTIAL_FLAGS = [
  ['api-key', 'apiKey'],
  ['bearer-token', 'bearerToken'],
  ['tenant-id', 'tenantId'],
] as const

function readCredentials(values: ReturnType<typeof readFlags>): Credentials {
  const credentials: Credentials = {}
  for (const [flag, field] of CREDENTIAL_FLAGS) {
    const given = values[flag]
    if (given === undefined) continue
    if (!CREDENTIAL.test(given)) throw new UsageError(`--${flag} takes printable ASCII without spaces`)
    credentials[field] = given
  }
  return credentials
}

function readSeed(file: string): Partial<Seed> {
  try {
    return readSeedFile(file)
  } catch (thrown) {
    throw new UsageError(`--seed-file: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

function readPart(given: string): number {
  const part = Number(given)
  if (given.trim() === '' || !(part >= 0 && part <= 1)) throw new UsageError('--faults takes a number from 0 to 1')
  return part
}

function readSeedNumber(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new UsageError('--fault-seed takes a whole number')
  return Number(given)
}

function readFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        speed: { type: 'string', default: '1' },
        'api-key': { type: 'string' },
        'bearer-token': { type: 'string' },
        'tenant-id': { type: 'string' },
        'path-prefix': { type: 'string', default: '' },
        fail: { type: 'string' },
        'seed-file': { type: 'string' },
        faults: { type: 'string' },
        'fault-seed': { type: 'string', default: '1' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (thrown) {
    // The first sentence names the problem; the rest is advice on positional arguments, which this command does not have.
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
