import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { INTEGRATION_ID, type Bench } from './bench.ts'
import type { Files } from './repository.ts'

export interface Recipe {
  name: string
  /** From the root of this repository. */
  workflow: string
  /** What it checks, for the table. */
  checked: string
  sandbox?: SandboxOptions
  /** What each commit of the repository writes. Default: one commit. */
  history?: readonly Files[]
  /** Runs it with act; throws when a check fails. */
  run: (bench: Bench) => Promise<void>
}

type Seed = NonNullable<SandboxOptions['seed']>[number]

export const NAME = 'my-agent'

/** A deployment that exists already. */
export function gitDeployment(ref: string, name = NAME): Seed {
  return {
    name,
    source: 'git_host',
    source_config: { integration_id: INTEGRATION_ID, repo_url: 'https://github.com/octo-org/hello-agent' },
    source_revision_config: { repo_ref: ref, app_config_path: 'agent.json' },
    secrets: [],
  }
}

export interface Write {
  line: string
  body: unknown
}

/** The writes that the control plane received, in order. */
export function writesTo({ requests }: Sandbox): Write[] {
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, route, body }) => ({ line: `${method} ${route}`, body }))
}

export function namesIn(sandbox: Sandbox): unknown[] {
  return sandbox.deployments().map(({ name }) => name)
}

export const CREATE = 'POST /v2/deployments'
export const REVISE = 'POST /v2/deployments/{deployment_id}/revisions'
