import { z } from 'zod'

/** One line of `act --json`. */
const entrySchema = z.looseObject({
  msg: z.string(),
  /** The name in the workflow; the jobs of a matrix share it. */
  jobID: z.string().optional(),
  job: z.string().optional(),
  /** The id of the step, or its index. */
  stepID: z.array(z.string()).optional(),
  stage: z.string().optional(),
  step: z.string().optional(),
  stepResult: z.string().optional(),
  jobResult: z.string().optional(),
  /** A workflow command that act obeyed. */
  command: z.string().optional(),
  name: z.string().optional(),
  arg: z.string().optional(),
  raw_output: z.boolean().optional(),
})

export type LogEntry = z.infer<typeof entrySchema>

export interface Step {
  job: string
  id: string
  /** What it runs: `./` for `uses: ./`. */
  runs: string
  stage: string
  result: string
}

/** The log of one run of act. */
export class ActLog {
  readonly entries: LogEntry[]
  /** Lines that are not JSON: errors of act itself. */
  readonly stray: string[]

  constructor(text: string) {
    this.entries = []
    this.stray = []
    for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
      const entry = entrySchema.safeParse(parseJson(line))
      if (entry.success) this.entries.push(entry.data)
      else this.stray.push(line)
    }
  }

  /** The result of each job by its id; for a matrix, that of the last job that ended. */
  jobResult(id: string): string | undefined {
    return this.entries.findLast(({ jobID, jobResult }) => jobID === id && jobResult !== undefined)?.jobResult
  }

  /** Every step that ended, in order, without skipped ones. */
  get steps(): Step[] {
    return this.entries.flatMap(({ jobID: job, stepID, step: runs, stage, stepResult: result }) =>
      job === undefined || stage === undefined || runs === undefined || result === undefined
        ? []
        : [{ job, id: stepID?.[0] ?? '', runs, stage, result }],
    )
  }

  /** The outputs of the only step in a job that runs this action. */
  outputs(job: string): Record<string, string> {
    const written = this.entries.filter(
      ({ jobID, command, step }) => jobID === job && command === 'set-output' && isOurs(step ?? ''),
    )
    return Object.fromEntries(written.map(({ name = '', arg = '' }) => [name, arg]))
  }

  /** The output of the steps, masked as act shows it. */
  get shown(): string {
    return this.entries
      .filter(({ raw_output: raw, command }) => raw === true || isAnnotation(command))
      .map(({ msg }) => msg.trimEnd())
      .join('\n')
  }

  /** The job summaries. */
  get summaries(): string[] {
    return this.entries.filter(({ command }) => command === 'summary').map(({ msg }) => msg)
  }

  /** All lines of a log for people, masked. `act --json` repeats the outputs of a step in fields of its own, unmasked. */
  get printed(): string {
    return [...this.entries.map(({ msg }) => msg), ...this.stray].join('\n')
  }

  /**
   * Everything that a reader of the log could see. `act --json` repeats the command add-mask in fields of its own, which a
   * log for people does not have.
   */
  get everything(): string {
    const public_ = this.entries.map((entry) => (entry.command === 'add-mask' ? { msg: entry.msg } : entry))
    return [...public_.map((entry) => JSON.stringify(entry)), ...this.stray].join('\n')
  }
}

/** Whether a step runs this repository's action, or one in a sub-folder. */
export function isOurs(runs: string): boolean {
  return runs.startsWith('./')
}

function isAnnotation(command: string | undefined): boolean {
  return command === 'error' || command === 'warning' || command === 'notice'
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
