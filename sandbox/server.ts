import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { handle, type Credentials, type Desk, type Env, type RecordedRequest } from './desk.ts'
import { FaultBox, type Fault } from './faults.ts'
import type { RolloutScript } from './lifecycle.ts'
import { routesOver } from './routes.ts'
import type { CreateDeployment } from './schemas.ts'
import { Store, type ScriptChooser } from './store.ts'
import { showDeployment } from './views.ts'

export type { Fault, RecordedRequest, RolloutScript }

export interface SandboxOptions {
  /** Default 0, a free one. The address is always 127.0.0.1. */
  port?: number
  /** Every route stands below it, as in `/api-host`. */
  pathPrefix?: string
  /** Any one of them is enough. Default: the API key {@link DEFAULT_API_KEY}. */
  credentials?: Credentials
  /** 1 is lifelike, about 9 s for a git_host revision; 10 is ten times faster. */
  speed?: number
  /** What is to become of revisions; left out, the deployment's name decides. */
  script?: RolloutScript | ScriptChooser
  /** Deployments that exist already, their first revision DEPLOYED. */
  seed?: CreateDeployment[]
  faults?: Fault[]
  /** false: routes that the contract does not have answer 404. */
  optionalRoutes?: boolean
  /** Milliseconds since the epoch. */
  now?: () => number
}

export interface Sandbox {
  /** Prefix included. */
  url: string
  /** Every request so far, in order. */
  requests: RecordedRequest[]
  /** The truth, to hold against what anybody says. */
  deployments: () => Record<string, unknown>[]
  setFaults: (faults: Fault[]) => void
  setScript: (script: RolloutScript | ScriptChooser | undefined) => void
  close: () => Promise<void>
}

export const DEFAULT_API_KEY = 'sandbox-key'

/** Starts a control plane on this machine that forgets everything when it is closed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { pathPrefix = '', speed = 1, now = Date.now } = options
  let choose = chooserOf(options.script)
  let clock = now
  const store = new Store({
    speed,
    now: () => clock(),
    script: (deployment, number) => choose(deployment, number),
  })
  // A deployment of the seed was created an hour ago, so that its revision is DEPLOYED by now.
  clock = () => now() - 3_600_000
  choose = () => ({})
  for (const body of options.seed ?? []) store.create(body)
  clock = now
  choose = chooserOf(options.script)

  const faults = new FaultBox()
  faults.set(options.faults ?? [])
  const requests: RecordedRequest[] = []
  const credentials = options.credentials ?? { apiKey: DEFAULT_API_KEY }
  const desk: Desk = { credentials, faults, requests, pathPrefix, now }
  const app = new Hono<Env>()
  for (const route of routesOver(store).filter(
    ({ optional }) => optional !== true || options.optionalRoutes !== false,
  )) {
    app.on(route.method, pathPrefix + route.pattern.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      return await handle(route, context, desk)
    })
  }
  app.notFound(async (context) => await handle(undefined, context, desk))

  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${pathPrefix}`,
    requests,
    deployments: () => store.all().map((deployment) => showDeployment(store, deployment)),
    setFaults: (next) => {
      faults.set(next)
    },
    setScript: (script) => {
      choose = chooserOf(script)
    },
    close: async () =>
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function chooserOf(script: SandboxOptions['script']): ScriptChooser {
  return typeof script === 'function' ? script : () => script
}
