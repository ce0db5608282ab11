import { PARTS } from '../src/parts.ts'
import type { Run } from '../src/rollout/dependencies.ts'
import type { RolloutEvent } from '../src/rollout/event.ts'
import { fakeClock, NO_LUCK } from './builders.ts'
import { aControlPlane } from './control-plane-stub.ts'
import { FILES } from './here.ts'
import { NO_NETWORK } from './networks.ts'

const unexpected = (): Promise<never> => Promise.reject(new Error('not expected'))

interface FullRun<Event> extends Run<Event> {
  later: typeof PARTS.later
}

/** What a run asks GitHub: what is not given is not asked. */
export function gitHubOf(over: Partial<Run['gitHub']>): Run['gitHub'] {
  const none = (): never => {
    throw new Error('not expected')
  }
  return {
    connect: unexpected,
    warn: none,
    endWithin: none,
    compareCommits: unexpected,
    readCommit: unexpected,
    readRunAge: unexpected,
    readPullRequest: unexpected,
    pullRequestStates: unexpected,
    pullRequestFiles: unexpected,
    previewNotes: unexpected,
    ...over,
  }
}

/** The turn of a write, of which nothing is counted. */
export const A_TURN: Disposable = { [Symbol.dispose]: () => undefined }

/** A run with nothing around it: what is not given answers no question. */
export function aRun<Event = RolloutEvent>(over: Partial<FullRun<Event>> = {}): FullRun<Event> {
  return {
    controlPlane: aControlPlane({}),
    transport: { send: unexpected },
    patches: { sent: 0 },
    credentials: { apiKey: 'key-1', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' },
    clock: fakeClock(),
    network: NO_NETWORK,
    files: FILES,
    random: NO_LUCK,
    signal: new AbortController().signal,
    deadline: 60_000,
    maxRetries: 0,
    requestTimeoutMs: 10_000,
    emit: () => undefined,
    isFirstAttempt: true,
    readEarlier: () => Promise.resolve([]),
    notedPhases: () => [],
    gitHub: gitHubOf({}),
    mask: () => undefined,
    reveals: () => false,
    workspace: '.',
    tempDir: undefined,
    later: PARTS.later,
    ...over,
  }
}
