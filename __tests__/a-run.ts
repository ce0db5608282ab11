import { probe } from '../src/control-plane/probe.ts'
import { PARTS } from '../src/parts.ts'
import { alone, NO_NOTES, type Run, type Turns } from '../src/rollout/dependencies.ts'
import type { RolloutEvent } from '../src/rollout/event.ts'
import { fakeClock, NO_LUCK } from './builders.ts'
import { aControlPlane } from './control-plane-stub.ts'
import { FILES } from './here.ts'
import { NO_NETWORK } from './networks.ts'

const unexpected = (): Promise<never> => Promise.reject(new Error('not expected'))

interface FullRun<Event> extends Run<Event> {
  loadRest: typeof PARTS.loadRest
}

/** What a test gives of a run. */
export interface GivenOfRun<Event = RolloutEvent> extends Partial<Omit<FullRun<Event>, 'turns'>> {
  turns?: Partial<Turns>
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
    filesSince: unexpected,
    fileAt: unexpected,
    resolveCommit: unexpected,
    deployedCommits: unexpected,
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
export function aRun<Event = RolloutEvent>({ turns, ...over }: GivenOfRun<Event> = {}): FullRun<Event> {
  const { clock = fakeClock(), network = NO_NETWORK, signal = new AbortController().signal } = over
  return {
    controlPlane: aControlPlane({}),
    transport: { send: unexpected },
    patches: { sent: 0 },
    credentials: { apiKey: 'key-1', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' },
    clock,
    network,
    probe: async (url, options) => await probe(url, options, { network, clock }),
    files: FILES,
    random: NO_LUCK,
    signal,
    deadline: 60_000,
    endsAt: Infinity,
    turns: { ...alone({ clock, signal }), ...turns },
    own: NO_NOTES,
    maxRetries: 0,
    requestTimeoutMs: 10_000,
    emit: () => undefined,
    isFirstAttempt: true,
    readEarlier: () => Promise.resolve([]),
    gitHub: gitHubOf({}),
    mask: () => undefined,
    reveals: () => false,
    workspace: '.',
    tempDir: undefined,
    loadRest: PARTS.loadRest,
    ...over,
  }
}
