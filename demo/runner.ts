import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  readActionManifest,
  resolveInputs,
  undeclaredOutputs,
  type ActionManifest,
  type InputValue,
} from './runner/action-manifest.ts'
import {
  completeEvent,
  jobEnvironment,
  osOfThisMachine,
  type RunEvent,
  type RunnerOs,
} from './runner/job-environment.ts'
import type { Kill } from './runner/killer.ts'
import { execute, type Execute } from './runner/process.ts'
import { fileVariables, prepareFiles, readWritten, type RunFiles, type Written } from './runner/run-files.ts'
import { StepLog, type Annotation } from './runner/step-log.ts'
import type { WorkflowCommand } from './runner/workflow-command.ts'

export type { Annotation, InputValue, Kill, RunEvent, RunFiles, WorkflowCommand }

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface RunOptions {
  /** The folder of the action.yml. Default: this repository. */
  action?: string | undefined
  inputs: Readonly<Record<string, InputValue>>
  /** Overrides the runner's own variables. `RUNNER_DEBUG: '1'` shows debug lines. */
  env?: Readonly<Record<string, string>> | undefined
  /** Default: a push to `main` of `octo-org/hello-agent`. */
  event?: RunEvent | undefined
  /** GITHUB_WORKSPACE, where the action starts. Default: an empty folder. */
  cwd?: string | undefined
  /** The saved state of an earlier phase, by plain names, such as `run.state`. */
  state?: Readonly<Record<string, string>> | undefined
  phase?: 'main' | 'post' | undefined
  /** The value of `${{ github.token }}`, hidden in the log. Default: ''. */
  token?: string | undefined
  /** The workflow's `secrets`, hidden from the first line on. If not set, only values that the action masks are hidden. */
  secrets?: readonly string[] | undefined
  /** Called with each line as GitHub's log shows it. */
  onLine?: ((line: string) => void) | undefined
  /** Sends a signal after a time, after a promise, or when a shown line matches. */
  kill?: Kill | undefined
  nodeArgs?: readonly string[] | undefined
  /** After this many milliseconds the process is killed. Default 600,000. */
  limitMs?: number | undefined
  /** The system of the runner. Default: that of this machine. */
  os?: RunnerOs | undefined
  /** Default: in a process of its own. */
  execute?: Execute | undefined
}

/** The result of a step and everything that it wrote. */
export interface ActionRun extends Written {
  /** The step's result on GitHub. */
  conclusion: 'success' | 'failure'
  /** null when a signal ended the process. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The process outlived `limitMs` and was killed. */
  limitReached: boolean
  /** stdout and stderr, verbatim, in the order of arrival. */
  raw: string
  /** Lines as GitHub's log shows them: without commands, secrets hidden. */
  shown: string[]
  annotations: Annotation[]
  /** All hidden values. Each line of a value is also a value. */
  masks: readonly string[]
  /** Every workflow command that the runner executed. */
  commands: WorkflowCommand[]
  durationMs: number
  /** Given inputs that are not in action.yml. */
  unexpectedInputs: string[]
  /** Outputs that are set and not in action.yml. */
  undeclaredOutputs: string[]
  files: RunFiles
  /** Removes the folder of this run. */
  dispose(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Runs an action as the GitHub runner does: environment, files and workflow commands.
 * @throws when action.yml cannot be read; a failure of the action is a result, not an error
 */
export async function runAction(options: RunOptions): Promise<ActionRun> {
  const folder = options.action ?? ROOT
  const manifest = await readActionManifest(folder)
  const event = completeEvent(options.event ?? { name: 'push' })
  const files = prepareFiles(event.payload, options.cwd)
  const os = options.os ?? osOfThisMachine()
  const places = {
    workspace: files.workspace,
    temp: files.temp,
    eventFile: files.event,
    home: path.join(files.folder, 'home'),
    toolCache: path.join(files.folder, 'tools'),
  }
  const jobEnv = { ...jobEnvironment(event, places, os), ...options.env }
  const token = options.token ?? ''
  const inputs = resolveInputs(manifest, options.inputs, (expression) => evaluate(expression, jobEnv, token))
  const log = new StepLog({
    secrets: [token, ...(options.secrets ?? [])],
    debug: options.env?.['RUNNER_DEBUG'] === '1',
    onLine: options.onLine,
  })
  if (inputs.unexpected.length > 0) log.annotate('warning', unexpectedWarning(inputs.unexpected, inputs.known))

  const end = await (options.execute ?? execute)(
    {
      script: path.resolve(folder, scriptOf(manifest, options.phase ?? 'main')),
      cwd: files.workspace,
      env: { ...jobEnv, ...inputs.variables, ...fileVariables(files), ...stateVariables(options.state) },
      nodeArgs: options.nodeArgs ?? [],
      limitMs: options.limitMs ?? 600_000,
      kill: options.kill,
    },
    log,
  )
  const written = readWritten(files, log, os)
  const dispose = async (): Promise<void> => {
    rmSync(files.folder, { recursive: true, force: true })
    await Promise.resolve()
  }
  return {
    ...end,
    ...written,
    conclusion: end.exitCode === 0 && !log.refused ? 'success' : 'failure',
    shown: log.shown,
    annotations: log.annotations,
    masks: [...log.masks.values],
    commands: log.commands,
    unexpectedInputs: inputs.unexpected,
    undeclaredOutputs: undeclaredOutputs(manifest, written.outputs),
    files,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

function stateVariables(state: RunOptions['state']): Record<string, string> {
  return Object.fromEntries(Object.entries(state ?? {}).map(([name, value]) => [`STATE_${name}`, value]))
}

function scriptOf({ runs }: ActionManifest, phase: 'main' | 'post'): string {
  const script = runs[phase]
  if (script === undefined) throw new Error(`action.yml has no runs.${phase}`)
  return script
}

function evaluate(expression: string, env: Readonly<Record<string, string>>, token: string): string {
  const name = /^github\.([a-z_]+)$/.exec(expression)?.[1]
  const value = name === 'token' ? token : env[`GITHUB_${(name ?? '').toUpperCase()}`]
  if (value === undefined) throw new Error(`Cannot evaluate the default \${{ ${expression} }}`)
  return value
}

function unexpectedWarning(unexpected: readonly string[], known: readonly string[]): string {
  return `Unexpected input(s) '${unexpected.join("', '")}', valid inputs are ['${known.join("', '")}']`
}
