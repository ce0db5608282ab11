import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentWorkspace, type AuditEntry } from './agentws/workspace.ts'
import { Refusal } from './answers.ts'
import { createApp, LANGSMITH_PATH } from './app.ts'
import type { Credentials } from './credentials.ts'
import { CONTRACT, type Habits } from './habits.ts'
import type { Env, RecordedRequest } from './intake.ts'
import { DEFAULT_RESOURCES, type WorkspaceResources } from './workspace-resources.ts'
import { FaultBox, type Fault } from './faults.ts'
import { LateActs } from './late-acts.ts'
import { OtherClients, type Deed, type Visit } from './other-clients.ts'
import type { RolloutScript } from './lifecycle.ts'
import { given } from './records.ts'
import type { CreateDeployment } from './schemas.ts'
import { Store, type ScriptChooser } from './store.ts'
import { Tracing } from './tracing.ts'
import { Uploads, type Upload } from './uploads.ts'
import { showDeployment, showRevision } from './views.ts'
import { Workspace } from './workspace.ts'

export type { Fault, RecordedRequest, RolloutScript }

export interface SandboxOptions {
  /** The prefix of every route, such as `/api-host`. */
  pathPrefix?: string
  /** Any one of them is enough. Default: the API key {@link DEFAULT_API_KEY}. */
  credentials?: Credentials
  /** 1 is realistic, about 9 s for a git_host revision; 10 is ten times faster. */
  speed?: number
  /** How revisions end. If not set, the deployment's name decides. */
  script?: RolloutScript | ScriptChooser
  /** Deployments that exist already, their first revision DEPLOYED. */
  seed?: CreateDeployment[]
  /** Replaces the default listeners, integrations, tokens or plan. */
  resources?: Partial<WorkspaceResources>
  /** Rules that differ between services, for both spellings. Default: the contract's, and the public service's own. */
  habits?: Partial<Habits>
  faults?: Fault[]
  /** The seed of all probabilities of faults. */
  faultSeed?: number
  /** false: routes that are not in the contract respond with 404. */
  optionalRoutes?: boolean
  /** Returns the body of a response as clients see it: a service may write values in its own way, or omit them. */
  shows?: (body: unknown) => unknown
  /** Takes each request after its response. */
  onRequest?: (request: RecordedRequest) => void
  /** Takes each uploaded archive. Without it, no archive is held in memory. */
  onUpload?: (archive: Buffer) => void
  /** Milliseconds since the epoch. Default: those of this machine. */
  now?: () => number
  /** Default: random ones. */
  newId?: () => string
  /** Resolves after so many milliseconds, or when the signal aborts. Default: by the clock of this machine. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Takes an error of the sandbox itself. Default: prints it. */
  onError?: (error: Error) => void
}

export interface Sandbox {
  /** With the path prefix. */
  url: string
  /** The same, in the words of the public service. */
  publicUrl: string
  /** Every request so far, in order. */
  requests: RecordedRequest[]
  /** The number of requests that are answered and not acted on yet; acts on those that are due. */
  late: () => number
  /** The real state, to compare reports with; with `shareable`, which no response has. */
  deployments: () => Record<string, unknown>[]
  /** Oldest first. */
  revisions: (deploymentId: string) => Record<string, unknown>[]
  /** Those with which a revision was created, which no response has. */
  secretsOf: (deploymentId: string, revisionId: string) => { name: string; value: string }[]
  uploads: () => Upload[]
  /** The audit log of the agent workspace, oldest first. */
  audit: () => readonly AuditEntry[]
  /** @param seed of all probabilities */
  setFaults: (faults: Fault[], seed?: number) => void
  /** Others act meanwhile: their deeds so far are in `deeds`. */
  setVisits: (visits: readonly Visit[]) => void
  deeds: () => readonly Deed[]
  setScript: (script: RolloutScript | ScriptChooser | undefined) => void
  close: () => Promise<void>
}

/** A control plane without a server: a request may end in a broken connection, see `breakOf`. */
export interface OpenSandbox extends Omit<Sandbox, 'close'> {
  fetch: (request: Request, env?: Env['Bindings']) => Promise<Response>
  /** Ends all delays. */
  close: () => void
}

export const DEFAULT_API_KEY = 'sandbox-key'

/**
 * Opens a control plane that forgets everything when it is closed.
 * @param origin its address, without the path prefix
 */
export function openSandbox(options: SandboxOptions, origin: string): OpenSandbox {
  const { pathPrefix = '', speed = 1, now = Date.now, newId = randomUUID, pause = pauseReally } = options
  const { onRequest = () => undefined, shows = (body: unknown) => body, onError = console.error } = options
  let choose = chooserOf(options.script)
  let clock = now
  const uploads = new Uploads(now, newId, options.onUpload)
  const store = new Store({
    speed,
    now: () => clock(),
    newId,
    uploads,
    script: (deployment, number) => choose(deployment, number),
  })
  // A deployment of the seed was created an hour ago, so its revision is DEPLOYED now.
  clock = () => now() - 3_600_000
  choose = () => ({})
  for (const body of options.seed ?? []) createFromSeed(store, body)
  clock = now
  choose = chooserOf(options.script)

  const faults = new FaultBox()
  faults.set(options.faults ?? [], options.faultSeed)
  const requests: RecordedRequest[] = []
  const late = new LateActs(store, now)
  const others = new OtherClients(store, late, now, { ...CONTRACT, ...options.habits })
  const ending = new AbortController()
  const agentWorkspace = new AgentWorkspace(now, newId)
  const app = createApp({
    plane: {
      store,
      uploads,
      workspace: new Workspace({ ...DEFAULT_RESOURCES, ...options.resources }, now),
      tracing: new Tracing(newId),
      agentWorkspace,
      origin: () => origin,
    },
    intake: {
      ...{ faults, requests, pathPrefix, now, store, late, others, onRequest, shows },
      pause: async (ms) => await pause(ms, ending.signal),
      isClosed: () => ending.signal.aborted,
    },
    credentials: options.credentials ?? { apiKey: DEFAULT_API_KEY },
    optionalRoutes: options.optionalRoutes ?? true,
    habits: options.habits ?? {},
    onError,
  })

  return {
    fetch: async (request, env = {}) => await app.fetch(request, env),
    url: origin + pathPrefix,
    publicUrl: origin + pathPrefix + LANGSMITH_PATH,
    requests,
    late: () => {
      late.settle()
      return late.count
    },
    revisions: (deploymentId) => store.get(deploymentId).revisions.map((revision) => showRevision(store, revision)),
    secretsOf: (id, revisionId) => store.getRevision(id, revisionId).revision.secrets,
    uploads: () => uploads.all(),
    audit: () => agentWorkspace.audit,
    deployments: () =>
      store.all().map((one) => ({ ...showDeployment(store, one), ...given({ shareable: one.shareable }) })),
    setFaults: (next, seed) => {
      faults.set(next, seed)
    },
    setVisits: (visits) => {
      others.set(visits)
    },
    deeds: () => others.deeds,
    setScript: (script) => {
      choose = chooserOf(script)
    },
    close: () => {
      ending.abort()
    },
  }
}

async function pauseReally(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

function createFromSeed(store: Store, body: CreateDeployment): void {
  try {
    store.create(body)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    const { detail } = thrown.body
    const why = typeof detail === 'string' ? detail : thrown.message
    throw new Error(`the deployment "${body.name}" of the seed: ${why}`, { cause: thrown })
  }
}

function chooserOf(script: SandboxOptions['script']): ScriptChooser {
  return typeof script === 'function' ? script : () => script
}
