import type { Run } from '../../src/rollout/dependencies.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { PullRequestState } from '../../src/github/pulls.ts'
import type { TeardownEvent } from '../../src/previews/event.ts'
import type { TeardownRequest } from '../../src/previews/request.ts'
import { teardown } from '../../src/previews/teardown.ts'
import { aRun, gitHubOf } from '../a-run.ts'
import { aDeployment, fakeClock, FULL_LUCK } from '../builders.ts'
import type { ControlPlaneModel } from '../control-plane-model.ts'
import { endOf, SERVER_TIME } from './memory-control-plane.ts'

/** By the numbers of pull requests; the others are missing from GitHub's answer. */
export type States = Readonly<Record<number, PullRequestState>>

/** What a teardown runs with. */
export interface TearingDown extends Partial<TeardownRequest> {
  memory: ControlPlaneModel
  /** What GitHub answers about pull requests: each of `earlier` once, then always `states`. */
  states?: States | undefined
  earlier?: readonly States[]
  /** Hears each question about pull requests. */
  onQuestion?: (numbers: readonly number[]) => void
  /** What else GitHub is asked. */
  gitHub?: Partial<Run['gitHub']>
  signal?: AbortSignal
  deadline?: number
  maxRetries?: number
  isFirstAttempt?: boolean
  /** In place of the fake clock's. */
  now?: () => number
}

export const BY_NAME = {
  kind: 'one',
  target: { kind: 'name', name: 'agent' },
  because: { kind: 'requested' },
  repoUrl: undefined,
} as const

/** Runs a teardown to its end, on a fake clock that agrees with the control plane's. Without `what`, it is that of `agent`. */
export async function tearDown({ memory, states = {}, earlier = [], onQuestion, gitHub, now, ...over }: TearingDown) {
  const { signal = new AbortController().signal, deadline = 60_000, maxRetries = 0, isFirstAttempt = true } = over
  const { toDelete: what = BY_NAME, ignoreMissing = true, dryRun = false, timeoutMs = 60_000 } = over
  const events: TeardownEvent[] = []
  const questions: (readonly number[])[] = []
  const labels: (string | undefined)[] = []
  const pullRequestStates: Run['gitHub']['pullRequestStates'] = (numbers, label) => {
    const known = new Map(Object.entries(earlier[questions.length] ?? states))
    questions.push(numbers)
    labels.push(label)
    onQuestion?.(numbers)
    const stateOf = (number: number): [number, PullRequestState][] => {
      const state = known.get(String(number))
      return state === undefined ? [] : [[number, state]]
    }
    return Promise.resolve(new Map(numbers.flatMap(stateOf)))
  }
  const clock = Object.assign(fakeClock(), { wallTime: () => SERVER_TIME }, now && { now })
  const running = teardown(
    { toDelete: what, ignoreMissing, dryRun, timeoutMs },
    aRun<TeardownEvent>({
      ...{ controlPlane: memory.controlPlane, clock, deadline, signal, maxRetries, isFirstAttempt },
      emit: (event) => void events.push(event),
      random: FULL_LUCK,
      gitHub: gitHubOf({ pullRequestStates, ...gitHub }),
    }),
  )
  return { ...(await endOf(running)), events, clock, questions, labels }
}

/** The preview of `agent` for this pull request. */
export const previewOf = (number: number, over: Partial<Deployment> = {}): Deployment =>
  aDeployment({ id: `id-${number}`, name: `agent-pr-${number}`, ...over })
