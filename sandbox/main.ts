import { parseArgs } from 'node:util'
import { SCRIPT_NAMES, type Ending } from './lifecycle.ts'
import { DEFAULT_API_KEY, startSandbox } from './server.ts'

const HELP = `A control plane to run against on this machine. It forgets everything when it ends.

  npm run sandbox -- [options]

  --port N           port on 127.0.0.1 (default: a free one)
  --speed N          1 is lifelike, 10 is ten times faster (default 1)
  --api-key KEY      the key that is accepted (default ${DEFAULT_API_KEY})
  --path-prefix P    put every route below P, as in /api-host
  --fail HOW         every revision ends so: create, build, deploy, skip or interrupt
  --help             this text

A deployment whose name holds ${SCRIPT_NAMES.join(', ')} goes that way by itself.
`

const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['create', 'CREATE_FAILED'],
  ['build', 'BUILD_FAILED'],
  ['deploy', 'DEPLOY_FAILED'],
  ['skip', 'SKIPPED'],
  ['interrupt', 'INTERRUPTED'],
])

class UsageError extends Error {}

interface Flags {
  port: number
  speed: number
  apiKey: string
  pathPrefix: string
  ends: Ending | undefined
  help: boolean
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      speed: { type: 'string', default: '1' },
      'api-key': { type: 'string', default: DEFAULT_API_KEY },
      'path-prefix': { type: 'string', default: '' },
      fail: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError('--port takes a number from 0 to 65535')
  const speed = Number(values.speed)
  if (!(speed > 0)) throw new UsageError('--speed takes a number above 0')
  const pathPrefix = values['path-prefix'].replace(/\/+$/, '')
  if (!/^(\/[\w.-]+)*$/.test(pathPrefix)) throw new UsageError('--path-prefix takes a path such as /api-host')
  const ends = values.fail === undefined ? undefined : ENDINGS.get(values.fail)
  if (values.fail !== undefined && ends === undefined)
    throw new UsageError(`--fail takes one of ${[...ENDINGS.keys()].join(', ')}`)
  return { port, speed, apiKey: values['api-key'], pathPrefix, ends, help: values.help }
}

async function main(): Promise<void> {
  const flags = readFlags()
  if (flags.help) {
    console.log(HELP)
    return
  }
  const { port, speed, apiKey, pathPrefix, ends } = flags
  const script = ends === undefined ? {} : { script: { ends } }
  const sandbox = await startSandbox({ port, speed, pathPrefix, credentials: { apiKey }, ...script })
  console.log(`Sandbox control plane: ${sandbox.url}`)
  console.log(`API key:               ${apiKey}`)
  console.log(`Try it:                curl -H 'X-Api-Key: ${apiKey}' '${sandbox.url}/v2/deployments'`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
}

try {
  await main()
} catch (thrown) {
  console.error(`sandbox: ${thrown instanceof Error ? thrown.message : String(thrown)}. See --help.`)
  process.exitCode = 2
}
