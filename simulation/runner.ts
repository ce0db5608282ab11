import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import {
  readActionManifest,
  resolveInputs,
  undeclaredOutputs,
  type ActionManifest,
  type InputValue,
} from '../demo/runner/action-manifest.ts'
import { parseKeyValueFile } from '../demo/runner/file-commands.ts'
import { completeEvent, jobEnvironment, type RunEvent } from '../demo/runner/job-environment.ts'
import { StepLog, type Annotation } from '../demo/runner/step-log.ts'
import { run } from '../src/run.ts'
import { ActionProcess } from './action-process.ts'
import { SimulatedFiles } from './files.ts'
import type { Parcel } from './network.ts'
import type { Scene } from './scene.ts'

const ROOT = new URL('..', import.meta.url)
/** A source to roll out; the only folder that a run reads from the disk. */
export const WORKSPACE = fileURLToPath(new URL('source', import.meta.url))

/** The actions of this repository, by their folder. */
const FOLDERS = ['.', 'wait', 'rollback', 'teardown', 'request', 'fleet'] as const
export type ActionFolder = (typeof FOLDERS)[number]
const manifests = new Map<string, ActionManifest>()
for (const folder of FOLDERS) manifests.set(folder, await readActionManifest(fileURLToPath(new URL(folder, ROOT))))

export interface StepOptions {
  who: string
  inputs: Readonly<Record<string, InputValue>>
  /** Default: the action of the root. */
  action?: ActionFolder | undefined
  event?: RunEvent | undefined
  env?: Readonly<Record<string, string>> | undefined
  /** Files of the workspace, by their path in it. */
  files?: Readonly<Record<string, string>> | undefined
  token?: string | undefined
}

/** A step that is over, and everything that it said. */
export interface EndedStep {
  who: string
  /** undefined if it was killed. */
  exitCode: number | undefined
  outputs: Readonly<Record<string, string>>
  summary: string
  /** The file at the output `record-path`. */
  record: Readonly<Record<string, unknown>> | undefined
  annotations: readonly Annotation[]
  /** Every line that it printed. */
  lines: readonly string[]
  /** Without the lines by which the runner learns secrets. */
  everythingSaid: string
  /** The messages of all annotations. */
  error: string
  state: Readonly<Record<string, string>>
  /** What is wrong whatever the run was about. */
  undeclared: readonly string[]
  parcels: readonly Parcel[]
  /** Of a fleet: the most requests to the control plane in a second. */
  requestsPerSecond: number | undefined
  startedAt: number
  endedAt: number
  /** What the clock of the runner added to these, in milliseconds. */
  sinceEpoch: number
}

export interface RunningStep {
  process: ActionProcess
  ended: Promise<EndedStep>
}

/** Starts the action in this process, as a runner does. */
export function startStep(scene: Scene, options: StepOptions): RunningStep {
  const { who, action = '.', token = '' } = options
  const manifest = manifests.get(action)
  if (manifest === undefined) throw new Error(`there is no action in ${action}`)
  const event = completeEvent(options.event ?? { name: 'push' })
  const places = {
    workspace: WORKSPACE,
    home: '/simulated/home',
    temp: '/simulated/temp',
    toolCache: '/simulated/tools',
  }
  const job = { ...jobEnvironment(event, { ...places, eventFile: '/simulated/event.json' }, 'Linux'), ...options.env }
  const { variables } = resolveInputs(manifest, options.inputs, (expression) =>
    expression === 'github.token' ? token : '',
  )
  const own = Object.entries(options.files ?? {}).map(([name, text]) => [`${WORKSPACE}/${name}`, text] as const)
  const files = new SimulatedFiles({
    ...Object.fromEntries(own),
    '/simulated/event.json': JSON.stringify(event.payload),
    [STATE]: '',
  })
  const log = new StepLog({ secrets: [token].filter(Boolean), debug: false })
  const process = new ActionProcess({
    who,
    files,
    env: {
      ...job,
      ...variables,
      GITHUB_STATE: STATE,
      GITHUB_OUTPUT: '/simulated/output',
      ...(scene.runTraces && { RUNNER_DEBUG: '1' }),
    },
    time: scene.time,
    network: scene.network,
    trace: scene.trace,
    random: scene.chance(who, 'the action itself'),
    onLine: (line) => log.readLine(line),
  })
  const startedAt = scene.time.now()
  const finish = async (): Promise<EndedStep> => {
    // Whoever starts it knows it before its first step.
    await Promise.resolve()
    const exitCode = await process.run(run)
    files.dispose()
    const { lines } = process
    const { outputs, summary } = files
    const written = files.read(path.join(path.dirname(outputs['record-path'] ?? ''), 'trace.jsonl'))
    if (written !== undefined) scene.runTraces?.push(written)
    scene.trace.add(who, `ended with ${exitCode ?? 'a signal'} ${JSON.stringify(outputs)} ${summary}`)
    return {
      who,
      exitCode,
      outputs,
      summary,
      record: recordIn(files, outputs),
      annotations: log.annotations,
      lines,
      everythingSaid: [...lines.filter((line) => !line.startsWith('::add-mask::')), files.written()].join('\n'),
      error: log.annotations.map(({ message }) => message).join('\n'),
      state: parseKeyValueFile(files.read(STATE) ?? '', 'Linux'),
      undeclared: [
        ...undeclaredOutputs(manifest, outputs),
        ...(log.refused ? ['a command that the runner refuses'] : []),
      ],
      parcels: scene.network.parcels.filter((parcel) => parcel.who === who),
      requestsPerSecond: action === 'fleet' ? Number(variables['INPUT_REQUESTS-PER-SECOND']) : undefined,
      startedAt,
      endedAt: scene.time.now(),
      sinceEpoch: scene.time.wallTime() - scene.time.now(),
    }
  }
  return { process, ended: finish() }
}

function recordIn(files: SimulatedFiles, outputs: Readonly<Record<string, string>>): EndedStep['record'] {
  const text = files.read(outputs['record-path'] ?? '')
  return text === undefined ? undefined : recordSchema.parse(JSON.parse(text))
}

const recordSchema = z.record(z.string(), z.unknown())

const STATE = '/simulated/state'

/** Runs the action to its end. */
export async function runStep(scene: Scene, options: StepOptions): Promise<EndedStep> {
  return await startStep(scene, options).ended
}
