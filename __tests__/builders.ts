import { setTimeout as pause } from 'node:timers/promises'
import { AGENT_SERVER } from '../src/control-plane/api.ts'
import type { Clock } from '../src/clock.ts'
import type { Deployment, Revision } from '../src/control-plane/model.ts'
import type { EventCode } from '../src/github/event-code.ts'
import type { WorkflowEvent } from '../src/github/event.ts'
import { openRollout, openTeardown, type Final, type RolloutRecord, type TeardownRecord } from '../src/report/record.ts'
import type { RolloutRequest } from '../src/rollout/rollout-request.ts'
import type { PlanFacts } from '../src/rollout/plan/plan-rollout.ts'

export const DEPLOYMENT_ID = 'd1111111-1111-4111-8111-111111111111'
export const REVISION_ID = 'a2222222-2222-4222-8222-222222222222'
export const OLD_REVISION_ID = 'b3333333-3333-4333-8333-333333333333'
export const INTEGRATION_ID = '44444444-4444-4444-8444-444444444444'
export const COMMIT = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'
export const LISTENER_ID = '55555555-5555-4555-8555-555555555555'

/** The event of a push to main, in a repository of GitHub. */
export function aPush(over: Partial<WorkflowEvent> = {}): WorkflowEvent {
  return {
    name: 'push',
    repositoryUrl: 'https://github.com/acme/agent',
    repository: 'acme/agent',
    apiUrl: 'https://api.github.com',
    pullRequest: undefined,
    isOfPullRequest: false,
    comment: undefined,
    code: { ref: { kind: 'branch', name: 'main' }, commit: undefined, isGuarded: false },
    head: undefined,
    runCommits: [],
    workspace: '/workspace',
    runUrl: undefined,
    isFirstAttempt: true,
    tempDir: undefined,
    ...over,
  }
}

/** A pull request's event whose code is its head. */
export const AT_HEAD = { branch: 'fix', headRepository: 'acme/agent', isFromFork: false, commit: undefined } as const
export const OF_FORK = { ...AT_HEAD, headRepository: 'eve/agent', isFromFork: true } as const

export function codeAt(ref: EventCode['ref'], over: Partial<EventCode> = {}): EventCode {
  return { ref, commit: undefined, isGuarded: ref.kind === 'head', ...over }
}

export function aDeployment(over: Partial<Deployment> = {}): Deployment {
  return {
    id: DEPLOYMENT_ID,
    name: 'agent',
    source: 'git_host',
    latestRevisionId: OLD_REVISION_ID,
    activeRevisionId: OLD_REVISION_ID,
    updatedAt: undefined,
    repoCommitSha: undefined,
    ...over,
    settings: {
      integrationId: INTEGRATION_ID,
      repoUrl: 'https://github.com/acme/agent',
      repoRef: 'main',
      appConfigPath: 'app.json',
      buildOnPush: false,
      secrets: [],
      ...over.settings,
    },
  }
}

export function aRevision(over: Partial<Revision> = {}): Revision {
  return {
    id: REVISION_ID,
    status: 'CREATING',
    statusMessage: undefined,
    repoCommitSha: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    settings: {},
    ...over,
  }
}

export function aRequest(over: Partial<RolloutRequest> = {}): RolloutRequest {
  return {
    target: { kind: 'name', name: 'agent' },
    ifMissing: 'create',
    ifUnchanged: 'revise',
    source: undefined,
    settings: {},
    sourcePath: undefined,
    repository: { repoUrl: 'https://github.com/acme/agent', repoRef: { kind: 'ref', ref: 'main' }, commit: COMMIT },
    notes: [],
    warnings: [],
    allowSecretRemoval: false,
    checkAppConfig: true,
    dryRun: false,
    wait: true,
    timeoutMs: 60_000,
    pollInterval: 'auto',
    onSuperseded: 'fail',
    phaseLimits: {},
    resume: false,
    protectNewer: false,
    verification: undefined,
    rollback: 'never',
    logs: 'on-failure',
    ...over,
  }
}

/** What a plan is made of: the deployment as it is, and nothing else that would have to be asked for. */
export function aBasis(current?: Deployment, over: Partial<PlanFacts> = {}): PlanFacts {
  return {
    current,
    active: undefined,
    latest: undefined,
    listeners: undefined,
    integrations: undefined,
    packed: undefined,
    api: AGENT_SERVER,
    ...over,
  }
}

export type FinalRolloutRecord = Final<RolloutRecord>

export function aRecord(over: Partial<FinalRolloutRecord> = {}): FinalRolloutRecord {
  const startedAt = Date.UTC(2026, 0, 2, 3, 4, 5)
  return {
    ...openRollout('rollout', { startedAt, runUrl: undefined, commit: undefined, access: ['base-url', 'api-key'] }),
    target: 'agent',
    change: 'revised',
    deployment: { id: DEPLOYMENT_ID, name: 'agent' },
    revisionId: REVISION_ID,
    endedAt: startedAt + 12_400,
    polls: 7,
    outcome: { kind: 'deployed', isConfirmed: true },
    ...over,
  }
}

/** The record of a teardown that deleted nothing. */
export function aTeardown(): Final<TeardownRecord> {
  const opened = openTeardown({ startedAt: 0, runUrl: undefined, commit: undefined })
  return { ...opened, endedAt: 1_000, outcome: { kind: 'torn-down' } }
}

interface FakeClock extends Clock {
  slept: number[]
  advance: (ms: number) => void
  /** How many timers wait. */
  timers: () => number
}

/** A clock that moves only when code sleeps. Timers whose time comes meanwhile act in their order. */
export function fakeClock(): FakeClock {
  let now = 0
  const slept: number[] = []
  const timers = new Set<{ at: number; act: () => void }>()
  const advance = (ms: number): void => {
    const end = now + ms
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
      if (next === undefined) break
      timers.delete(next)
      now = Math.max(now, next.at)
      next.act()
    }
    now = end
  }
  return {
    slept,
    advance,
    timers: () => timers.size,
    now: () => now,
    wallTime: () => Date.UTC(2026, 0, 1) + now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      slept.push(ms)
      advance(ms)
      await pause(0)
      signal.throwIfAborted()
    },
    after(ms, act) {
      const timer = { at: now + ms, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    during: async (work) => await work,
  }
}

/** No chance at all: jitter takes nothing off, a full-jitter backoff is at its longest. */
export const NO_LUCK = (): number => 0
export const FULL_LUCK = (): number => 1
