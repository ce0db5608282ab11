import { existsSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { RolloutScript } from '../sandbox/lifecycle.ts'
import { DEFAULT_API_KEY, startSandbox, type Sandbox } from '../sandbox/server.ts'
import { paintLine, paintTitle } from './paint.ts'
import { runAction, type ActionRun, type RunEvent } from './runner.ts'
import { renderSummaryPage } from './summary-page.ts'

/** About 6 s of watching. */
const SPEED = '1.6'

const HELP = `Runs the built action against a sandbox on this machine, as a runner does, and shows the result.

  npm run demo -- [options]

  --fail HOW    how the revision fails: create, build, deploy, skip or interrupt
  --update      start with an existing deployment, which is revised
  --dry-run     plan only: write nothing
  --tag TAG     run for the push of this tag, such as v1.2.3
  --speed N     how fast the sandbox is: 1 is realistic; ${SPEED} if not set
  --help        this text

Exits with the exit code of the action. Writes the rendered summary and the record to demo-output/.
`

const ENDINGS = {
  create: 'CREATE_FAILED',
  build: 'BUILD_FAILED',
  deploy: 'DEPLOY_FAILED',
  skip: 'SKIPPED',
  interrupt: 'INTERRUPTED',
} as const

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUTPUT = path.join(ROOT, 'demo-output')

const DEPLOYMENT = {
  name: 'hello-agent',
  source: 'git_host',
  source_config: {
    integration_id: '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11',
    repo_url: 'https://github.com/octo-org/hello-agent',
    build_on_push: true,
  },
  source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
  secrets: [{ name: 'MODEL_API_KEY', value: 'an-older-demo-key' }],
} as const

class UsageError extends Error {}

interface Flags {
  script: RolloutScript | undefined
  update: boolean
  tag: string | undefined
  dryRun: boolean
  speed: number
  help: boolean
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      fail: { type: 'string' },
      update: { type: 'boolean', default: false },
      tag: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      speed: { type: 'string', default: SPEED },
      help: { type: 'boolean', default: false },
    },
  })
  const ends = Object.entries(ENDINGS).find(([how]) => how === values.fail)?.[1]
  if (values.fail !== undefined && ends === undefined) {
    throw new UsageError(`--fail takes one of ${Object.keys(ENDINGS).join(', ')}`)
  }
  const speed = Number(values.speed)
  if (!(speed > 0)) throw new UsageError('--speed takes a number above 0')
  return {
    script: ends === undefined ? undefined : { ends },
    update: values.update,
    tag: values.tag,
    dryRun: values['dry-run'],
    speed,
    help: values.help,
  }
}

async function demo({ script, update, tag, dryRun, speed }: Flags): Promise<number> {
  if (!existsSync(path.join(ROOT, 'dist/index.js'))) throw new UsageError('dist/index.js is missing: run npm run build')
  // Before the run, which would be in vain in a checkout without the right to write.
  await mkdir(OUTPUT, { recursive: true })
  const seed = update ? [{ ...DEPLOYMENT, secrets: [...DEPLOYMENT.secrets] }] : []
  const sandbox = await startSandbox({ speed, seed })
  // After the seed, whose revision is deployed.
  sandbox.setScript(script)
  try {
    await using run = await runAction({
      inputs: { ...inputsFor(sandbox), 'dry-run': String(dryRun) },
      event: eventOf(tag),
      onLine: (line) => console.log(paintLine(line)),
    })
    await showResult(run, sandbox)
    return run.exitCode ?? 1
  } finally {
    await sandbox.close()
  }
}

function inputsFor(sandbox: Sandbox): Record<string, string> {
  return {
    'base-url': sandbox.url,
    'api-key': DEFAULT_API_KEY,
    name: DEPLOYMENT.name,
    source: DEPLOYMENT.source,
    'integration-id': DEPLOYMENT.source_config.integration_id,
    'app-config-path': DEPLOYMENT.source_revision_config.app_config_path,
    secrets: 'MODEL_API_KEY=a-hidden-demo-key\nDATABASE_URL=postgres://demo:demo-password@db.example/demo',
    'poll-interval': '0.5',
    // The demo has no GitHub to compare commits.
    'protect-newer': 'false',
  }
}

function eventOf(tag: string | undefined): RunEvent {
  return tag === undefined ? { name: 'push' } : { name: 'push', ref: `refs/tags/${tag}` }
}

async function showResult(run: ActionRun, sandbox: Sandbox): Promise<void> {
  console.log(paintTitle('\nOutputs'))
  printTable(Object.entries(await keepRecord(run.outputs)).map(([name, value]) => [name, shorten(value)]))
  console.log(paintTitle('\nRequests to the sandbox'))
  const counts = new Map<string, number>()
  for (const { method, route } of sandbox.requests) {
    const line = `${method} ${route}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  printTable([...counts].map(([line, count]) => [`${count} ×`, line]))
  const page = path.join(OUTPUT, 'summary.html')
  await writeFile(path.join(OUTPUT, 'summary.md'), run.summary)
  await writeFile(page, await renderSummaryPage(run.summary, { title: 'rollout' }))
  console.log(`${paintTitle('\nSummary')}, as GitHub shows it: ${pathToFileURL(page).href}`)
  console.log(
    `The action ended with ${run.conclusion} (exit code ${run.exitCode ?? 'none'}) after ${(run.durationMs / 1000).toFixed(1)} s.`,
  )
}

/** The folder of the run is deleted: copies the record, and returns outputs that name the copy. */
async function keepRecord(outputs: ActionRun['outputs']): Promise<ActionRun['outputs']> {
  const { 'record-path': record } = outputs
  if (record === undefined) return outputs
  const kept = path.join(OUTPUT, 'record.json')
  await copyFile(record, kept)
  return { ...outputs, 'record-path': path.relative(process.cwd(), kept) }
}

function printTable(rows: [string, string][]): void {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  for (const [name, value] of rows) console.log(`  ${name.padEnd(width)}  ${value}`)
}

/** One line of at most 100 characters. */
function shorten(value: string): string {
  const line = value.replace(/\s*\n\s*/g, ' ⏎ ')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

try {
  const flags = readFlags()
  if (flags.help) console.log(HELP)
  else process.exitCode = await demo(flags)
} catch (thrown) {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const isOfSystem = thrown instanceof Error && 'syscall' in thrown
  console.error(`demo: ${message}.${isOfSystem ? '' : ' See --help.'}`)
  process.exitCode = 2
}
