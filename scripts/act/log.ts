import { z } from 'zod'

/** One line of `act --json`. */
const entrySchema = z.looseObject({
  msg: z.string(),
  /** As the workflow names it; a matrix has several of the same. */
  jobID: z.string().optional(),
  job: z.string().optional(),
  /** Of the step: its id, or its index. */
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

/** What act told of a run. */
export class ActLog {
  readonly entries: LogEntry[]
  /** What was no JSON: act's own troubles. */
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

  /** By the job's id; of a matrix the last one that ended. */
  jobResult(id: string): string | undefined {
    return this.entries.findLast(({ jobID, jobResult }) => jobID === id && jobResult !== undefined)?.jobResult
  }

  /** Every step that ended, in order. One that was skipped is not there. */
  get steps(): Step[] {
    return this.entries.flatMap(({ jobID: job, stepID, step: runs, stage, stepResult: result }) =>
      job === undefined || stage === undefined || runs === undefined || result === undefined
        ? []
        : [{ job, id: stepID?.[0] ?? '', runs, stage, result }],
    )
  }

  /** The outputs of our action's only step in a job. */
  outputs(job: string): Record<string, string> {
    const written = this.entries.filter(
      ({ jobID, command, step }) => jobID === job && command === 'set-output' && isOurs(step ?? ''),
    )
    return Object.fromEntries(written.map(({ name = '', arg = '' }) => [name, arg]))
  }

  /** What steps printed, masked as act shows it. */
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

  /**
   * Everything that anybody could read. `act --json` repeats the command add-mask word for word in fields of its own,
   * which a log for people does not have.
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
