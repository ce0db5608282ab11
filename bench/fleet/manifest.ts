import { stepsOf } from '../../sandbox/lifecycle.ts'
import { randomRollouts } from '../../sandbox/random-rollouts.ts'
import type { SandboxOptions } from '../../sandbox/server.ts'

const REPOSITORY = 'https://git.example/acme/agent'
const CONFIG = 'agent.json'
const INTEGRATION = '8f14e45f-ceea-467f-a3d9-1c0f2b6d7e58'
const SECRET = 'the-value-of-a-secret'

const named = (count: number): string[] => Array.from({ length: count }, (_, n) => `agent-${n}`)

/** The deployments that exist before the rollout. */
export function existing(count: number): NonNullable<SandboxOptions['seed']> {
  return named(count).map((name) => ({
    name,
    source: 'git_host',
    source_config: { integration_id: INTEGRATION, repo_url: REPOSITORY },
    source_revision_config: { repo_ref: 'main', app_config_path: CONFIG },
    secrets: [{ name: 'KEY', value: SECRET }],
  }))
}

export const MANIFEST = 'fleet.yml'
/** Of the step. */
export const ENVIRONMENT = { KEY: SECRET }

/** Every deployment gets a new revision. */
export function manifestOf(count: number): string {
  const defaults = { source: 'git_host', 'repo-ref': 'next', 'app-config-path': CONFIG, secrets: { KEY: '${KEY}' } }
  return JSON.stringify({ version: 1, defaults, deployments: named(count).map((name) => ({ name })) })
}

/** How the revisions end, and when. */
export const rollouts = randomRollouts({ medianMs: 90_000, spread: 0.4, failures: 0.02, seed: 1 })

/** The rollout of one deployment. */
export interface Life {
  /** When its statuses begin, in milliseconds since the creation, ascending; the last one is the end. */
  changes: readonly number[]
  isDeployed: boolean
}

/** The rollout of each deployment at speed 1: it makes the second revision. */
export function livesOf(count: number): Life[] {
  return named(count).map((name) => {
    const script = rollouts({ name }, 2) ?? {}
    let at = 0
    const changes = stepsOf(script, 'git_host', 1)
      .slice(0, -1)
      .map(({ ms }) => (at += ms))
    return { changes, isDeployed: script.ends === 'DEPLOYED' }
  })
}
