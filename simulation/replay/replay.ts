import { run } from '../../src/run.ts'
import { ActionProcess } from '../action-process.ts'
import { chanceFor, type Chance } from '../chance.ts'
import { SimulatedTime } from '../time.ts'
import { Trace } from '../trace.ts'
import { compareTexts } from './alike.ts'
import { TracedFiles } from './traced-files.ts'
import { EXACT_MS, TracedNetwork } from './traced-network.ts'
import type { TracedRun } from './trace-file.ts'

export interface Replayed {
  exitCode: number | undefined
  outcome: string
  requests: number
  /** What the run did in another way than it is recorded. */
  differences: readonly string[]
  /** What does not count, as sentences. */
  remarks: readonly string[]
  /** Every request, answer and line, in order. */
  trace: readonly string[]
}

/** Runs the action once more, with what a recorded run had from outside. */
export async function replay(traced: TracedRun): Promise<Replayed> {
  const { head, surroundings, end } = traced
  const time = new SimulatedTime(head.wallTime, inOrder())
  const trace = new Trace(() => time.now())
  const network = new TracedNetwork(traced, time, trace)
  const files = new TracedFiles(surroundings)
  const process = new ActionProcess({
    who: 'run',
    files,
    env: surroundings.env,
    time,
    network,
    trace,
    random: drawnAgain(surroundings.random),
    onLine: () => undefined,
  })
  try {
    if (end.cancelled !== undefined) cancelAgain(end.cancelled, { time, network, process })
    const exitCode = await time.run(async () => await process.run(run))
    const { ledger, omissions } = network
    const { outputs } = files
    const differences = [...differentEnds(end, { exitCode, outputs }), ...ledger.differences, ...ledger.missing()]
    const outcome = outputs['outcome'] ?? 'none'
    const remarks = remarksOn(traced, ledger.alike, omissions)
    return { exitCode, outcome, requests: ledger.count, differences, remarks, trace: trace.lines }
  } finally {
    files.dispose()
  }
}

/** In milliseconds: so much later, the recorded requests do not count any more. */
const PATIENCE_MS = 1_000

/** Cancels at the recorded moment. What was sent before at the same moment is sent before. */
function cancelAgain(
  { at, requests }: NonNullable<TracedRun['end']['cancelled']>,
  { time, network, process }: { time: SimulatedTime; network: TracedNetwork; process: ActionProcess },
): void {
  const interruptIfSent = (): void => {
    if (time.now() >= at - EXACT_MS && network.ledger.count >= requests) process.interrupt()
  }
  network.onSent = interruptIfSent
  time.after(at, interruptIfSent)
  time.after(at + PATIENCE_MS, () => process.interrupt())
}

/** Timers that are due at the same moment fire in the order in which they were set, as Node's do. */
function inOrder(): Chance {
  let place = 0
  return () => (place += 1)
}

/** The recorded numbers, then others. */
function drawnAgain(numbers: readonly number[]): Chance {
  const [drawn, further] = [numbers.values(), chanceFor('replay', 'more')]
  return () => drawn.next().value ?? further()
}

/** Where they are, and how long the run took, differs. */
const OF_PLACE_AND_TIME = new Set(['record-path', 'duration-seconds'])

interface Ended {
  exitCode: number | undefined
  outputs: Readonly<Record<string, string>>
}

function differentEnds(recorded: Ended, replayed: Ended): string[] {
  const names = new Set([...Object.keys(recorded.outputs), ...Object.keys(replayed.outputs)])
  const outputs = [...names].flatMap((name) => {
    const [one, other] = [recorded.outputs[name], replayed.outputs[name]]
    if (OF_PLACE_AND_TIME.has(name) || compareTexts(one ?? '', other ?? '') !== 'other') return []
    return [`the output ${name} was ${one ?? 'not set'}, and is ${other ?? 'not set'}`]
  })
  const [one, other] = [recorded.exitCode, replayed.exitCode]
  return [...(one === other ? [] : [`the exit code was ${one ?? 'none'}, and is ${other ?? 'none'}`]), ...outputs]
}

function remarksOn({ end, surroundings }: TracedRun, alike: number, omissions: readonly string[]): string[] {
  const isRerun = (surroundings.env['GITHUB_RUN_ATTEMPT'] ?? '1') !== '1'
  return [
    ...(alike === 0 ? [] : [`${alike} requests differ only in times, or in seals of notes`]),
    ...omissions,
    ...(end.isCut ? ['the trace is cut: it was too large'] : []),
    ...(isRerun ? ['a rerun: the seals of earlier attempts cannot be checked without the credential'] : []),
  ]
}
