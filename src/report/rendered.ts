import type { Log } from './log.ts'
import type { Message } from './messages.ts'
import type { Outputs } from './outputs.ts'

/** The end of a run as it is published. */
export interface Rendered {
  message: Message
  outputs: Outputs
  /** The job summary. */
  markdown: () => string
  /** In the file of the record, beside the outputs. No secret's value is in it. */
  recorded: object
  /** In the same file: made one by one, because all of them would take much memory. */
  results?: Iterable<object>
  /** Prints what comes before the outcome itself. */
  printBefore?: (log: Log) => void
}
