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
