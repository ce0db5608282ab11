import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ActionRun, InputValue, Kill, RunEvent, RunOptions } from '../../demo/runner.ts'
import type { Execute } from '../../demo/runner/process.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { findRoute } from '../../src/request/catalogue/find.ts'
import { METHODS } from '../../src/control-plane/api-request.ts'
import { here } from '../places/here.ts'
import { API_KEY } from './given.ts'

export { API_KEY, CREATE, INTEGRATION_ID, ofImage, ofRepository, ofTemplate, SECRET } from './given.ts'

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
  /** How its process runs, over sockets. Default: as this user, with the variables of the runner. */
  execute?: Execute
}

export interface JourneyOptions extends Surroundings {
  sandbox?: SandboxOptions
  inputs: Record<string, InputValue>
  /** Runs before the step, for instance to bring a deployment about. */
  before?: (sandbox: Sandbox) => Promise<void>
}

const runs: ActionRun[] = []
const sandboxes: Sandbox[] = []

/** Opens a control plane. */
export async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await here().openSandbox(options)
  sandboxes.push(sandbox)
  return sandbox
}

/** Starts a server that answers as it likes. Returns its address. */
export const serve = async (listener: RequestListener): Promise<string> => await here().serve(listener)

/** Starts a server that answers each connection by bytes. Returns its address. */
export const serveBytes = async (listener: (connection: Duplex) => void): Promise<string> =>
  await here().serveBytes(listener)

/** Runs the action, as a runner does, against a sandbox of its own. */
export async function travel({ inputs, before, ...options }: JourneyOptions): Promise<Journey> {
  const sandbox = await aSandbox(options.sandbox)
  await before?.(sandbox)
  return { sandbox, run: await step(sandbox, inputs, options) }
}

/** Has the run end with the others. */
export function keep(run: ActionRun): ActionRun {
  runs.push(run)
  return run
}

/** Runs the action with these inputs alone. */
export const act = async (options: RunOptions): Promise<ActionRun> => keep(await here().run(options))

/** Runs the action against a sandbox. Also checks that the action declares each output that it sets. */
export async function step(
  sandbox: Pick<Sandbox, 'url'>,
  inputs: Record<string, InputValue>,
  { action, ...around }: Surroundings = {},
): Promise<ActionRun> {
  const run = await act({
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

/** Ends what was started. */
export async function endJourneys(): Promise<void> {
  for (const run of runs.splice(0)) await run.dispose()
  const unknown: string[] = []
  for (const sandbox of sandboxes.splice(0)) {
    await sandbox.close()
    unknown.push(...offTheCatalogue(sandbox))
  }
  await here().close()
  if (unknown.length > 0) throw new Error(`requests that are not in the catalogue: ${unknown.join(', ')}`)
}

/** Requests to the control plane that are not in the catalogue. No test may cause one. */
function offTheCatalogue({ requests }: Sandbox): string[] {
  return (
    requests
      .filter(({ route }) => !route.startsWith('/object-store/'))
      // Those have the names of the public service.
      .filter(({ path }) => !path.startsWith('/langsmith/'))
      .filter(({ method, path }) => {
        const known = METHODS.find((one) => one === method)
        return known === undefined || findRoute(known, path.replace(/\?.*$/, '')).kind !== 'known'
      })
      .map(({ method, path }) => `${method} ${path}`)
  )
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

/** Those of the only deployment, oldest first. */
export const revisionsOf = (sandbox: Sandbox): Record<string, unknown>[] =>
  sandbox.revisions(String(sandbox.deployments()[0]?.['id']))

/** Everything that left the process: the log, the outputs, the summary and the state. */
export function everythingSaid(run: ActionRun): string {
  // The runner reads a secret from add-mask, and does not show that line.
  const log = run.raw.replace(/^::add-mask::.*$/gm, '')
  return [log, JSON.stringify(run.outputs), run.summary, JSON.stringify(run.state)].join('\n')
}

/** The one error annotation of a step that failed. */
export function theError(run: ActionRun): string {
  const errors = errorsOf(run)
  if (errors.length !== 1) throw new Error(`expected one error, got ${JSON.stringify(errors)}\n${run.raw}`)
  return errors[0]?.message ?? ''
}

const messagesOf = (run: ActionRun, of: ActionRun['annotations'][number]['level']): string[] =>
  run.annotations.filter(({ level }) => level === of).map(({ message }) => message)
export const warningsOf = (run: ActionRun): string[] => messagesOf(run, 'warning')
export const noticesOf = (run: ActionRun): string[] => messagesOf(run, 'notice')

/** The error annotations, with their places. */
export const errorsOf = (run: ActionRun): ActionRun['annotations'] =>
  run.annotations.filter(({ level }) => level === 'error')

/** A stack trace, or a warning of Node, in the log; undefined if there is none. */
export const noiseOf = ({ raw }: ActionRun): string | undefined => /^\s+at |\(node:\d|Error:.*\n\s+at /m.exec(raw)?.[0]
