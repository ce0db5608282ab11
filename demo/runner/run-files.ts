import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FILE_COMMANDS, MAX_SUMMARY_BYTES, parseKeyValueFile, type FileCommand } from './file-commands.ts'
import type { RunnerOs } from './job-environment.ts'
import type { StepLog } from './step-log.ts'

/** Paths, valid until the run is disposed. */
export type RunFiles = Record<FileCommand | 'folder' | 'workspace' | 'temp' | 'event', string>

/** The content of the files that a step wrote. */
export interface Written {
  outputs: Record<string, string>
  /** The job summary's markdown, verbatim. */
  summary: string
  /** The job summary's markdown as GitHub gets it: secrets hidden. */
  shownSummary: string
  state: Record<string, string>
  /** Variables and folders for the following steps. */
  env: Record<string, string>
  path: string[]
}

const FILE_COMMAND_NAMES = ['output', 'state', 'env', 'path', 'summary'] as const satisfies FileCommand[]

/**
 * Creates a folder for one run, with the files of a runner.
 * @param workspace where the action starts; if not set, an empty folder
 */
export function prepareFiles(payload: object, workspace: string | undefined): RunFiles {
  const folder = mkdtempSync(path.join(tmpdir(), 'action-run-'))
  const within = (name: string): string => path.join(folder, name)
  const files: RunFiles = {
    folder,
    workspace: workspace === undefined ? within('workspace') : path.resolve(workspace),
    temp: within('temp'),
    event: within('event.json'),
    output: within('output'),
    state: within('state'),
    env: within('env'),
    path: within('path'),
    summary: within('summary.md'),
  }
  for (const each of [files.workspace, files.temp, within('home'), within('tools')])
    mkdirSync(each, { recursive: true })
  writeFileSync(files.event, JSON.stringify(payload, undefined, 2))
  for (const command of FILE_COMMAND_NAMES) writeFileSync(files[command], '')
  return files
}

export function fileVariables(files: RunFiles): Record<string, string> {
  return Object.fromEntries(FILE_COMMAND_NAMES.map((command) => [FILE_COMMANDS[command], files[command]]))
}

/** Reads the files after the end of the step. An invalid file causes an error in the log and fails the step. */
export function readWritten(files: RunFiles, log: StepLog, os: RunnerOs): Written {
  const readValues = (command: FileCommand, text: string): Record<string, string> =>
    valuesOf(command, text, { log, os })
  const [output = '', state = '', env = '', folders = '', summary = ''] = FILE_COMMAND_NAMES.map((command) =>
    textOf(files[command]),
  )
  if (Buffer.byteLength(summary) > MAX_SUMMARY_BYTES) {
    const size = Math.floor(Buffer.byteLength(summary) / 1024)
    log.annotate('error', `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got ${size}k.`)
  }
  return {
    outputs: { ...log.outputs, ...readValues('output', output) },
    state: { ...log.state, ...readValues('state', state) },
    env: readValues('env', env),
    path: folders.split(/\r?\n/).filter((folder) => folder !== ''),
    summary,
    shownSummary: log.masks.hide(summary),
  }
}

/** Empty if the step has removed the file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function valuesOf(
  command: FileCommand,
  text: string,
  { log, os }: { log: StepLog; os: RunnerOs },
): Record<string, string> {
  try {
    return parseKeyValueFile(text, os)
  } catch (error) {
    log.refused = true
    log.annotate('error', `Unable to process file command '${command}' successfully.`)
    log.annotate('error', error instanceof Error ? error.message : String(error))
    return {}
  }
}
