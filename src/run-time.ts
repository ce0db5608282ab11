import { wholeSeconds } from './clock.ts'
import { AFTER_DEADLINE_MS, SHORTEST_QUESTION_MS } from './github/questions.ts'
import type { RunnableStep } from './inputs/read-step.ts'
import { LAST_REQUESTS_MS, longestRollout, longestWork, named, sumOf, type LongestEnd } from './rollout/longest-end.ts'
import { LAST_LOOK_MS } from './rollout/timing.ts'

/** How long a run takes, in milliseconds from its start. */
interface RunTime {
  /** When the operation ends, except for what may follow its timeout. */
  deadlineMs: number
  /** When everything ends, GitHub's last updates included; undefined: each part has its own limit. */
  endMs: number | undefined
}

interface TimedStep {
  operation: RunnableStep['operation']
  preview?: unknown
  request: { timeoutMs: number }
}

/** A fleet ends at its timeout: before, it leaves time for the last requests and for GitHub, but no more than a tenth. */
export function timeOf({ operation, preview, request: { timeoutMs } }: TimedStep): RunTime {
  if (operation !== 'fleet') return { deadlineMs: timeoutMs, endMs: undefined }
  const lastMs = Math.min(LAST_REQUESTS_MS + AFTER_DEADLINE_MS, timeoutMs / 10)
  // A teardown may follow.
  return { deadlineMs: timeoutMs - lastMs, endMs: preview === undefined ? timeoutMs : undefined }
}

/** Returns the longest time from the start of the operation to the end of the run, as the sum of its limits. */
export function longestEndOf(step: RunnableStep): LongestEnd {
  if (step.operation !== 'fleet') return withGitHub(workOf(step))
  const fleet = [{ input: 'timeout', ms: step.request.timeoutMs }]
  return step.preview === undefined ? fleet : withGitHub([...fleet, ...teardownAfter(step)])
}

/** Adds GitHub's last updates. */
export function withGitHub(work: LongestEnd): LongestEnd {
  return [...work, { ms: AFTER_DEADLINE_MS }]
}

function workOf(step: Exclude<RunnableStep, { operation: 'fleet' }>): LongestEnd {
  switch (step.operation) {
    case 'request':
      return longestWork(step.request)
    case 'teardown':
      return [...longestWork(step.request), { ms: SHORTEST_QUESTION_MS }]
    case 'wait':
    case 'rollback':
      return [...longestRollout(step.request), LAST_LOOK]
    case 'rollout': {
      const rollout = [...longestRollout(step.request), LAST_LOOK]
      return step.preview === undefined ? rollout : [...rollout, ...teardownAfter(step)]
    }
  }
}

/** The read of the serving revision at the end. */
const LAST_LOOK = { ms: LAST_LOOK_MS }

/** The pull request may have been closed meanwhile. */
function teardownAfter({ request }: TimedStep): LongestEnd {
  return named('teardown', [...longestWork(request), { ms: 2 * SHORTEST_QUESTION_MS }])
}

export function longestEndText(end: LongestEnd): string {
  const seconds = (ms: number): string => `${wholeSeconds(ms)} s`
  const limits = end.flatMap(({ input, ms }) => (input === undefined ? [] : [`${input} ${seconds(ms)}`]))
  const lastMs = sumOf(end.filter(({ input }) => input === undefined))
  const last = lastMs === 0 ? [] : [`last requests ${seconds(lastMs)}`]
  return `This run ends after at most ${seconds(sumOf(end))}: ${[...limits, ...last].join(' + ')}.`
}
