import { parseArgs } from 'node:util'
import { isOperation, OPERATION_NAMES, type OperationName } from './operations.ts'

export const HELP = `Usage: npm run simulate -- [--seed S] [--runs N] [--operation O] [--jobs J] [--run K [--trace]] [--exhaustive] [--debug]
       npm run simulate -- --replay FILE [--trace]

Runs the action against a simulated control plane, GitHub and network, by a simulated clock, and compares its reports
with what really happened. The seed and the number of a run decide all of it. Exits 1 at the first untrue run.

  --seed S        any text (default 1)
  --runs N        number of runs (default 200)
  --operation O   only runs of ${OPERATION_NAMES.join(', ')}
  --jobs J        number of processes (default 1)
  --run K         only the run of this number
  --trace         with --run or --replay: prints every request, answer, line and deed in order
  --exhaustive    short journeys with every fault at every request, and with a second one at each later request
  --debug         with debug logging: each run of the action writes a trace, in which no secret may be
  --replay FILE   the run of which FILE is the trace, as a run with debug logging writes it. Exits 1 if it differs
`

export interface Command {
  seed: string
  runs: number
  operation: OperationName | undefined
  jobs: number
  run: number | undefined
  trace: boolean
  exhaustive: boolean
  debug: boolean
  replay: string | undefined
}

/** Reads the command line. Returns undefined if it cannot be used. */
export function readCommand(args: readonly string[]): Command | 'help' | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '200' },
      operation: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      run: { type: 'string' },
      trace: { type: 'boolean', default: false },
      exhaustive: { type: 'boolean', default: false },
      debug: { type: 'boolean', default: false },
      replay: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const { seed, operation, trace, exhaustive, debug, replay } = values
  const [runs, jobs] = [Number(values.runs), Number(values.jobs)]
  const run = values.run === undefined ? undefined : Number(values.run)
  const isCount = [runs, jobs, run ?? 0].every((number) => Number.isInteger(number) && number >= 0)
  if (!isCount || jobs < 1) return undefined
  const rest = { seed, runs, jobs, run, trace, exhaustive, debug, replay }
  if (operation === undefined) return { ...rest, operation }
  return isOperation(operation) ? { ...rest, operation } : undefined
}
