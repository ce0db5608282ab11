import { fileURLToPath } from 'node:url'
import type { ActionRun, InputValue, Kill, RunEvent } from '../../demo/runner.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { findRoute } from '../../src/request/catalogue/find.ts'
import { METHODS } from '../../src/control-plane/api-request.ts'
import { here } from '../places/here.ts'
import { API_KEY } from './given.ts'

export { API_KEY, CREATE, INTEGRATION_ID, SECRET } from './given.ts'

export interface Journey {
  sandbox: Sandbox
  run: ActionRun
}

/** What a step runs in. */
export interface Surroundings {
  event?: RunEvent
  env?: Record<string, string>
  /** The workspace. */
  cwd?: string
  /** The folder of a sub-action, as in `teardown`. */
  action?: string
  kill?: Kill
  phase?: 'main' | 'post'
  /** What an earlier phase left. */
  state?: Record<string, string>
}

export interface JourneyOptions extends Surroundings {
  sandbox?: SandboxOptions
  inputs: Record<string, InputValue>
  /** Runs before the step, for instance to bring a deployment about. */
  before?: (sandbox: Sandbox) => Promise<void>
}

const open: Journey[] = []

/** Runs the action, as a runner does, against a sandbox of its own. */
export async function travel({ inputs, before, ...options }: JourneyOptions): Promise<Journey> {
  const sandbox = await here().openSandbox(options.sandbox)
  try {
    await before?.(sandbox)
    const run = await step(sandbox, inputs, options)
    open.push({ sandbox, run })
    return { sandbox, run }
  } catch (thrown) {
    await sandbox.close()
    throw thrown
  }
}

/** Also checks that the action declares each output that it sets. */
export async function step(
  sandbox: Sandbox,
  inputs: Record<string, InputValue>,
  { action, ...around }: Surroundings = {},
): Promise<ActionRun> {
  const run = await here().run({
    action: action === undefined ? undefined : fileURLToPath(new URL(`../../${action}`, import.meta.url)),
    inputs: {
      'base-url': sandbox.url,
      'api-key': API_KEY,
      ...(action === undefined ? { 'poll-interval': '0.5s' } : {}),
      timeout: '5m',
      'max-retries': '2',
      ...inputs,
    },
    ...around,
  })
  if (run.undeclaredOutputs.length > 0)
    throw new Error(`outputs that are not in action.yml: ${run.undeclaredOutputs.join(', ')}`)
  return run
}

/** Ends what the tests of a file have started. */
export async function endJourneys(): Promise<void> {
  for (const { sandbox, run } of open.splice(0)) {
    await run.dispose()
    await sandbox.close()
    const unknown = offTheCatalogue(sandbox)
    if (unknown.length > 0) throw new Error(`requests that are not in the catalogue: ${unknown.join(', ')}`)
  }
}

/** Requests to the control plane that are not in the catalogue. No test may cause one. */
function offTheCatalogue({ requests }: Sandbox): string[] {
  return requests
    .filter(({ route }) => !route.startsWith('/object-store/'))
    .filter(({ method, path }) => {
      const known = METHODS.find((one) => one === method)
      return known === undefined || findRoute(known, path.replace(/\?.*$/, '')).kind !== 'known'
    })
    .map(({ method, path }) => `${method} ${path}`)
}

/** The requests that the sandbox received, without polls of the revision, as "METHOD route". */
export function requestsBesidePolls({ requests }: Sandbox): string[] {
  return requests.map(({ method, route }) => `${method} ${route}`).filter((line) => !isPoll(line))
}

export function countPolls({ requests }: Sandbox): number {
  return requests.filter(({ method, route }) => isPoll(`${method} ${route}`)).length
}

function isPoll(line: string): boolean {
  return /^GET .*\/revisions\/[^/]+$/.test(line)
}

/** Everything that left the process: the log, the outputs, the summary and the state. */
export function everythingSaid(run: ActionRun): string {
  // The runner reads a secret from add-mask, and does not show that line.
  const log = run.raw.replace(/^::add-mask::.*$/gm, '')
  return [log, JSON.stringify(run.outputs), run.summary, JSON.stringify(run.state)].join('\n')
}

/** The one error annotation of a step that failed. */
export function theError(run: ActionRun): string {
  const errors = run.annotations.filter(({ level }) => level === 'error')
  if (errors.length !== 1) throw new Error(`expected one error, got ${JSON.stringify(errors)}\n${run.raw}`)
  return errors[0]?.message ?? ''
}
