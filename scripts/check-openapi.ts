import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { DEFAULT_API_KEY, startSandbox } from '../sandbox/server.ts'
import { describeReport } from './check-openapi/report.ts'

/**
 * Tests the sandbox against its own OpenAPI document: schemathesis generates requests to every route, and reports server
 * errors and responses that the document does not describe.
 */

const HELP = `Usage: npm run test:openapi -- [--examples N] [--seed N] [--required]

  --examples N  generated requests for each route (default 20)
  --seed N      seed of the generated requests (default 1)
  --required    fail without Python, or when schemathesis cannot be installed
`

const SCHEMATHESIS = 'schemathesis==4.32.5'
/** Not in git, and kept between runs. */
const VENV = path.join(import.meta.dirname, '../.cache/schemathesis')
const EXCLUDED_CHECKS = [
  // A schema cannot express rules across fields, such as that a limit is at least its request.
  'positive_data_acceptance',
  // A sandbox that is being deleted can still be read, as the contract says.
  'use_after_free',
]
const LIMIT_MS = 900_000
/** A day on which the sandbox still serves every deprecated operation. */
const BEGINS_AT = Date.parse('2026-08-01T00:00:00Z')

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    required: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Finds or installs schemathesis; otherwise returns why that is not possible. */
function provide(): { command: string } | { because: string } {
  const command = path.join(VENV, 'bin/st')
  if (existsSync(command) && version(command) === SCHEMATHESIS.split('==')[1]) return { command }
  console.log(`Installing ${SCHEMATHESIS}; the first time that takes a while.`)
  const steps = [
    ['python3', '-m', 'venv', '--clear', VENV],
    [path.join(VENV, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS],
  ]
  for (const [program = '', ...args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS })
    if (status !== 0)
      return { because: `${program} ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? ''}` }
  }
  return { command }
}

function version(command: string): string | undefined {
  return /(\d+\.\d+\.\d+)/.exec(spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout)?.[1]
}

async function check(command: string): Promise<number> {
  const since = performance.now()
  const now = (): number => BEGINS_AT + performance.now() - since
  const sandbox = await startSandbox({ speed: 50, now })
  const folder = await mkdtemp(path.join(tmpdir(), 'openapi-'))
  const args = ['run', `${sandbox.url}/openapi.json`, '--header', `X-Api-Key: ${DEFAULT_API_KEY}`]
  const choice = [
    '--max-examples',
    values.examples,
    '--seed',
    values.seed,
    '--exclude-checks',
    EXCLUDED_CHECKS.join(','),
  ]
  const reportFile = path.join(folder, 'report.json')
  const output = ['--report-json-path', reportFile, '--suppress-health-check', 'all', '--no-color']
  console.log('Running schemathesis, which takes about a minute.')
  const child = spawn(command, [...args, ...choice, ...output], { cwd: folder })
  const printed: Buffer[] = []
  const collect = (chunk: Buffer): void => void printed.push(chunk)
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  try {
    const [code] = z.tuple([z.number().nullable(), z.unknown()]).parse(await once(child, 'close'))
    // Without its banners, which look like the closing line of a test run.
    if (code !== 0)
      console.error(
        Buffer.concat(printed)
          .toString('utf8')
          .replace(/^=+ .* =+$/gm, ''),
      )
    if (code === null) throw new Error(`schemathesis did not end within ${LIMIT_MS / 1000} s`)
    console.log(describeReport(await readFile(reportFile, 'utf8')))
    return code
  } finally {
    clearTimeout(timer)
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

if (values.help) console.log(HELP)
else {
  const found = provide()
  if ('command' in found) process.exitCode = await check(found.command)
  else {
    console.error(`\n!!! THE SANDBOX WAS NOT TESTED AGAINST ITS OPENAPI DOCUMENT: ${found.because}.\n`)
    process.exitCode = values.required ? 1 : 0
  }
}
