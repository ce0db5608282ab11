import { createSecretMasks, type SecretMasks } from './secret-masks.ts'
import { parseWorkflowCommand, type WorkflowCommand } from './workflow-command.ts'

export interface Annotation {
  level: 'error' | 'warning' | 'notice'
  /** '' if the step set none. */
  title: string
  message: string
  /** Relative to the workspace; only if the step set one. */
  file?: string
  /** From 1. */
  line?: number
}

type Properties = Partial<WorkflowCommand['properties']>

export interface StepLogOptions {
  /** Values hidden from the first line on, as a workflow's `secrets` are. */
  secrets?: readonly string[] | undefined
  /** Show `::debug::` lines, as a job with debug logging does. */
  debug?: boolean | undefined
  onLine?: ((line: string) => void) | undefined
}

const LEVEL_LABELS = { error: 'Error', warning: 'Warning', notice: 'Notice' } as const

/** Of an annotation and of its line in the log, in UTF-16 units: the runner cuts what follows. */
const MAX_MESSAGE = 4096

const DEPRECATED =
  'is deprecated and will be disabled soon. Please upgrade to using Environment Files. For more information see: ' +
  'https://github.blog/changelog/2022-10-11-github-actions-deprecating-save-state-and-set-output-commands/'
const DISABLED =
  'is disabled. Please upgrade to using Environment Files or opt into unsecure command execution by setting the ' +
  '`ACTIONS_ALLOW_UNSECURE_COMMANDS` environment variable to `true`. For more information see: ' +
  'https://github.blog/changelog/2020-10-01-github-actions-deprecating-set-env-and-add-path-commands/'

/** Reads a step's lines, executes the workflow commands among them, and keeps the lines that a person sees. */
export class StepLog {
  /** Lines as GitHub's log shows them. */
  readonly shown: string[] = []
  readonly annotations: Annotation[] = []
  /** Every executed workflow command, in order. */
  readonly commands: WorkflowCommand[] = []
  readonly masks: SecretMasks = createSecretMasks()
  /** From the old `::set-output` and `::save-state`. */
  readonly outputs: Record<string, string> = {}
  readonly state: Record<string, string> = {}
  /** The runner could not execute a command: the step fails with any exit code. */
  refused = false

  readonly #debug: boolean
  readonly #onLine: (line: string) => void
  #indent = ''
  #resumeToken: string | undefined

  constructor({ secrets = [], debug = false, onLine }: StepLogOptions = {}) {
    for (const secret of secrets) this.masks.add(secret)
    this.#debug = debug
    this.#onLine = onLine ?? (() => undefined)
  }

  /** One line of the step's stdout or stderr, without its line break. */
  readLine(line: string): void {
    const command = parseWorkflowCommand(line, this.#resumeToken)
    if (command === undefined) {
      this.#show(line)
      return
    }
    if (this.#resumeToken === undefined) this.#obey(command)
    else this.#obeyWhileStopped(command, this.#resumeToken)
  }

  /** Adds an annotation of the runner itself. */
  annotate(level: Annotation['level'], message: string, { title = '', file, line }: Properties = {}): void {
    const place = { ...(file !== undefined && { file }), ...(line !== undefined && { line: Number(line) }) }
    const kept = this.masks.hide(message).slice(0, MAX_MESSAGE)
    this.annotations.push({ level, title: this.masks.hide(title), message: kept, ...place })
    this.#show(`${LEVEL_LABELS[level]}: ${kept}`)
  }

  #obeyWhileStopped(command: WorkflowCommand, resumeToken: string): void {
    this.#show(command.line)
    if (command.name !== resumeToken.toLowerCase()) return
    this.commands.push(command)
    this.#resumeToken = undefined
  }

  #obey(command: WorkflowCommand): void {
    this.commands.push(command)
    const { name, properties, message } = command
    switch (name) {
      case 'add-mask':
        this.#addMask(message)
        break
      case 'error':
      case 'warning':
      case 'notice':
        this.annotate(name, message, properties)
        break
      case 'debug':
        if (this.#debug) this.#show(`##[debug]${message}`)
        break
      case 'group':
        this.#indent = ''
        this.#show(`▼ ${message}`)
        this.#indent = '  '
        break
      case 'endgroup':
        this.#indent = ''
        break
      case 'stop-commands':
        this.#resumeToken = message
        this.#show(command.line)
        break
      case 'set-output':
      case 'save-state':
        this.#keepValue(name, properties['name'], message)
        break
      case 'set-env':
      case 'add-path':
        this.#refuse(command, `The \`${name}\` command ${DISABLED}`)
        break
    }
  }

  #addMask(value: string): void {
    if (value.trim() === '') {
      this.annotate('warning', "Can't add secret mask for empty string in ##[add-mask] command.")
      return
    }
    this.masks.add(value)
  }

  #keepValue(command: 'set-output' | 'save-state', name: string | undefined, value: string): void {
    if (name === undefined) return
    const kept = command === 'set-output' ? this.outputs : this.state
    kept[name] = value
    this.annotate('warning', `The \`${command}\` command ${DEPRECATED}`)
  }

  #refuse({ line }: WorkflowCommand, reason: string): void {
    this.refused = true
    this.annotate('error', `Unable to process command '${line}' successfully.`)
    this.annotate('error', reason)
  }

  #show(text: string): void {
    for (const line of this.masks.hide(text).split(/\r\n|\r|\n/)) {
      this.shown.push(this.#indent + line)
      this.#onLine(this.#indent + line)
    }
  }
}
